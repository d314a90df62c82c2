package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/media"
	"github.com/reelgraph/reelgraph/internal/render"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// order is an export, as one process describes it to another.
type order struct {
	Timeline   timeline.Video     `json:"timeline"`
	Look       domain.Look        `json:"look"`
	Sources    map[string]input   `json:"sources"`
	Resolution render.Resolution  `json:"resolution"`
	FPS        int64              `json:"fps"`
	Folder     string             `json:"folder"` // where it is made
	Cache      string             `json:"cache"`
	Out        string             `json:"out"`
	Kind       render.Granularity `json:"kind"`
	// Cancel has it cancelled at half, and Out say how many seconds later everything of it was gone.
	Cancel bool `json:"cancel,omitempty"`
	// Kill has its process kill itself with half of the frames done, without a chance to say goodbye.
	Kill bool `json:"kill,omitempty"`
}

func (o order) plan(fonts string) (render.Plan, error) {
	settings := render.Defaults(render.Size{Width: width, Height: height})
	settings.Granularity, settings.Resolution, settings.FPS, settings.Fonts = o.Kind, o.Resolution, o.FPS, fonts

	known := render.Sources{}
	for name, in := range o.Sources {
		known[name] = in.Info.RenderSource(in.Content, name+".mp4")
	}

	return render.Of(o.Timeline, o.Look, known, settings)
}

// export is the child's part: the whole of what the product does from the description to the file.
func export(ctx context.Context, tools media.Tools, path string) error {
	said, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the order: %w", err)
	}

	var o order
	if err := json.Unmarshal(said, &o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}

	files := media.Sources{}
	for name, in := range o.Sources {
		files[name] = media.Source{Path: in.Path, Info: in.Info}
	}

	// A server does so once when it starts. Here it counts each time, as for the render command.
	lean, err := tools.Lean(ctx, filepath.Join(filepath.Dir(o.Folder), "stubs"))
	if err != nil {
		return fmt.Errorf("leave out libraries of FFmpeg: %w", err)
	}

	engine := &media.Engine{Tools: lean, Dir: o.Folder, Workers: runtime.NumCPU()}

	fonts, err := engine.Fonts()
	if err != nil {
		return err
	}

	plan, err := o.plan(fonts)
	if err != nil {
		return err
	}

	if o.Cancel {
		return cancelled(ctx, o, func(ctx context.Context, progress func(done, total int)) error {
			_, err := engine.Render(ctx, plan, files, media.DirCache{Dir: o.Cache}, progress)

			return err
		})
	}

	result, err := engine.Render(ctx, plan, files, media.DirCache{Dir: o.Cache}, func(done, total int) {
		if o.Kill && 2*done >= total {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	})
	if err != nil {
		return err
	}

	if result.Frames != plan.Frames() {
		return fmt.Errorf("the export has %d frames, not %d", result.Frames, plan.Frames())
	}

	if err := os.Rename(result.Path, o.Out); err != nil {
		return fmt.Errorf("keep the film: %w", err)
	}

	return result.Discard()
}

// cancelled ends an export at half of it, and writes down how long that took.
func cancelled(ctx context.Context, o order, export func(ctx context.Context, progress func(done, total int)) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	var (
		gone  = errors.New("cancelled at half")
		began time.Time
	)

	err := export(ctx, func(done, total int) {
		if 2*done >= total && began.IsZero() {
			began = time.Now()

			cancel(gone)
		}
	})
	took := time.Since(began)

	if !errors.Is(err, gone) {
		return errors.Join(errors.New("it was not cancelled"), err)
	}

	if left, err := os.ReadDir(o.Folder); err != nil || len(left) > 0 {
		return errors.Join(fmt.Errorf("it left %d files", len(left)), err)
	}

	return os.WriteFile(o.Out, fmt.Append(nil, took.Seconds()), 0o600)
}

// clip is one clip of the recordings, with two cuts that leave all but spare seconds.
func (l *lab) clip(screen, camera string) timeline.Clip {
	c := timeline.Clip{
		ID: "clip", Name: "Clip 1", LengthMs: l.sources["screen"].Info.DurationMs, Screen: screen, Camera: camera,
		Cuts: timeline.Cuts{{StartMs: 10_000, EndMs: 13_000}, {StartMs: 16_500, EndMs: 19_500}},
	}

	if screen != "" {
		c.Sounds = append(c.Sounds, timeline.Sound{Source: screen, Volume: 0.5})
	}

	if camera != "" {
		c.Sounds = append(c.Sounds, timeline.Sound{Source: camera, Volume: 1, Speech: true})
	}

	return c
}

// reference is the reference timeline: two cuts, a gradient plate with a shadow, an inset screen with round
// corners, a camera with squircle corners, a zoom of 6 s to twice the size, a blur of 10 s, a text of 5 s,
// captions that mark each word all through, microphone and system sound.
func (l *lab) reference() order { return l.referenceOf("screen") }

