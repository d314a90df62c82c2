package analytics

import (
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// QuarterLength is the unit of the rollups. The days of every time zone consist of whole quarters.
	QuarterLength = 15 * time.Minute

	// joinMs is the largest gap between two ranges that count as continuous.
	joinMs = 250

	// lastSlice is the slice that counts as watched when a session reaches the end. Each other slice is one percent.
	lastSlice = Slices - 1

	// completePercent is how much of a video must be reached for it to count as completed.
	completePercent = 95
)

// Quarter is the activity of one session in a quarter of an hour.
type Quarter struct {
	At         time.Time
	Opens      int
	Views      int // 1 in the quarter of the session's first play
	WatchedMs  int64
	DistinctMs int64 // the length of all Ranges
	Completed  bool  // the session played something at or beyond 95 % of the video
	Slices     map[int]int
	Ranges     values.Cuts // what was played, each part once
}

// Session describes a viewing session: when it was opened, and the length of the video.
type Session struct {
	Opened   time.Time
	LengthMs int64
}

// Replay computes the activity of a session from its batches. Add the batches in the order of their sequence numbers,
// even if they arrived in another order.
type Replay struct {
	lengthMs int64
	atMs     int64        // of the previous event
	played   bool         // the view of the session has been counted
	open     *values.Span // the end that the next range may continue; nil after a seek
	quarters map[int64]*Quarter
}

// Replay returns a Replay for the session. It contains no batches yet.
func (s Session) Replay() *Replay {
	return &Replay{lengthMs: s.LengthMs, atMs: s.Opened.UnixMilli(), quarters: map[int64]*Quarter{}}
}

// Add adds a batch. If a played range starts where the previous range ended, and there was no seek between them, Add
// adds only the part after that end.
func (r *Replay) Add(b Batch) {
	if len(b.Events) == 0 {
		return
	}

	q := r.at(b.Received)
	for _, e := range b.Events {
		r.event(q, e)
	}
}

func (r *Replay) at(received time.Time) *Quarter {
	at := received.UTC().Truncate(QuarterLength)

	q := r.quarters[at.Unix()]
	if q == nil {
		q = &Quarter{At: at, Slices: map[int]int{}}
		r.quarters[at.Unix()] = q
	}

	return q
}

func (r *Replay) event(q *Quarter, e Event) {
	atMs := max(e.AtMs, r.atMs) // if the clock went back, no time was measured
	elapsedMs := atMs - r.atMs
	r.atMs = atMs

	switch e.Type {
	case values.PlaybackEventTypeOpen:
		q.Opens++
	case values.PlaybackEventTypePlay:
		if !r.played {
			q.Views, r.played = 1, true
		}
	case values.PlaybackEventTypeSeek:
		r.open = nil
	default:
		if e.plays() {
			from, to := millis(*e.FromSeconds, r.lengthMs), millis(*e.ToSeconds, r.lengthMs)
			r.stretch(q, values.Span{StartMs: from, EndMs: min(to, from+e.believed(elapsedMs))})
		}
	}
}

// stretch adds a played range: all of it, or only the part beyond the range that it continues.
func (r *Replay) stretch(q *Quarter, s values.Span) {
	if s.LengthMs() <= 0 {
		return
	}

	continues := r.open != nil && max(s.StartMs-r.open.EndMs, r.open.EndMs-s.StartMs) <= joinMs

	if continues {
		s.StartMs = r.open.EndMs
		r.open.EndMs = max(r.open.EndMs, s.EndMs)
	} else {
		begun := s
		r.open = &begun
	}

	if s.LengthMs() <= 0 {
		return
	}

	q.WatchedMs += s.LengthMs()
	q.Completed = q.Completed || s.EndMs*100 >= r.lengthMs*completePercent
	q.Ranges = append(q.Ranges, s)
	r.slice(q, s, continues)
}

// slice counts the percents of the video that a range overlaps, except the one in which it continues another range.
func (r *Replay) slice(q *Quarter, s values.Span, continues bool) {
	first := s.StartMs * 100 / r.lengthMs
	if continues {
		first = over(s.StartMs*100, r.lengthMs)
	}

	for p := first; p < over(s.EndMs*100, r.lengthMs); p++ {
		q.Slices[int(p)]++
	}

	ends := func(ms int64) bool { return r.lengthMs-ms <= joinMs }
	if ends(s.EndMs) && (!continues || !ends(s.StartMs)) {
		q.Slices[lastSlice]++
	}
}

// over divides and rounds up.
func over(a, b int64) int64 { return (a + b - 1) / b }

// Quarters returns the quarters with activity, in order.
func (r *Replay) Quarters() []Quarter {
	all := make([]Quarter, 0, len(r.quarters))

	for _, q := range r.quarters {
		q.Ranges = values.Normalise(r.lengthMs, q.Ranges)
		q.DistinctMs = q.Ranges.LengthMs()
		all = append(all, *q)
	}

	slices.SortFunc(all, func(a, b Quarter) int { return a.At.Compare(b.At) })

	return all
}
