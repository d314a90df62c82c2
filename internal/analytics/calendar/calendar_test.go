package calendar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/analytics/calendar"
)

// A day begins with the first minute that has its date, also where clocks change at midnight.
func TestDaysBeginWithTheirFirstMinute(t *testing.T) {
	t.Parallel()

	for _, name := range []string{
		"UTC", "Europe/Paris", "America/Havana", "America/Santiago", "America/Asuncion", "Asia/Beirut", "Africa/Cairo",
		"Atlantic/Azores", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns", "Asia/Tehran",
	} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)

		begins := map[string]time.Time{}

		const step = 15 * time.Minute

		for at := time.Date(2020, 12, 31, 0, 0, 0, 0, time.UTC); at.Year() < 2024; at = at.Add(step) {
			day := at.In(zone).Format(time.DateOnly)
			if _, met := begins[day]; !met {
				begins[day] = at
			}
		}

		for _, day := range calendar.Days(time.Date(2021, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2023, 12, 29, 0, 0, 0, 0, time.UTC)) {
			begin := calendar.Begin(day, zone)
			require.True(t, begins[day.Format(time.DateOnly)].Equal(begin), "%s %s: %s", name, day, begin)
			require.Equal(t, day, calendar.Of(begin, zone))
		}
	}
}
