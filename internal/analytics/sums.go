package analytics

import (
	"math/bits"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// WholeShare is the value of Tally.Share for a session that played the whole video.
const WholeShare = 1_000_000_000_000_000

// Tally holds view figures to which each session contributes at most once, even if it did the same thing several
// times.
type Tally struct {
	Sessions  int64
	Watching  int64 // sessions that played something
	Completed int64
	Share     int64    // how much of the video each session played, in parts of WholeShare
	Viewers   Percents // sessions that watched each percent
}

// Tally returns what one session contributes to the view figures. quarters holds all activity of the session. If
// quarters is empty, the result is zero.
func (s Session) Tally(quarters []Quarter) (t Tally) {
	if len(quarters) == 0 {
		return t
	}

	t.Sessions = 1

	var ranges []values.Span

	for _, q := range quarters {
		if q.Completed {
			t.Completed = 1
		}

		for percent := range q.Slices {
			t.Viewers[percent] = 1
		}

		ranges = append(ranges, q.Ranges...)
	}

	if played := values.Normalise(s.LengthMs, ranges).LengthMs(); played > 0 {
		high, low := bits.Mul64(uint64(played), WholeShare)
		low, carry := bits.Add64(low, uint64(s.LengthMs)/2, 0)
		share, _ := bits.Div64(high+carry, low, uint64(s.LengthMs))
		t.Watching, t.Share = 1, int64(share)
	}

	return t
}

// Add adds the figures in other to the figures in t. It multiplies them by sign first, so -1 subtracts them.
func (t *Tally) Add(other Tally, sign int64) {
	t.Sessions += sign * other.Sessions
	t.Watching += sign * other.Watching
	t.Completed += sign * other.Completed
	t.Share += sign * other.Share
	t.Viewers.Add(other.Viewers, sign)
}

// Origin describes where sessions came from. Kind is Country or Referrer. Name is the code of the country or the
// domain of the referrer.
type Origin struct{ Kind, Name string }

// The kinds of origins.
const (
	Country  = "country"
	Referrer = "referrer"
)

// Sum holds the view figures of one period. Opens, views and watched time count in the period in which they were
// reported. The figures in Began count in the period in which the session began.
type Sum struct {
	Opens, Views, WatchedMs int64
	Watches                 Percents
	Began                   Tally
	Origins                 map[Origin]Visits
}

// Visits holds the numbers of views and sessions that came from an origin.
type Visits struct{ Views, Sessions int64 }

// Cell identifies the stored view figures of one subject in one period. A subject is a video, all videos of a
// creator, or all shared videos of a workspace.
type Cell struct {
	Workspace, Subject string
	Level              Level
	At                 time.Time
}

// Sums holds changes to the stored view figures. Each Sum must be added to the figures that its Cell identifies.
type Sums map[Cell]*Sum

// Add adds the activity of a session to the view figures of each subject, at every Level. It multiplies the activity
// by sign first, so -1 subtracts it.
func (all Sums) Add(workspace string, subjects []string, s Session, origins []Origin, quarters []Quarter, sign int64) {
	if len(quarters) == 0 {
		return
	}

	whole := s.Tally(quarters)

	for _, subject := range subjects {
		for level := range Levels {
			for i, q := range quarters {
				sum := all.cell(Cell{workspace, subject, level, level.Floor(q.At)})
				sum.add(q, origins, sign)

				if i > 0 {
					continue
				}

				sum.Began.Add(whole, sign)

				for _, o := range origins {
					v := sum.Origins[o]
					v.Sessions += sign
					sum.Origins[o] = v
				}
			}
		}
	}
}

func (all Sums) cell(at Cell) *Sum {
	sum := all[at]
	if sum == nil {
		sum = &Sum{Origins: map[Origin]Visits{}}
		all[at] = sum
	}

	return sum
}

func (sum *Sum) add(q Quarter, origins []Origin, sign int64) {
	sum.Opens += sign * int64(q.Opens)
	sum.Views += sign * int64(q.Views)
	sum.WatchedMs += sign * q.WatchedMs

	for percent, n := range q.Slices {
		sum.Watches[percent] += sign * int64(n)
	}

	for _, o := range origins {
		v := sum.Origins[o]
		v.Views += sign * int64(q.Views)
		sum.Origins[o] = v
	}
}
