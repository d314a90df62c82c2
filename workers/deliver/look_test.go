package deliver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSlowLookDelaysNothing: if looks are slow repeatedly, they take at most a tenth of the time; a single slow
// one delays nothing.
func TestSlowLookDelaysNothing(t *testing.T) {
	t.Parallel()

	require.Equal(t, 100*time.Millisecond, rest(3*time.Millisecond, 2*time.Millisecond))
	require.Equal(t, 100*time.Millisecond, rest(200*time.Millisecond, 2*time.Millisecond))
	require.Equal(t, 100*time.Millisecond, rest(2*time.Millisecond, 200*time.Millisecond))
	require.Equal(t, 1800*time.Millisecond, rest(200*time.Millisecond, 300*time.Millisecond))
}
