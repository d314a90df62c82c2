package playback_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/testkit"
)

// Whoever deletes a video holds it while a report waits for it: neither waits for the other in turn.
func TestReportsWaitForWhoeverDeletes(t *testing.T) {
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
