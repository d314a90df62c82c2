package migrate_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent/migrate"
)

// firstRelease is the last migration of the time when there was no version before.
const firstRelease = "20261122"

// takesAway finds what the version before may miss. A column that must be given needs a default.
var takesAway = regexp.MustCompile(`(?i)DROP (TABLE|COLUMN|TYPE)|\bRENAME\b|ALTER COLUMN "\w+" (SET DATA )?TYPE|SET NOT NULL`)

var required = regexp.MustCompile(`(?i)ADD COLUMN [^,;]*NOT NULL[^,;]*`)

// Migrations only add, so that the version before works on beside the new one; those that take away come a
// version later and say so in their name, which is what an old program looks at.
func TestMigrationsThatTakeAwaySaySo(t *testing.T) {
	t.Parallel()

	err := fs.WalkDir(migrate.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		version, name, named := strings.Cut(entry.Name(), "_")
		if err != nil || !named || version < firstRelease+"999999" || strings.HasPrefix(name, "contract") {
			return err
		}

		content, err := migrate.Files.ReadFile(path)
		require.NoError(t, err)
		require.NotRegexp(t, takesAway, string(content), "%s: take it away a version later, in a migration named contract_…", path)

		for _, column := range required.FindAllString(string(content), -1) {
			require.Contains(t, strings.ToUpper(column), "DEFAULT", path)
		}

		return nil
	})
	require.NoError(t, err)
}
