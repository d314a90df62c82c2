package media

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/upload"
)

// Arrived returns the uploaded part of a source as a local file, which the caller must release. The upload need not
// be complete. info.DurationMs is the length that can be decoded. If nothing can be decoded, Arrived returns an
// *ffmpeg.Refused.
func (d Deps) Arrived(ctx context.Context, src *ent.Source) (path string, info probe.Info, release func(), err error) {
	path, release, err = d.bring(ctx, upload.GrowsAt(src), blob.LocalGrowing)
	if Lost(err) { // it is complete, or nothing has arrived
		path, release, err = d.Local(ctx, src)
	}

	switch {
	case Lost(err):
		return "", probe.Info{}, nil, &ffmpeg.Refused{Code: ffmpeg.CodeEmpty, Message: "No bytes of the source have arrived yet.", Cause: err}
	case err != nil:
		return "", probe.Info{}, nil, err
	}

	info, err = probe.Growing(ctx, d.Engine.Tools, path, string(src.Kind))
	if err != nil {
		release()

		return "", probe.Info{}, nil, fmt.Errorf("look at what has arrived of source %s: %w", src.ID, err)
	}

	return path, info, release, nil
}
