package probe

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// CopyTimestamps is the option that keeps the timestamps of a file as they are.
const CopyTimestamps = "-copyts"

// FrameArgs returns the FFmpeg arguments that decode exactly the frames of a plan.Draw from a source. leadUs is
// roughly how many microseconds of the recording are decoded before the first frame. before holds further input
// options.
func FrameArgs(d plan.Draw, s Source, o Origin, leadUs int64, before ...string) []string {
	before = slices.Concat(before, KeepFilters(d.Decoded), DrawSeek(d, s, o))
	args := append([]string{CopyTimestamps}, s.Info.PictureInput(s.Path, before...)...)

	return append(args,
		"-map", fmt.Sprintf("0:%d", s.Info.VideoStream()),
		"-vf", d.Filter(o.ZeroUs, s.Info.HasFewerFrames(d.Frames, leadUs+d.Rate().PlayUs(d.Frames))),
		"-frames:v", strconv.FormatInt(d.Frames, 10))
}

// KeepFilters returns two input options for pictures whose size changes within a recording. The first one stops FFmpeg
// from restarting its filters at such a change, because restarted filters count frames from zero. The second one stops
// FFmpeg from rotating pictures: its own rotation filter comes before our filters and would read past the end of a
// picture that became smaller. decoded is the size to which one of our filters scales the pictures. If it is zero,
// there is no such filter and KeepFilters returns no options.
func KeepFilters(decoded plan.Size) []string {
	if decoded == (plan.Size{}) {
		return nil
	}

	return []string{"-reinit_filter", "0", "-noautorotate"}
}

// DrawSeek returns the input options that start decoding at the first frame of a plan.Draw.
func DrawSeek(d plan.Draw, s Source, o Origin) []string {
	return SeekArgs(s.Info, o.ZeroUs-o.StartUs+d.FromUs+timeline.FrameSlackUs)
}

// VideoStream returns the index of the video stream in the file; 0 when there is none.
func (i Info) VideoStream() int {
	if i.Video == nil {
		return 0
	}

	return i.Video.Stream
}

// HasFewerFrames reports whether a part of the recording that lasts us microseconds has fewer than the given number of
// frames. It calculates this from the frame rate of the recording and returns false when that rate is unknown.
func (i Info) HasFewerFrames(frames, us int64) bool {
	v := i.Video

	return v != nil && v.FPSNum > 0 && us/1000*v.FPSNum < frames*1000*v.FPSDen
}

// pictureEndUs returns when the picture ends, relative to the file's start; sound may continue.
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

// PrerollUs is how much earlier decoding starts in a format in which a seek may arrive too late or between key
// frames.
const PrerollUs = 30_000_000

// Prerolls reports whether decoding starts PrerollUs early. It does so in formats other than MP4 and Matroska; in
// truncated files, which may lack their index; and in files whose transparency is a stream of its own, because the
// index may not contain the key frames of that stream.
func (i Info) Prerolls() bool {
	return i.Format != ffmpeg.FormatMP4 && i.Format != ffmpeg.FormatMatroska || i.Truncated || i.Video != nil && i.Video.Decoder != ""
}

// fieldsUs returns how much earlier decoding starts in an interlaced recording. Deinterlacing looks at the picture before, so a
// frame must not depend on where decoding started.
func (i Info) fieldsUs() int64 {
	v := i.Video
	if v == nil || v.Fields == "" || v.FPSNum <= 0 {
		return 0
	}

	return 2 * 1_000_000 * v.FPSDen / v.FPSNum
}

// SeekArgs returns the input options that start decoding at the key frame at or before a time, counted from the start
// of the file. The timestamps of the file are kept, and no frame before that time is dropped: in a recording of a
// still screen, the frame shown at that time may be much older, and the filter of the chunk finds it.
func SeekArgs(i Info, us int64) []string {
	us -= i.fieldsUs()
	if i.Prerolls() {
		us = min(us, i.pictureEndUs()) - PrerollUs // a seek past the last picture would find nothing
	}

	if us <= timeline.FrameSlackUs {
		return nil
	}

	return []string{"-noaccurate_seek", "-ss", plan.Seconds(us)}
}

// PictureInput returns the arguments that open a file to decode its pictures, with the decoder and orientation from
// the probe. before holds further input options.
func (i Info) PictureInput(path string, before ...string) []string {
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

// VideoCodec is the option that names the decoder of an input or the encoder of an output.
const VideoCodec = "-c:v"
