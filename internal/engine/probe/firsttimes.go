package probe

import (
	"context"
	"fmt"
	"os"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// firstTimes is how many of a recording's first times are read.
const firstTimes = 200

// FirstMs returns the times of the first pictures of a probed file. For a file without pictures it returns the times
// of the first sounds, and for mouse events those of the first events. Times are in milliseconds of recording time,
// ascending.
func FirstMs(ctx context.Context, t ffmpeg.Tools, path string, info Info) ([]float64, error) {
	if info.MouseEvents > 0 {
		return firstEvents(path)
	}

	head, err := describe(ctx, t, info.Format, path)
	if err != nil {
		return nil, err
	}

	origin, err := lookUpOrigin(ctx, t, Source{Path: path, Info: info})
	if err != nil {
		return nil, err
	}

	var times clock

	main := mainStream(&info)
	for _, p := range head.Packets {
		if p.Stream == main && !p.unseen() {
			times.add(p)
		}
	}

	base := rational(head.stream(main).TimeBase)

	var first []float64

	for _, at := range times.ascending() {
		if len(first) == firstTimes {
			break
		}

		first = append(first, max(0, float64(at)*base.float()*1000-float64(origin.ZeroUs)/1000))
	}

	return first, nil
}

func firstEvents(path string) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read mouse events: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read

	events, err := ReadMouse(f)
	if err != nil {
		return nil, err
	}

	var first []float64
	for _, e := range events[:min(firstTimes, len(events))] {
		first = append(first, float64(e.TimeMs))
	}

	return first, nil
}
