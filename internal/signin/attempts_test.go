package signin_test

import (
	"database/sql"
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/signin"
	"github.com/reelgraph/reelgraph/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// Many addresses that guess the password of one page get few tries each; who knows it needs one, and gets in.
func TestACrowdOfGuesses(t *testing.T) {
	t.Parallel()

	db, err := sql.Open("postgres", testkit.Database(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	attempts, number := signin.Attempts{DB: db}, 0
	stranger := func() signin.Guess {
		number++

		return signin.GuessAt("vid_guessed", netip.MustParseAddr(fmt.Sprintf("203.0.113.%d", number)))
	}

	for range signin.PerPage / signin.PerAccount {
		one := stranger()
		for range signin.PerAccount {
			require.NoError(t, attempts.Count(t.Context(), one))
		}
	}

	late := stranger()
	for range signin.PerStranger {
		require.NoError(t, attempts.Count(t.Context(), late))
	}

	require.True(t, fault.Is(attempts.Count(t.Context(), late), fault.RateLimitedCode))

	knows := stranger()
	require.NoError(t, attempts.Count(t.Context(), knows))
	require.NoError(t, attempts.Right(t.Context(), knows))

	other := signin.GuessAt("vid_other", netip.MustParseAddr("203.0.113.99"))
	for range signin.PerAccount {
		require.NoError(t, attempts.Count(t.Context(), other), "another page has its own crowd")
	}
}