// referenceOf is the reference timeline of another screen.
func (l *lab) referenceOf(screen string) order {
	c := l.clip(screen, "camera")
	look := domain.ClipLook{
		Background: domain.Background{
			Type: domain.BackgroundTypeGradient, GradientAngle: 45,
			GradientColor1: "#1B2A4AFF", GradientColor2: "#7A3E8EFF",
		},
		BorderStyle: domain.BorderStyleSubtleShadow, Corners: domain.CornersSquircle,
		Base: &domain.LayoutShape{
			Kind: domain.LayoutKindCameraBubble, Position: new(domain.LayoutPositionBottomRight),
			Size: new(domain.LayoutSizeM), Shape: new(domain.CameraShapeSquare),
		},
		Effects: []domain.ShownEffect{
			{Kind: domain.EffectKindZoom, StartMs: 20_000, EndMs: 26_000, Params: domain.EffectParams{
				Zoom: &domain.ZoomParams{Type: domain.ZoomTypeManualZoom, Scale: 2, Focus: &domain.Point{XPct: 40, YPct: 45}},
			}},
			{Kind: domain.EffectKindBlur, StartMs: 30_000, EndMs: 40_000, Params: domain.EffectParams{
				Mask: &domain.MaskParams{Point: domain.Point{XPct: 20, YPct: 20}, Dimensions: domain.Extent{WidthPct: 30, HeightPct: 20}},
			}},
			l.title("Reelgraph"),
		},
		Words: words(c.LengthMs),
	}

	return order{
		Timeline: timeline.Video{Clips: []timeline.Clip{c}},
		Look: domain.Look{Clips: []domain.ClipLook{look}, Captions: &domain.CaptionLook{
			Style: domain.DefaultEditing().CaptionStyle, Position: domain.DefaultEditing().CaptionPosition,
		}},
		Sources: l.sources, Resolution: render.P1080, FPS: fps, Kind: render.Story,
	}
}

// title is the text overlay, for 5 s.
func (l *lab) title(text string) domain.ShownEffect {
	return domain.ShownEffect{Kind: domain.EffectKindTextOverlay, StartMs: 2_000, EndMs: 7_000, Params: domain.EffectParams{
		Text: &domain.TextParams{
			TextStyle: domain.TextStyle{
				Color: "#FFFFFFFF", Background: "#00000099", BackgroundShape: domain.TextBackgroundShapeRounded,
				FontFamily: domain.DefaultFontFamily, FontSize: 81, FontWeight: 600, FontWidth: 100, TextAlign: domain.TextAlignCenter,
			},
			Text: text, Point: domain.Point{XPct: 20, YPct: 8}, Dimensions: domain.Size{Width: 1152, Height: 160},
		},
	}}
}

// words are two and a half a second.
func words(lengthMs int64) []domain.SpokenWord {
	said := []string{"here", "you", "see", "how", "the", "window", "moves", "across", "a", "page", "that", "scrolls."}

	var all []domain.SpokenWord
	for at := int64(0); at+400 <= lengthMs; at += 400 {
		all = append(all, domain.SpokenWord{Text: said[int(at/400)%len(said)], StartMs: at, EndMs: at + 360})
	}

	return all
}

// passthrough is the screen as it is.
func (l *lab) passthrough() order {
	o := l.reference()
	c := l.clip("screen", "")
	c.Sounds[0].Volume = 1 // a sound of another loudness is another work for the encoder than the transcode's
	o.Timeline = timeline.Video{Clips: []timeline.Clip{c}}
	o.Look = domain.Look{Clips: []domain.ClipLook{{
		Background: domain.DefaultBackground(), Corners: domain.CornersRegular, BorderStyle: domain.BorderStyleNone,
		Base: &domain.LayoutShape{Kind: domain.LayoutKindFullscreen, ScreenFit: new(domain.ScreenFitLetterbox)},
	}}}

	return o
}

// simple is a picture in a picture, as every editor can draw it: no corners, no shadow, one colour, and nothing cut
// but what is behind its end, as the others have it.
func (l *lab) simple(screen string) order {
	o := l.passthrough()
	c := l.clip(screen, "camera")
	c.Cuts = timeline.Cuts{{StartMs: peerSeconds * 1000, EndMs: c.LengthMs}}
	o.Timeline = timeline.Video{Clips: []timeline.Clip{c}}
	o.Look.Clips[0].Corners = domain.CornersNone
	o.Look.Clips[0].Base = &domain.LayoutShape{
		Kind: domain.LayoutKindCameraBubble, Position: new(domain.LayoutPositionBottomRight),
		Size: new(domain.LayoutSizeM), Shape: new(domain.CameraShapeSquare),
	}

	return o
}
