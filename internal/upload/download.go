package upload

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/byterange"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/filename"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// download sends the file of a finished export, under the name of its video.
func (s downloads) download(w http.ResponseWriter, r *http.Request) error {
	if err := s.check(signedurl.Download, r); err != nil {
		return err
	}

	exp, err := s.finished(r)
	if err != nil {
		return err
	}

	kind, extension := "video/mp4", ".mp4"
	if exp.Granularity != values.GranularityStory {
		kind, extension = "application/zip", ".zip"
	}

	w.Header().Set("Content-Disposition", attachment(exp.Edges.Video.Name, extension))

	return s.send(w, r, exp.BlobKey, exp.ID, kind)
}

// watch serves the film of a finished export for playback.
func (s downloads) watch(w http.ResponseWriter, r *http.Request) error {
	if err := s.check(signedurl.Watch, r); err != nil {
		return err
	}

	exp, err := s.finished(r)
	if err != nil {
		return err
	}

	if exp.Granularity != values.GranularityStory {
		return gone(nil)
	}

	w.Header().Set("Cache-Control", "private, max-age=3600")

	return s.send(w, r, exp.BlobKey, exp.ID, "video/mp4")
}

// finished returns the requested export, which must be finished, with the name of its video.
func (s downloads) finished(r *http.Request) (*ent.Export, error) {
	ctx := auth.AsSystem(r.Context())

	exp, err := s.Store.Client(ctx).Export.Query().Brief().
		Where(export.ID(r.PathValue("id")), export.StatusEQ(values.ExportStatusCompleted)).
		WithVideo(func(q *ent.VideoQuery) { q.Select(video.FieldName) }).
		Only(ctx)
	if ent.IsNotFound(err) {
		return nil, gone(err)
	}

	if err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}

	if exp.Edges.Video == nil { // it is in the trash
		return nil, gone(nil)
	}

	return exp, nil
}

// media serves the bytes of a source with the content type that the probe found.
func (s downloads) media(w http.ResponseWriter, r *http.Request) error {
	if err := s.check(signedurl.Media, r); err != nil {
		return err
	}

	ctx := auth.AsSystem(r.Context())

	src, err := s.Store.Client(ctx).Source.Query().
		Where(source.ID(r.PathValue("id")), source.StatusEQ(values.SourceStatusReady)).Only(ctx)
	if ent.IsNotFound(err) {
		return gone(err)
	}

	if err != nil {
		return fmt.Errorf("read source: %w", err)
	}

	if err := s.refuseTrashed(ctx, src.WorkspaceID, src.ID); err != nil {
		return err
	}

	kind, err := contentType(src)
	if err != nil {
		return err
	}

	if r.URL.Query().Get(signedurl.SaveParam) == "true" {
		w.Header().Set("Content-Disposition", attachment(src.Name, ""))
	}

	if src.Kind == values.SourceKindImage { // a recording may still grow
		w.Header().Set("Cache-Control", keptForAnHour)
	}

	return s.send(w, r, src.BlobKey, src.ID, kind)
}

// send serves a file that never changes, whole or in ranges. Browsers must neither guess its type nor run anything in
// it.
func (s downloads) send(w http.ResponseWriter, r *http.Request, key, id, kind string) error {
	file, err := s.Blobs.Open(r.Context(), key)
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrBadKey) {
		return gone(err)
	}

	if err != nil {
		return fmt.Errorf("open file: %w", err)
	}

	defer file.Content.Close() //nolint:errcheck // it was only read

	h := w.Header()
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-cache")
	}

	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Type", kind)
	h.Set("ETag", `"`+id+`"`)
	h.Set("X-Content-Type-Options", "nosniff")

	if !byterange.Serve(w, r, file.ModTime, file.Size, file.Content) {
		return nil
	}

	h.Del("Content-Disposition") // the error response is not the file

	return middleware.NewRefusal(http.StatusRequestedRangeNotSatisfiable,
		"The range lies outside the file. Content-Range gives the length of the file.")
}

// attachment makes a browser save a file under a name that is valid on every system.
func attachment(name, extension string) string {
	if extension == "" {
		name, extension = filename.Split(filename.Safe(name, "video"))
	} else {
		name = filename.Safe(name, "video")
	}

	name = strings.TrimSuffix(filename.Fit(name, extension), extension)

	whole := mime.FormatMediaType("attachment", map[string]string{"filename": name + extension})
	if plain, encoded, is := strings.Cut(whole, "; filename*="); is { // for programs that understand only ASCII
		return plain + `; filename="` + ascii(name) + extension + `"; filename*=` + encoded
	}

	return whole
}

// ascii replaces every non-ASCII character with an underscore.
func ascii(name string) string {
	return strings.Map(func(c rune) rune {
		if c > unicode.MaxASCII {
			return '_'
		}

		return c
	}, name)
}

// contentTypes maps formats to content types, for films and for sound.
var contentTypes = map[ffmpeg.Format]struct{ film, sound string }{
	ffmpeg.FormatMP4:      {"video/mp4", "audio/mp4"},
	ffmpeg.FormatMatroska: {"video/webm", "audio/webm"}, // players know it by this name, whatever it contains
	ffmpeg.FormatAVI:      {"video/x-msvideo", "video/x-msvideo"},
	ffmpeg.FormatMPEGTS:   {"video/mp2t", "video/mp2t"},
	ffmpeg.FormatMPEGPS:   {"video/mpeg", "audio/mpeg"},
	ffmpeg.FormatFLV:      {"video/x-flv", "video/x-flv"},
	ffmpeg.FormatOgg:      {"video/ogg", "audio/ogg"},
	ffmpeg.FormatASF:      {"video/x-ms-asf", "audio/x-ms-wma"},
	ffmpeg.FormatMXF:      {"application/mxf", "application/mxf"},
	ffmpeg.FormatGIF:      {"image/gif", "image/gif"},
	ffmpeg.FormatWAV:      {"audio/wav", "audio/wav"},
	ffmpeg.FormatMP3:      {"audio/mpeg", "audio/mpeg"},
	ffmpeg.FormatAAC:      {"audio/aac", "audio/aac"},
	ffmpeg.FormatAC3:      {"audio/ac3", "audio/ac3"},
	ffmpeg.FormatFLAC:     {"audio/flac", "audio/flac"},
	ffmpeg.FormatAIFF:     {"audio/aiff", "audio/aiff"},
	ffmpeg.FormatAU:       {"audio/basic", "audio/basic"},
	ffmpeg.FormatPNG:      {"image/png", ""},
	ffmpeg.FormatAPNG:     {"image/png", ""}, // browsers that do not know image/apng play it under this name
	ffmpeg.FormatJPEG:     {"image/jpeg", ""},
	ffmpeg.FormatWebP:     {"image/webp", ""},
	ffmpeg.FormatBMP:      {"image/bmp", ""},
}

// contentType returns the content type of a source's actual bytes, whatever the client declared.
func contentType(src *ent.Source) (string, error) {
	if src.Kind == values.SourceKindMouse {
		return "application/x-ndjson", nil
	}

	var info probe.Info
	if err := json.Unmarshal(src.Probe, &info); err != nil {
		return "", fmt.Errorf("read the probe of source %s: %w", src.ID, err)
	}

	known, ok := contentTypes[info.Format]

	switch {
	case !ok:
		return "application/octet-stream", nil
	case src.Kind == values.SourceKindAudio:
		return known.sound, nil
	default:
		return known.film, nil
	}
}
