package encode

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// row returns consecutive pieces, named by letters.
func row(names string, frames int64) []*piece {
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

// worker returns a function that takes the next piece and returns its key; empty when there is none.
func worker(q *queue) func() string {
	var of *series

	return func() string {
		var p *piece

		if p, of = q.next(of); p == nil {
			return ""
		}

		return p.key
	}
}

// Workers stay with a series. A worker without one takes the later half of the longest that is held, and in the end a
// sound.
func TestQueue(t *testing.T) {
	t.Parallel()

	q := newQueue(slices.Concat([]*piece{{key: "sound"}, {key: "another"}, {key: "last"}}, row("ab", 300), row("123456", 150)), 2)
	one, two := worker(q), worker(q)

	require.Equal(t, "sound", q.sound().key, "in parallel with the pictures")
	require.Equal(t, "1", two(), "the longest series")
	require.Equal(t, "2", two())
	require.Equal(t, "a", one())
	require.Equal(t, "b", one())
	require.Equal(t, "5", one(), "half of what the other has left")
	require.Equal(t, "3", two())
	require.Equal(t, "4", two())
	require.Equal(t, "6", two(), "the last one of the other: pictures come before sounds")
	require.Equal(t, "another", two())
	require.Equal(t, "last", q.sound().key)
	require.Empty(t, one())
	require.Empty(t, two())
	require.Nil(t, q.sound())

	alone := worker(newQueue(slices.Concat([]*piece{{key: "sound"}}, row("123", 150)), 1))
	require.Equal(t, []string{"1", "2", "3", "sound", ""}, []string{alone(), alone(), alone(), alone(), alone()})

	silent := worker(newQueue([]*piece{{key: "sound"}}, 2))
	require.Equal(t, []string{"sound", ""}, []string{silent(), silent()}, "all pictures are made already")

	other := worker(newQueue(slices.Concat([]*piece{{key: "sound"}}, row("12", 150)), 2))
	require.Equal(t, []string{"1", "2", "sound", ""}, []string{other(), other(), other(), other()}, "a worker alone stays with its series")
}

// A half begins where little is decoded for nothing, and is not taken where that costs more than it gains.
func TestQueueKnowsKeyFrames(t *testing.T) {
	t.Parallel()

	pieces := row("abcdefgh", 100)
	for i, lead := range []int64{0, 50, 300, 40, 200, 10, 90, 0} {
		pieces[i].lead = lead
	}

	q := newQueue(pieces, 2)
	one, two := worker(q), worker(q)

	require.Equal(t, "a", one())
	require.Equal(t, "f", two(), "of b to h: c to g are around the middle")
	require.Equal(t, "g", two())
	require.Equal(t, "h", two())
	require.Equal(t, "d", two(), "of b to e")
	require.Equal(t, "b", one())
	require.Equal(t, "c", one())

	pieces[4].lead = worthwhile*100 + 1

	require.Empty(t, one(), "the other worker reaches e sooner")
	require.Equal(t, "e", two())
}

// If a start in the middle is not worth it, a start nearer to an end may be.
func TestQueueSplitsAwayFromTheMiddle(t *testing.T) {
	t.Parallel()

	pieces := row("abcdefghij", 100)
	for i := range pieces {
		pieces[i].lead = 100_000
	}

	pieces[8].lead = 0
	q := newQueue(pieces, 2)
	one, two := worker(q), worker(q)

	require.Equal(t, "a", one())
	require.Equal(t, "i", two())
	require.Equal(t, "j", two())
	require.Equal(t, "b", one())
	require.Empty(t, two())
}

// Decoders use one thread as long as every processor has a worker with pictures.
func TestQueueIsCrowded(t *testing.T) {
	t.Parallel()

	all := row("abc", 300)
	q := newQueue(append(all, &piece{key: "sound"}), runtime.NumCPU())
	q.workers = max(q.workers, 2)

	for q.unfinished < q.workers {
		q.unfinished++
	}

	require.True(t, q.crowded())

	for q.unfinished >= q.workers {
		q.finish(all[0])
	}

	require.False(t, q.crowded(), "a worker has nothing left")
	require.False(t, newQueue(row("abcdefgh", 300), runtime.NumCPU()-1).crowded(), "a processor is free")
	require.False(t, newQueue([]*piece{{key: "sound"}}, runtime.NumCPU()).crowded(), "sound does not count")
}
