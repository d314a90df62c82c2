package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// row compares one cell with another.
type row struct {
	name, what string
	of, by     string  // names of cells; without by, the row shows seconds
	wall, cpu  float64 // goals for the ratios; zero means none
	memory     float64 // goal for the megabytes of the first; zero means none
	peer       string  // program that the row needs
}

// The cells.
const (
	floorCell       = "plain transcode"
	referenceCell   = "reference"
	passthroughCell = "passthrough"
	rawCell         = "raw"
	editedCell      = "another title"
	resumedCell     = "resumed"
	sixtyCell       = "reference at 60"
	uhdCell         = "reference in 4k, a third"
	simpleCell      = "picture in picture"
	overlayCell     = "one FFmpeg, overlay"
	meltCell        = "MLT, affine"
	compositeCell   = "MLT, composite"
	editlyCell      = "editly"
	cancelCell      = "cancel"
	againCell       = "transcode of the film"
	pageFloorCell   = "plain transcode of a page"
	pageCell        = "reference of a page"
	calmFloorCell   = "plain transcode of a calm screen"
	calmCell        = "reference of a calm screen"
	calmSimpleCell  = "picture in picture of a calm screen"
	calmEditlyCell  = "editly, of a calm screen"
	pageAgainCell   = "transcode of the film of a page"
	calmAgainCell   = "transcode of the film of a calm screen"
)

func allRows() []row {
	return []row{
		{name: "reference", what: "reference timeline / plain transcode", of: referenceCell, by: floorCell, wall: 1.4, cpu: 1.55, memory: 1500},
		{name: "again", what: "reference timeline / plain transcode of its own film", of: referenceCell, by: againCell},
		{name: "page", what: "reference timeline of a page that scrolls by whole pixels / its plain transcode", of: pageCell, by: pageFloorCell},
		{name: "calm", what: "reference timeline of a calm screen / its plain transcode", of: calmCell, by: calmFloorCell},
		{name: "page-again", what: "reference timeline of a page / plain transcode of its own film", of: pageCell, by: pageAgainCell},
		{name: "calm-again", what: "reference timeline of a calm screen / plain transcode of its own film", of: calmCell, by: calmAgainCell},
		{name: "passthrough", what: "passthrough / plain transcode", of: passthroughCell, by: floorCell, wall: 1.1},
		{name: "raw", what: "raw files / plain transcode", of: rawCell, by: floorCell, wall: 0.1},
		{name: "edited", what: "again after a change of one overlay / the first time", of: editedCell, by: referenceCell, wall: 0.25},
		{name: "resumed", what: "resumed after kill -9 at half / whole", of: resumedCell, by: referenceCell, wall: 0.6},
		{name: "sixty", what: "60 frames per second / 30", of: sixtyCell, by: referenceCell, wall: 1.5},
		{name: "uhd", what: "a third of it in 4k / all of it in 1080p", of: uhdCell, by: referenceCell, memory: 3000},
		{name: "cancel", what: "cancelled at half, until every program has ended", of: cancelCell, wall: 2},
		{name: "overlay", what: "picture in picture, 20 s / one FFmpeg that scales and overlays", of: simpleCell, by: overlayCell},
		{name: "melt", what: "picture in picture, 20 s / MLT (affine)", of: simpleCell, by: meltCell, cpu: 0.25, peer: "melt"},
		{name: "composite", what: "picture in picture, 20 s / MLT (composite)", of: simpleCell, by: compositeCell, peer: "melt"},
		{name: "editly", what: "picture in picture, 20 s / editly", of: simpleCell, by: editlyCell, wall: 0.2, peer: "xvfb-run"},
		{
			name: "calm-editly", what: "picture in picture of a calm screen, 20 s / editly",
			of: calmSimpleCell, by: calmEditlyCell, wall: 0.2, peer: "xvfb-run",
		},
	}
}

func rowNames() []string {
	var names []string
	for _, r := range allRows() {
		names = append(names, r.name)
	}

	return names
}

