package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Workers keep to a series; who has none left takes the later half of the longest that is held.
func TestQueue(t *testing.T) {
	t.Parallel()

	row := func(names string, frames int64) []*piece {
		var all []*piece

		for _, name := range names {
			p := &piece{key: string(name), frames: frames}
			if n := len(all); n > 0 {
				all[n-1].next = p
			}

			all = append(all, p)
		}

		return all
	}

	pieces := append(append([]*piece{{key: "sound"}}, row("ab", 300)...), row("123456", 150)...)
	q := newQueue(pieces)

	var one, two *series

	take := func(of **series) string {
		var p *piece

		p, *of = q.next(*of)
		if p == nil {
			return ""
		}

		return p.key
	}

	require.Equal(t, "sound", take(&one), "one pass over all of it takes longest")
	require.Equal(t, "1", take(&two), "the longest series")
	require.Equal(t, "2", take(&two))
	require.Equal(t, "a", take(&one))
	require.Equal(t, "b", take(&one))
	require.Equal(t, "5", take(&one), "half of what is before the other")
	require.Equal(t, "3", take(&two))
	require.Equal(t, "4", take(&two))
	require.Equal(t, "6", take(&two), "the last one of the other")
	require.Empty(t, take(&one))
	require.Empty(t, take(&two))
}
