package pages

import (
	"net/http"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// playlistPage shows a playlist: one of its videos, and the others beside it.
func (s *Server) playlistPage(embed bool) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return s.showPlaylist(w, r, r.PathValue("id"), s.visitors().of(r, embed), embed)
	}
}

// playlistView is what a page shows of the playlist around its video.
type playlistView struct {
	Name        string
	Description string
	Emoji       string
	Items       []itemView
	Number      int // of the current video, from 1
}

type itemView struct {
	Number    int
	Address   string
	Name      string
	Duration  string
	Thumbnail string
	Current   bool
}

func (s *Server) showPlaylist(w http.ResponseWriter, r *http.Request, id string, visitor model.Visitor, embed bool) error {
	list, err := s.Sharing.ShowPlaylist(r.Context(), id, visitor)
	if err != nil {
		return err
	}

	if list.Barrier != model.BarrierNone {
		return s.barred(w, r, barrierPage{
			Barrier: list.Barrier, Unlock: "/playlist/" + id + "/unlock" + here(embed), Here: inside(s.Addresses.PlaylistPage(id)),
			Embed: embed,
		}, frames(embed))
	}

	h := s.headOfPlaylist(list.Playlist)
	if !h.Indexed {
		w.Header().Set("X-Robots-Tag", "noindex")
	}

	if len(list.Videos) == 0 {
		return s.show(w, r, http.StatusOK, "empty.html", videoView{head: h, Embed: embed, Playlist: playlistOf(list, 0, "")}, frames(embed))
	}

	current := indexOf(list.Videos, r.URL.Query().Get("video"))

	shown, err := s.Sharing.ShowVideo(r.Context(), list.Videos[current].Video.ID, visitor)
	if err != nil {
		return err
	}

	if shown.Barrier != model.BarrierNone { // it changed meanwhile
		return notHere()
	}

	p := s.videoView(r, shown, embed)
	p.head = h

	base := inside(s.Addresses.PlaylistPage(id))
	if embed {
		base = inside(s.Addresses.PlaylistEmbedPage(id))
	}

	p.Playlist = playlistOf(list, current, base)
	for i := range p.Playlist.Items {
		p.Playlist.Items[i].Thumbnail = inside(p.Playlist.Items[i].Thumbnail)
	}

	if current+1 < len(p.Playlist.Items) {
		p.Player.Reel.Next = p.Playlist.Items[current+1].Address
	}

	name := "playlist.html"
	if embed {
		name = "playlistembed.html"
	}

	return s.show(w, r, http.StatusOK, name, p, s.framing(shown, embed))
}

func playlistOf(list *model.ShownPlaylist, current int, base string) *playlistView {
	p := &playlistView{Name: list.Playlist.Name, Description: list.Playlist.Description, Number: current + 1}
	if list.Playlist.Emoji != nil {
		p.Emoji = *list.Playlist.Emoji
	}

	for i, v := range list.Videos {
		p.Items = append(p.Items, itemView{
			Number: i + 1, Address: base + "?video=" + v.Video.ID, Name: v.Video.Name, Duration: clock(v.Video.DurationMs),
			Thumbnail: v.Thumbnail, Current: i == current,
		})
	}

	return p
}

func (s *Server) headOfPlaylist(p *model.Playlist) head {
	open := p.LinkScope == values.LinkScopePublic
	h := head{
		Title: p.Name, Description: summary(p.Description), Canonical: s.Addresses.PlaylistPage(p.ID),
		Indexed: open && p.SearchEngineIndexingEnabled, Open: open, Kind: "website", EmbedAt: s.Addresses.PlaylistEmbedPage(p.ID),
		EmbedOnly: p.LinkScope == values.LinkScopeEmbedOnly, Width: 1280, Height: 720,
	}

	if open {
		h.OEmbedAt = s.previews().at(h.Canonical)
	}

	return h
}
