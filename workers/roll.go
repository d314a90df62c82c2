package workers

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playbackevent"
	"github.com/reelgraph/reelgraph/ent/viewquarter"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/internal/viewing"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

const (
	rollEvery   = 30 * time.Second
	rollTimeout = 5 * time.Minute

	// rollBatch is how many sessions one transaction rolls up.
	rollBatch = 100
)

// Roll makes the figures of sessions that have reported since they were made last. A session is replayed
// from its beginning, so that a report that came late is counted where it belongs.
type Roll struct {
	river.WorkerDefaults[jobs.Roll]

	Store *store.Store
}

// RollEvery is the schedule of Roll; every process that works registers it.
func RollEvery() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(rollEvery), func() (river.JobArgs, *river.InsertOpts) {
		return jobs.Roll{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Timeout implements river.Worker.
func (*Roll) Timeout(*river.Job[jobs.Roll]) time.Duration { return rollTimeout }

// Work implements river.Worker.
func (w *Roll) Work(ctx context.Context, _ *river.Job[jobs.Roll]) error {
	ctx = auth.AsSystem(ctx)

	for {
		waiting, err := w.waiting(ctx)
		if err != nil || len(waiting) == 0 {
			return err
		}

		if err := w.Store.InTx(ctx, func(ctx context.Context) error { return w.roll(ctx, waiting) }); err != nil {
			return fmt.Errorf("roll up sessions: %w", err)
		}
	}
}

// waiting are sessions with reports that no figure holds yet, the oldest reports first.
func (w *Roll) waiting(ctx context.Context) ([]string, error) {
	var sessions []string

	err := w.Store.Query(ctx, func(rows *sql.Rows) error {
		var id string

		err := rows.Scan(&id)
		sessions = append(sessions, id)

		return err
	}, `SELECT session_id FROM playback_events WHERE NOT rolled_up GROUP BY session_id ORDER BY min(created_at) LIMIT $1`, rollBatch)
	if err != nil {
		return nil, fmt.Errorf("find sessions to roll up: %w", err)
	}

	return sessions, nil
}

// roll replays sessions while nobody reports to them.
func (w *Roll) roll(ctx context.Context, ids []string) error {
	c := w.Store.Client(ctx)

	sessions, err := c.ViewSession.Query().Where(viewsession.IDIn(ids...)).Order(ent.Asc(viewsession.FieldID)).ForUpdate().All(ctx)
	if err != nil {
		return fmt.Errorf("lock sessions: %w", err)
	}

	reports, err := c.PlaybackEvent.Query().Where(playbackevent.SessionIDIn(ids...)).
		Order(ent.Asc(playbackevent.FieldSeq)).All(ctx)
	if err != nil {
		return fmt.Errorf("read reports: %w", err)
	}

	reported := map[string][]*ent.PlaybackEvent{}
	for _, r := range reports {
		reported[r.SessionID] = append(reported[r.SessionID], r)
	}

	var rows []*ent.ViewQuarterCreate

	for _, s := range sessions {
		quarters, err := replay(s, reported[s.ID])
		if err != nil {
			return err
		}

		for _, q := range quarters {
			rows = append(rows, c.ViewQuarter.Create().SetSession(s).SetVideoID(s.VideoID).SetWorkspaceID(s.WorkspaceID).
				SetQuarter(q.At).SetOpens(q.Opens).SetViews(q.Views).SetWatchedMs(q.WatchedMs).SetDistinctMs(q.DistinctMs).
				SetCompleted(q.Completed).SetSlices(printed(q.Slices)).SetRanges(q.Ranges))
		}
	}

	for part := range slices.Chunk(rows, rollBatch) {
		err := c.ViewQuarter.CreateBulk(part...).
			OnConflictColumns(viewquarter.FieldSessionID, viewquarter.FieldQuarter).UpdateNewValues().Exec(ctx)
		if err != nil {
			return fmt.Errorf("keep figures: %w", err)
		}
	}

	err = c.PlaybackEvent.Update().Where(playbackevent.SessionIDIn(ids...), playbackevent.RolledUp(false)).SetRolledUp(true).Exec(ctx)
	if err != nil {
		return fmt.Errorf("mark reports: %w", err)
	}

	return nil
}

// replay makes the quarters of a session out of its reports, which are in order.
func replay(s *ent.ViewSession, reports []*ent.PlaybackEvent) ([]viewing.Quarter, error) {
	batches := make([]viewing.Batch, len(reports))

	for i, r := range reports {
		batches[i].Received = r.CreatedAt
		if err := json.Unmarshal(r.Events, &batches[i].Events); err != nil {
			return nil, fmt.Errorf("read report %s: %w", r.ID, err)
		}
	}

	return viewing.Session{Opened: s.OpenedAt, LengthMs: s.DurationMs}.Quarters(batches), nil
}

// printed are slices as they are stored: JSON names everything by texts.
func printed(slices map[int]int) map[string]int {
	out := make(map[string]int, len(slices))
	for percent, count := range slices {
		out[strconv.Itoa(percent)] = count
	}

	return out
}
