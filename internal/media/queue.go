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
	// slow says of a sound that it takes long.
	slow  bool
	uses  int64
	draw  drawing
	check func(path string) error
	// chunk is what a piece with frames is of.
	chunk *render.Chunk
	// next is the piece that goes on where this one ends, with streams that both show; nil when there is none,
	// or it is there already.
	next *piece
	// lead is how many frames are decoded in vain when this piece is not begun behind another.
	lead int64
}

// drawing makes a piece under a name. It says how many frames are done, and leaves in the hand what the
// next piece may go on with.
type drawing func(ctx context.Context, h *hand, path string, onFrame func(int64)) error

// continues reports whether some stream of a piece goes on in another.
func (p *piece) continues(next *piece) bool {
	if p.chunk == nil || next.chunk == nil || p.chunk.Scene == nil || next.chunk.Scene == nil {
		return false
	}

	return slices.ContainsFunc(p.chunk.Scene.Inputs, func(in render.Input) bool {
		return slices.ContainsFunc(next.chunk.Scene.Inputs, func(next render.Input) bool { return in.Continues(*p.chunk.Scene, next) })
	})
}

// maxTakes is how many unbroken pieces of a source one decoder delivers: each has a branch of filters.
const maxTakes = 16

// follow are the takes of an input in this piece and in those that go on with it.
func (p *piece) follow(in render.Input) []render.Take {
	takes := slices.Clone(in.Takes)

	for at := p; at.next != nil && len(takes) < maxTakes; at = at.next {
		i := slices.IndexFunc(at.next.chunk.Scene.Inputs, func(next render.Input) bool {
			return in.Continues(*at.chunk.Scene, next)
		})
		if i < 0 {
			break
		}

		in = at.next.chunk.Scene.Inputs[i]
		takes = render.Append(takes, *at.chunk.Scene, in.Takes[0])
	}

	return takes
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
// who has nothing left takes half of what another has before him, or a sound.
type queue struct {
	mu     sync.Mutex
	all    []*series
	sounds []*series
	// total is how many frames there were, left how many nobody has taken yet.
	total, left int64
}

// newQueue sorts: first sound that takes long, because it is one pass over all of a video, then the longest series.
func newQueue(pieces []*piece) *queue {
	q := &queue{}

	for _, p := range pieces {
		q.total += p.frames

		if p.frames == 0 && !p.slow {
			q.sounds = append(q.sounds, &series{pieces: []*piece{p}})

			continue
		}

		if n := len(q.all); n > 0 {
			last := q.all[n-1]
			if before := last.pieces[len(last.pieces)-1]; before.next == p {
				last.pieces = append(last.pieces, p)

				continue
			}
		}

		q.all = append(q.all, &series{pieces: []*piece{p}})
	}

	q.left = q.total

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
	q.left -= p.frames

	return p, of
}

// worthwhile is how many frames may be decoded in vain for one that is drawn sooner: a tenth of the work each.
const worthwhile = 4

// soundAt is the part of all frames with which sounds are begun: one that takes a thirtieth of the time, as they do,
// then fills what the last pictures leave of the processors, and is no later than they.
const soundAt = 8

// another is a series that nobody holds, else the later half of the one with most before it, if that is
// worth its beginning, and at the end of a film its sound; nil when nothing is left.
func (q *queue) another() *series {
	for _, s := range q.all {
		if !s.held {
			s.held = true

			return s
		}
	}

	var later *series

	if len(q.sounds) == 0 || soundAt*q.left > q.total {
		later = q.half()
	}

	if later == nil && len(q.sounds) > 0 {
		later, q.sounds = q.sounds[0], q.sounds[1:]
	}

	return later
}

// half takes the later half of the series with most before it; nil when that is not worth it.
func (q *queue) half() *series {
	if len(q.all) == 0 {
		return nil
	}

	longest := slices.MaxFunc(q.all, func(a, b *series) int { return cmp.Compare(a.frames(), b.frames()) })
	if len(longest.pieces) == 0 {
		return nil
	}

	n := longest.middle()
	later := &series{pieces: longest.pieces[n:], held: true}

	if later.pieces[0].lead > worthwhile*later.frames() {
		return nil
	}

	longest.pieces = longest.pieces[:n:n]
	q.all = append(q.all, later)

	return later
}

// middle is where the later half begins: of the pieces around the middle, the one before which least is decoded
// in vain.
func (s *series) middle() int {
	total := s.frames()

	var before []int64

	for at, n := int64(0), 0; n < len(s.pieces); n++ {
		before = append(before, at)
		at += s.pieces[n].frames
	}

	far := func(n int) int64 { return max(2*before[n]-total, total-2*before[n]) }
	best := 0

	for best < len(s.pieces)-1 && 2*before[best] < total {
		best++
	}

	for n, p := range s.pieces {
		if 2*far(n) <= total && (p.lead < s.pieces[best].lead || p.lead == s.pieces[best].lead && far(n) < far(best)) {
			best = n
		}
	}

	return best
}
