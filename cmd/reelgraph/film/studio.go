package film

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/editing/clip"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	hearing "github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Studio is a film whose files have been probed. It holds what Plan needs: a database row and the probed properties
// of each source.
type Studio struct {
	Film  *Film
	rows  map[string]*ent.Source
	Files probe.Sources
	Known plan.Sources
}

// Open probes every source of the film with the same checks as an upload. If it refuses files, the error names all of
// them.
func Open(ctx context.Context, tools ffmpeg.Tools, folder string, f *Film) (*Studio, error) {
	s := &Studio{Film: f, rows: map[string]*ent.Source{}, Files: probe.Sources{}, Known: plan.Sources{}}

	var faults []fault.Field

	for i, src := range f.Sources {
		at := src.path(folder)
		wrong := func(rule string) {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("sources[%d].file", i), Rule: rule})
		}

		err := s.take(ctx, tools, *src, at)

		refused, isRefused := errors.AsType[*ffmpeg.Refused](err)

		switch {
		case isRefused:
			wrong("cannot be used: " + refused.Error())
		case errors.Is(err, probe.ErrNotAFile):
			wrong("must be a file, but " + at + " is not")
		case errors.Is(err, os.ErrNotExist):
			wrong("must exist, and " + at + " does not")
		case err != nil:
			return nil, err
		}
	}

	return s, invalid(faults)
}

func (s *Studio) take(ctx context.Context, tools ffmpeg.Tools, src Source, path string) error {
	info, err := probe.File(ctx, tools, path, string(src.Kind))
	if err != nil {
		return err
	}

	content, err := contentOf(path)
	if err != nil {
		return err
	}

	if info, err = s.measured(ctx, tools, src, probe.Source{Path: path, Info: info}); err != nil {
		return err
	}

	known := info.RenderSource(content, filepath.Base(path))
	if src.Kind == values.SourceKindMouse {
		if known.Mouse, err = pointed(path); err != nil {
			return err
		}
	}

	row := &ent.Source{
		ID: src.SourceID, Kind: src.Kind, Status: values.SourceStatusReady, Name: filepath.Base(path),
		DurationMs: info.DurationMs, HasAudio: info.Audio != nil, Audio: src.Audio, Sha256: content, Bytes: info.Bytes,
	}

	if info.Video != nil {
		row.Width, row.Height = info.Video.Width, info.Video.Height
	}

	s.rows[src.SourceID], s.Known[src.SourceID] = row, known
	s.Files[src.SourceID] = probe.Source{Path: path, Info: info}

	return nil
}

// measured returns a source with the sound to use, and how.
func (s *Studio) measured(ctx context.Context, tools ffmpeg.Tools, src Source, file probe.Source) (probe.Info, error) {
	info, err := probe.MeasureSound(ctx, ffmpeg.Runner{Tools: tools}, file)
	if err != nil {
		return info, err
	}

	microphone := src.Audio != nil && *src.Audio == values.SourceAudioMicrophone
	if src.Audio == nil {
		microphone = slices.ContainsFunc(s.Film.Clips, func(c *Clip) bool {
			return c.CameraSourceID != nil && *c.CameraSourceID == src.SourceID ||
				c.MicrophoneSourceID != nil && *c.MicrophoneSourceID == src.SourceID
		})
	}

	if microphone {
		info = info.AsMicrophone()
	}

	return info, nil
}

// pointed reads the events of a mouse file.
func pointed(path string) ([]mouse.Event, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", strconv.Quote(path), err)
	}
	defer func() { _ = f.Close() }()

	return probe.ReadMouse(f)
}

// Plan plans the film's export.
func (s *Studio) Plan() (plan.Plan, error) {
	shown, err := s.shown()
	if err != nil {
		return plan.Plan{}, err
	}

	settings := plan.Defaults(plan.Size(shown.Artboard))

	if e := s.Film.Export; e != nil {
		if e.Granularity != nil {
			settings.Granularity = plan.Granularity(*e.Granularity)
		}

		if e.Resolution != nil {
			settings.Resolution = plan.Resolution(*e.Resolution)
		}

		if e.Fps != nil && *e.Fps == values.FPS60 {
			settings.FPS = 60
		}

		if e.Speed != nil {
			if settings.Speed, err = timeline.ParseSpeed(string(*e.Speed)); err != nil {
				return plan.Plan{}, err
			}
		}
	}

	if settings.Fonts, err = new(encode.Engine).Fonts(); err != nil {
		return plan.Plan{}, err
	}

	return plan.Of(shown.Timeline, shown.Look, s.Known, settings)
}

