package encode

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// piece is a chunk or a mix to make. Several places of a plan may need the same one.
type piece struct {
	key    string
	name   string
	frames int64 // zero for sound
	uses   int64
	draw   drawing
	check  func(path string) error
	// chunk is the chunk of a piece with frames; nil for sound.
	chunk *plan.Chunk
	// next is the piece that continues streams of this one; nil if there is none, or it is already made.
	next *piece
	// from is set on a piece that is another's next. For each input it names the input of that piece that it continues; -1
	// means none.
	from []int
	// lead is how many frames are decoded but not shown if this piece does not continue another.
	lead int64
}

// drawing makes a piece at path. It reports how many frames are done, and leaves streams open for the next piece.
type drawing func(ctx context.Context, h *openStreams, path string, onFrame func(int64)) error

// follows makes p the next piece of last if it continues some of its streams. Each stream continues in one place, the
// nearest first: a recording shown twice has streams that differ only in times and sizes.
func (p *piece) follows(last *piece) {
	if p.chunk == nil || last.chunk == nil || p.chunk.Scene == nil || last.chunk.Scene == nil {
		return
	}

	type pair struct {
		from, to int
		aheadUs  int64
		size     int // 1 when it differs
	}

	var pairs []pair

	for to, in := range p.chunk.Scene.Inputs {
		for from, before := range last.chunk.Scene.Inputs {
			if aheadUs, ok := before.Continues(*last.chunk.Scene, in); ok {
				size := 0
				if before.Size != in.Size {
					size = 1
				}

				pairs = append(pairs, pair{from, to, aheadUs, size})
			}
		}
	}

	if len(pairs) == 0 {
		return
	}

	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.aheadUs, b.aheadUs), cmp.Compare(a.size, b.size))
	})

	p.from = slices.Repeat([]int{-1}, len(p.chunk.Scene.Inputs))
	last.next = p

	for _, of := range pairs {
		if p.from[of.to] < 0 && !slices.Contains(p.from, of.from) {
			p.from[of.to] = of.from
		}
	}
}

// A decoder delivers at most maxTakes uninterrupted parts of a source and at most maxViews views of it, one after
// another. Each take has a branch of filters, and each view holds some pictures in memory until the decoder ends.
const (
	maxTakes = 16
	maxViews = 4
)

// follow returns what this piece and the pieces that continue it show of the source of an input.
func (p *piece) follow(i int) []plan.Input {
	views := []plan.Input{p.chunk.Scene.Inputs[i]}

	for next := p.next; next != nil && takesOf(views) < maxTakes; next = next.next {
		if i = slices.Index(next.from, i); i < 0 {
			break
		}

		more := plan.Append(views, next.chunk.Scene.Rate(), next.chunk.Scene.Inputs[i])
		if len(more) > maxViews {
			break
		}

		views = more
	}

	return views
}

func takesOf(views []plan.Input) int {
	n := 0
	for _, v := range views {
		n += len(v.Takes)
	}

	return n
}

// series is a sequence of pieces in which each continues the one before.
type series struct {
	pieces []*piece
	held   bool // by a worker, who takes piece after piece
}

func (s *series) frames() int64 {
	var n int64
	for _, p := range s.pieces {
		n += p.frames
	}

	return n
}

// queue holds the pieces still to be made. A worker stays with a series, so its streams need not start again. A worker
// whose series is finished takes half of another's remaining pieces, or a sound.
type queue struct {
	mu      sync.Mutex
	all     []*series
	sounds  []*piece
	workers int
	// unfinished is how many pieces with frames are not made yet.
	unfinished int
	closed     bool // no more pieces are given out
}

