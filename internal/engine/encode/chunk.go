package encode

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// chunkName is the suffix of a chunk's name after its key.
const chunkName = ".mp4"

// chunk returns the piece for a chunk.
func (r *rendering) chunk(c plan.Chunk, fps int64) *piece {
	p := &piece{key: c.Key, name: chunkName, frames: c.Frames, chunk: &c}
	p.draw = func(ctx context.Context, h *openStreams, path string, onFrame func(int64)) error {
		if c.Lane == plan.LaneCompose {
			return r.compose(ctx, p, h, path, onFrame)
		}

		err := r.engine.Tools.Run(ctx, ffmpeg.Command{
			Args:   drawArgs(*c.Draw, r.sources[c.Inputs[0]], r.origins[c.Inputs[0]], r.leadUs(c.Inputs[0], c.Draw.FromUs), path, h.threads()...),
			Limits: r.engine.Limits, OnFrame: onFrame,
		})
		if err != nil {
			return fmt.Errorf("draw frames %d to %d: %w", c.First, c.First+c.Frames-1, err)
		}

		return nil
	}
	p.check = func(path string) error {
		if err := checkVideo(path, c.Frames, fps); err != nil {
			return fmt.Errorf("draw frames %d to %d: %w", c.First, c.First+c.Frames-1, err)
		}

		return nil
	}

	return p
}

// drawArgs returns FFmpeg's arguments for a chunk in the passthrough lane. leadUs and before are as in probe.FrameArgs.
func drawArgs(d plan.Draw, s probe.Source, o probe.Origin, leadUs int64, path string, before ...string) []string {
	args := append(probe.FrameArgs(d, s, o, leadUs, before...), "-map_metadata", "-1", "-map_chapters", "-1")
	args = append(args, d.Encoding()...)

	return append(args, "-f", "mp4", "-y", "file:"+path)
}
