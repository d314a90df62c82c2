package media

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/reelgraph/reelgraph/internal/render"
)

// piece is a chunk or a mix that must be made. Several places of a plan may need the same one.
type piece struct {
	key    string
	name   string
	frames int64 // zero for sound
	uses   int64
	draw   drawing
	check  func(path string) error
	// chunk is what a piece with frames is of.
	chunk *render.Chunk
	// next is the piece that goes on where this one ends, with streams that both show; nil when there is none,
	// or it is there already.
	next *piece
}

// drawing makes a piece under a name. It says how many frames are done, and leaves in the hand what the
// next piece may go on with.
type drawing func(ctx context.Context, h *hand, path string, onFrame func(int64)) error

// continues reports whether some stream of a piece goes on in another.
func (p *piece) continues(next *piece) bool {
	if p.chunk == nil || next.chunk == nil || p.chunk.Scene == nil || next.chunk.Scene == nil {
		return false
	}

	return slices.ContainsFunc(next.chunk.Scene.Inputs, func(in render.Input) bool { return p.before(in) >= 0 })
}

// before is the input of a piece that goes on with one of the next piece; -1 is none.
func (p *piece) before(next render.Input) int {
	return slices.IndexFunc(p.chunk.Scene.Inputs, func(in render.Input) bool { return in.Continues(*p.chunk.Scene, next) })
}

// follow is how many frames an input of the piece has in all pieces from this one on.
func (p *piece) follow(in render.Input) int64 {
	total := in.Frames()

	for at := p; at.next != nil; at = at.next {
		i := slices.IndexFunc(at.next.chunk.Scene.Inputs, func(next render.Input) bool {
			return in.Continues(*at.chunk.Scene, next)
		})
		if i < 0 {
			break
		}

		in = at.next.chunk.Scene.Inputs[i]
		total += in.Frames()
	}

	return total
}

// series is a row of pieces each of which goes on where the one before ends.
type series struct {
	pieces []*piece
	held   bool // by a worker, who takes the next as long as there is one
}

func (s *series) frames() int64 {
	var n int64
	for _, p := range s.pieces {
		n += p.frames
	}

	return n
}

// queue is what is still to be made. Workers who keep to a series need not begin its streams anew; one
// who has nothing left takes half of what another has before him.
type queue struct {
	mu  sync.Mutex
	all []*series
}

// newQueue sorts: sound first, because one pass over a long video takes longest, then the longest series.
func newQueue(pieces []*piece) *queue {
	q := &queue{}

	for _, p := range pieces {
		if n := len(q.all); n > 0 {
			last := q.all[n-1]
			if before := last.pieces[len(last.pieces)-1]; before.next == p {
				last.pieces = append(last.pieces, p)

				continue
			}
		}

		q.all = append(q.all, &series{pieces: []*piece{p}})
	}

	slices.SortStableFunc(q.all, func(a, b *series) int {
		if (a.frames() == 0) != (b.frames() == 0) {
			return cmp.Compare(a.frames(), b.frames())
		}

		return cmp.Compare(b.frames(), a.frames())
	})

	return q
}

// next is what to make behind what was taken last of a series; nil when nothing is left.
func (q *queue) next(of *series) (*piece, *series) {
	q.mu.Lock()
	defer q.mu.Unlock()

	if of == nil || len(of.pieces) == 0 {
		if of = q.another(); of == nil {
			return nil, nil
		}
	}

	p := of.pieces[0]
	of.pieces = of.pieces[1:]

	return p, of
}

// another is a series that nobody holds, else the later half of the one with most before it.
func (q *queue) another() *series {
	var longest *series

	for _, s := range q.all {
		if !s.held {
			s.held = true

			return s
		}

		if len(s.pieces) > 0 && (longest == nil || s.frames() > longest.frames()) {
			longest = s
		}
	}

	if longest == nil {
		return nil
	}

	var kept, half int64

	n := 0
	for half = longest.frames() / 2; n < len(longest.pieces)-1 && kept < half; n++ {
		kept += longest.pieces[n].frames
	}

	later := &series{pieces: longest.pieces[n:], held: true}
	longest.pieces = longest.pieces[:n:n]
	q.all = append(q.all, later)

	return later
}
