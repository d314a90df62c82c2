package calendar_test

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/analytics/calendar"
)

func TestZone(t *testing.T) {
	t.Parallel()

	for written, want := range map[string]string{
		"Europe/Berlin": "Europe/Berlin", "europe/berlin": "Europe/Berlin", "EUROPE/BERLIN": "Europe/Berlin", "utc": "UTC",
		"america/argentina/buenos_aires": "America/Argentina/Buenos_Aires", "asia/calcutta": "Asia/Calcutta", "etc/gmt+5": "Etc/GMT+5",
		"est5edt": "EST5EDT", "us/pacific": "US/Pacific", "w-su": "W-SU", "antarctica/dumontdurville": "Antarctica/DumontDUrville",
	} {
		zone, is := calendar.Zone(written)
		require.True(t, is, written)
		require.Equal(t, want, zone.String())
	}

	for _, written := range []string{
		"", "Local", "local", "localtime", "Factory", "factory", "posixrules", "posix/Europe/Berlin", "right/UTC", "Europe", "Europe/",
		"/Europe/Berlin", "../Europe/Berlin", "Europe/Berlin ", "Europe/Atlantis", "+01:00", "UTC+1", "CEST", "zone.tab", "tzdata.zi", "Europe/Berl\u0131n",
	} {
		_, is := calendar.Zone(written)
		require.False(t, is, written)
	}
}

// The list holds each zone of the database that comes with Go exactly once, except Factory.
func TestZonesEqualGoDatabase(t *testing.T) {
	t.Parallel()

	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)

	database, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	require.NoError(t, err)

	defer database.Close()

	found := 0

	for _, file := range database.File {
		zone, is := calendar.Zone(strings.ToUpper(file.Name))
		if file.Name == "Factory" || file.FileInfo().IsDir() {
			require.False(t, is, file.Name)

			continue
		}

		require.True(t, is, file.Name)
		require.Equal(t, file.Name, zone.String())

		found++
	}

	require.Equal(t, calendar.Zones(), found)
}
