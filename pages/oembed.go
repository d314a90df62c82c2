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

// How large an embedded player is, unless it is asked for smaller.
const (
	embedWidth  = 960
	embedHeight = 540
)

// previews answers at /oembed how a page is embedded.
type previews struct {
	addresses signedurl.Book
	sharing   *sharing.Service
}

func (s *Server) previews() previews { return previews{addresses: s.Addresses, sharing: s.Sharing} }

// at returns the address of the preview of a page.
func (p previews) at(page string) string {
	return p.addresses.BaseURL + "/oembed?format=json&url=" + url.QueryEscape(page)
}

// answer says how to embed the page at an address, as oembed.com has it. What not everybody may watch is
// unauthorized there.
func (p previews) answer(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()

	if format := q.Get("format"); format != "" && format != "json" {
		return fault.NotImplemented("The only format is json.")
	}

	if q.Get("url") == "" {
		return fault.Invalid([]fault.Field{{Path: "url", Rule: "is required: the address of the page to embed"}})
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

// embedding is how something is embedded.
type embedding struct {
	title, author, address string
	width, height          int
	pictures               []model.Picture // no larger than what is embedded, the largest first
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
		e.pictures = noLarger(shown.Pictures, v.Width, v.Height)

		for i := range e.pictures {
			e.pictures[i].URL = posterAt(p.addresses, v.ID) + "?width=" + strconv.Itoa(e.pictures[i].Width)
		}
	}

	return e, nil
}

// noLarger are the pictures of a video that are no larger than the video: those of the larger sizes show nothing more. A
// picture that somebody chose has one size only, whatever it is.
func noLarger(pictures []model.Picture, width, height int) []model.Picture {
	if len(pictures) <= 1 {
		return pictures
	}

	return slices.DeleteFunc(slices.Clone(pictures), func(p model.Picture) bool { return p.Width > width || p.Height > height })
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

// startPattern is how the time in an address is written: 90, 90.5, 1m30s or 1:30.
var startPattern = regexp.MustCompile(`^[0-9][0-9hms:.]{0,15}$`)

// pageAt is what one of our pages shows, and from which time, if the address names one: as #t= or as ?t=.
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

	fragment, _ := url.ParseQuery(at.Fragment) // what is malformed is not there

	start = cmp.Or(fragment.Get("t"), at.Query().Get("t"))
	if !startPattern.MatchString(start) {
		start = ""
	}

	return parts[0], parts[1], start, true
}

// atMost reads a size; none is no bound.
func atMost(q url.Values, name string) (int, error) {
	if !q.Has(name) {
		return math.MaxInt32, nil
	}

	n, err := strconv.ParseInt(q.Get(name), 10, 32)
	if err != nil || n < 1 {
		return 0, fault.Invalid([]fault.Field{{Path: name, Rule: "must be a number of pixels, from 1"}})
	}

	return int(n), nil
}

// notForAll keeps previews out of what not everybody may watch.
func notForAll() error {
	return fault.Unauthorized().Saying("Not everybody may watch this, so there is no preview of it.")
}

// fit scales a size down into bounds.
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
