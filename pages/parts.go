package pages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// The player loads the parts of a page from signed addresses. A signature is enough: only those who may watch the
// page get one.

// partKept is how long browsers may cache what an edit may change.
const partKept = "private, max-age=60"

// refused returns the same message for every invalid signature.
func refused(err error) error {
	return fault.Forbidden("The signature of this address is invalid or has expired. Reload the page.").Because(err)
}

// captions serves the words of a video as WebVTT.
func (s *Server) captions(w http.ResponseWriter, r *http.Request) error {
	_, spoken, err := s.Sharing.ShownWords(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}

	w.Header().Set("Cache-Control", partKept)
	send(w, r, http.StatusOK, "text/vtt; charset=utf-8", words.VTT(spoken))

	return nil
}

// transcript serves the sentences of a video, each with its times in milliseconds and its text.
func (s *Server) transcript(w http.ResponseWriter, r *http.Request) error {
	sentences, _, err := s.Sharing.ShownWords(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}

	rows := make([][3]any, len(sentences))
	for i, said := range sentences {
		rows[i] = [3]any{said.StartMs, said.EndMs, said.Text}
	}

	w.Header().Set("Cache-Control", partKept)

	return sendJSON(w, r, rows)
}

// storyboard serves a sheet of pictures of the whole video.
func (s *Server) storyboard(w http.ResponseWriter, r *http.Request) error {
	sheet, err := s.Sharing.ShownStoryboard(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}

	w.Header().Set("Cache-Control", partKept)

	return sendJSON(w, r, map[string]any{
		"url": inside(sheet.URL), "columns": sheet.Columns, "rows": sheet.Rows, "intervalMs": sheet.IntervalMs,
	})
}

// stream returns what the page can play now, for a page that waits for the video.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) error {
	now, err := s.Sharing.ShownStream(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}

	w.Header().Set("Cache-Control", "no-store")

	return sendJSON(w, r, streamInside(now))
}

func streamInside(st model.Stream) model.Stream {
	st.File = inside(st.File)

	for i := range st.Clips {
		c := &st.Clips[i]
		c.Main.URL = inside(c.Main.URL)

		if c.Companion != nil {
			c.Companion.URL = inside(c.Companion.URL)
		}
	}

	return st
}

// poster serves a picture of a video that everybody, or this visitor, may watch. Its address is permanent. It is the
// largest picture, unless a width is requested.
func (s *Server) poster(w http.ResponseWriter, r *http.Request) error {
	shown, err := s.pictured(w, r)
	if err != nil {
		return err
	}

	picture := shown.Pictures[0]

	for _, p := range shown.Pictures {
		if strconv.Itoa(p.Width) == r.URL.Query().Get("width") {
			picture = p
		}
	}

	http.Redirect(w, r, inside(picture.URL), http.StatusFound)

	return nil
}

// preview serves a GIF of the first seconds of a video, for e-mails. Its address is permanent, like the poster's.
func (s *Server) preview(w http.ResponseWriter, r *http.Request) error {
	shown, err := s.pictured(w, r)
	if err != nil {
		return err
	}

	http.Redirect(w, r, inside(shown.Moving), http.StatusFound)

	return nil
}

// pictured returns the video whose picture is requested, and says how long the answer may be kept. Answers not_found if
// the visitor may not watch the video.
func (s *Server) pictured(w http.ResponseWriter, r *http.Request) (*model.Showing, error) {
	shown, err := s.Sharing.ShowVideo(r.Context(), r.PathValue("id"), s.visitors().of(r, true))
	if err != nil {
		return nil, err
	}

	if shown.Barrier != model.BarrierNone {
		return nil, fault.NotFound("file")
	}

	w.Header().Set("Cache-Control", "private, max-age=300")

	if shown.Video.Settings.LinkScope == values.LinkScopePublic {
		w.Header().Set("Cache-Control", "public, max-age=300")
	}

	return shown, nil
}

// partAt returns the address of a part of a video's page.
func (s *Server) partAt(videoID, name string) string {
	const lasts = 7 * time.Hour

	return inside(s.Addresses.PagePart(videoID, name, s.Clock().Truncate(time.Hour).Add(lasts)))
}

func sendJSON(w http.ResponseWriter, r *http.Request, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write answer: %w", err)
	}

	send(w, r, http.StatusOK, "application/json", body)

	return nil
}
