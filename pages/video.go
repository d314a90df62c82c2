package pages

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/web/player"
)

// videoPage shows the page of a video, for visitors or for embedding.
func (s *Server) videoPage(embed bool) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return s.showVideo(w, r, r.PathValue("id"), s.visitors().of(r, embed), embed)
	}
}

func (s *Server) showVideo(w http.ResponseWriter, r *http.Request, id string, visitor model.Visitor, embed bool) error {
	shown, err := s.Sharing.ShowVideo(r.Context(), id, visitor)
	if err != nil {
		return err
	}

	framing := s.framing(shown, embed)

	if shown.Barrier != model.BarrierNone {
		return s.barred(w, r, barrierPage{
			Barrier: shown.Barrier, Unlock: "/video/" + id + "/unlock" + here(embed), Here: inside(s.Addresses.ViewPage(id)), Embed: embed,
		}, framing)
	}

	p := s.videoView(r, shown, embed)

	if !embed && shown.Video.Settings.CommentsEnabled {
		if p.Comments, err = s.commentsOf(r, shown); err != nil {
			return err
		}
	}

	if !p.Indexed {
		w.Header().Set("X-Robots-Tag", "noindex")
	}

	name := "view.html"
	if embed {
		name = "embed.html"
	}

	return s.show(w, r, http.StatusOK, name, p, framing)
}

// here returns the query by which a form tells that its page is embedded.
func here(embed bool) string {
	if embed {
		return "?embed=1"
	}

	return ""
}

// videoView is what the page of a video shows.
type videoView struct {
	head

	Player   playerView
	Shown    *model.Showing
	Video    *model.Video
	Settings values.VideoSettings
	Creator  string
	Views    string
	Comments *commentsView
	Embed    bool
	Film     *model.Download // the film to download
	Raw      []model.Download
	Playlist *playlistView // the playlist around the video
}

func (s *Server) videoView(r *http.Request, shown *model.Showing, embed bool) videoView {
	v := shown.Video
	p := videoView{
		head: s.headOf(shown), Player: s.playerOf(r, shown, embed), Shown: shown, Video: v, Settings: v.Settings,
		Views: views(v.Views), Embed: embed,
	}

	if v.Edges.Creator != nil {
		p.Creator = v.Edges.Creator.Name
	}

	for _, d := range shown.Downloads {
		d.URL = inside(d.URL)

		if d.Name == "" {
			p.Film = &d
		} else {
			p.Raw = append(p.Raw, d)
		}
	}

	return p
}

// playerView is the initial state of the player; its script reads Reel.
type playerView struct {
	Reel     reel
	Poster   string
	Native   string // what is played without the script
	Width    int
	Height   int
	Title    string
	Language string // of the captions; empty without captions
	Captions string
	Panel    bool // whether the transcript is shown
	Embed    bool
	Chapters []chapterView
	Duration string
	Waiting  bool
	Broken   bool
}

type chapterView struct {
	AtMs        int64
	At          string
	Title       string
	Description string
}

// reel is the data for the player's script.
type reel struct {
	Video       string              `json:"video"`
	Token       string              `json:"token"`
	NowMs       int64               `json:"nowMs"` // when the page was made
	Stream      model.Stream        `json:"stream"`
	StreamAt    string              `json:"streamAt"`
	DurationMs  int64               `json:"durationMs"`
	Rate        float64             `json:"rate"`
	Captions    bool                `json:"captions"` // on from the start
	Style       values.CaptionStyle `json:"style"`
	Position    values.Position     `json:"position"`
	Transcript  string              `json:"transcript,omitempty"`
	Storyboard  string              `json:"storyboard"`
	Chapters    []reelChapter       `json:"chapters"`
	Next        string              `json:"next,omitempty"` // the page of the next video
	BurnedWords bool                `json:"burnedWords,omitempty"`
}

type reelChapter struct {
	AtMs  int64  `json:"atMs"`
	Title string `json:"title"`
}

func (s *Server) playerOf(r *http.Request, shown *model.Showing, embed bool) playerView {
	v := shown.Video
	ready := shown.Transcript.Status == values.TranscriptStatusReady && shown.Transcript.Language != ""
	stream, now := streamInside(shown.Stream), s.Clock()

	p := playerView{
		Poster: inside(shown.Pictures[0].URL), Native: stream.File, Width: v.Width, Height: v.Height, Title: v.Name, Embed: embed,
		Panel: ready && v.Settings.TranscriptsEnabled && !embed, Duration: clock(v.DurationMs),
		Waiting: stream.File == "" && len(stream.Clips) == 0 && stream.Progress >= 0,
		Broken:  stream.File == "" && len(stream.Clips) == 0 && stream.Progress < 0,
		Reel: reel{
			Video: v.ID, Token: s.Tokens.Open(v.ID, r.Referer(), now), NowMs: now.UnixMilli(), Stream: stream,
			StreamAt: s.partAt(v.ID, "stream.json"), DurationMs: v.DurationMs, Rate: v.Settings.DefaultPlaybackRate,
			Captions: v.Settings.CaptionsDefaultEnabled, Style: v.Editing.CaptionStyle, Position: v.Editing.CaptionPosition,
			Storyboard: s.partAt(v.ID, "storyboard.json"), Chapters: []reelChapter{},
			BurnedWords: v.Editing.SubtitlesEnabled && stream.File != "",
		},
	}

	if ready {
		p.Language, p.Captions = shown.Transcript.Language, s.partAt(v.ID, "captions.vtt")
	}

	if p.Panel {
		p.Reel.Transcript = s.partAt(v.ID, "transcript.json")
	}

	for _, c := range shown.Chapters {
		p.Chapters = append(p.Chapters, chapterView{c.TimestampMs, clock(c.TimestampMs), c.Title, c.Description})
		p.Reel.Chapters = append(p.Reel.Chapters, reelChapter{c.TimestampMs, c.Title})
	}

	return p
}

// framing returns the frame-ancestors policy of a page. A page for visitors may not be framed.
func (s *Server) framing(shown *model.Showing, embed bool) string {
	if !embed {
		return "'none'"
	}

	return framedBy(shown.Video.Settings.AllowedEmbedDomains)
}

// framedBy returns the policy that allows the domains and their subdomains; an empty list allows all. Invalid
// entries, which the previous version accepted, allow nobody.
func framedBy(domains []string) string {
	if len(domains) == 0 {
		return "*"
	}

	sources := []string{"'self'"}

	for _, d := range domains {
		host, broken := values.Host(d)
		if broken != "" {
			continue
		}

		port := ":" + cmp.Or(host.Port, "*")
		if !host.Below {
			sources = append(sources, host.Name+port)
		}

		sources = append(sources, "*."+host.Name+port)
	}

	return strings.Join(sources, " ")
}

// assets returns the assets that every page uses.
func assets() map[string]string {
	return map[string]string{"script": player.Script(), "style": player.Style()}
}

// indexOf returns the position of a video in a playlist, or 0 if it is not there.
func indexOf(videos []model.ListedVideo, id string) int {
	return max(slices.IndexFunc(videos, func(v model.ListedVideo) bool { return v.Video.ID == id }), 0)
}
