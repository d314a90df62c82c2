package probe

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// CopyTimestamps keeps the timestamps of a file as they are.
const CopyTimestamps = "-copyts"

// DrawInput are those that make the frames. LeadUs is how much of the recording is decoded before the first, about;
// settings in before are of the input.
func DrawInput(d plan.Draw, s Source, o Origin, leadUs int64, before ...string) []string {
	before = slices.Concat(before, OneGraph(d.Decoded), DrawSeek(d, s, o))
	args := append([]string{CopyTimestamps}, s.Info.Pictures(s.Path, before...)...)

	return append(args,
		"-map", fmt.Sprintf("0:%d", s.Info.VideoStream()),
		"-vf", d.Filter(o.ZeroUs, s.Info.FewerThan(d.Frames, leadUs+d.Rate().PlayUs(d.Frames))),
		"-frames:v", strconv.FormatInt(d.Frames, 10))
}

// OneGraph are the input's arguments that keep FFmpeg from beginning its filters anew, and counting frames
// from the start, where the size of the pictures changes. Then it may not turn them either: that filter
// stands before ours and would read past a picture that became smaller. Decoded is the size they are
// brought to by a filter, zero none.
func OneGraph(decoded plan.Size) []string {
	if decoded == (plan.Size{}) {
		return nil
	}

	return []string{"-reinit_filter", "0", "-noautorotate"}
}

// DrawSeek begins decoding where the first frame is.
func DrawSeek(d plan.Draw, s Source, o Origin) []string {
	return SeekArgs(s.Info, o.ZeroUs-o.StartUs+d.FromUs+timeline.FrameSlackUs)
}

func (i Info) VideoStream() int {
	if i.Video == nil {
		return 0
	}

	return i.Video.Stream
}

// FewerThan reports whether so much of the recording has fewer pictures than frames, by its rate; false when that is
// not known.
func (i Info) FewerThan(frames, us int64) bool {
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

// PrerollUs is how much earlier decoding begins in a format whose seeking may land late, or between
// key frames.
const PrerollUs = 30_000_000

// Prerolls says that decoding begins prerollUs early: of other formats, where the index may be what is missing, and where
// transparency is a stream of its own, whose key frames need not be those that the index knows.
func (i Info) Prerolls() bool {
	return i.Format != ffmpeg.FormatMP4 && i.Format != ffmpeg.FormatMatroska || i.Truncated || i.Video != nil && i.Video.Decoder != ""
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

// SeekArgs are the input's arguments that begin decoding at the key frame at or before a time, counted
// from the file's start. Timestamps stay those of the file and nothing before that time is dropped: the frame shown at
// it may be much older in a recording of a still screen, and the chunk's filter finds it.
func SeekArgs(i Info, us int64) []string {
	us -= i.fieldsUs()
	if i.Prerolls() {
		us = min(us, i.pictureEndUs()) - PrerollUs // from behind the last picture nothing would be found
	}

	if us <= timeline.FrameSlackUs {
		return nil
	}

	return []string{"-noaccurate_seek", "-ss", plan.Seconds(us)}
}

// Pictures opens a file whose pictures will be decoded, as its probe found they must be. Settings in before are of the input.
func (i Info) Pictures(path string, before ...string) []string {
	if v := i.Video; v != nil {
		if v.Decoder != "" {
			before = append([]string{VideoCodec, v.Decoder}, before...)
		}
		if v.Orientation != 0 {
			before = append([]string{"-noautorotate"}, before...)
		}
	}
	return i.Format.Input(path, before...)
}

// VideoCodec is the option that names an output's encoder.
const VideoCodec = "-c:v"