// shown returns the timeline and look of the film, by the rules of the GraphQL API.
func (s *Studio) shown() (plan.ExportPlan, error) {
	clips := make([]*ent.Clip, len(s.Film.Clips))

	var faults []fault.Field

	for i, c := range s.Film.Clips {
		row, wrong := s.clip(i, c)
		clips[i] = row

		for _, f := range wrong {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("clips[%d].%s", i, f.Path), Rule: f.Rule})
		}
	}

	if err := invalid(faults); err != nil {
		return plan.ExportPlan{}, err
	}

	draft := exports.NewDraft(s.video(), clips, s.rows)

	for i, c := range s.Film.Clips {
		for j, e := range c.Effects {
			if err := placed(fmt.Sprintf("clips[%d].effects[%d]", i, j), draft.Add(clips[i].ID, e)); err != nil {
				return plan.ExportPlan{}, err
			}
		}
	}

	return draft.Plan(), nil
}

// placed adds the place in the film to the faults of an input.
func placed(at string, err error) error {
	public, isPublic := fault.As(err)
	if !isPublic {
		return err
	}

	fields := make([]fault.Field, len(public.Fields))
	for i, f := range public.Fields {
		fields[i] = fault.Field{Path: strings.TrimSuffix(at+"."+f.Path, "."), Rule: f.Rule}
	}

	return invalid(fields)
}

func invalid(faults []fault.Field) error {
	if len(faults) == 0 {
		return nil
	}

	return fault.Invalid(faults)
}

// video returns the film's row: its settings over the defaults of a new video.
func (s *Studio) video() *ent.Video {
	f := s.Film
	v := &ent.Video{Editing: values.DefaultEditing(), Settings: values.DefaultVideoSettings()}
	v.Editing.StudioSound = f.StudioSound
	v.Editing.MicrophoneVolume, v.Editing.SystemAudioVolume = f.MicrophoneVolume, f.SystemAudioVolume

	choose(&v.Editing.BorderStyle, f.BorderStyle)
	choose(&v.Editing.Corners, f.Corners)
	choose(&v.Editing.ClipTransition, f.ClipTransition)

	if c := f.CaptionStyle; c != nil {
		v.Editing.CaptionStyle = values.CaptionStyle{
			Name: c.Name, BackgroundColor: spelt(c.BackgroundColor), TextColor: spelt(c.TextColor), WordLevelHighlights: c.WordLevelHighlights,
		}
	}

	if p := f.CaptionPosition; p != nil {
		v.Editing.CaptionPosition = values.Position(*p)
	}

	if e := f.Export; e != nil {
		choose(&v.Editing.SubtitlesEnabled, e.Subtitles)
	}

	if m := f.BackgroundMusic; m != nil {
		v.BackgroundMusic = &values.BackgroundMusic{SourceID: m.SourceID, Volume: m.Volume}
	}

	artboard := s.artboard()
	v.Width, v.Height = artboard.Width, artboard.Height

	return v
}

// artboard returns the film's artboard, or the default for its first clip's recording.
func (s *Studio) artboard() plan.Size {
	if d := s.Film.Dimensions; d != nil {
		return plan.Size(*d)
	}

	first := s.Film.Clips[0]

	id := first.ScreenSourceID
	if id == nil {
		id = first.CameraSourceID
	}

	return plan.Artboard(plan.Size{Width: s.rows[*id].Width, Height: s.rows[*id].Height})
}

