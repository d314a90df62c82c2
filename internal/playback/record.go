package playback

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/playbackevent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/ids"
	"github.com/reelgraph/reelgraph/internal/viewing"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

// sessionGap is how long a session waits for its next event: one that comes later opens another.
const sessionGap = time.Hour

// batch is a numbered report.
type batch struct {
	viewing.Batch

	seq int64
}

func (b batch) plays() bool {
	return slices.ContainsFunc(b.Events, func(e viewing.Event) bool { return e.Type == domain.PlaybackEventTypePlay })
}

// record commits a report and returns the pass of the session it belongs to.
func (s *Server) record(ctx context.Context, p pass, b batch, who visitor) (pass, error) {
	v, err := s.Store.Client(ctx).Video.Query().Where(video.ID(p.Video)).
		Select(video.FieldID, video.FieldWorkspaceID, video.FieldDurationMs).Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return p, fault.NotFound("video").Because(err)
	}

	if err != nil {
		return p, fmt.Errorf("read video: %w", err)
	}

	if len(b.Events) == 0 {
		return p, nil
	}

	err = s.Store.InTx(auth.AsWorkspace(ctx, v.WorkspaceID), func(ctx context.Context) error {
		var err error

		p, err = s.recordIn(ctx, v, p, b, who)

		return err
	})

	return p, err
}

// recordIn is record in a transaction that holds the session.
func (s *Server) recordIn(ctx context.Context, v *ent.Video, p pass, b batch, who visitor) (pass, error) {
	c := s.Store.Client(ctx)

	session, known, err := s.session(ctx, v, &p, b, who)
	if err != nil || known {
		return p, err
	}

	events, err := json.Marshal(b.Events)
	if err != nil {
		return p, fmt.Errorf("encode report: %w", err)
	}

	err = c.PlaybackEvent.Create().SetSession(session).SetSeq(b.seq).SetEvents(events).SetCreatedAt(b.Received).Exec(ctx)
	if err != nil {
		return p, fmt.Errorf("keep report: %w", err)
	}

	update := c.ViewSession.UpdateOne(session).SetLastEventAt(b.Received)
	begins := session.FirstPlayAt == nil && b.plays()

	if begins {
		update.SetFirstPlayAt(b.Received)
	}

	if err := update.Exec(ctx); err != nil {
		return p, fmt.Errorf("keep session: %w", err)
	}

	if begins {
		return p, s.view(ctx, p.Video, session.ID, b.Received)
	}

	return p, nil
}

// session locks the session that a report belongs to, opening it if need be, and puts it into the pass.
// known reports that the session has the report already.
func (s *Server) session(ctx context.Context, v *ent.Video, p *pass, b batch, who visitor) (found *ent.ViewSession, known bool, err error) {
	c := s.Store.Client(ctx)

	for {
		found, err = c.ViewSession.Query().Where(viewsession.ID(p.Session)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			if err = s.open(ctx, v, *p, b, who); err != nil {
				return nil, false, err
			}

			continue
		}

		if err != nil {
			return nil, false, fmt.Errorf("lock session: %w", err)
		}

		known, err = c.PlaybackEvent.Query().
			Where(playbackevent.SessionID(found.ID), playbackevent.Seq(b.seq)).Exist(ctx)
		if err != nil {
			return nil, false, fmt.Errorf("find report: %w", err)
		}

		if known || b.Received.Sub(found.LastEventAt) <= sessionGap {
			return found, known, nil
		}

		p.Session, p.OpenedMs = successor(found.ID), found.LastEventAt.UnixMilli()
	}
}

// open makes the session of a pass, unless somebody has just made it.
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

// successor is the session that follows one that has ended: the same, whoever asks, so that a report
// which is sent twice opens one.
func successor(sessionID string) string {
	sum := sha256.Sum256([]byte(sessionID))

	return string(ids.ViewSession) + "_" + strings.ToLower(ulid.ULID(sum[:16]).String())
}

// view counts the first play of a session, and says so.
func (s *Server) view(ctx context.Context, videoID, sessionID string, at time.Time) error {
	v, err := s.Store.Client(ctx).Video.UpdateOneID(videoID).AddViews(1).Save(ctx)
	if err != nil {
		return fmt.Errorf("count view: %w", err)
	}

	about := webhook.Video{VideoID: v.ID, VideoName: v.Name}

	err = s.Jobs.Publish(ctx, webhook.VideoViewedEvent{
		ViewID: sessionID, Video: about, Views: v.Views, StartedAt: webhook.Timestamp(at),
	}, jobs.Readers(v.ID))
	if err != nil || !slices.Contains(webhook.Milestones(), v.Views) {
		return err
	}

	return s.Jobs.Publish(ctx, webhook.VideoMilestoneEvent{Video: about, Milestone: v.Views, Views: v.Views}, jobs.Readers(v.ID))
}
