package ffmpeg

import (
	"context"
	"time"
)

// LookUpOrigin is where a file's time begins when nobody has noted it.
func LookUpOrigin(ctx context.Context, t Tools, path string, info Info) (Origin, error) {
	info.Origin = nil

	return lookUpOrigin(ctx, t, Source{Path: path, Info: info})
}

// Spent is what the programs of a workspace have used.
type Spent = spent

// Add counts what was used.
func (s *spent) Add(used time.Duration, now time.Time) bool { return s.add(used, now) }
