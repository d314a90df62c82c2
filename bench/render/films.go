package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// order is an export as one process describes it to another.
type order struct {
	Timeline   timeline.Video   `json:"timeline"`
	Look       values.Look      `json:"look"`
	Sources    map[string]input `json:"sources"`
	Resolution plan.Resolution  `json:"resolution"`
	FPS        int64            `json:"fps"`
	Folder     string           `json:"folder"` // working folder
	Cache      string           `json:"cache"`
	Out        string           `json:"out"`
	Kind       plan.Granularity `json:"kind"`
	// Cancel cancels the export halfway. Out then gets the seconds until everything of it was gone.
	Cancel bool `json:"cancel,omitempty"`
	// Kill makes the process kill itself when half of the frames are done.
	Kill bool `json:"kill,omitempty"`
}

func (o order) plan(fonts string) (plan.Plan, error) {
	settings := plan.Defaults(plan.Size{Width: width, Height: height})
	settings.Granularity, settings.Resolution, settings.FPS, settings.Fonts = o.Kind, o.Resolution, o.FPS, fonts

	known := plan.Sources{}
	for name, in := range o.Sources {
		known[name] = in.Info.RenderSource(in.Content, name+".mp4")
	}

	return plan.Of(o.Timeline, o.Look, known, settings)
}

// export is the child's part: everything the product does, from the description to the file.
func export(ctx context.Context, tools ffmpeg.Tools, path string) error {
	said, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the order: %w", err)
	}

	var o order
	if err := json.Unmarshal(said, &o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}

	files := probe.Sources{}
	for name, in := range o.Sources {
		files[name] = probe.Source{Path: in.Path, Info: in.Info}
	}

	engine := &encode.Engine{Tools: tools, Dir: o.Folder, Workers: runtime.NumCPU()}

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
			_, err := engine.Render(ctx, plan, files, encode.DirCache{Dir: o.Cache}, progress)

			return err
		})
	}

	result, err := engine.Render(ctx, plan, files, encode.DirCache{Dir: o.Cache}, func(done, total int) {
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

// cancelled cancels an export halfway and records how long that took.
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
		return errors.Join(errors.New("the export was not canceled"), err)
	}

	if left, err := os.ReadDir(o.Folder); err != nil || len(left) > 0 {
		return errors.Join(fmt.Errorf("the export left %d files", len(left)), err)
	}

	return os.WriteFile(o.Out, fmt.Append(nil, took.Seconds()), 0o600)
}

// clip returns a clip of the recordings with two cuts that together remove spare seconds.
func (l *lab) clip(screen, camera string) timeline.Clip {
	c := timeline.Clip{
		ID: "clip", Name: "Clip 1", LengthMs: l.sources["screen"].Info.DurationMs, Screen: screen, Camera: camera,
		Cuts: values.Cuts{{StartMs: 10_000, EndMs: 13_000}, {StartMs: 16_500, EndMs: 19_500}},
	}

	if screen != "" {
		c.Sounds = append(c.Sounds, timeline.Sound{Source: screen, Volume: 0.5})
	}

	if camera != "" {
		c.Sounds = append(c.Sounds, timeline.Sound{Source: camera, Volume: 1, Speech: true})
	}

	return c
}

// reference returns the reference timeline: two cuts, a gradient background with a shadow, an inset screen with round
// corners, a camera with squircle corners, a zoom of 6 s to twice the size, a blur of 10 s, a text of 5 s, captions
// that mark each word throughout, microphone and system sound.
func (l *lab) reference() order { return l.referenceOf("screen") }

