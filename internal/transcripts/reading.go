package transcripts

import (
	"context"
	"fmt"
	"sync"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// MaxRead is the maximum number of words that one GraphQL document may read if it reads the whole transcripts of
// several videos. There is no limit for the transcript of a single video.
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

// WithReading returns a context for the execution of one GraphQL document. Words that are read with this context are
// counted and limited, and the words of each clip are read at most once.
func WithReading(ctx context.Context) context.Context {
	return context.WithValue(ctx, readingKey{}, &reading{clips: map[string]*readClip{}})
}

// Unbounded returns a context in which reads are not counted.
func Unbounded(ctx context.Context) context.Context { return context.WithValue(ctx, readingKey{}, nil) }

// Bounded reports whether words that are read in the context are counted.
func Bounded(ctx context.Context) bool { return ctx.Value(readingKey{}) != nil }

// Spend counts words that are about to be read. videos is the number of videos that the words belong to. Spend
// returns bad_request if the document would read more than MaxRead words. It never refuses the words of a single
// video.
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

// Again counts a request for a list of a clip's words. It reports whether the document has already requested several
// such lists before. If so, it is cheaper to read the whole transcript once.
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

// Once returns the whole transcript of a clip. It calls read only the first time that a document needs the
// transcript.
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
