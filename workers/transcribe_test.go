package workers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/transcript"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/speech"
	hearing "github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
	speechworker "github.com/reelgraph/reelgraph/workers/speech"
)

// ear is a local speech service that returns preset answers and records the requested languages.
type ear struct {
	*httptest.Server

	mu        sync.Mutex
	status    int
	answer    string
	languages []string
	asked     func() // called while it listens
}

func listenWith(s *studio) *ear {
	s.Helper()

	e := &ear{status: http.StatusOK, asked: func() {}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()

		e.languages = append(e.languages, r.FormValue("language"))
		e.asked()
		w.WriteHeader(e.status)
		_, _ = w.Write([]byte(e.answer))
	}))
	s.Cleanup(e.Close)

	address, err := url.Parse(e.URL)
	require.NoError(s, err)

	s.speech = speech.NewOpenAI(address)

	return e
}

// hears sets the words that the service returns.
func (e *ear) hears(said []footage.Spoken) {
	var words []string
	for _, w := range said {
		words = append(words, fmt.Sprintf(`{"word":%q,"start":%.3f,"end":%.3f,"probability":0.75}`,
			w.Text, float64(w.StartMs)/1000, float64(w.EndMs)/1000))
	}

	e.set(func() { e.answer = `{"language":"english","words":[` + strings.Join(words, ",") + `]}` })
}

func (e *ear) set(how func()) {
	e.mu.Lock()
	defer e.mu.Unlock()

	how()
}

// clip adds a clip of a source to the studio's video, as the graph does.
func (s *studio) clip(src *ent.Source) *ent.Clip {
	s.Helper()

	var made *ent.Clip

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		made = c.Clip.Create().SetVideo(s.video).SetName("Clip").SetPosition(c.Clip.Query().Where(clip.VideoID(s.video.ID)).CountX(ctx)).
			SetScreenSource(src).SetRecordingMs(src.DurationMs).SetDurationMs(src.DurationMs).SetCuts(values.Cuts{}).
			SetHasMicrophone(false).SetHasSystemAudio(true).SetBackground(values.DefaultBackground()).SaveX(ctx)
		require.NoError(s, s.queue.Add(ctx, jobs.Transcribe{SourceID: src.ID}))
	})

	return made
}

// listened waits until a clip no longer waits for its words.
func (s *studio) listened(c *ent.Clip) *ent.Clip {
	s.Helper()

	s.until(jobs.VideoTopic(s.video.ID), func() bool {
		c = s.store.Client(s.system()).Clip.GetX(s.system(), c.ID)

		return c.TranscriptStatus != values.TranscriptStatusPending && c.TranscriptStatus != values.TranscriptStatusProcessing
	})

	return c
}

// words returns the stored words of a clip.
func (s *studio) words(c *ent.Clip) (said []footage.Spoken) {
	stored, err := s.store.Client(s.system()).Transcript.Query().Where(transcript.ClipID(c.ID)).Only(s.system())
	if !ent.IsNotFound(err) {
		require.NoError(s, err)
	}

	for _, w := range hearing.All(stored) {
		said = append(said, footage.Spoken{Text: w.Text, StartMs: w.StartMs, EndMs: w.EndMs})
		require.InDelta(s, 0.75, w.Confidence, 0.001)
	}

	return said
}

// told returns the kinds of events, oldest first, with their errors.
func (s *studio) told() (kinds []string) {
	for _, m := range s.store.Client(s.system()).WebhookMessage.Query().Order(ent.Asc("occurred_at", "id")).AllX(s.system()) {
		var body struct {
			Data struct{ Error struct{ Message string } }
		}
		require.NoError(s, json.Unmarshal([]byte(m.Body), &body))
		kinds = append(kinds, string(m.EventType)+body.Data.Error.Message)
	}

	return kinds
}

func hook(s *studio) {
	s.Helper()

	s.member.Do(s.T, s.store, func(ctx context.Context, c *ent.Client) {
		c.WebhookEndpoint.Create().SetUserID(s.member.UserID).SetURL("http://127.0.0.1:1/").SetSecretSealed([]byte("x")).ExecX(ctx)
	})
}

// spoken returns a source with speech.
func spoken(s *studio, wav []byte) *ent.Source {
	s.Helper()

	path := filepath.Join(s.TempDir(), "talk.mkv")
	require.NoError(s, footage.Say(s.Context(), path, wav, 0))
	content, err := os.ReadFile(path)
	require.NoError(s, err)

	src := s.probed(s.upload(values.SourceKindVideo, content))
	require.Equal(s, values.SourceStatusReady, src.Status, src.ErrorMessage)

	return src
}

