package encode

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// reordered is by how many frames x264 decodes a picture before it is shown, at most: B-frames may be references. For a
// chunk that is not longer than that the encoder reports no reordering, and the next chunk would begin before it has
// ended. So join computes new decoding times.
const reordered = 2

// join concatenates the chunks of an output without encoding them again, adds the sound, and moves the index to the
// front.
func (r *rendering) join(ctx context.Context, number int, o plan.Output) (string, error) {
	list := r.scratch.path(fmt.Sprintf("output-%d.ffconcat", number))
	if err := os.WriteFile(list, []byte(r.concat(o)), 0o600); err != nil {
		return "", fmt.Errorf("join the chunks: %w", err)
	}

	path := r.scratch.path(fmt.Sprintf("output-%d.mp4", number))
	args := []string{
		"-f", "concat", "-safe", "0", "-protocol_whitelist", "file", "-i", "file:" + list,
		"-f", "mov", "-protocol_whitelist", "file", "-i", "file:" + r.ready[o.Mix.Key],
		"-map", "0:v", "-map", "1:a", "-c", "copy", "-map_metadata", "-1",
		"-bsf:v", fmt.Sprintf("setts=pts=PTS:dts=round((N-%d)/(%d*TB))", reordered, o.FPS),
		"-video_track_timescale", fmt.Sprint(512 * o.FPS), "-movflags", "+faststart",
		"-f", "mp4", "-y", "file:" + path,
	}

	limits := r.engine.Limits
	limits.Stall = -1 // no progress is reported while the file is rewritten after its index

	if err := r.engine.Tools.Run(ctx, ffmpeg.Command{Args: args, Limits: limits}); err != nil {
		return "", fmt.Errorf("join the chunks: %w", err)
	}

	if err := checkVideo(path, o.Frames, o.FPS); err != nil {
		return "", fmt.Errorf("join the chunks: %w", err)
	}

	if err := checkSound(path, o.Mix.Samples); err != nil {
		return "", fmt.Errorf("join the chunks: %w", err)
	}

	return path, nil
}

// concat returns the list of chunks for FFmpeg's concat demuxer. It gives the duration of each, because the durations
// that FFmpeg reads from the files are rounded, and the errors would add up.
func (r *rendering) concat(o plan.Output) string {
	var b strings.Builder

	b.WriteString("ffconcat version 1.0\n")

	at := func(frame int64) int64 { return (frame*1_000_000 + o.FPS/2) / o.FPS }

	for _, c := range o.Chunks {
		fmt.Fprintf(&b, "file 'file:%s'\nduration %s\n", strings.ReplaceAll(r.ready[c.Key], "'", `'\''`),
			plan.Seconds(at(c.First+c.Frames)-at(c.First)))
	}

	return b.String()
}
