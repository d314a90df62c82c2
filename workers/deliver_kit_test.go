package workers_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookattempt"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers/deliver"
)

const patience = 30 * time.Second

// bundle is a database with one member, and what a process needs to deliver.
type bundle struct {
	testing.TB

	dsn    string
	member testkit.Member
	queue  *jobs.Queue
	store  *store.Store
	vault  webhook.Vault
	video  *ent.Video

	late atomic.Int64 // how far ahead of the real time the workers' clock is
}

func setup(tb testing.TB) *bundle {
	tb.Helper()

	dsn := testkit.Database(tb)
	b := &bundle{TB: tb, dsn: dsn, store: testkit.OpenAt(tb, dsn)}
	client, err := queue.NewInserter(b.store.DB, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)

	b.queue = &jobs.Queue{Client: client, Store: b.store}
	b.vault, err = webhook.NewVault(keyring.NewSecret())
	require.NoError(tb, err)
	b.member = testkit.NewMember(tb, b.store, testkit.MemberOpts{})
	b.member.Do(tb, b.store, func(ctx context.Context, c *ent.Client) {
		b.video = c.Video.Create().SetUserID(b.member.UserID).SetWorkspaceID(b.member.WorkspaceID).SetName("Video").
			SetWidth(1920).SetHeight(1080).SetSettings(values.DefaultVideoSettings()).SetEditing(values.Editing{}).SaveX(ctx)
	})

	return b
}

func (b *bundle) now() time.Time { return time.Now().Add(time.Duration(b.late.Load())) }

// node works the deliveries as one process with the given number of workers.
func (b *bundle) node(size int) (theDeliver *deliver.Deliver, stop func()) {
	b.Helper()

	s := testkit.OpenAt(b.TB, b.dsn)
	locks := queue.NewLocks(s.DB)
	theDeliver = deliver.NewDeliver(deliver.Deps{
		Client: outbound.NewClient(outbound.NewTargets(netip.MustParsePrefix("127.0.0.0/8"))),
		Locks:  locks,
		Logger: slog.New(slog.DiscardHandler),
		Now:    b.now,
		Places: size,
		Queue:  &jobs.Queue{Client: b.queue.Client, Store: s},
		Random: func() float64 { return 0.5 },
		Store:  s,
		Vault:  b.vault,
	})
	bundle := river.NewWorkers()
	river.AddWorker(bundle, theDeliver)
	river.AddWorker(bundle, &deliver.Unpark{Deliver: theDeliver})

	config := deliver.Queue()
	config.MaxWorkers = size
	q, err := queue.New(s.DB, b.dsn, bundle, queue.Config{
		Beside: map[string]queue.Beside{jobs.QueueWebhook: theDeliver.Look},
		Grace:  time.Millisecond, Locks: locks, Logger: slog.New(slog.DiscardHandler),
		Queues: map[string]river.QueueConfig{jobs.QueueWebhook: config},
	})
	require.NoError(b, err)

	ctx, cancel := context.WithCancel(context.Background())

	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()

	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(b, <-ended)
		require.NoError(b, locks.Close())
	})
	b.Cleanup(stop)

	return theDeliver, stop
}

// endpoint registers an address of the member for all kinds of events.
func (b *bundle) endpoint(url string) (endpoint *ent.WebhookEndpoint, secret string) {
	b.Helper()

	id := ids.New(ids.Endpoint)
	secret = webhook.NewSecret()

	b.member.Do(b.TB, b.store, func(ctx context.Context, c *ent.Client) {
		endpoint = c.WebhookEndpoint.Create().SetID(id).SetUserID(b.member.UserID).SetWorkspaceID(b.member.WorkspaceID).
			SetURL(url).SetSecretSealed(b.vault.Seal(id, secret)).SaveX(ctx)
	})

	return endpoint, secret
}

func (b *bundle) publish(times int) {
	b.Helper()

	for range times {
		b.member.Do(b.TB, b.store, func(ctx context.Context, _ *ent.Client) {
			event := event.VideoCreatedEvent{Video: event.VideoOf(b.video.ID, b.video.Name)}
			require.NoError(b, b.queue.Publish(ctx, event, jobs.Readers(b.video.ID)))
		})
	}
}

func (b *bundle) system() context.Context { return auth.AsSystem(context.Background()) }

func (b *bundle) write(do func(ctx context.Context, c *ent.Client)) {
	b.Helper()

	require.NoError(b, b.store.InTx(b.system(), func(ctx context.Context) error {
		do(ctx, b.store.Client(ctx))

		return nil
	}))
}

// delivery returns the only delivery.
func (b *bundle) delivery() *ent.WebhookDelivery {
	b.Helper()

	delivery, err := b.store.Client(b.system()).WebhookDelivery.Query().WithMessage().Only(b.system())
	require.NoError(b, err)

	return delivery
}

func (b *bundle) attempts() []*ent.WebhookAttempt {
	b.Helper()

	attempts, err := b.store.Client(b.system()).WebhookAttempt.Query().Order(webhookattempt.ByAttempt()).All(b.system())
	require.NoError(b, err)

	return attempts
}

func (b *bundle) count(status values.DeliveryStatus) int {
	b.Helper()

	n, err := b.store.Client(b.system()).WebhookDelivery.Query().Where(webhookdelivery.StatusEQ(status)).Count(b.system())
	require.NoError(b, err)

	return n
}

func (b *bundle) await(what string, done func() bool) {
	b.Helper()
	require.Eventually(b, done, patience, 10*time.Millisecond, what)
}

// skip sets the workers' clock ahead and wakes the sleeping job.
func (b *bundle) skip(by time.Duration) {
	b.Helper()

	b.late.Add(int64(by))
	_, err := b.store.DB.ExecContext(b.system(), "UPDATE river_job SET state = 'available', scheduled_at = now() WHERE state IN ('scheduled', 'available')")
	require.NoError(b, err)
}

type message struct {
	at     time.Time
	body   string
	header http.Header
}

// receiver answers with the handler and returns the messages it got.
func (b *bundle) receiver(handler http.HandlerFunc) (url string, got <-chan message) {
	b.Helper()

	messages := make(chan message, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := time.Now()

		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusTeapot)

			return
		}

		handler(w, r)

		messages <- message{at: at, body: string(body), header: r.Header}
	}))
	b.Cleanup(server.Close)

	return server.URL, messages
}

func (b *bundle) next(got <-chan message) message {
	b.Helper()

	select {
	case m := <-got:
		return m
	case <-time.After(patience):
		require.FailNow(b, "no message arrived")
		panic("unreachable")
	}
}

// answering returns a handler that only sends a status.
func answering(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// awaitSleep waits until no job runs, so that skip finds it asleep.
func (b *bundle) awaitSleep() {
	b.Helper()

	b.await("sleeps", func() bool {
		var running int

		err := b.store.DB.QueryRowContext(b.system(), "SELECT count(*) FROM river_job WHERE state = 'running'").Scan(&running)

		return err == nil && running == 0
	})
}
