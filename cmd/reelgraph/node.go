package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/datafolder"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/metrics"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/demo/story"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	signed "github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/platform/telemetry"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers"
	"github.com/reelgraph/reelgraph/workers/deliver"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
	"github.com/reelgraph/reelgraph/workers/media"
	"github.com/reelgraph/reelgraph/workers/notify"
)

const (
	storeConns = 32       // connections of the pool that resolvers, workers and the queue share
	cacheBytes = 10 << 30 // for finished pieces of exports

	// jobGrace is how long running jobs may take to finish when the program stops. Unfinished jobs run
	// again later; an export continues where it stopped.
	jobGrace = 5 * time.Second
)

// A node is one process over the database, with everything that its server and its workers share.
type node struct {
	config    settings.Config
	log       *slog.Logger
	figures   *metrics.Metrics
	telemetry telemetry.Telemetry
	postgres  postgres
	store     *store.Store
	topics    *store.Topics
	secrets   [][]byte // the current one and its predecessor
	blobs     blob.Store
	addresses signed.Book
	vault     webhook.Vault
	targets   *outbound.Targets
	jobs      *jobs.Queue
	fonts     func() (string, error) // the state of this machine's font catalogue, computed once
	mail      *mail.Server           // nil: no mail is sent

	closers []func() error
}

// openNode opens the telemetry, the database, the secrets and the media store, and migrates the database. The caller
// closes the node.
func openNode(ctx context.Context, c settings.Config, log *slog.Logger, open openDatabase) (*node, error) {
	n := &node{
		config: c, log: log, figures: metrics.New(), fonts: new(encode.Engine).Fonts,
		targets: outbound.NewTargets(c.WebhookAllow...),
	}

	for _, step := range []func(context.Context) error{
		n.openTelemetry, func(ctx context.Context) error { return n.openDatabase(ctx, open) }, n.openSecrets, n.openMedia,
	} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, n.close())
		}
	}

	return n, nil
}

// farewell is how long sending the last traces may take.
const farewell = 3 * time.Second

func (n *node) openTelemetry(ctx context.Context) (err error) {
	to := n.config.Telemetry
	n.telemetry, err = telemetry.Open(ctx, telemetry.Settings{
		Endpoint: to.Endpoint, Headers: to.Headers, Service: to.Service, Version: release, Attributes: to.Attributes,
		Ratio: to.Ratio, Figures: n.figures.Registry, Log: n.log,
	})

	return err
}

// closeTelemetry sends the remaining telemetry. A failure does not stop the program from ending.
func (n *node) closeTelemetry() error {
	late, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()

	if err := n.telemetry.Close(late); err != nil {
		n.log.Warn("cannot send the remaining telemetry", "error", err)
	}

	return nil
}

// openDatabase is startPostgres, joinPostgres or app.foundPostgres.
type openDatabase func(context.Context, settings.Config, *slog.Logger) (postgres, error)

func (n *node) openDatabase(ctx context.Context, open openDatabase) (err error) {
	if n.postgres, err = open(ctx, n.config, quiet(n.log)); err != nil {
		return err
	}

	n.closing(func() error { return n.postgres.Stop() }) // the current one

	if n.store, err = openStoreWith(ctx, n.postgres.DSN, store.Options{Trace: n.telemetry.On()}); err != nil {
		return err
	}

	n.closing(n.store.Close)
	n.figures.Watch(n.store.DB)
	n.closing(n.closeTelemetry) // it reads figures from the database

	if n.topics, err = store.Listen(n.postgres.DSN); err != nil {
		return err
	}

	n.closing(n.topics.Close)

	client, err := queue.NewInserter(n.store.DB, quiet(n.log), n.telemetry.Middleware()...)
	if err != nil {
		return err
	}

	n.jobs = &jobs.Queue{Client: client, Store: n.store}

	return nil
}

// openStore opens and migrates a database.
func openStore(ctx context.Context, dsn string) (*store.Store, error) {
	return openStoreWith(ctx, dsn, store.Options{})
}

func openStoreWith(ctx context.Context, dsn string, o store.Options) (*store.Store, error) {
	o.MaxConns = storeConns

	s, err := store.Open(ctx, dsn, o)
	if err != nil {
		return nil, err
	}

	if err := store.Migrate(ctx, s.DB, queue.Migrate); err != nil {
		return nil, errors.Join(err, s.Close())
	}

	return s, nil
}

func (n *node) openSecrets(ctx context.Context) (err error) {
	if n.secrets, err = n.store.Secrets(ctx, []byte(n.config.Secret), n.resealWebhooks); err != nil {
		return err
	}

	if n.vault, err = webhook.NewVault(n.secrets...); err != nil {
		return err
	}

	var previous []byte
	if len(n.secrets) > 1 {
		previous = n.secrets[1]
	}

	signer, err := blob.NewSigner(n.secrets[0], previous)
	if err != nil {
		return err
	}

	n.addresses = signed.Book{BaseURL: n.config.BaseURL.String(), Signer: signer}

	return nil
}

