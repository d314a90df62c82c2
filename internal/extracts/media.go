package extracts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ofSource starts a recipe that shows a source as recorded, as far as it has been uploaded.
func ofSource(kind values.ExtractKind, s *ent.Source) Recipe {
	r := Recipe{Kind: kind, SourceID: s.ID, Content: s.Sha256, Engine: plan.Engine, LengthMs: s.DurationMs}
	if s.Status != values.SourceStatusReady {
		r.Content, r.Arriving = "first "+strconv.FormatInt(s.UploadOffset, 10), true
	}

	return r
}

// ofPicture starts a recipe that shows a picture's subject, and returns the video or source it belongs to.
func (d *Desk) ofPicture(ctx context.Context, kind values.ExtractKind, of Picture) (subjectID string, r Recipe, err error) {
	if of.Source != nil {
		return of.Source.ID, ofSource(kind, of.Source), nil
	}

	if of.Copy != "" {
		return of.VideoID, Recipe{Kind: kind, Copy: of.Copy, Engine: plan.Engine}, nil
	}

	planned, err := of.Plan(ctx)
	if err != nil {
		return "", Recipe{}, err
	}

	r = Recipe{Kind: kind, Plan: &planned, Engine: plan.Engine, LengthMs: of.LengthMs}

	if planned.Look.Written() {
		if r.Fonts, err = d.Fonts(); err != nil {
			return "", Recipe{}, fmt.Errorf("request extract: %w", err)
		}
	}

	return of.VideoID, r, nil
}

// Still implements Media.
func (d *Desk) Still(ctx context.Context, of Picture, q model.StillQuery) (string, error) {
	subject, r, err := d.ofPicture(ctx, values.ExtractStill, of)
	if err != nil {
		return "", err
	}

	r.FromMs, r.Format = q.InpointMs, q.Format

	if q.DurationMs != nil && q.Format.Moves() {
		r.DurationMs = *q.DurationMs
	}

	if q.Width != nil {
		r.Width = *q.Width
	}

	if q.Height != nil {
		r.Height = *q.Height
	}

	made, err := d.picture(ctx, subject, r)
	if err != nil {
		return "", err
	}

	return d.Addresses.Extract(made.ID, r.File(), q.Download, signedurl.Steady(d.now(), signed)), nil
}

// Storyboard implements Media.
func (d *Desk) Storyboard(ctx context.Context, of Picture, q model.StoryboardQuery) (*model.Storyboard, error) {
	subject, r, err := d.ofPicture(ctx, values.ExtractStoryboard, of)
	if err != nil {
		return nil, err
	}

	r.FromMs, r.DurationMs = q.StartTimeMs, q.DurationMs

	made, err := d.picture(ctx, subject, r)
	if err != nil {
		return nil, err
	}

	return &model.Storyboard{
		URL:     d.Addresses.Extract(made.ID, r.File(), false, signedurl.Steady(d.now(), signed)),
		Columns: values.StoryboardColumns, Rows: values.StoryboardRows, IntervalMs: q.DurationMs / values.StoryboardTiles,
	}, nil
}

// previewMs is the length of the short preview films that every video has.
const previewMs = 3000

// Moves reports whether the thumbnail file of this name is a short film.
func Moves(name string) bool {
	return values.StillFormat(strings.TrimPrefix(path.Ext(name), ".")).Moves()
}

// Prepare implements Media.
func (d *Desk) Prepare(ctx context.Context, of Picture) error {
	subject, r, err := d.posters(ctx, of)
	if err != nil {
		return err
	}

	o, found, err := d.look(ctx, subject, r)
	if err != nil || found != nil {
		return err
	}

	if err := d.alone(ctx, func(ctx context.Context) error { return d.request(ctx, o) }); err != nil {
		return fmt.Errorf("request extract: %w", err)
	}

	return nil
}

// posters starts the recipe of the still thumbnails of a video.
func (d *Desk) posters(ctx context.Context, of Picture) (subjectID string, r Recipe, err error) {
	subjectID, r, err = d.ofPicture(ctx, values.ExtractPosters, of)
	r.FromMs = of.FromMs

	return subjectID, r, err
}

// previews starts the recipe of the moving thumbnails of a video.
func (d *Desk) previews(ctx context.Context, of Picture) (subjectID string, r Recipe, err error) {
	subjectID, r, err = d.ofPicture(ctx, values.ExtractPreviews, of)
	r.DurationMs = previewMs

	return subjectID, r, err
}

// Thumbnail returns a thumbnail file of a video, such as small.jpg. All still thumbnails of a video are made at the same
// time, and so are all moving ones. Thumbnail returns not_found for an unknown name.
func (d *Desk) Thumbnail(ctx context.Context, of Picture, name string) (values.ExtractFile, error) {
	for size := range values.ThumbnailWidths() {
		for _, format := range []values.StillFormat{values.StillFormatJPG, values.StillFormatWebP, values.StillFormatGIF, values.StillFormatMP4} {
			if name == size+"."+string(format) {
				return d.thumbnail(ctx, of, format, name)
			}
		}
	}

	return values.ExtractFile{}, fault.NotFound("file")
}

