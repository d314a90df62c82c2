package still

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/engine/still"
	"github.com/reelgraph/reelgraph/internal/engine/windowdetect"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

// kitchen holds the working folder and the state while one extract is computed.
type kitchen struct {
	media.Deps

	row      *ent.Extract
	recipe   extracts.Recipe
	dir      string
	limit    time.Duration // how long drawing may take; 0 means as long as the job
	releases []func()
}

// draw runs draw within the limit. It returns errSlow if the limit was exceeded.
func (k *kitchen) draw(ctx context.Context, draw func(context.Context) error) error {
	if k.limit == 0 {
		return draw(ctx)
	}

	limited, cancel := context.WithTimeoutCause(ctx, k.limit, errSlow)
	defer cancel()

	err := draw(limited)
	if err != nil && errors.Is(context.Cause(limited), errSlow) {
		return errSlow
	}

	return err
}

func (k *kitchen) close() {
	for _, release := range k.releases {
		release()
	}
}

// cook makes the files of the recipe in the folder and returns their names.
func (k *kitchen) cook(ctx context.Context) ([]string, error) {
	switch k.recipe.Kind {
	case values.ExtractWaveform:
		return k.waveform(ctx)
	case values.ExtractSilences:
		return k.silences(ctx)
	case values.ExtractWindow:
		return k.window(ctx)
	case values.ExtractReach:
		return k.reach(ctx)
	case values.ExtractStill, values.ExtractPosters, values.ExtractPreviews, values.ExtractStoryboard:
		return k.pictures(ctx)
	default:
		return nil, fmt.Errorf("unknown recipe %q", k.recipe.Kind)
	}
}

// recording opens a source of the extract's workspace.
func (k *kitchen) recording(ctx context.Context, id string) (opened probe.Recording, err error) {
	src, err := k.Store.Client(ctx).Source.Query().
		Where(source.ID(id)).Only(auth.AsWorkspace(ctx, k.row.WorkspaceID))
	if ent.IsNotFound(err) {
		return opened, &plan.SourceError{Source: id, Reason: "does not exist"}
	}

	if err != nil {
		return opened, fmt.Errorf("find source %s: %w", id, err)
	}

	path, info, release, err := k.file(ctx, src)
	if err != nil {
		return opened, err
	}

	k.releases = append(k.releases, release)

	return probe.Open(ctx, k.Engine.Tools, probe.Source{Path: path, Info: info})
}

// file returns the local file of a source and what is in it.
func (k *kitchen) file(ctx context.Context, src *ent.Source) (path string, info probe.Info, release func(), err error) {
	if k.recipe.Arriving {
		return k.Arrived(ctx, src)
	}

	if k.recipe.Kind == values.ExtractWaveform || k.recipe.Kind == values.ExtractSilences {
		info, err = k.Measured(ctx, src)
	} else {
		info, err = media.Probed(src)
	}

	if err != nil {
		return "", info, nil, err
	}

	path, release, err = k.Local(ctx, src)

	return path, media.AsHeard(src, info), release, err
}

// moved reports whether an arriving recording has become complete. Its file may have moved while it was being read.
func (k *kitchen) moved(ctx context.Context) bool {
	if !k.recipe.Arriving {
		return false
	}

	src, err := k.Store.Client(ctx).Source.Get(ctx, k.recipe.SourceID)
	if err != nil {
		return false
	}

	_, err = k.Blobs.Stat(ctx, src.BlobKey)

	return err == nil
}

// reach writes how much of the recording can be decoded.
func (k *kitchen) reach(ctx context.Context) ([]string, error) {
	r, err := k.recording(ctx, k.recipe.SourceID)
	if err != nil {
		return nil, err
	}

	return k.writeJSON("reach.json", r.Info.DurationMs)
}

func (k *kitchen) waveform(ctx context.Context) ([]string, error) {
	var w audio.Waveform

	if err := k.listen(ctx, audio.WaveformRate, w.Add); err != nil {
		return nil, err
	}

	data := w.Data()
	b := make([]byte, len(data))

	for i, v := range data {
		b[i] = byte(v)
	}

	return k.write("waveform.s8", b)
}

func (k *kitchen) silences(ctx context.Context) ([]string, error) {
	var l audio.Levels

	if err := k.listen(ctx, audio.LevelRate, l.Add); err != nil {
		return nil, err
	}

	return k.writeJSON("silences.json", l.Silences(k.recipe.LengthMs))
}

func (k *kitchen) listen(ctx context.Context, rate int, sink func([]int16)) error {
	r, err := k.recording(ctx, k.recipe.SourceID)
	if err != nil {
		return err
	}

	return audio.Samples(ctx, k.Engine.Runner(), r, rate, sink)
}

const (
	// checks is how many more frames must confirm a found window.
	checks = 4
	// sharpest is the largest frame width in which a window is searched.
	sharpest = 3840
)

// window searches for the window at the recipe's time and confirms it at other times, spread evenly.
func (k *kitchen) window(ctx context.Context) ([]string, error) {
	r, err := k.recording(ctx, k.recipe.SourceID)
	if err != nil {
		return nil, err
	}

	f := raw{k, r}
	frame := plan.Cover(f.shape(), min(f.shape().Width, sharpest), 0)
	times := []int64{k.recipe.FromMs}

	for i := range int64(checks) {
		times = append(times, k.recipe.LengthMs*(2*i+1)/(2*checks))
	}

	frames := make([]windowdetect.Frame, len(times))

	for i, at := range times {
		var b bytes.Buffer
		if err := f.film(ctx, plan.Sample{FromUs: at * 1000, Frames: 1, FPS: stillFPS, Frame: frame, Fill: true}, &b); err != nil {
			return nil, err
		}

		if b.Len() < still.FrameBytes(frame) {
			return nil, fmt.Errorf("search the frame at %d ms: %w", at, io.ErrUnexpectedEOF)
		}

		frames[i] = windowdetect.Frame{Width: frame.Width, Height: frame.Height, Luma: b.Bytes()[:frame.Width*frame.Height]}
	}

	return k.writeJSON("window.json", share(windowdetect.Find(frames[0], frames[1:]...), frame))
}

// share returns a found window in percent of the frame, or the whole frame if none was found.
func share(found windowdetect.Found, of plan.Size) values.FoundWindow {
	if found.Confidence == 0 {
		return values.FoundWindow{Box: values.CropBox{WidthPct: 100, HeightPct: 100}}
	}

	wide := func(x int) float64 { return 100 * float64(x) / float64(of.Width) }
	high := func(y int) float64 { return 100 * float64(y) / float64(of.Height) }
	b := found.Box

	return values.FoundWindow{Confidence: found.Confidence, Box: values.CropBox{
		XPct: wide(b.X0), YPct: high(b.Y0), WidthPct: wide(b.X1 - b.X0), HeightPct: high(b.Y1 - b.Y0),
	}}
}

func (k *kitchen) writeJSON(name string, what any) ([]string, error) {
	b, err := json.Marshal(what)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}

	return k.write(name, b)
}

func (k *kitchen) write(name string, b []byte) ([]string, error) {
	return []string{name}, os.WriteFile(filepath.Join(k.dir, name), b, 0o600)
}