func (n *node) openMedia(ctx context.Context) (err error) {
	if err := datafolder.Claim(n.config.Data); err != nil {
		return err
	}

	if n.blobs, err = blob.Open(ctx, n.config.Blob.String()); err != nil {
		return err
	}

	if dir, local := n.blobs.(*blob.Dir); local {
		dir.Keep(blob.Limit{Reserve: n.config.DiskReserve, Free: encode.FreeBytes})
	}

	if n.config.SMTP != nil {
		n.mail, err = mail.ServerAt(n.config.SMTP, n.config.BaseURL.Hostname())
	}

	return err
}

// A workshop is what jobs need from this machine.
type workshop struct {
	queues map[string]river.QueueConfig
	tools  ffmpeg.Tools
	speech speech.Provider // nil without a provider
}

// findWorkshop returns an error for anything missing before anything is created or started.
func findWorkshop(c settings.Config) (workshop, error) {
	queues, err := workers.Queues(c.Workers)
	if err != nil {
		return workshop{}, fmt.Errorf("REELGRAPH_WORKERS: %w", err)
	}

	tools, err := ffmpeg.Find(exec.LookPath)
	if err != nil {
		return workshop{}, err
	}

	provider, err := c.Speech.Open(tools, exec.LookPath)

	return workshop{queues: queues, tools: tools, speech: provider}, err
}

// working returns the queue that runs jobs.
func (n *node) working(in workshop) (*queue.Queue, error) {
	engine := &encode.Engine{Tools: in.tools, Dir: filepath.Join(n.config.Data, "scratch"), Workers: runtime.NumCPU()}
	cache := encode.DirCache{Dir: filepath.Join(n.config.Data, "cache"), Logger: n.log}

	if err := errors.Join(os.MkdirAll(engine.Dir, 0o700), cache.Make()); err != nil {
		return nil, fmt.Errorf("create the folder for rendering: %w", err)
	}

	if err := engine.Sweep(); err != nil {
		n.log.Warn("cannot remove files left by a crash", "error", err)
	}

	locks := queue.NewLocks(n.store.DB)
	n.closing(locks.Close)

	guide, err := n.guide(in)
	if err != nil {
		return nil, err
	}

	resolver, err := n.resolver()
	if err != nil {
		return nil, err
	}

	deps := n.workerDeps(in, engine, cache, locks, guide)
	deps.Prepare = resolver.Services.Exports.PrepareThumbnails
	all, beside := workers.Register(deps)

	return queue.New(n.store.DB, n.postgres.DSN, all, queue.Config{
		Beside: beside, Fair: jobs.FairQueues(), Grace: jobGrace, Locks: locks, Logger: quiet(n.log),
		Middleware: append(n.telemetry.Middleware(), &metrics.JobTimer{Jobs: n.figures.Jobs}),
		Periodic:   append(workers.Periodic(), housekeeping.StockEvery()), Queues: in.queues,
	})
}

func (n *node) workerDeps(
	in workshop, engine *encode.Engine, cache encode.DirCache, locks *queue.Locks, guide *story.Guide,
) workers.Deps {
	outside := outbound.NewClient(n.targets)

	return workers.Deps{
		Demo:  guide,
		Fetch: outside,
		Deliver: deliver.Deps{
			Client: outside, Locks: locks, Logger: n.log, Now: time.Now,
			Places: in.queues[jobs.QueueWebhook].MaxWorkers, Queue: n.jobs, Random: random, Store: n.store, Vault: n.vault,
		},
		Media: media.Deps{
			Addresses: n.addresses, Blobs: n.blobs, Cache: cache, CacheBytes: cacheBytes,
			Clock: time.Now, DiskReserve: n.config.DiskReserve, Engine: engine, Locks: locks, Logger: n.log, Queue: n.jobs,
			Rendered: n.figures.Rendered, Speech: in.speech, Store: n.store, Topics: n.topics,
		},
		Tell: notify.Deps{Addresses: n.addresses, Server: n.mail, Store: n.store},
	}
}

// closing registers fn to run when the node is closed, before the functions registered earlier.
func (n *node) closing(fn func() error) { n.closers = append(n.closers, fn) }

// close releases what the node has opened, last first.
func (n *node) close() error {
	var faults []error

	for _, fn := range slices.Backward(n.closers) {
		// A pool reports an already broken connection, of which nothing is left to close.
		if err := fn(); !errors.Is(err, syscall.EPIPE) {
			faults = append(faults, err)
		}
	}

	n.closers = nil

	return errors.Join(faults...)
}

// quiet returns a log without the details of verbose parts.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(warnings{log.Handler()}) }

type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler. It drops errors that only report that the program stops.
func (w warnings) Handle(ctx context.Context, r slog.Record) error {
	stopped := false

	r.Attrs(func(a slog.Attr) bool {
		stopped = a.Value.String() == context.Canceled.Error()

		return !stopped
	})

	if stopped {
		return nil
	}

	return w.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
