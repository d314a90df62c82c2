package timeline

// FrameSlackUs is how much later than a moment a frame of a source may begin and still be shown at that moment. Many
// containers, and cuts, round times to the millisecond: a cut at 10.033 s means the frame that begins at 10.0333 s.
// The value is a little more than a millisecond, so that at the usual frame rates no frame begins exactly at the
// limit.
const FrameSlackUs = 1010

// Rate is the frame rate and the speed of an export.
type Rate struct {
	FPS   int64
	Speed Speed
}

// PlayUs returns the playback time of output frame n in microseconds, rounded down.
func (r Rate) PlayUs(n int64) int64 {
	return n * 1_000_000 * r.Speed.Num / (r.FPS * r.Speed.Den)
}

// Beat returns a number of output frames. Two output frames that are Beat frames apart are always a whole number of
// microseconds apart, so PlayUs rounds the times of both in the same way.
func (r Rate) Beat() int64 { return r.FPS * r.Speed.Den }

// FirstAt returns the first output frame at or after a playback time.
func (r Rate) FirstAt(playMs int64) int64 {
	num, den := playMs*r.FPS*r.Speed.Den, 1000*r.Speed.Num

	return (num + den - 1) / den
}

// Frames returns the number of output frames for a playback length, rounded to the nearest integer. It is zero only
// for a length of zero, and otherwise at least one.
func (r Rate) Frames(durationMs int64) int64 {
	if durationMs <= 0 {
		return 0
	}

	num, den := durationMs*r.FPS*r.Speed.Den, 1000*r.Speed.Num

	return max(1, (2*num+den)/(2*den))
}

// Run is a series of consecutive output frames from one segment of a clip.
type Run struct {
	Clip int
	// First is the number of its first output frame, Count the number of frames.
	First, Count int64
	// FromUs is the recording time of its first frame.
	FromUs int64
}

// AtUs is the recording time that output frame n shows, where n is counted from the beginning of the video.
func (r Run) AtUs(rate Rate, n int64) int64 { return r.FromUs + rate.PlayUs(n-r.First) }

// Runs divides the video into output frames. Output frame n shows the playback time n/FPS·Speed. The runs contain
// Frames(DurationMs) frames without gaps. A segment that is too short for a frame has no run.
func (v Video) Runs(rate Rate) []Run { return v.RunsFrom(rate, 0, rate.Frames(v.DurationMs())) }

// RunsFrom returns the runs that together contain the given number of output frames. The first frame shows the playback
// time fromMs. If the video ends earlier, they contain fewer frames.
func (v Video) RunsFrom(rate Rate, fromMs, frames int64) []Run {
	var runs []Run

	for _, s := range v.Segments() {
		playMs := s.PlayMs - fromMs
		first := rate.FirstAt(max(playMs, 0))

		end := min(rate.FirstAt(max(playMs+s.LengthMs, 0)), frames)
		if end <= first {
			continue
		}

		runs = append(runs, Run{
			Clip: s.Clip, First: first, Count: end - first,
			FromUs: (s.RecordMs-playMs)*1000 + rate.PlayUs(first),
		})
	}

	return runs
}
