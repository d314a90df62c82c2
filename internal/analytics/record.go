package analytics

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// sessionGap is the longest time between two events of a session. A later event starts a new session.
const sessionGap = time.Hour

// sessionEvents is the maximum number of events of a session. Watching twelve hours at half speed needs nine thousand;
// the rest is for seeking. The figures of a session are computed from all its events.
const sessionEvents = 50_000

// batch is a report with its number.
type batch struct {
	Batch

	seq int64
}

func (b batch) plays() bool {
	return slices.ContainsFunc(b.Events, func(e Event) bool { return e.Type == values.PlaybackEventTypePlay })
}

// record commits a report and returns the pass of its session.
func (s *Server) record(ctx context.Context, p pass, b batch, who visitor) (pass, error) {
	if len(b.Events) == 0 {
		return p, nil
	}

	events, err := json.Marshal(b.Events)
	if err != nil {
		return p, fmt.Errorf("encode report: %w", err)
	}

	ctx = auth.AsSystem(ctx)

	if kept, err := s.goOn(ctx, p, b, events); kept || err != nil {
		return p, err
	}

	v, err := s.Store.Client(ctx).Video.Query().Where(video.ID(p.Video)).
		Select(video.FieldID, video.FieldWorkspaceID, video.FieldDurationMs).Only(ctx)
	if ent.IsNotFound(err) {
		return p, fault.NotFound("video").Because(err)
	}

	if err != nil {
		return p, fmt.Errorf("read video: %w", err)
	}

	err = s.Store.InTx(auth.AsWorkspace(ctx, v.WorkspaceID), func(ctx context.Context) error {
		var err error

		p, err = s.recordIn(ctx, v, p, b, events, who)

		return err
	})

	return p, err
}

const (
	// impatientSQL limits the wait for a session that is locked while its figures are computed. A waiting request holds
	// a database connection that others need, and players retry anyway.
	impatientSQL = "SELECT set_config('lock_timeout', '1s', true)"

	// touchSQL adds the number of a report to its session, which stores the numbers of all its reports. waiting_since
	// uses the database's clock, as does the job that computes the figures.
	touchSQL = `UPDATE view_sessions SET last_event_at = greatest(last_event_at, $3), waiting_since = coalesce(waiting_since, now()),
	seqs = seqs + int8multirange(int8range($2, $2, '[]')), events = events + jsonb_array_length($5::jsonb)
	WHERE id = $1 AND NOT seqs @> $2::bigint`

	// keptSQL is true if a session's video is not in the trash.
	keptSQL = `EXISTS (SELECT FROM videos v WHERE v.id = video_id AND v.trashed_at IS NULL)`

	// keepSQL stores the report.
	keepSQL = `INSERT INTO playback_events (id, created_at, workspace_id, session_id, seq, events)
SELECT $4, $3, workspace_id, $1, $2, $5::jsonb FROM held`

	// goOnSQL stores a report that continues a session. Nearly all reports do.
	goOnSQL = `WITH held AS (` + touchSQL + ` AND $3 - last_event_at <= make_interval(secs => $6) AND (first_play_at IS NOT NULL OR NOT $7)
	AND events + jsonb_array_length($5::jsonb) <= $8 AND ` + keptSQL + ` AND (` + impatientSQL + `) IS NOT NULL
	RETURNING workspace_id) ` + keepSQL + ` RETURNING seq`
)

// goOn stores a report with one statement, which is its own transaction: the report is committed when goOn returns
// true.
func (s *Server) goOn(ctx context.Context, p pass, b batch, events []byte) (kept bool, err error) {
	err = s.Store.Query(ctx, func(*sql.Rows) error {
		kept = true

		return nil
	}, goOnSQL, p.Session, b.seq, b.Received, ids.New(ids.PlaybackEvent), string(events), sessionGap.Seconds(), b.plays(), sessionEvents)
	if err != nil {
		return false, fmt.Errorf("store report: %w", err)
	}

	return kept, nil
}

// recordIn is record in a transaction that locks the video and then the session.
func (s *Server) recordIn(ctx context.Context, v *ent.Video, p pass, b batch, events []byte, who visitor) (pass, error) {
	if err := s.hold(ctx, v.ID, b); err != nil {
		return p, err
	}

	// A lock on the video is worth waiting for: deletions end soon.
	if err := s.Store.Query(ctx, func(*sql.Rows) error { return nil }, impatientSQL); err != nil {
		return p, fmt.Errorf("set lock timeout: %w", err)
	}

	session, err := s.session(ctx, v, &p, b, who)
	if err != nil {
		return p, err
	}

	fresh := false

	err = s.Store.Query(ctx, func(*sql.Rows) error {
		fresh = true

		return nil
	}, `WITH held AS (`+touchSQL+` RETURNING workspace_id) `+keepSQL+` RETURNING seq`,
		session.ID, b.seq, b.Received, ids.New(ids.PlaybackEvent), string(events))
	if err != nil {
		return p, fmt.Errorf("store report: %w", err)
	}

	if !fresh || session.FirstPlayAt != nil || !b.plays() {
		return p, nil
	}

	if err := s.Store.Client(ctx).ViewSession.UpdateOne(session).SetFirstPlayAt(b.Received).Exec(ctx); err != nil {
		return p, fmt.Errorf("store session: %w", err)
	}

	return p, s.view(ctx, p.Video, session.ID, b.Received)
}