func choose[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// spelt returns a checked colour in its stored form.
func spelt(c values.Color) values.Color {
	if parsed, err := values.ParseColor(string(c)); err == nil {
		return parsed
	}

	return c
}

// clip returns a clip's row without effects, and its faults.
func (s *Studio) clip(number int, c *Clip) (*ent.Clip, []fault.Field) {
	var faults []fault.Field

	row := &ent.Clip{
		ID: fmt.Sprintf("cl_%d", number+1), Name: fmt.Sprintf("Clip %d", number+1), Position: number,
		ScreenSourceID: c.ScreenSourceID, CameraSourceID: c.CameraSourceID,
		MicrophoneSourceID: c.MicrophoneSourceID, MouseSourceID: c.MouseSourceID, Offsets: c.offsets(),
		Background: values.DefaultBackground(), BorderStyle: c.BorderStyle, Corners: c.Corners,
		Transition: values.ClipTransitionDefault, MicrophoneVolume: c.MicrophoneVolume, SystemAudioVolume: c.SystemAudioVolume,
		StudioSoundOff: c.StudioSound != nil && !*c.StudioSound, AnimatedCursor: c.MouseSourceID != nil && c.ScreenSourceID != nil,
	}
	choose(&row.Name, c.Name)
	choose(&row.Transition, c.Transition)
	choose(&row.AnimatedCursor, c.AnimatedCursor)

	if c.Crop != nil {
		crop := values.CropBox(*c.Crop)
		row.Crop = &crop
	}

	s.record(row)

	faults = append(faults, clip.Unfit(row, clip.Given{
		Crop: c.Crop != nil, AnimatedCursor: c.AnimatedCursor != nil,
		MicrophoneVolume: c.MicrophoneVolume != nil, SystemAudioVolume: c.SystemAudioVolume != nil,
	})...)

	cuts, err := timeline.CutsOf(row.RecordingMs, cutRanges(c))
	if err != nil {
		faults = append(faults, clip.CutFaults(err, "durationMs", "startTimeMs")...)
	}

	row.Cuts = cuts
	row.DurationMs = row.RecordingMs - cuts.LengthMs()

	if c.Background != nil {
		row.Background = s.background(c)
	}

	words := make([]hearing.Word, len(c.Words))
	for i, w := range c.Words {
		words[i] = hearing.Word{Text: w.Text, StartMs: w.StartTimeMs, EndMs: w.EndTimeMs}
	}

	slices.SortStableFunc(words, func(a, b hearing.Word) int { return cmp.Compare(a.StartMs, b.StartMs) })

	row.Edges.Transcript = hearing.TranscriptOf(words)

	return row, faults
}

// record gives a clip its recordings. As for an upload, the default type of a camera's sound is the microphone.
func (s *Studio) record(row *ent.Clip) {
	take := func(id *string, usual values.SourceAudio) *ent.Source {
		if id == nil {
			return nil
		}

		src := *s.rows[*id]
		if src.HasAudio && src.Audio == nil {
			src.Audio = &usual
		}

		return &src
	}
	row.Edges.ScreenSource = take(row.ScreenSourceID, values.SourceAudioSystem)
	row.Edges.CameraSource = take(row.CameraSourceID, values.SourceAudioMicrophone)
	row.Edges.MicrophoneSource = take(row.MicrophoneSourceID, values.SourceAudioMicrophone)

	tracks := multitrack.Of(row)
	row.RecordingMs = tracks.LengthMs(row.Offsets)
	row.HasMicrophone, row.HasSystemAudio = tracks.Heard(row.Offsets)
}

// offsets returns the offsets of a clip's tracks.
func (c *Clip) offsets() values.Offsets {
	return values.Offsets{
		Camera: values.Offset{Ms: c.CameraOffsetMs}, Microphone: values.Offset{Ms: c.MicrophoneOffsetMs},
		Mouse: values.Offset{Ms: c.MouseOffsetMs},
	}
}

func cutRanges(c *Clip) []values.Span {
	spans := make([]values.Span, len(c.Cuts))
	for i, cut := range c.Cuts {
		spans[i] = values.SpanOf(cut.StartTimeMs, cut.DurationMs)
	}

	return spans
}

func (s *Studio) background(c *Clip) values.Background {
	b := c.Background
	next := values.Background{Type: b.Type}

	switch {
	case b.SourceID != nil:
		next.SourceID = *b.SourceID
		if b.Type == values.BackgroundTypeVideo {
			next.VideoDurationMs = s.rows[*b.SourceID].DurationMs
		}
	case b.Type == values.BackgroundTypeSolid:
		next.Color = spelt(*b.Color)
	default:
		next.GradientColor1, next.GradientColor2 = spelt(*b.GradientColor1), spelt(*b.GradientColor2)
		choose(&next.GradientAngle, b.GradientAngle)
	}

	return next
}
