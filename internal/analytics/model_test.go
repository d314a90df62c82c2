package analytics_test

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The model uses no ranges: it goes through each played millisecond.

// history holds the reports of one viewer's player, in order of arrival.
type history struct {
	video    int
	lengthMs int64
	opened   time.Time
	country  string
	referrer string
	reports  []report

	moments []moment
	firsts  []first
}

// first is the time when a stretch first reached a slice.
type first struct {
	percent int
	quarter time.Time
}

// play computes what was played once, for all later queries.
func (h *history) play() {
	h.moments = h.watched()
	counted := map[[2]int]bool{}

	for _, m := range h.moments {
		// Find the slices that contain this millisecond and that the stretch has not reached before.
		for p := int(100*m.ms/h.lengthMs) - 1; p <= 100; p++ {
			inside := int64(p)*h.lengthMs < 100*(m.ms+1) && int64(p+1)*h.lengthMs > 100*m.ms

			switch {
			case p == 100:
				inside = h.lengthMs-(m.ms+1) <= 250
			case int64(p)*h.lengthMs >= 100*(m.ms+1):
				p = 99 // skip the slices in between
			}

			if inside && !counted[[2]int{m.stretch, p}] {
				counted[[2]int{m.stretch, p}] = true

				h.firsts = append(h.firsts, first{p, m.quarter})
			}
		}
	}
}

type report struct {
	seq      int64
	received time.Time
	events   []event
}

type event struct {
	kind     values.PlaybackEventType
	atMs     int64
	from, to *float64
	rate     *float64
}

// moment is a played millisecond of a video.
type moment struct {
	ms      int64
	quarter time.Time // of the report that contains it
	stretch int       // moments of one stretch were played continuously
}

// watched goes through a history's reports in the order of their numbers, each once.
func (h *history) watched() []moment {
	var (
		moments []moment
		stretch int
		end     int64 = -1 << 40 // of the current stretch
		clock         = h.opened.UnixMilli()
	)

	for _, r := range h.once() {
		for _, e := range r.events {
			at := max(min(max(e.atMs, h.opened.UnixMilli()), r.received.UnixMilli()), clock)
			elapsed := at - clock
			clock = at

			if e.kind == values.PlaybackEventTypeSeek {
				end = -1 << 40
			}

			if e.from == nil || e.to == nil || !slices.Contains([]values.PlaybackEventType{"progress", "pause", "ended"}, e.kind) {
				continue
			}

			rate := 1.0
			if e.rate != nil {
				rate = min(*e.rate, 4)
			}

			from, to := int64(*e.from*1000+0.5), int64(*e.to*1000+0.5)
			from, to = min(from, h.lengthMs), min(to, h.lengthMs)
			to = min(to, from+int64(float64(elapsed)*rate))

			if to <= from {
				continue
			}

			if from-end > 250 || end-from > 250 {
				stretch++
				end = from
			}

			for ; end < to; end++ {
				moments = append(moments, moment{end, r.received.UTC().Truncate(15 * time.Minute), stretch})
			}
		}
	}

	return moments
}

func (h *history) once() []report {
	var once []report

	for _, r := range h.reports {
		if !slices.ContainsFunc(once, func(o report) bool { return o.seq == r.seq }) {
			once = append(once, r)
		}
	}

	slices.SortFunc(once, func(a, b report) int { return cmp.Compare(a.seq, b.seq) })

	return once
}

// answer is what the API should return for some histories.
type answer struct {
	summary   map[string]any
	days      map[string][3]int64 // views, sessions, milliseconds
	retention [101][2]int64
	countries map[string][2]int64
	referrers map[string][2]int64
	videos    map[int][3]int64
}

// sum adds up histories and counts what lies in the range.
func sum(all []history, in func(time.Time) bool, dayOf func(time.Time) string) answer {
	a := answer{days: map[string][3]int64{}, countries: map[string][2]int64{}, referrers: map[string][2]int64{}, videos: map[int][3]int64{}}

	var (
		opens, views, watched, sessions, completed, watching int64
		percents                                             = new(big.Rat)
	)

	for _, h := range all {
		days, quarters, viewed := map[string][3]int64{}, map[time.Time]bool{}, int64(0)
		played := false

		for _, r := range h.once() {
			quarter := r.received.UTC().Truncate(15 * time.Minute)

			for _, e := range r.events {
				first := e.kind == "play" && !played
				played = played || first

				if !in(quarter) {
					continue
				}

				quarters[quarter] = true
				day := days[dayOf(quarter)]
				day[1] = 1

				if e.kind == "open" {
					opens++
				}

				if first {
					viewed, day[0] = 1, 1
				}

				days[dayOf(quarter)] = day
			}
		}

		if len(quarters) == 0 {
			continue
		}

		distinct, slicesOf, done, ms := map[int64]bool{}, map[int]bool{}, false, int64(0)

		for _, f := range h.firsts {
			if in(f.quarter) {
				a.retention[f.percent][0]++
				slicesOf[f.percent] = true
			}
		}

		for _, m := range h.moments {
			if in(m.quarter) {
				ms++
				distinct[m.ms] = true
				done = done || (m.ms+1)*100 >= h.lengthMs*95
				day := days[dayOf(m.quarter)]
				day[2]++
				days[dayOf(m.quarter)] = day
			}
		}

		for p := range slicesOf {
			a.retention[p][1]++
		}

		for name, day := range days {
			a.days[name] = plus(a.days[name], day)
		}

		sessions++
		views += viewed
		watched += ms

		if done {
			completed++
		}

		if ms > 0 {
			watching++

			percents.Add(percents, big.NewRat(100*int64(len(distinct)), h.lengthMs))
		}

		a.videos[h.video] = plus(a.videos[h.video], [3]int64{viewed, 1, ms})
		a.countries[h.country] = [2]int64{a.countries[h.country][0] + viewed, a.countries[h.country][1] + 1}
		a.referrers[h.referrer] = [2]int64{a.referrers[h.referrer][0] + viewed, a.referrers[h.referrer][1] + 1}
	}

	a.summary = map[string]any{
		"uniqueSessions": float64(sessions), "pageOpens": float64(opens), "totalViews": float64(views), "completions": float64(completed),
		"totalWatchTimeSeconds": float64(watched) / 1000, "avgPercentViewed": nil, "averageWatchTimeSeconds": 0.0,
	}

	if watching > 0 {
		a.summary["avgPercentViewed"] = hundredths(percents.Quo(percents, big.NewRat(watching, 1)))
		a.summary["averageWatchTimeSeconds"] = float64((2*watched+watching)/(2*watching)) / 1000
	}

	return a
}

// hundredths rounds to two decimals, halves up.
func hundredths(r *big.Rat) float64 {
	n := new(big.Int).Mul(r.Num(), big.NewInt(200))
	n.Add(n, r.Denom()).Div(n, new(big.Int).Mul(r.Denom(), big.NewInt(2)))

	return float64(n.Int64()) / 100
}

func plus(a, b [3]int64) [3]int64 { return [3]int64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
