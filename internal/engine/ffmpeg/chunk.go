package ffmpeg

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// chunkName is how the name of a chunk ends behind its key.
const chunkName = ".mp4"

// chunk is the piece that draws a chunk.
func (r *rendering) chunk(c plan.Chunk, fps int64) *piece {
	p := &piece{key: c.Key, name: chunkName, frames: c.Frames, chunk: &c}
	p.draw = func(ctx context.Context, h *hand, path string, onFrame func(int64)) error {
		if c.Lane == plan.LaneCompose {
			return r.compose(ctx, p, h, path, onFrame)
		}

		err := r.engine.Tools.Run(ctx, Command{
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

// copyTimestamps keeps the timestamps of a file as they are.
const copyTimestamps = "-copyts"

// drawArgs are FFmpeg's arguments for a chunk in the passthrough lane. LeadUs and before are as drawInput's.
func drawArgs(d plan.Draw, s Source, o Origin, leadUs int64, path string, before ...string) []string {
	args := append(drawInput(d, s, o, leadUs, before...), "-map_metadata", "-1", "-map_chapters", "-1")
	args = append(args, d.Encoding()...)

	return append(args, "-f", "mp4", "-y", "file:"+path)
}

// drawInput are those that make the frames. LeadUs is how much of the recording is decoded before the first, about;
// settings in before are of the input.
func drawInput(d plan.Draw, s Source, o Origin, leadUs int64, before ...string) []string {
	before = slices.Concat(before, oneGraph(d.Decoded), drawSeek(d, s, o))
	args := append([]string{copyTimestamps}, s.Info.pictures(s.Path, before...)...)

	return append(args,
		"-map", fmt.Sprintf("0:%d", s.Info.videoStream()),
		"-vf", d.Filter(o.ZeroUs, s.Info.fewerThan(d.Frames, leadUs+d.Rate().PlayUs(d.Frames))),
		"-frames:v", strconv.FormatInt(d.Frames, 10))
}

// oneGraph are the input's arguments that keep FFmpeg from beginning its filters anew, and counting frames
// from the start, where the size of the pictures changes. Then it may not turn them either: that filter
// stands before ours and would read past a picture that became smaller. Decoded is the size they are
// brought to by a filter, zero none.
func oneGraph(decoded plan.Size) []string {
	if decoded == (plan.Size{}) {
		return nil
	}

	return []string{"-reinit_filter", "0", "-noautorotate"}
}

// drawSeek begins decoding where the first frame is.
func drawSeek(d plan.Draw, s Source, o Origin) []string {
	return seekArgs(s.Info, o.ZeroUs-o.StartUs+d.FromUs+timeline.FrameSlackUs)
}

func (i Info) videoStream() int {
	if i.Video == nil {
		return 0
	}

	return i.Video.Stream
}

// fewerThan reports whether so much of the recording has fewer pictures than frames, by its rate; false when that is
// not known.
func (i Info) fewerThan(frames, us int64) bool {
	v := i.Video

	return v != nil && v.FPSNum > 0 && us/1000*v.FPSNum < frames*1000*v.FPSDen
}

// pictureEndUs is where the picture ends, counted from the file's start: sound may go on.
func (i Info) pictureEndUs() int64 {
	v := i.Video
	if v == nil {
		return i.DurationMs * 1000
	}

	end := v.StartMs * 1000
	if v.FPSNum > 0 {
		end += v.Frames * 1_000_000 * v.FPSDen / v.FPSNum
	}

	return end
}

// prerollUs is how much earlier decoding begins in a format whose seeking may land late, or between
// key frames.
const prerollUs = 30_000_000

// prerolls says that decoding begins prerollUs early: of other formats, where the index may be what is missing, and where
// transparency is a stream of its own, whose key frames need not be those that the index knows.
func (i Info) prerolls() bool {
	return i.Format != FormatMP4 && i.Format != FormatMatroska || i.Truncated || i.Video != nil && i.Video.Decoder != ""
}

// fieldsUs is how much earlier decoding begins where fields are taken apart, by what the picture before shows: a frame looks
// the same wherever decoding begins.
func (i Info) fieldsUs() int64 {
	v := i.Video
	if v == nil || v.Fields == "" || v.FPSNum <= 0 {
		return 0
	}

	return 2 * 1_000_000 * v.FPSDen / v.FPSNum
}

// seekArgs are the input's arguments that begin decoding at the key frame at or before a time, counted
// from the file's start. Timestamps stay those of the file and nothing before that time is dropped: the frame shown at
// it may be much older in a recording of a still screen, and the chunk's filter finds it.
func seekArgs(i Info, us int64) []string {
	us -= i.fieldsUs()
	if i.prerolls() {
		us = min(us, i.pictureEndUs()) - prerollUs // from behind the last picture nothing would be found
	}

	if us <= timeline.FrameSlackUs {
		return nil
	}

	return []string{"-noaccurate_seek", "-ss", plan.Seconds(us)}
}
