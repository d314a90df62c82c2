package pages

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/sharing"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The default size of an embedded player.
const (
	embedWidth  = 960
	embedHeight = 540
)

// previews serves /oembed, which says how to embed a page.
type previews struct {
	addresses signedurl.Book
	sharing   *sharing.Service
}

func (s *Server) previews() previews { return previews{addresses: s.Addresses, sharing: s.Sharing} }

// at returns the oEmbed address of a page.
func (p previews) at(page string) string {
	return p.addresses.BaseURL + "/oembed?format=json&url=" + url.QueryEscape(page)
}

// answer returns how to embed the page at an address, in the format of oembed.com. Pages that not everybody may watch
// are unauthorized, as oEmbed requires.
func (p previews) answer(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()

	if format := q.Get("format"); format != "" && format != "json" {
		return fault.NotImplemented("json is the only supported format.")
	}

	if q.Get("url") == "" {
		return fault.Invalid([]fault.Field{{Path: "url", Rule: "must be the address of the page to embed"}})
	}

	maxWidth, err := atMost(q, "maxwidth")
	if err != nil {
		return err
	}

	maxHeight, err := atMost(q, "maxheight")
	if err != nil {
		return err
	}

	kind, id, start, ok := p.pageAt(q.Get("url"))
	if !ok {
		return fault.NotFound("page")
	}

	find := p.embedVideo
	if kind == "playlist" {
		find = p.embedPlaylist
	}

	embed, err := find(r, id)
	if err != nil {
		return err
	}

	if start != "" {
		embed.address += "#t=" + start
	}

	width, height := fit(embed.width, embed.height, maxWidth, maxHeight)
	answer := map[string]any{
		"version": "1.0", "type": "video", "provider_name": "Reelgraph", "provider_url": p.addresses.BaseURL,
		"title": embed.title, "width": width, "height": height,
		"html": fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" title="%s" frameborder="0" `+
			`allow="fullscreen; picture-in-picture; autoplay" allowfullscreen></iframe>`,
			html.EscapeString(embed.address), width, height, html.EscapeString(embed.title)),
	}

	if embed.author != "" {
		answer["author_name"] = embed.author
	}

	for _, picture := range embed.pictures {
		if picture.Width <= maxWidth && picture.Height <= maxHeight && picture.Width > 0 {
			answer["thumbnail_url"], answer["thumbnail_width"], answer["thumbnail_height"] = picture.URL, picture.Width, picture.Height

			break
		}
	}

	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Cache-Control", "public, max-age=300")

	return sendJSON(w, r, answer)
}

// embedding describes how something is embedded.
type embedding struct {
	title, author, address string
	width, height          int
	pictures               []model.Picture // largest first, without enlarged ones
}

func (p previews) embedVideo(r *http.Request, id string) (embedding, error) {
	shown, err := p.sharing.ShowVideo(r.Context(), id, model.Visitor{Embedded: true})
	if err != nil {
		return embedding{}, err
	}

	if shown.Barrier != model.BarrierNone {
		return embedding{}, notForAll()
	}

	v := shown.Video
	e := embedding{title: v.Name, address: p.addresses.EmbedPage(v.ID)}
	e.width, e.height = fit(v.Width, v.Height, embedWidth, embedWidth)

	if v.Edges.Creator != nil {
		e.author = v.Edges.Creator.Name
	}

	if v.Settings.LinkScope == values.LinkScopePublic {
		e.pictures = slices.DeleteFunc(slices.Clone(shown.Pictures), func(p model.Picture) bool { return p.Enlarged })

		for i := range e.pictures {
			e.pictures[i].URL = posterAt(p.addresses, v.ID) + "?width=" + strconv.Itoa(e.pictures[i].Width)
		}
	}

	return e, nil
}

func (p previews) embedPlaylist(r *http.Request, id string) (embedding, error) {
	list, err := p.sharing.ShowPlaylist(r.Context(), id, model.Visitor{Embedded: true})
	if err != nil {
		return embedding{}, err
	}

	if list.Barrier != model.BarrierNone {
		return embedding{}, notForAll()
	}

	return embedding{
		title: list.Playlist.Name, address: p.addresses.PlaylistEmbedPage(id), width: embedWidth, height: embedHeight,
	}, nil
}

// startPattern matches a time in an address: 90, 90.5, 1m30s or 1:30.
var startPattern = regexp.MustCompile(`^[0-9][0-9hms:.]{0,15}$`)

// pageAt returns what a page of ours shows, and the start time if the address has one, as #t= or ?t=.
func (p previews) pageAt(address string) (kind, id, start string, ok bool) {
	at, err := url.Parse(address)
	if err != nil {
		return "", "", "", false
	}

	base, err := url.Parse(p.addresses.BaseURL)
	if err != nil || !strings.EqualFold(at.Scheme, base.Scheme) || !strings.EqualFold(at.Host, base.Host) {
		return "", "", "", false
	}

	path, ours := strings.CutPrefix(at.Path, base.Path+"/")
	parts := strings.Split(path, "/")

	if !ours || len(parts) != 3 || parts[0] != "video" && parts[0] != "playlist" || parts[2] != "view" && parts[2] != "embed" {
		return "", "", "", false
	}

	fragment, _ := url.ParseQuery(at.Fragment) // a malformed one counts as absent

	start = cmp.Or(fragment.Get("t"), at.Query().Get("t"))
	if !startPattern.MatchString(start) {
		start = ""
	}

	return parts[0], parts[1], start, true
}

// atMost parses a size; absent means no limit.
func atMost(q url.Values, name string) (int, error) {
	if !q.Has(name) {
		return math.MaxInt32, nil
	}

	n, err := strconv.ParseInt(q.Get(name), 10, 32)
	if err != nil || n < 1 {
		return 0, fault.Invalid([]fault.Field{{Path: name, Rule: "must be a whole number of pixels, at least 1"}})
	}

	return int(n), nil
}

// notForAll returns the error for previews of pages that not everybody may watch.
func notForAll() error {
	return fault.Unauthorized().Saying("This page has no preview, because not everybody may watch it.")
}

// fit scales a size down to fit into a box.
func fit(width, height, maxWidth, maxHeight int) (w, h int) {
	w, h = width, height

	if w > maxWidth {
		w, h = maxWidth, max(1, h*maxWidth/w)
	}

	if h > maxHeight {
		w, h = max(1, w*maxHeight/h), maxHeight
	}

	return w, h
}
