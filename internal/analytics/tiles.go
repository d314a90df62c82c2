package analytics

import "time"

// A Level is a length of tiles. Those of each level are made of whole ones of the level below.
type Level int

// The levels: quarters of an hour, days of UTC, and sixteen of them.
const (
	QuarterLevel Level = iota
	DayLevel
	LongLevel

	Levels
)

func (l Level) length() time.Duration {
	return [...]time.Duration{QuarterLength, 24 * time.Hour, 16 * 24 * time.Hour}[l]
}

// Floor is the beginning of the tile that an instant is in.
func (l Level) Floor(at time.Time) time.Time {
	length := int64(l.length() / time.Second)
	seconds := at.Unix()

	return time.Unix(seconds-((seconds%length)+length)%length, 0).UTC()
}

// Tiles are all tiles of a level from an instant until another. A zero one is open.
type Tiles struct {
	Level       Level
	From, Until time.Time
}

// Cover covers a range with as few tiles as there are. Its ends are those of quarters; a zero one is open.
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
