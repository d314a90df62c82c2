package workers_test

import (
	"context"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/workers/still"
)

// TestThumbnailRetriesThenFails: a picture whose server does not answer is retried; after the last attempt
// the video says that there is none. A fetched picture survives a storage outage.
func TestThumbnailRetriesThenFails(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	ill := true

	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if ill {
			w.WriteHeader(http.StatusServiceUnavailable)

			return
		}

		assert.NoError(t, png.Encode(w, image.NewGray(image.Rect(0, 0, 64, 36))))
	}))
	t.Cleanup(elsewhere.Close)

	made := testkit.NewVideo(t, s.store, s.member, testkit.VideoOpts{})
	chosen := made.Settings
	chosen.CustomThumbnailURL = elsewhere.URL

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		c.Video.UpdateOneID(made.ID).SetSettings(chosen).ExecX(ctx)
	})

	w := &still.Thumbnail{Deps: s.deps(s.store, s.topics), Client: elsewhere.Client()}
	attempt := func(n int) error {
		return w.Work(t.Context(), &river.Job[jobs.Thumbnail]{
			JobRow: &rivertype.JobRow{Attempt: n, MaxAttempts: 4, CreatedAt: s.now()}, Args: jobs.Thumbnail{VideoID: made.ID},
		})
	}
	now := func() *ent.Video { return s.store.Client(s.system()).Video.GetX(s.system(), made.ID) }

	require.ErrorContains(t, attempt(3), "503")
	require.Empty(t, now().ThumbnailFault)
	require.NoError(t, attempt(4))
	require.Equal(t, "The address did not return a picture.", now().ThumbnailFault)
	require.Equal(t, made.Revision, now().Revision)

	ill = false

	var snooze *river.JobSnoozeError

	back := s.away()

	require.ErrorAs(t, attempt(4), &snooze)
	back()
	require.NoError(t, attempt(4))
	require.NotEmpty(t, now().ThumbnailKey)
	require.WithinDuration(t, made.UpdatedAt, now().UpdatedAt, time.Millisecond)
}
