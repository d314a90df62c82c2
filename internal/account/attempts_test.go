package account_test

import (
	"database/sql"
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// When many addresses guess the password of one page, each gets only a few tries. One right guess still succeeds.
func TestACrowdOfGuesses(t *testing.T) {
	t.Parallel()

	db, err := sql.Open("postgres", testkit.Database(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	attempts, number := account.Attempts{DB: db}, 0
	stranger := func() account.Guess {
		number++

		return account.GuessAt("vid_guessed", netip.MustParseAddr(fmt.Sprintf("203.0.113.%d", number)))
	}

	for range account.PerPage / account.PerAccount {
		one := stranger()
		for range account.PerAccount {
			require.NoError(t, attempts.Count(t.Context(), one))
		}
	}

	late := stranger()
	for range account.PerStranger {
		require.NoError(t, attempts.Count(t.Context(), late))
	}

	require.True(t, fault.Is(attempts.Count(t.Context(), late), fault.RateLimitedCode))

	knows := stranger()
	require.NoError(t, attempts.Count(t.Context(), knows))
	require.NoError(t, attempts.Right(t.Context(), knows))

	other := account.GuessAt("vid_other", netip.MustParseAddr("203.0.113.99"))
	for range account.PerAccount {
		require.NoError(t, attempts.Count(t.Context(), other), "other pages are not affected")
	}
}
