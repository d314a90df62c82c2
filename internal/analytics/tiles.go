package analytics

import "time"

// A Level is one of the lengths of the periods for which view figures are stored. At each level, time is divided into
// periods of equal length, called tiles. Each tile consists of whole tiles of the next shorter level.
type Level int

// The levels: quarters of an hour, days in UTC, and groups of sixteen days.
const (
	QuarterLevel Level = iota
	DayLevel
	LongLevel

	Levels
)

func (l Level) length() time.Duration {
	return [...]time.Duration{QuarterLength, 24 * time.Hour, 16 * 24 * time.Hour}[l]
}

// Floor returns the start of the tile that contains an instant.
func (l Level) Floor(at time.Time) time.Time {
	length := int64(l.length() / time.Second)
	seconds := at.Unix()

	return time.Unix(seconds-((seconds%length)+length)%length, 0).UTC()
}

// Tiles describes all tiles of one level between two instants. A zero From or Until means that there is no limit on
// that side.
type Tiles struct {
	Level       Level
	From, Until time.Time
}

// Cover divides a range of time into tiles, as few as possible. Both ends of the range must be at a quarter of an
// hour. A zero from or until means that the range has no limit on that side.
func Cover(from, until time.Time) []Tiles {
	return cover(LongLevel, from, until)
}

func cover(level Level, from, until time.Time) (all []Tiles) {
	if level == QuarterLevel {
		return []Tiles{{level, from, until}}
	}

	begin, end := from, until

	if !from.IsZero() {
		if begin = level.Floor(from); begin.Before(from) {
			begin = begin.Add(level.length())
		}
	}

	if !until.IsZero() {
		end = level.Floor(until)
	}

	if !from.IsZero() && !until.IsZero() && !begin.Before(end) {
		return cover(level-1, from, until)
	}

	if from.Before(begin) {
		all = cover(level-1, from, begin)
	}

	all = append(all, Tiles{level, begin, end})

	if end.Before(until) {
		all = append(all, cover(level-1, end, until)...)
	}

	return all
}
