package rest

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// videoPath names a video.
type videoPath struct {
	ID string `path:"id"`
}

type listVideosIn struct {
	Cursor     *string  `query:"cursor" check:"chars=1..2048"`
	Limit      int      `query:"limit" check:"min=1,max=100" default:"20"`
	PlaylistID *string  `query:"playlistId" check:"chars=1..255"`
	TagIDs     []string `query:"tagIds" check:"items=1..50" each:"chars=1..255"`
}

type videosOut struct {
	Pagination pagination      `json:"pagination"`
	Videos     []videoListItem `json:"videos"`
}

func listVideos(ctx context.Context, g Graph, in listVideosIn) (videosOut, error) {
	page, err := g.Query().Videos(asking(ctx, listItemFields()), in.Limit, in.Cursor, in.PlaylistID, in.TagIDs)
	if err != nil {
		return videosOut{}, err
	}

	items, err := shapes(ctx, g, page.Nodes, videoListItemOf)

	return videosOut{Pagination: paginationOf(page.PageInfo), Videos: items}, err
}

type createVideoIn struct {
	Body model.CreateVideoInput `body:"json"`
}

func createVideo(ctx context.Context, g Graph, in createVideoIn) (videoOut, error) {
	made, err := g.Mutation().CreateVideo(ctx, in.Body)
	if err != nil {
		return videoOut{}, err
	}

	return videoOutOf(ctx, g, made.Video)
}

func getVideo(ctx context.Context, g Graph, in videoPath) (videoOut, error) {
	v, err := g.Query().Video(asking(ctx, detailFields()), in.ID)
	if err != nil {
		return videoOut{}, err
	}

	return videoOutOf(ctx, g, v)
}

type updateVideoIn struct {
	videoPath

	Body model.UpdateVideoInput `body:"json"`
}

func updateVideo(ctx context.Context, g Graph, in updateVideoIn) (videoOut, error) {
	changed, err := g.Mutation().UpdateVideo(ctx, in.ID, in.Body, nil)
	if err != nil {
		return videoOut{}, err
	}

	return videoOutOf(ctx, g, changed.Video)
}

func deleteVideo(ctx context.Context, g Graph, in videoPath) (ok, error) {
	_, err := g.Mutation().DeleteVideo(ctx, in.ID)

	return done(), err
}

type duplicateVideoIn struct {
	videoPath

	Body duplicateVideoInput `body:"json"`
}

type duplicateVideoInput struct {
	Name graphql.Omittable[*string]    `json:"name" check:"chars=1..255,notblank"`
	Trim graphql.Omittable[*trimInput] `json:"trim"`
}

// trimInput is the graph's TrimInput under the names of REST, in seconds as there.
type trimInput struct {
	StartTime    *float64 `json:"startTime" check:"min=0,max=9007199254740"`
	EndTime      *float64 `json:"endTime" check:"gt=0,max=9007199254740"`
	ChapterIndex *int     `json:"chapterIndex" check:"min=0"`
}

func (t *trimInput) inGraph() *model.TrimInput {
	return &model.TrimInput{StartSeconds: t.StartTime, EndSeconds: t.EndTime, ChapterIndex: t.ChapterIndex}
}

// Check implements input.Checker: as the graph's input.
func (t *trimInput) Check() []fault.Field { return trimNames(t.inGraph().Check()) }

// trimNames are faults of the graph's input in the names of REST.
func trimNames(faults []fault.Field) []fault.Field {
	names := strings.NewReplacer("startSeconds", "startTime", "endSeconds", "endTime")
	named := slices.Clone(faults)

	for i := range named {
		named[i].Path, named[i].Rule = names.Replace(named[i].Path), names.Replace(named[i].Rule)
	}

	return named
}

func duplicateVideo(ctx context.Context, g Graph, in duplicateVideoIn) (videoOut, error) {
	asked := model.DuplicateVideoInput{Name: in.Body.Name}
	if trim := in.Body.Trim.Value(); trim != nil {
		asked.Trim = graphql.OmittableOf(trim.inGraph())
	}

	made, err := g.Mutation().DuplicateVideo(ctx, in.ID, &asked)
	if wrong, is := fault.As(err); is && wrong.Fields != nil {
		return videoOut{}, fault.Invalid(trimNames(wrong.Fields))
	}

	if err != nil {
		return videoOut{}, err
	}

	return videoOutOf(ctx, g, made.Video)
}

type videoOut struct {
	Video videoDetail `json:"video"`
}

func (o videoOut) revision() int64 { return o.Video.Revision }

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

// listItemFields are what a list item is made of; the detail has them too.
func listItemFields() selection.Tree {
	return selection.Page(selection.Fields(itemFields...))
}

var itemFields = []string{"id", "name", "description", "aspectRatio", "createdAt", "updatedAt", "views", "links"}

func videoListItemOf(ctx context.Context, g Graph, v *model.Video) (videoListItem, error) {
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
		CreatedAt: datetimeOf(v.CreatedAt), UpdatedAt: datetimeOf(v.UpdatedAt), Views: v.Views,
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

func detailFields() selection.Tree {
	all := map[string]any{"first": everything}

	return selection.Fields(itemFields...).
		And(selection.Fields("durationSeconds", "playlistIds", "chapters", "settings", "thumbnails",
			"dimensions", "revision", "editing")).
		Under("transcript", selection.Fields("status", "language", "sentences", "text")).
		UnderWith("clips", all, selection.Page(selection.Fields("id"))).
		UnderWith("exports", all, selection.Page(exportFields()))
}

func videoOutOf(ctx context.Context, g Graph, v *model.Video) (videoOut, error) {
	item, err := videoListItemOf(ctx, g, v)
	if err != nil {
		return videoOut{}, err
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
			return videoOut{}, err
		}
	}

	return videoOut{Video: out}, nil
}

func addPlaylists(ctx context.Context, g Graph, v *model.Video, out *videoDetail) (err error) {
	out.PlaylistIDs, err = g.Video().PlaylistIds(ctx, v)

	return err
}

func addChapters(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	all, err := g.Video().Chapters(ctx, v)
	out.Chapters = chaptersOutOf(all).Chapters

	return err
}

func addExports(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	page, err := g.Video().Exports(ctx, v, everything, nil)
	if err != nil {
		return err
	}

	out.Exports, err = shapes(ctx, g, page.Nodes, exportOf)

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
		Sentences: each(t.Sentences, func(s *model.Sentence) sentence { return sentence(*s) }),
	}

	return nil
}

func addClipIDs(ctx context.Context, g Graph, v *model.Video, out *videoDetail) error {
	page, err := g.Video().Clips(ctx, v, everything, nil)
	if err != nil {
		return err
	}

	out.ClipIDs = each(page.Nodes, func(c *model.Clip) string { return c.ID })

	return nil
}

// shapes makes the items of a list whose shape asks the graph.
func shapes[T, S any](ctx context.Context, g Graph, items []T, shape func(context.Context, Graph, T) (S, error)) ([]S, error) {
	all := make([]S, len(items))

	for i, item := range items {
		var err error
		if all[i], err = shape(ctx, g, item); err != nil {
			return nil, err
		}
	}

	return all, nil
}
