package transcripts

import (
	"context"
	"fmt"
	"sync"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// MaxRead is how many words of whole transcripts one GraphQL document may read, unless all are of one video.
const MaxRead = 250_000

// reading counts the words that one document has read. It is safe for concurrent use.
type reading struct {
	mu    sync.Mutex
	words int
	clips map[string]*readClip
}

type readClip struct {
	times int
	once  sync.Once
	all   *ent.Transcript
	err   error
}

type readingKey struct{}

// WithReading returns a context for one document. It limits the words that are read, and lets the words of a clip be
// read only once.
func WithReading(ctx context.Context) context.Context {
	return context.WithValue(ctx, readingKey{}, &reading{clips: map[string]*readClip{}})
}

// Unbounded returns a context in which reads are not counted.
func Unbounded(ctx context.Context) context.Context { return context.WithValue(ctx, readingKey{}, nil) }

// Bounded reports whether reads in the context are counted.
func Bounded(ctx context.Context) bool { return ctx.Value(readingKey{}) != nil }

// Spend counts words of the given number of videos that are about to be read. It returns bad_request when a document
// would read too many. All words of a single video can always be read.
func Spend(ctx context.Context, words, videos int) error {
	r, bounded := ctx.Value(readingKey{}).(*reading)
	if !bounded {
		return nil
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	alone := r.words == 0 && videos <= 1
	if r.words += words; r.words > MaxRead && !alone {
		return fault.BadRequest(fmt.Sprintf("The operation would read %d transcript words; at most %d are allowed. "+
			"Ask for the transcripts of fewer videos.", r.words, MaxRead))
	}

	return nil
}

// lists counts how many lists of a clip's words were read separately.
const lists = 2

// Again reports whether more than one list of a clip's words is requested. In that case it is cheaper to read the whole
// transcript.
func Again(ctx context.Context, clipID string) bool {
	r, bounded := ctx.Value(readingKey{}).(*reading)
	if !bounded {
		return false
	}

	r.mu.Lock()
	defer r.mu.Unlock()

	c := r.clip(clipID)
	c.times++

	return c.times > lists
}

// Once returns the whole transcript of a clip and reads it only the first time.
func Once(ctx context.Context, clipID string, read func() (*ent.Transcript, error)) (*ent.Transcript, error) {
	r, bounded := ctx.Value(readingKey{}).(*reading)
	if !bounded {
		return read()
	}

	r.mu.Lock()
	c := r.clip(clipID)
	r.mu.Unlock()

	c.once.Do(func() { c.all, c.err = read() })

	return c.all, c.err
}

func (r *reading) clip(id string) *readClip {
	if r.clips[id] == nil {
		r.clips[id] = &readClip{}
	}

	return r.clips[id]
}