// referenceOf returns the reference timeline with another screen.
func (l *lab) referenceOf(screen string) order {
	c := l.clip(screen, "camera")
	look := values.ClipLook{
		Background: values.Background{
			Type: values.BackgroundTypeGradient, GradientAngle: 45,
			GradientColor1: "#1B2A4AFF", GradientColor2: "#7A3E8EFF",
		},
		BorderStyle: values.BorderStyleSubtleShadow, Corners: values.CornersSquircle,
		Base: &values.LayoutShape{
			Kind: values.LayoutKindCameraBubble, Position: new(values.LayoutPositionBottomRight),
			Size: new(values.LayoutSizeM), Shape: new(values.CameraShapeSquare),
		},
		Effects: []values.ShownEffect{
			{Kind: values.EffectKindZoom, StartMs: 20_000, EndMs: 26_000, Params: values.EffectParams{
				Zoom: &values.ZoomParams{Type: values.ZoomTypeManualZoom, Scale: 2, Focus: &values.Point{XPct: 40, YPct: 45}},
			}},
			{Kind: values.EffectKindBlur, StartMs: 30_000, EndMs: 40_000, Params: values.EffectParams{
				Mask: &values.MaskParams{Point: values.Point{XPct: 20, YPct: 20}, Dimensions: values.Extent{WidthPct: 30, HeightPct: 20}},
			}},
			l.title("Reelgraph"),
		},
		Words: words(c.LengthMs),
	}

	return order{
		Timeline: timeline.Video{Clips: []timeline.Clip{c}},
		Look: values.Look{Clips: []values.ClipLook{look}, Captions: &values.CaptionLook{
			Style: values.DefaultEditing().CaptionStyle, Position: values.DefaultEditing().CaptionPosition,
		}},
		Sources: l.sources, Resolution: plan.P1080, FPS: fps, Kind: plan.Story,
	}
}

// title returns the text overlay, which lasts 5 s.
func (l *lab) title(text string) values.ShownEffect {
	return values.ShownEffect{Kind: values.EffectKindTextOverlay, StartMs: 2_000, EndMs: 7_000, Params: values.EffectParams{
		Text: &values.TextParams{
			TextStyle: values.TextStyle{
				Color: "#FFFFFFFF", Background: "#00000099", BackgroundShape: values.TextBackgroundShapeRounded,
				FontFamily: values.DefaultFontFamily, FontSize: 81, FontWeight: 600, FontWidth: 100, TextAlign: values.TextAlignCenter,
			},
			Text: text, Point: values.Point{XPct: 20, YPct: 8}, Dimensions: values.Size{Width: 1152, Height: 160},
		},
	}}
}

// words returns 2.5 words a second.
func words(lengthMs int64) []values.SpokenWord {
	said := []string{"here", "you", "see", "how", "the", "window", "moves", "across", "a", "page", "that", "scrolls."}

	var all []values.SpokenWord
	for at := int64(0); at+400 <= lengthMs; at += 400 {
		all = append(all, values.SpokenWord{Text: said[int(at/400)%len(said)], StartMs: at, EndMs: at + 360})
	}

	return all
}

// passthrough returns the unedited screen.
func (l *lab) passthrough() order {
	o := l.reference()
	c := l.clip("screen", "")
	c.Sounds[0].Volume = 1 // another loudness would give the encoder different work than the transcode
	o.Timeline = timeline.Video{Clips: []timeline.Clip{c}}
	o.Look = values.Look{Clips: []values.ClipLook{{
		Background: values.DefaultBackground(), Corners: values.CornersRegular, BorderStyle: values.BorderStyleNone,
		Base: &values.LayoutShape{Kind: values.LayoutKindFullscreen, ScreenFit: new(values.ScreenFitLetterbox)},
	}}}

	return o
}

// simple returns a picture in picture that every editor can draw: no corners, no shadow, one color, and no cuts except
// the end, as for the other programs.
func (l *lab) simple(screen string) order {
	o := l.passthrough()
	c := l.clip(screen, "camera")
	c.Cuts = values.Cuts{{StartMs: peerSeconds * 1000, EndMs: c.LengthMs}}
	o.Timeline = timeline.Video{Clips: []timeline.Clip{c}}
	o.Look.Clips[0].Corners = values.CornersNone
	o.Look.Clips[0].Base = &values.LayoutShape{
		Kind: values.LayoutKindCameraBubble, Position: new(values.LayoutPositionBottomRight),
		Size: new(values.LayoutSizeM), Shape: new(values.CameraShapeSquare),
	}

	return o
}
