package workers_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// neighbour returns the same server in another workspace.
func (s *studio) neighbour() *studio {
	s.Helper()

	n := &studio{
		T: s.T, blobs: s.blobs, book: s.book, data: s.data, dsn: s.dsn, queue: s.queue, secret: s.secret, speech: s.speech,
		store: s.store, topics: s.topics, vault: s.vault,
	}
	n.settle()

	return n
}

// TestLongExportGivesWay: a long export yields to another workspace's short one after its current pieces, and does
// not make these again.
func TestLongExportGivesWay(t *testing.T) {
	t.Parallel()

	long := newStudio(t)
	short := long.neighbour()
	events := long.listener()

	long.work()

	src, brief := long.recorded(footage.Film{Frames: 2400, Tone: 440}), short.recorded(footage.Film{Frames: 10})
	hour := long.order(src) // eight pieces

	long.until(jobs.ExportTopic(hour.ID), func() bool { return long.export(hour.ID).Progress > 0 })

	asked := time.Now()
	minute := short.ended(short.order(brief))

	t.Logf("waited %s for the place and the file", time.Since(asked).Round(time.Millisecond))
	require.Equal(t, values.ExportStatusCompleted, minute.Status, minute.ErrorMessage)

	half := long.export(hour.ID)
	require.Nil(t, half.FinishedAt, "the short one did not wait for the end of the long one")

	made := long.pieces()
	require.NotEmpty(t, made)

	done := long.ended(half)
	require.Equal(t, values.ExportStatusCompleted, done.Status, done.ErrorMessage)

	for name, was := range made {
		require.True(t, os.SameFile(was, long.pieces()[name]), "%s was made again", name)
	}

	got := long.hears(events)
	require.Equal(t, http.StatusOK, got.status)
	requireFramesIn(t, got.path, picture(), [2]int{0, 2400})
}

// listener returns one word per second of sound, and holds each piece until the test lets it go.
type listener struct {
	heard chan string // the length of each piece, before the answer
	goOn  chan struct{}

	mu sync.Mutex
	n  int
}

func (*listener) Longest() time.Duration { return time.Second }

func (l *listener) Transcribe(ctx context.Context, sound speech.Sound, language string) (speech.Speech, error) {
	l.heard <- fmt.Sprint(language, " ", sound.LengthMs())

	select {
	case <-l.goOn:
	case <-ctx.Done():
		return speech.Speech{}, ctx.Err()
	}

	l.mu.Lock()
	defer l.mu.Unlock()

	l.n++

	return speech.Speech{Language: "french", Words: []speech.Word{{Text: fmt.Sprint("w", l.n), StartMs: 10, EndMs: 20, Confidence: 0.75}}}, nil
}

// TestLongTranscriptionGivesWay: a long transcription yields to another workspace after its current piece, and later
// continues there.
func TestLongTranscriptionGivesWay(t *testing.T) {
	t.Parallel()

	long := newStudio(t)
	ear := &listener{heard: make(chan string, 9), goOn: make(chan struct{}, 9)}
	long.speech = ear
	short := long.neighbour()

	long.work()

	src, brief := long.recorded(footage.Film{Frames: 75, Tone: 440}), short.recorded(footage.Film{Frames: 15, Tone: 440})
	first := long.clip(src)
	order := []string{<-ear.heard}
	second := short.clip(brief)

	for range 3 {
		ear.goOn <- struct{}{}

		order = append(order, <-ear.heard)
	}

	ear.goOn <- struct{}{}

	first, second = long.listened(first), short.listened(second)
	require.Equal(t, values.TranscriptStatusReady, first.TranscriptStatus, first.TranscriptError)
	require.Equal(t, values.TranscriptStatusReady, second.TranscriptStatus, second.TranscriptError)
	require.Len(t, order, 4, "each piece is heard once: three of the long one, and the short one")
	require.True(t, strings.HasPrefix(order[0], " "), order)
	require.Equal(t, " 500", order[1], "the short one is next: it has no language yet")
	require.True(t, strings.HasPrefix(order[2], "fr "), order)
	require.True(t, strings.HasPrefix(order[3], "fr "), order)

	var said []string
	for _, w := range long.words(first) {
		said = append(said, w.Text)
	}

	require.Equal(t, []string{"w1", "w3", "w4"}, said)
	require.Len(t, short.words(second), 1)
}
