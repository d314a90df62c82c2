package system

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
)

// Node is what the process that answers knows about itself and its machine.
type Node struct {
	Version string
	Commit  string
	// Disk reads the space of the disk that holds the media. Nil means that it is unknown.
	Disk func() (model.Disk, error)
	// Examine runs the checks of `reelgraph doctor`. Its findings must not contain secrets. Nil means no checks.
	Examine func(ctx context.Context) []*model.Finding
}

// Service reads the state of the server for operators.
type Service struct {
	Store    *store.Store
	Accounts *account.Service
	Limits   upload.Limits
	Node     Node

	findings kept
}

// System returns the state of the server. It returns forbidden unless the caller is an operator. The other methods are
// for the fields of its result, and check nothing.
func (svc *Service) System(ctx context.Context) (*model.System, error) {
	if err := svc.Accounts.RequireOperator(ctx); err != nil {
		return nil, err //nolint:wrapcheck // a fault
	}

	return &model.System{Version: svc.Node.Version, Commit: svc.Node.Commit}, nil
}

// due are the jobs that could run now.
const due = `(state IN ('available', 'pending') OR state = 'scheduled' AND scheduled_at <= now())`

const queuesSQL = `SELECT queue, count(*) FILTER (WHERE ` + due + `), count(*) FILTER (WHERE state = 'running'),
	count(*) FILTER (WHERE state = 'retryable'), count(*) FILTER (WHERE state = 'scheduled' AND scheduled_at > now()),
	min(scheduled_at) FILTER (WHERE ` + due + `)
FROM river_job WHERE finalized_at IS NULL GROUP BY queue`

// Queues returns the queues by name, also those without jobs.
func (svc *Service) Queues(ctx context.Context) ([]*model.JobQueue, error) {
	known := map[string]*model.JobQueue{}
	for _, name := range jobs.QueueNames() {
		known[name] = &model.JobQueue{Name: name}
	}

	rows, err := svc.Store.Client(ctx).QueryContext(ctx, queuesSQL)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	for rows.Next() {
		var (
			q      model.JobQueue
			oldest sql.NullTime
		)

		if err := rows.Scan(&q.Name, &q.Waiting, &q.Running, &q.Retrying, &q.Scheduled, &oldest); err != nil {
			return nil, fmt.Errorf("count jobs: %w", err)
		}

		if oldest.Valid {
			at := oldest.Time.UTC()
			q.OldestWaitingAt = &at
		}

		known[q.Name] = &q
	}

	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}

	all := make([]*model.JobQueue, 0, len(known))
	for _, q := range known {
		all = append(all, q)
	}

	slices.SortFunc(all, func(a, b *model.JobQueue) int { return strings.Compare(a.Name, b.Name) })

	return all, nil
}

// storedSQL counts as upload.Reserve does, without reservations: failed uploads have no file, and the bytes of parts are
// those of the source that they were joined to.
const storedSQL = `SELECT s.video, s.audio, s.image, s.mouse, e.bytes, x.bytes, c.bytes
FROM (
	SELECT coalesce(sum(n) FILTER (WHERE kind = 'video'), 0)::bigint AS video,
		coalesce(sum(n) FILTER (WHERE kind = 'audio'), 0)::bigint AS audio,
		coalesce(sum(n) FILTER (WHERE kind = 'image'), 0)::bigint AS image,
		coalesce(sum(n) FILTER (WHERE kind = 'mouse'), 0)::bigint AS mouse
	FROM (
		SELECT kind, greatest(bytes, upload_offset) AS n FROM sources
		WHERE joined_id = '' AND (status <> 'failed' OR interrupted_at IS NOT NULL)
	) counted
) s,
	(SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM exports) e,
	(SELECT coalesce(sum((f->>'bytes')::bigint), 0)::bigint AS bytes FROM extracts, jsonb_array_elements(files) f) x,
	(SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM catalog_items) c`

// Storage returns what all workspaces store.
func (svc *Service) Storage(ctx context.Context) (*model.SystemStorage, error) {
	s := &model.SystemStorage{
		WorkspaceLimitBytes: limit(svc.Limits.Workspace), UploadLimitBytes: limit(svc.Limits.Upload),
	}

	err := svc.one(ctx, storedSQL,
		&s.VideoBytes, &s.AudioBytes, &s.ImageBytes, &s.MouseBytes, &s.ExportBytes, &s.ExtractBytes, &s.CatalogBytes)
	if err != nil {
		return nil, fmt.Errorf("sum stored bytes: %w", err)
	}

	s.Bytes = s.VideoBytes + s.AudioBytes + s.ImageBytes + s.MouseBytes + s.ExportBytes + s.ExtractBytes + s.CatalogBytes

	return s, nil
}

func limit(bytes int64) *int64 {
	if bytes == 0 {
		return nil
	}

	return &bytes
}

// DatabaseBytes returns the size of the database.
func (svc *Service) DatabaseBytes(ctx context.Context) (bytes int64, err error) {
	if err := svc.one(ctx, `SELECT pg_database_size(current_database())`, &bytes); err != nil {
		return 0, fmt.Errorf("measure the database: %w", err)
	}

	return bytes, nil
}

// one reads the single row of a query.
func (svc *Service) one(ctx context.Context, query string, into ...any) error {
	rows, err := svc.Store.Client(ctx).QueryContext(ctx, query)
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was attempted
	}
	defer rows.Close() //nolint:errcheck // Err says what went wrong

	if rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}

	return rows.Err() //nolint:wrapcheck // as above
}

// Disk returns the space of the disk that holds the media, or nil if it cannot be read. A finding then says why.
func (svc *Service) Disk() *model.Disk {
	if svc.Node.Disk == nil {
		return nil
	}

	space, err := svc.Node.Disk()
	if err != nil {
		return nil
	}

	return &space
}

// Findings returns what the checks of `reelgraph doctor` find.
func (svc *Service) Findings(ctx context.Context) []*model.Finding {
	if svc.Node.Examine == nil {
		return nil
	}

	return svc.findings.get(ctx, svc.Store.Now, svc.Node.Examine)
}

// keptFor is how long findings are kept. The checks start programs and talk to other servers.
const keptFor = 10 * time.Second

// kept holds the last findings. Requests that arrive during the checks wait for them and share them.
type kept struct {
	mu  sync.Mutex
	at  time.Time
	all []*model.Finding
}

// get returns findings that are at most keptFor old. A client that disconnects does not end the checks for others.
func (k *kept) get(ctx context.Context, now func() time.Time, examine func(ctx context.Context) []*model.Finding) []*model.Finding {
	k.mu.Lock()
	defer k.mu.Unlock()

	if k.all == nil || now().Sub(k.at) >= keptFor {
		k.all = examine(context.WithoutCancel(ctx))
		k.at = now()
	}

	return k.all
}
