package analytics_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// While a session is locked for long, its reports do not hold connections: they are refused, sent again and count
// once.
func TestReportsDoNotWaitForLong(t *testing.T) {
	t.Parallel()

	for what, kind := range map[string]string{"one that goes on": "pause", "the first play": "play"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()

			d := newDesk(t)
			token := d.told(d.open(""), d.batch(0, "open"))
			answered := make(chan *httptest.ResponseRecorder, 1)

			d.owner.Do(t, d.api.Store, func(ctx context.Context, c *ent.Client) {
				c.ViewSession.Query().ForUpdate().OnlyX(ctx)

				go func() { answered <- d.send(token, d.batch(1, kind)) }()

				select {
				case w := <-answered:
					require.Equal(t, http.StatusServiceUnavailable, w.Code, w.Body)
					require.Equal(t, "1", w.Header().Get("Retry-After"))
				case <-time.After(time.Minute):
					require.Fail(t, "the report waits")
				}
			})

			d.told(token, d.batch(1, kind))
			require.Equal(t, 2, d.reports(d.sessions()[0]))
		})
	}
}

// A deletion of a video locks it while a report waits for it: there is no deadlock.
func TestReportsDoNotDeadlockWithDeletion(t *testing.T) {
	t.Parallel()

	for what, report := range map[string]struct {
		after time.Duration
		kind  string
	}{
		"the first play":              {0, "play"},
		"one that opens a second one": {2 * time.Hour, "pause"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()

			d := newDesk(t)
			token := d.told(d.open(""), d.batch(0, "open"))
			d.wait(report.after)

			answered := make(chan int, 1)

			d.owner.Do(t, d.api.Store, func(ctx context.Context, c *ent.Client) {
				c.Video.Query().Where(video.ID(d.video.ID)).ForUpdate().OnlyX(ctx)

				go func() { answered <- d.send(token, d.batch(1, report.kind)).Code }()

				testkit.AwaitLock(t, d.api.Store)
				require.NoError(t, c.Video.DeleteOneID(d.video.ID).Exec(ctx))
			})

			require.Equal(t, http.StatusNotFound, <-answered)
		})
	}
}

// Reports about a video in the trash are refused like those about a deleted one, also those that continue a session, and
// count again once it is restored.
func TestReportsAboutTheTrash(t *testing.T) {
	t.Parallel()

	d := newDesk(t)
	token := d.told(d.open(""), d.batch(0, "open", "play"))
	trash := func(at *time.Time) {
		d.owner.Do(t, d.api.Store, func(ctx context.Context, c *ent.Client) {
			if at == nil {
				c.Video.UpdateOneID(d.video.ID).ClearTrashedAt().ExecX(ctx)
			} else {
				c.Video.UpdateOneID(d.video.ID).SetTrashedAt(*at).ExecX(ctx)
			}
		})
	}

	trash(new(d.Clock()))

	for _, report := range []string{d.batch(1, "pause"), d.batch(1, "play")} {
		require.Equal(t, http.StatusNotFound, d.send(token, report).Code)
		require.Equal(t, http.StatusNotFound, d.send(d.open(""), report).Code)
	}

	require.Len(t, d.sessions(), 1)
	require.Equal(t, 1, d.reports(d.sessions()[0]))

	trash(nil)
	d.told(token, d.batch(1, "pause"))
	require.Equal(t, 2, d.reports(d.sessions()[0]))
	require.EqualValues(t, 1, d.views())
}
