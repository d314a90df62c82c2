// Package calendar computes when days begin in a time zone.
package calendar

import "time"

// Begin returns the first instant of a day in the zone. This is midnight or, if clocks are moved forward at midnight,
// the instant of the change. Only year, month and day of the argument "day" are used.
func Begin(day time.Time, zone *time.Location) time.Time {
	y, m, d := day.Date()
	at := time.Date(y, m, d, 0, 0, 0, 0, zone)
	start, end := at.ZoneBounds()

	if at.Day() != day.Day() { // midnight does not exist, and at is before the change by as much as the clocks move forward
		return end
	}

	if start.IsZero() {
		return at
	}

	// Where clocks are put back there may be two midnights, and at may be the second.
	_, offset := at.Zone()
	_, before := start.Add(-time.Nanosecond).Zone()

	if first := at.Add(time.Duration(offset-before) * time.Second); first.Before(start) && first.In(zone).Day() == day.Day() {
		return first
	}

	if at.In(zone).Hour() != 0 {
		return start
	}

	return at
}

// Days returns all days from first to last, including both. It returns no days if last is before first.
func Days(first, last time.Time) []time.Time {
	var days []time.Time

	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		days = append(days, day)
	}

	return days
}

// Of returns the calendar day that contains an instant in the zone. The day is given as midnight in UTC.
func Of(at time.Time, zone *time.Location) time.Time {
	y, m, d := at.In(zone).Date()

	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