// newQueue builds the series and sorts them, the longest first.
func newQueue(pieces []*piece, workers int) *queue {
	q := &queue{workers: workers}

	for _, p := range pieces {
		if p.frames == 0 {
			q.sounds = append(q.sounds, p)

			continue
		}

		q.unfinished++

		if n := len(q.all); n > 0 {
			last := q.all[n-1]
			if before := last.pieces[len(last.pieces)-1]; before.next == p {
				last.pieces = append(last.pieces, p)

				continue
			}
		}

		q.all = append(q.all, &series{pieces: []*piece{p}})
	}

	slices.SortStableFunc(q.all, func(a, b *series) int { return cmp.Compare(b.frames(), a.frames()) })

	return q
}

// next returns the next piece of a series, or of another if that is empty; nil when nothing is left.
func (q *queue) next(of *series) (*piece, *series) {
	q.mu.Lock()
	defer q.mu.Unlock()

	if q.closed {
		return nil, nil
	}

	if of == nil || len(of.pieces) == 0 {
		if of = q.another(); of == nil {
			return nil, nil
		}
	}

	p := of.pieces[0]
	of.pieces = of.pieces[1:]

	return p, of
}

// crowded reports whether every worker has pictures to make and every processor has a worker.
func (q *queue) crowded() bool {
	q.mu.Lock()
	defer q.mu.Unlock()

	return q.workers >= runtime.NumCPU() && q.unfinished >= q.workers
}

// finish records that a piece is made.
func (q *queue) finish(p *piece) {
	q.mu.Lock()
	defer q.mu.Unlock()

	if p.frames > 0 {
		q.unfinished--
	}
}

// worthwhile is how many frames may be decoded for nothing per frame that is drawn sooner. Decoding a frame is about a
// tenth of the work of drawing it, so four cost less than half of what is gained.
const worthwhile = 4

// another returns a series that no worker holds, or else the later half of one that is held, if that is worth a new
// start, or else a sound. It is nil when nothing is left.
func (q *queue) another() *series {
	for _, s := range q.all {
		if !s.held {
			s.held = true

			return s
		}
	}

	if later := q.half(); later != nil {
		return later
	}

	if p := q.takeSound(); p != nil {
		return &series{pieces: []*piece{p}}
	}

	return nil
}

// sound returns a sound to make; nil when none is left.
func (q *queue) sound() *piece {
	q.mu.Lock()
	defer q.mu.Unlock()

	if q.closed {
		return nil
	}

	return q.takeSound()
}

// close stops the queue from giving out pieces.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()

	q.closed = true
}

// any reports whether any piece is left.
func (q *queue) any() bool {
	q.mu.Lock()
	defer q.mu.Unlock()

	return len(q.sounds) > 0 || slices.ContainsFunc(q.all, func(s *series) bool { return len(s.pieces) > 0 })
}

func (q *queue) takeSound() *piece {
	if len(q.sounds) == 0 {
		return nil
	}

	p := q.sounds[0]
	q.sounds = q.sounds[1:]

	return p
}

// half takes the later half of the series with the most frames left. If that half is not worth a new start, it tries the
// series by frames left and takes the largest part that is worth one; nil if there is none.
func (q *queue) half() *series {
	byFrames := slices.SortedStableFunc(slices.Values(q.all), func(a, b *series) int { return cmp.Compare(b.frames(), a.frames()) })
	if len(byFrames) > 0 && len(byFrames[0].pieces) > 0 && byFrames[0].worth(byFrames[0].middle()) {
		return q.split(byFrames[0], byFrames[0].middle())
	}

	for _, s := range byFrames {
		for n := range s.pieces {
			if s.worth(n) {
				return q.split(s, n)
			}
		}
	}

	return nil
}

// split takes the pieces of a series from n on.
func (q *queue) split(s *series, n int) *series {
	later := &series{pieces: s.pieces[n:], held: true}
	s.pieces = s.pieces[:n:n]

	q.all = append(q.all, later)

	return later
}

// worth reports whether the pieces from n on are worth the frames that are decoded for nothing.
func (s *series) worth(n int) bool {
	var frames int64
	for _, p := range s.pieces[n:] {
		frames += p.frames
	}

	return s.pieces[n].lead <= worthwhile*frames
}

// middle returns where the later half begins: of the pieces around the middle, the one with the least lead.
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