// TestTranscriptStoresWords: words are stored in every waiting clip exactly as the provider returned them. Each change of the
// video's transcript is published once.
func TestTranscriptStoresWords(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	service := listenWith(s)
	hook(s)
	s.work()

	wav, said, err := footage.Speak(t.Context(), 700, "hello", "world")
	require.NoError(t, err)
	service.hears(said)

	src := spoken(s, wav)
	first := s.listened(s.clip(src))
	require.Equal(t, values.TranscriptStatusReady, first.TranscriptStatus, first.TranscriptError)
	require.Equal(t, "en", first.TranscriptLanguage)
	require.Equal(t, said, s.words(first))

	video := s.store.Client(s.system()).Video.GetX(s.system(), s.video.ID)
	require.EqualValues(t, 0, video.Revision, "a transcript does not count as an edit")
	require.True(t, video.UpdatedAt.After(s.video.UpdatedAt))
	require.Equal(t, []string{"transcript.ready"}, s.told())

	// The workspace sets the spoken language, and the recording has no speech.
	_, err = s.store.DB.Exec("UPDATE workspaces SET speech_language = 'pt-BR'")
	require.NoError(t, err)
	service.hears(nil)

	silent := s.listened(s.clip(src))
	require.Equal(t, values.TranscriptStatusReady, silent.TranscriptStatus)
	require.Empty(t, silent.TranscriptLanguage)
	require.Empty(t, s.words(silent))
	require.Equal(t, []string{"", "pt"}, service.languages)
	require.Equal(t, video.UpdatedAt, s.store.Client(s.system()).Video.GetX(s.system(), s.video.ID).UpdatedAt, "nothing has changed")
	require.Equal(t, []string{"transcript.ready", "transcript.ready"}, s.told())

	// A clip whose words were set meanwhile keeps them; another clip of the source gets the recognized words.
	service.hears(said)

	listening, goOn := make(chan struct{}, 9), make(chan struct{})

	service.set(func() { service.asked = func() { listening <- struct{}{}; <-goOn } })

	put := s.clip(src)

	<-listening

	other := s.clip(src)
	_, err = s.store.DB.Exec("UPDATE clips SET transcript_status = 'ready' WHERE id = $1", put.ID)
	require.NoError(t, err)
	close(goOn)

	require.Equal(t, said, s.words(s.listened(other)))
	require.Empty(t, s.words(put))
}

// TestTranscriptWithoutProvider: without a provider, the transcript is unavailable and no event is sent. If a provider
// refuses, it fails with the reason. With a later provider, unavailable clips are transcribed.
func TestTranscriptWithoutProvider(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	hook(s)
	stop := s.work()

	src := s.recorded(footage.Film{Frames: 10, Tone: 440})
	silent := s.recorded(footage.Film{Frames: 10})
	none := s.listened(s.clip(src))
	require.Equal(t, values.TranscriptStatusUnavailable, none.TranscriptStatus)
	require.Empty(t, none.TranscriptError)
	require.Empty(t, s.words(none))
	require.Empty(t, s.told())
	require.Zero(t, s.store.Client(s.system()).Video.GetX(s.system(), s.video.ID).Revision)

	stop()

	service := listenWith(s)
	service.set(func() { service.status = http.StatusUnauthorized })

	w := &speechworker.Transcribe{Deps: s.deps(s.store, s.topics)}
	attempt := func(n int) error {
		return w.Work(t.Context(), &river.Job[jobs.Transcribe]{
			JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: 6, CreatedAt: s.now(), Metadata: []byte("{}")}, Args: jobs.Transcribe{SourceID: src.ID},
		})
	}
	status := func(c *ent.Clip) string {
		c = s.store.Client(s.system()).Clip.GetX(s.system(), c.ID)

		return fmt.Sprint(c.TranscriptStatus, " ", c.TranscriptError)
	}

	refused := s.clip(src)

	require.NoError(t, attempt(1), "retrying is useless")
	require.Equal(t, "failed The speech service answered with status 401.", status(refused))

	service.set(func() { service.status = http.StatusServiceUnavailable })

	busy := s.clip(src)

	require.Error(t, attempt(1))
	require.Equal(t, "processing ", status(busy))
	require.Error(t, attempt(5))
	require.NoError(t, attempt(6))
	require.Equal(t, "failed The speech service answered with status 503.", status(busy))

	// The job waits while the storage is unavailable.
	waits := s.clip(src)
	back := s.away()

	var snooze *river.JobSnoozeError

	require.ErrorAs(t, attempt(6), &snooze)
	require.Equal(t, "processing ", status(waits))
	back()
	require.NoError(t, attempt(6))
	require.Equal(t, "failed The speech service answered with status 503.", status(waits))

	// The sweep requests the transcript of a clip without a job again, unless its job has died in every attempt.
	dead, lost, soundless := s.clip(src), s.clip(src), s.clip(silent)
	_, err := s.store.DB.Exec("DELETE FROM river_job")
	require.NoError(t, err)
	_, err = s.store.DB.Exec("UPDATE clips SET transcript_status = 'processing' WHERE id = $1", dead.ID)
	require.NoError(t, err)

	sweep := &housekeeping.Sweep{Deps: s.deps(s.store, s.topics)}
	require.NoError(t, sweep.Work(t.Context(), &river.Job[jobs.Sweep]{}))
	require.Equal(t, "failed Something went wrong on our side.", status(dead))
	require.Equal(t, "failed Something went wrong on our side.", status(soundless))
	require.Equal(t, "pending ", status(lost))
	require.Equal(t, "pending ", status(none), "a provider exists now")

	before := s.told()

	service.set(func() { service.status = http.StatusOK })
	service.hears(nil)
	s.work()
	require.Equal(t, values.TranscriptStatusReady, s.listened(lost).TranscriptStatus)
	require.Equal(t, values.TranscriptStatusReady, s.listened(none).TranscriptStatus)
	require.Equal(t, append(before, "transcript.ready"), s.told(), "one event, once both are done without words")
}
