package workers

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/intake"
	"github.com/reelgraph/reelgraph/internal/media"
)

// Arrived is what can be read of a source now, complete or not, as a local file that the caller
// releases, and what is in it: info.DurationMs is how much of it can be decoded. While nothing can be,
// or ever will, the error is *media.Refused.
func (d MediaDeps) Arrived(ctx context.Context, src *ent.Source) (path string, info media.Info, release func(), err error) {
	path, release, err = d.bring(ctx, intake.GrowsAt(src), blob.LocalGrowing)
	if lost(err) { // it is complete, or nothing has come
		path, release, err = d.local(ctx, src)
	}

	switch {
	case lost(err):
		return "", media.Info{}, nil, &media.Refused{Code: media.CodeEmpty, Message: "No bytes of the source have arrived yet.", Cause: err}
	case err != nil:
		return "", media.Info{}, nil, err
	}

	info, err = d.Engine.Tools.ProbeGrowing(ctx, path, string(src.Kind))
	if err != nil {
		release()

		return "", media.Info{}, nil, fmt.Errorf("look at what has arrived of source %s: %w", src.ID, err)
	}

	return path, info, release, nil
}