// rowsOf returns the named rows, or all.
func rowsOf(only string, seconds int) ([]row, error) {
	if seconds < 60 {
		return nil, errors.New("the effects of the reference timeline need 60 seconds")
	}

	if only == "" {
		return allRows(), nil
	}

	var rows []row

	for name := range strings.SplitSeq(only, ",") {
		at := slices.IndexFunc(allRows(), func(r row) bool { return r.name == name })
		if at < 0 {
			return nil, fmt.Errorf("unknown row %q; the rows are %s", name, strings.Join(rowNames(), ", "))
		}

		rows = append(rows, allRows()[at])
	}

	return rows, nil
}

// missing returns why a row cannot be measured, or an empty string. It installs npm packages.
func (l *lab) missing(ctx context.Context, r row) string {
	if r.peer == "" {
		return ""
	}

	if _, err := exec.LookPath(r.peer); err != nil {
		return r.peer + " is not installed"
	}

	if r.by == editlyCell || r.by == calmEditlyCell {
		if err := l.installEditly(ctx); err != nil {
			return err.Error()
		}
	}

	return ""
}

func (r row) ratios(m map[string][]sample, of func(sample) float64) []float64 {
	if r.by == "" {
		return each(m[r.of], of)
	}

	return measure.Ratios(each(m[r.of], of), each(m[r.by], of))
}

func wall(s sample) float64   { return s.wall }
func cpu(s sample) float64    { return s.cpu }
func memory(s sample) float64 { return s.memory }

func each(samples []sample, of func(sample) float64) []float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}

	return values
}

// cellNames returns the cells that rows need, each once.
func cellNames(rows []row) []string {
	var names []string

	for _, r := range rows {
		for _, name := range []string{r.by, r.of} {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}

	return names
}

// cells are all measurable cells. Each runs in an empty folder.
var cells = map[string]func(ctx context.Context, l *lab, folder string) (sample, error){
	floorCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.transcode(ctx, folder, l.sources["screen"].Path)
	},
	againCell:     againOf("screen"),
	pageAgainCell: againOf("page"),
	calmAgainCell: againOf("calm"),
	pageFloorCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.transcode(ctx, folder, l.sources["page"].Path)
	},
	pageCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.whole(ctx, folder, "page")
	},
	calmFloorCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.transcode(ctx, folder, l.sources["calm"].Path)
	},
	calmCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.whole(ctx, folder, "calm")
	},
	referenceCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.whole(ctx, folder, "screen")
	},
	passthroughCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.export(ctx, folder, l.passthrough())
	},
	rawCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		o := l.passthrough()
		o.Kind = plan.Raw

		return l.export(ctx, folder, o)
	},
	editedCell:  edited,
	resumedCell: resumed,
	sixtyCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		o := l.reference()
		o.FPS = 60

		return l.export(ctx, folder, o)
	},
	uhdCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		o := l.reference()
		o.Resolution = plan.UHD4K
		l.shorten(&o)

		return l.export(ctx, folder, o)
	},
	simpleCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.export(ctx, folder, l.simple("screen"))
	},
	overlayCell: overlay,
	meltCell:    func(ctx context.Context, l *lab, folder string) (sample, error) { return l.melt(ctx, folder, "affine") },
	compositeCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.melt(ctx, folder, "composite")
	},
	editlyCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.drawEditly(ctx, folder, "screen")
	},
	calmSimpleCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.export(ctx, folder, l.simple("calm"))
	},
	calmEditlyCell: func(ctx context.Context, l *lab, folder string) (sample, error) {
		return l.drawEditly(ctx, folder, "calm")
	},
	cancelCell: cancel,
}

// transcode decodes a film with one FFmpeg and encodes it like an export, with FFmpeg's choice of threads, into one
// file with the index in front.
func (l *lab) transcode(ctx context.Context, folder, path string) (sample, error) {
	plan, err := l.passthrough().plan("")
	if err != nil {
		return sample{}, err
	}

	o := plan.Outputs[0]

	return l.plain(ctx, folder, o.Frames, "-i", path)
}

