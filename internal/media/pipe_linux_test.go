package media

import (
	"bytes"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is lent is not copied: whoever reads late gets what is there by then.
func TestPipesLend(t *testing.T) {
	t.Parallel()

	from, to, err := bigPipe()
	require.NoError(t, err)

	lent := bytes.Repeat([]byte{1}, pipeBytes/2)
	require.NoError(t, lend(to, lent))
	copy(lent, bytes.Repeat([]byte{2}, len(lent)))

	got := make([]byte, len(lent))

	for at := 0; at < len(got); {
		n, err := from.Read(got[at:])
		require.NoError(t, err)

		at += n
	}

	require.Equal(t, lent, got)
	require.NoError(t, from.Close())

	// A program that another test is just starting may hold that end too, until it has begun. By then the pipe is full
	// and this waits.
	for err = nil; err == nil; {
		err = lend(to, lent)
	}

	require.ErrorIs(t, err, syscall.EPIPE)
	require.NoError(t, to.Close())
}
