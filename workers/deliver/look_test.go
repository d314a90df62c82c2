package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Looks take a tenth of the time at most, where they are slow one after the other; a single slow one puts off nothing.
func TestOneSlowLookPutsOffNothing(t *testing.T) {
	t.Parallel()

	require.Equal(t, 100*time.Millisecond, rest(3*time.Millisecond, 2*time.Millisecond))
	require.Equal(t, 100*time.Millisecond, rest(200*time.Millisecond, 2*time.Millisecond))
	require.Equal(t, 100*time.Millisecond, rest(2*time.Millisecond, 200*time.Millisecond))
	require.Equal(t, 1800*time.Millisecond, rest(200*time.Millisecond, 300*time.Millisecond))
}
