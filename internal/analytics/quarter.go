package analytics

import (
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// QuarterLength is the unit of the rollups: the days of every time zone are made of them.
	QuarterLength = 15 * time.Minute

	// joinMs is how far apart two ranges may be that continue each other.
	joinMs = 250

	// lastSlice is the one that is watched by who reaches the end; the others are a percent each.
	lastSlice = Slices - 1

	// completePercent is how much of a video makes it seen.
	completePercent = 95
)

// Quarter is what one session did in a quarter of an hour.
type Quarter struct {
	At         time.Time
	Opens      int
	Views      int // 1 in the quarter of the session's first play
	WatchedMs  int64
	DistinctMs int64 // of Ranges
	Completed  bool  // something was played there that reached 95 % of the video
	Slices     map[int]int
	Ranges     values.Cuts // what was played, once
}

// Session is who watched: the video's length and the time when it opened.
type Session struct {
	Opened   time.Time
	LengthMs int64
}

// Replay is where a session stands, whose batches are added in the order of their numbers, whenever they
// came.
type Replay struct {
	lengthMs int64
	atMs     int64        // of the event before
	played   bool         // the session has had its view
	open     *values.Span // what the next range may continue; nil after a seek
	quarters map[int64]*Quarter
}

// Replay begins with a session that nothing is known of.
func (s Session) Replay() *Replay {
	return &Replay{lengthMs: s.LengthMs, atMs: s.Opened.UnixMilli(), quarters: map[int64]*Quarter{}}
}

// Add plays a batch. Ranges that continue each other without a seek are one: what continues one adds only
// what is new.
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
	atMs := max(e.AtMs, r.atMs) // a clock that goes back has measured nothing
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

// stretch adds what was played: all of it, or what it has beyond the range that it continues.
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

// slice counts the percents of the video that a range overlaps, but for the one in which it continues
// another.
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

// Quarters are those in which something was reported, in their order.
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