func (d *Desk) thumbnail(ctx context.Context, of Picture, format values.StillFormat, name string) (values.ExtractFile, error) {
	order := d.posters
	if format.Moves() {
		order = d.previews
	}

	subject, r, err := order(ctx, of)
	if err != nil {
		return values.ExtractFile{}, err
	}

	made, err := d.obtain(ctx, subject, r)
	if err != nil {
		return values.ExtractFile{}, err
	}

	i := slices.IndexFunc(made.Files, func(f values.ExtractFile) bool { return f.Name == name })
	if i < 0 {
		return values.ExtractFile{}, fault.NotFound("file")
	}

	return made.Files[i], nil
}

// avatarSide is the width and height of the picture of a person.
const avatarSide = 256

// Avatar returns the picture of a person, made of the middle of an image.
func (d *Desk) Avatar(ctx context.Context, image *ent.Source) (values.ExtractFile, error) {
	r := ofSource(values.ExtractStill, image)
	r.Format, r.Width, r.Height = values.StillFormatJPG, avatarSide, avatarSide

	made, err := d.obtain(ctx, image.ID, r)
	if err != nil {
		return values.ExtractFile{}, err
	}

	return made.Files[0], nil
}

// Waveform implements Media.
func (d *Desk) Waveform(ctx context.Context, s *ent.Source) (*model.Waveform, error) {
	made, err := d.obtain(ctx, s.ID, ofSource(values.ExtractWaveform, s))
	if err != nil {
		return nil, err
	}

	data, err := d.content(ctx, made)
	if err != nil {
		return nil, err
	}

	w := &model.Waveform{
		Version: 2, Channels: 1, SampleRate: audio.WaveformRate, SamplesPerPixel: audio.SamplesPerPixel, Bits: 8,
		Length: len(data) / 2, Data: make([]int, len(data)),
	}

	for i, v := range data {
		w.Data[i] = int(int8(v))
	}

	return w, nil
}

// Silences implements Media.
func (d *Desk) Silences(ctx context.Context, s *ent.Source) (spans []values.Span, err error) {
	err = d.readJSON(ctx, s.ID, ofSource(values.ExtractSilences, s), &spans)

	return spans, err
}

// MeasuredSilences implements Media.
func (d *Desk) MeasuredSilences(ctx context.Context, of []*ent.Source) (map[string]ReadSilences, error) {
	who, ok := auth.From(ctx)
	if !ok {
		return nil, errors.New("find silences: no viewer in context")
	}

	keys, byKey := make([]string, len(of)), map[string]string{}

	for i, s := range of {
		var err error
		if keys[i], err = ofSource(values.ExtractSilences, s).Key(); err != nil {
			return nil, fmt.Errorf("find silences: %w", err)
		}

		byKey[keys[i]] = s.ID
	}

	rows, err := d.Store.Client(ctx).Extract.Query().
		Where(extract.WorkspaceID(who.WorkspaceID), extract.StatusEQ(values.ExtractStatusReady)).
		Where(func(s *sql.Selector) { s.Where(store.Among(s.C(extract.FieldKey), keys)) }).All(ctx)
	if err == nil && !d.Store.Writing(ctx) {
		err = d.use(ctx, rows...)
	}

	if err != nil {
		return nil, fmt.Errorf("find silences: %w", err)
	}

	found := map[string]ReadSilences{}

	for _, row := range rows {
		found[byKey[row.Key]] = func(ctx context.Context) (spans []values.Span, err error) {
			err = d.readRow(ctx, row, &spans)

			return spans, err
		}
	}

	return found, nil
}

// Reach implements Media.
func (d *Desk) Reach(ctx context.Context, s *ent.Source, bytes int64) (lengthMs int64, err error) {
	now := *s
	now.UploadOffset = bytes

	err = d.readJSON(ctx, s.ID, ofSource(values.ExtractReach, &now), &lengthMs)

	return lengthMs, err
}

// Window implements Media.
func (d *Desk) Window(ctx context.Context, s *ent.Source, atMs int64) (found values.FoundWindow, err error) {
	r := ofSource(values.ExtractWindow, s)
	r.FromMs = atMs

	err = d.readJSON(ctx, s.ID, r, &found)

	return found, err
}

func (d *Desk) readJSON(ctx context.Context, subjectID string, r Recipe, into any) error {
	made, err := d.obtain(ctx, subjectID, r)
	if err != nil {
		return err
	}

	return d.readRow(ctx, made, into)
}

func (d *Desk) readRow(ctx context.Context, made *ent.Extract, into any) error {
	b, err := d.content(ctx, made)
	if err != nil {
		return err
	}

	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("read extract %s: %w", made.ID, err)
	}

	return nil
}

// content opens the file of an extract.
func (d *Desk) content(ctx context.Context, made *ent.Extract) ([]byte, error) {
	o, err := d.Blobs.Open(ctx, made.Files[0].BlobKey)
	if err != nil {
		return nil, fmt.Errorf("open extract %s: %w", made.ID, err)
	}
	defer o.Content.Close() //nolint:errcheck // it was only read

	b, err := io.ReadAll(o.Content)
	if err != nil {
		return nil, fmt.Errorf("read extract %s: %w", made.ID, err)
	}

	return b, nil
}