// hold locks a video before any of its sessions, in the same order as deletions and visibility changes, to avoid
// deadlocks. Reports that count no view share the lock.
func (s *Server) hold(ctx context.Context, videoID string, b batch) error {
	statement, held := "SELECT FROM videos WHERE id = $1 AND trashed_at IS NULL FOR KEY SHARE", false
	if b.plays() {
		statement = "SELECT FROM videos WHERE id = $1 AND trashed_at IS NULL FOR NO KEY UPDATE"
	}

	err := s.Store.Query(ctx, func(*sql.Rows) error {
		held = true

		return nil
	}, statement, videoID)
	if err != nil {
		return fmt.Errorf("lock video: %w", err)
	}

	if !held {
		return fault.NotFound("video")
	}

	return nil
}

// session locks the session of a report, creates it if needed, and sets it in the pass. A full session takes no more
// reports, so it ends.
func (s *Server) session(ctx context.Context, v *ent.Video, p *pass, b batch, who visitor) (*ent.ViewSession, error) {
	for {
		found, err := s.Store.Client(ctx).ViewSession.Query().Where(viewsession.ID(p.Session)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			if err = s.open(ctx, v, *p, b, who); err != nil {
				return nil, err
			}

			continue
		}

		if err != nil {
			return nil, fmt.Errorf("lock session: %w", err)
		}

		left := sessionGap - b.Received.Sub(found.LastEventAt)
		full := found.Events+int64(len(b.Events)) > sessionEvents

		if left >= 0 && !full {
			return found, s.measure(ctx, v, found)
		}

		known, err := s.knows(ctx, found.ID, b.seq)
		if err != nil || known {
			return found, err
		}

		if left >= 0 {
			return nil, fault.RateLimited(left)
		}

		p.Session, p.OpenedMs, p.First = successor(found.ID), found.LastEventAt.UnixMilli(), b.seq
	}
}

// measure stores the length of a session's video if it was not known when the session opened.
func (s *Server) measure(ctx context.Context, v *ent.Video, session *ent.ViewSession) error {
	if session.DurationMs > 0 || v.DurationMs == 0 {
		return nil
	}

	session.DurationMs = v.DurationMs

	_, err := s.Store.Client(ctx).ExecContext(ctx, "UPDATE view_sessions SET duration_ms = $2 WHERE id = $1", session.ID, v.DurationMs)
	if err != nil {
		return fmt.Errorf("set session duration: %w", err)
	}

	return nil
}

// knows reports whether a session already has the report.
func (s *Server) knows(ctx context.Context, sessionID string, seq int64) (known bool, err error) {
	err = s.Store.Query(ctx, func(rows *sql.Rows) error { return rows.Scan(&known) },
		"SELECT seqs @> $2::bigint FROM view_sessions WHERE id = $1", sessionID, seq)
	if err != nil {
		return false, fmt.Errorf("find report: %w", err)
	}

	return known, nil
}

// open creates the session of a pass, unless another request has just created it.
func (s *Server) open(ctx context.Context, v *ent.Video, p pass, b batch, who visitor) error {
	var referrer *string
	if p.Referrer != "" && !who.private {
		referrer = &p.Referrer
	}

	err := s.Store.Client(ctx).ViewSession.Create().SetID(p.Session).SetVideo(v).SetDurationMs(v.DurationMs).
		SetOpenedAt(time.UnixMilli(p.OpenedMs).UTC()).SetLastEventAt(b.Received).SetCreatedAt(b.Received).
		SetPrivate(who.private).SetNillableCountry(who.country).SetNillableReferrer(referrer).
		OnConflictColumns(viewsession.FieldID).DoNothing().Exec(ctx)
	if err != nil {
		return fmt.Errorf("open session: %w", err)
	}

	return nil
}

// successor returns the id of the session that follows an ended one. It is always the same, so that a repeated report
// opens only one session.
func successor(sessionID string) string {
	sum := sha256.Sum256([]byte(sessionID))

	return string(ids.ViewSession) + "_" + strings.ToLower(ulid.ULID(sum[:16]).String())
}

// view counts the first play of a session and sends the event.
func (s *Server) view(ctx context.Context, videoID, sessionID string, at time.Time) error {
	v, err := s.Store.Client(ctx).Video.UpdateOneID(videoID).AddViews(1).Save(ctx)
	if err != nil {
		return fmt.Errorf("count view: %w", err)
	}

	if v.FirstViewedAt == nil && v.Views == 1 {
		if err := s.Store.Client(ctx).Video.UpdateOne(v).SetFirstViewedAt(at.UTC().Truncate(time.Millisecond)).Exec(ctx); err != nil {
			return fmt.Errorf("keep the time of the first view: %w", err)
		}
	}

	about := event.VideoOf(v.ID, v.Name)

	err = s.Jobs.Publish(ctx, event.VideoViewedEvent{
		ViewID: sessionID, Video: about, Views: v.Views, StartedAt: event.Timestamp(at),
	}, jobs.Readers(v.ID))
	if err != nil || !slices.Contains(event.Milestones(), v.Views) {
		return err
	}

	return s.Jobs.Publish(ctx, event.VideoMilestoneEvent{Video: about, Milestone: v.Views, Views: v.Views}, jobs.Readers(v.ID))
}
