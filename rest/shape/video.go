package shape

import (
	"context"
	"slices"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VideosOut is the response with a list of videos.
type VideosOut struct {
	Pagination pagination      `json:"pagination"`
	Videos     []videoListItem `json:"videos"`
}

// VideoOut is the response with one video.
type VideoOut struct {
	Video videoDetail `json:"video"`
}

// Revision returns the revision of the video.
func (o VideoOut) Revision() int64 { return o.Video.Revision }

// Unsigned implements Signed.
func (o VideoOut) Unsigned() any {
	o.Video.Exports = slices.Clone(o.Video.Exports)
	for i := range o.Video.Exports {
		o.Video.Exports[i].DownloadURL = unsignedAddress(o.Video.Exports[i].DownloadURL)
	}

	all := &o.Video.Thumbnails
	for _, t := range []*thumbnail{&all.Large, &all.Medium, &all.Small, &all.XL} {
		for _, address := range []*string{&t.GIF, &t.JPG, &t.MP4, &t.WebP} {
			*address = *unsignedAddress(address)
		}
	}

	return o
}

type videoListItem struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	AspectRatio string   `json:"aspectRatio"`
	CreatedAt   Datetime `json:"createdAt"`
	UpdatedAt   Datetime `json:"updatedAt"`
	Views       int64    `json:"views"`
	Links       links    `json:"links"`
}

type links struct {
	EmbedPage string `json:"embedPage"`
	ViewPage  string `json:"viewPage"`
}

// ListItemFields returns the fields to select for a video in a list. DetailFields contains these fields too.
func ListItemFields() selection.Tree {
	return selection.Page(selection.Fields(ItemFields...))
}

// ItemFields lists the fields without arguments that list items and details share.
var ItemFields = []string{"id", "name", "description", "aspectRatio", "createdAt", "updatedAt", "views", "links"}

// VideoListItemOf converts a video in a list to its JSON form.
func VideoListItemOf(ctx context.Context, g Graph, v *model.Video) (videoListItem, error) {
	aspectRatio, err := g.Video().AspectRatio(ctx, v)
	if err != nil {
		return videoListItem{}, err
	}

	pages, err := g.Video().Links(ctx, v)
	if err != nil {
		return videoListItem{}, err
	}

	return videoListItem{
		ID: v.ID, Name: v.Name, Description: v.Description, AspectRatio: aspectRatio,
		CreatedAt: DatetimeOf(v.CreatedAt), UpdatedAt: DatetimeOf(v.UpdatedAt), Views: v.Views,
		Links: links{EmbedPage: pages.EmbedPage, ViewPage: pages.ViewPage},
	}, nil
}

type videoDetail struct {
	videoListItem

	DurationSeconds float64              `json:"durationSeconds"`
	PlaylistIDs     []string             `json:"playlistIds"`
	Chapters        []chapter            `json:"chapters"`
	Exports         []export             `json:"exports"`
	Settings        values.VideoSettings `json:"settings"`
	Thumbnails      thumbnails           `json:"thumbnails"`
	Transcript      transcript           `json:"transcript"`
	ClipIDs         []string             `json:"clipIds"`
	Dimensions      values.Dimensions    `json:"dimensions"`
	Revision        int64                `json:"revision"`
	Editing         editing              `json:"editing"`
}

type editing struct {
	values.Editing

	Visibility      values.Visibility       `json:"visibility"`
	Dimensions      values.Dimensions       `json:"dimensions"`
	BackgroundMusic *values.BackgroundMusic `json:"backgroundMusic,omitempty"`
}

type transcript struct {
	Language  string                  `json:"language"`
	Sentences []sentence              `json:"sentences"`
	Status    values.TranscriptStatus `json:"status"`
	Text      string                  `json:"text"`
}

type sentence struct {
	StartSeconds float64 `json:"startSeconds"`
	EndSeconds   float64 `json:"endSeconds"`
	Text         string  `json:"text"`
}

type thumbnails struct {
	Large  thumbnail `json:"large"`
	Medium thumbnail `json:"medium"`
	Small  thumbnail `json:"small"`
	XL     thumbnail `json:"xl"`
}

type thumbnail struct {
	GIF  string `json:"gif"`
	JPG  string `json:"jpg"`
	MP4  string `json:"mp4"`
	WebP string `json:"webp"`
}

// DetailFields returns the fields to select for one video.
func DetailFields() selection.Tree {
	all := map[string]any{"first": Everything}

	return selection.Fields(ItemFields...).
		And(selection.Fields("durationSeconds", "playlistIds", "chapters", "settings", "thumbnails",
			"dimensions", "revision", "editing")).
		Under("transcript", selection.Fields("status", "language", "sentences", "text")).
		UnderWith("clips", all, selection.Page(selection.Fields("id"))).
		UnderWith("exports", all, selection.Page(ExportFields()))
}

// VideoOutOf returns the response for a video.
func VideoOutOf(ctx context.Context, g Graph, v *model.Video) (VideoOut, error) {
	item, err := VideoListItemOf(ctx, g, v)
	if err != nil {
		return VideoOut{}, err
	}

	out := videoDetail{
		videoListItem: item, DurationSeconds: model.Seconds(v.DurationMs), Settings: v.Settings,
		Dimensions: values.Dimensions{Width: v.Width, Height: v.Height}, Revision: v.Revision,
		Editing: editing{
			Editing: v.Editing, Visibility: v.Visibility, BackgroundMusic: v.BackgroundMusic,
			Dimensions: values.Dimensions{Width: v.Width, Height: v.Height},
		},
	}

	for _, part := range []func(context.Context, Graph, *model.Video, *videoDetail) error{
		addPlaylists, addChapters, addExports, addThumbnails, addTranscript, addClipIDs,
	} {
		if err := part(ctx, g, v, &out); err != nil {
			return VideoOut{}, err
		}
	}

	return VideoOut{Video: out}, nil
}

func addPlaylists(ctx context.Context, g Graph, v *model.Video, out *videoDetail) (err error) {
	out.PlaylistIDs, err = g.Video().PlaylistIds(ctx, v)

	return err
}

func addChapters(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	all, err := g.Video().Chapters(ctx, v)
	out.Chapters = ChaptersOutOf(all).Chapters

	return err
}

func addExports(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	page, err := g.Video().Exports(ctx, v, Everything, nil)
	if err != nil {
		return err
	}

	out.Exports, err = Shapes(ctx, g, page.Nodes, ExportOf)

	return err
}

func addThumbnails(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	all, err := g.Video().Thumbnails(ctx, v)
	if err != nil {
		return err
	}

	of := func(t *model.Thumbnail) thumbnail {
		return thumbnail{GIF: t.Gif, JPG: t.Jpg, MP4: t.Mp4, WebP: t.Webp}
	}
	out.Thumbnails = thumbnails{Large: of(all.Large), Medium: of(all.Medium), Small: of(all.Small), XL: of(all.Xl)}

	return nil
}

func addTranscript(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	t, err := g.Video().Transcript(ctx, v)
	if err != nil {
		return err
	}

	out.Transcript = transcript{
		Language: t.Language, Status: t.Status, Text: t.Text,
		Sentences: Each(t.Sentences, func(s *model.Sentence) sentence { return sentence(*s) }),
	}

	return nil
}

func addClipIDs(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	page, err := g.Video().Clips(ctx, v, Everything, nil)
	if err != nil {
		return err
	}

	out.ClipIDs = Each(page.Nodes, func(c *model.Clip) string { return c.ID })

	return nil
}