// plain runs one FFmpeg that makes that many frames from its arguments, encoded like an export.
func (l *lab) plain(ctx context.Context, folder string, frames int64, what ...string) (sample, error) {
	encoding := plan.Scene{FPS: fps}.Encoding()

	if at := slices.Index(encoding, "-threads:v"); at >= 0 {
		encoding = slices.Delete(encoding, at, at+2)
	}

	args := slices.Concat(
		[]string{"-hide_banner", "-loglevel", "error", "-nostdin"}, what,
		[]string{"-frames:v", fmt.Sprint(frames), "-t", fmt.Sprint(frames / fps)},
		encoding, plan.Mix{}.Encoding(), []string{"-movflags", "+faststart", filepath.Join(folder, "plain.mp4")})

	return timed(ctx, l.tools.FFmpeg, args...)
}

// againOf transcodes the finished reference timeline of a screen. It shows what its pictures cost to encode, regardless
// of the program that draws them.
func againOf(screen string) func(ctx context.Context, l *lab, folder string) (sample, error) {
	return func(ctx context.Context, l *lab, folder string) (sample, error) {
		film := l.path(filmOf(screen))

		if _, err := os.Stat(film); err != nil {
			if _, err := l.whole(ctx, folder, screen); err != nil {
				return sample{}, err
			}
		}

		return l.transcode(ctx, folder, film)
	}
}

// filmOf returns the file name of a screen's reference timeline.
func filmOf(screen string) string { return "reference of " + screen + ".mp4" }

// export makes a film in a child process.
func (l *lab) export(ctx context.Context, folder string, o order) (sample, error) {
	o.Folder, o.Out = filepath.Join(folder, "scratch"), filepath.Join(folder, "film.mp4")
	if o.Cache == "" {
		o.Cache = filepath.Join(folder, "cache")
	}

	said, err := json.Marshal(o)
	if err != nil {
		return sample{}, fmt.Errorf("write the order: %w", err)
	}

	path := filepath.Join(folder, "order.json")
	if err := os.WriteFile(path, said, 0o600); err != nil {
		return sample{}, fmt.Errorf("write the order: %w", err)
	}

	self, err := os.Executable()
	if err != nil {
		return sample{}, fmt.Errorf("find this program: %w", err)
	}

	return timed(ctx, self, "-child", path)
}

// whole is the first export of the reference timeline of a screen, with an empty cache.
func (l *lab) whole(ctx context.Context, folder, screen string) (sample, error) {
	took, err := l.export(ctx, folder, l.referenceOf(screen))
	if err != nil {
		return took, err
	}

	return took, os.Rename(filepath.Join(folder, "film.mp4"), l.path(filmOf(screen)))
}

// edited exports the reference timeline with another title after the first export has filled the cache.
func edited(ctx context.Context, l *lab, folder string) (sample, error) {
	o := l.reference()
	o.Cache = filepath.Join(folder, "kept")

	if _, err := l.export(ctx, folder, o); err != nil {
		return sample{}, err
	}

	effects := o.Look.Clips[0].Effects
	effects[len(effects)-1] = l.title("Another title")

	return l.export(ctx, folder, o)
}

// resumed exports the rest of the reference timeline after it was killed with half of its frames done.
func resumed(ctx context.Context, l *lab, folder string) (sample, error) {
	o := l.reference()
	o.Cache = filepath.Join(folder, "kept")

	o.Kill = true
	if _, err := l.export(ctx, folder, o); !errors.Is(err, errKilled) {
		return sample{}, errors.Join(errors.New("the export was not killed halfway"), err)
	}

	o.Kill = false

	return l.export(ctx, folder, o)
}

// cancel measures how long the reference timeline takes to end when canceled halfway.
func cancel(ctx context.Context, l *lab, folder string) (sample, error) {
	o := l.reference()
	o.Cancel = true

	took, err := l.export(ctx, folder, o)
	if err != nil {
		return took, err
	}

	said, err := os.ReadFile(filepath.Join(folder, "film.mp4"))
	if err != nil {
		return took, fmt.Errorf("read how long it took: %w", err)
	}

	took.wall, err = strconv.ParseFloat(string(said), 64)

	return took, err
}

// shorten keeps only the first twenty seconds.
func (l *lab) shorten(o *order) {
	c := &o.Timeline.Clips[0]
	c.Cuts = append(c.Cuts[:0:0], c.Cuts...)
	c.Cuts = append(c.Cuts, c.Cuts[1])
	c.Cuts[2].StartMs, c.Cuts[2].EndMs = 26_000, c.LengthMs
}
