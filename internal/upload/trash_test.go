package upload_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// Addresses that were signed before a video was trashed stop working at once: those of its films, of its pictures and of
// the recordings that nothing else uses. They work again when it is restored.
func TestSignedAddressesOfTheTrash(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	until := h.now().Add(time.Hour)
	put := func(area, suffix string) string {
		key, err := blob.NewKey(area, suffix)
		require.NoError(t, err)
		_, err = h.blobs.Put(t.Context(), key, strings.NewReader("bytes"))
		require.NoError(t, err)

		return key
	}

	own, shared, saved, music, unused := h.source(values.SourceStatusReady), h.source(values.SourceStatusReady),
		h.source(values.SourceStatusReady), h.source(values.SourceStatusReady), h.source(values.SourceStatusReady)
	v := testkit.NewVideo(t, h.store, h.member, testkit.VideoOpts{Source: own, Camera: shared})
	testkit.NewVideo(t, h.store, h.member, testkit.VideoOpts{Source: shared})

	extracts := map[string]*ent.Extract{}
	extract := func(subject string) *ent.Extract {
		made := &ent.Extract{ID: ids.New(ids.Extract), WorkspaceID: h.member.WorkspaceID, SubjectID: subject, Files: []values.ExtractFile{
			{Name: "still.jpg", BlobKey: put("stills", ".jpg")},
		}}
		extracts[made.ID] = made

		return made
	}
	h.server.Still = func(_ context.Context, id string) (*ent.Extract, error) { return extracts[id], nil }
	h.server.Thumbnail = func(context.Context, string, string) (values.ExtractFile, error) {
		return values.ExtractFile{Name: "small.jpg", BlobKey: put("stills", ".jpg")}, nil
	}

	var film *ent.Export

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		for _, src := range []*ent.Source{own, shared, saved, music, unused} {
			c.Source.UpdateOneID(src.ID).SetBlobKey(put("sources", "")).SetProbe([]byte(`{"format":"mov"}`)).ExecX(ctx)
		}

		c.Clip.Create().SetVideo(v).SetScreenSource(saved).SetName("Clip 2").SetPosition(1).SetRecordingMs(1).SetDurationMs(1).
			SetCuts(values.Cuts{}).SetBackground(values.DefaultBackground()).SetHasMicrophone(false).SetHasSystemAudio(false).ExecX(ctx)
		c.LibraryItem.Create().SetUserID(h.member.UserID).SetSource(saved).SetScope(values.LibraryScopePrivate).
			SetType(values.LibraryTypeVideo).SetName("Saved").ExecX(ctx)
		c.Video.UpdateOneID(v.ID).SetThumbnailKey(put("thumbnails", ".jpg")).
			SetBackgroundMusic(&values.BackgroundMusic{SourceID: music.ID, Name: "Song"}).ExecX(ctx)

		film = c.Export.Create().SetVideo(v).SetUserID(h.member.UserID).SetGranularity(values.GranularityStory).
			SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).
			SetPlan([]byte("{}")).SetPlanHash("").SetBlobKey(put("exports", ".mp4")).SetStatus(values.ExportStatusCompleted).SaveX(ctx)
	})

	stops := map[string]string{
		"a download": h.book.Download(film.ID, until), "a film": h.book.Watch(film.ID, until),
		"a thumbnail": h.book.Still(v.ID, "old", "small", "gif", until), "a chosen thumbnail": h.book.Still(v.ID, "old", "small", "jpg", until),
		"a picture":   h.book.Extract(extract(v.ID).ID, "still.jpg", false, until),
		"a recording": h.book.Media(own.ID, until), "a recording to save": h.book.SavedMedia(own.ID, until), "music": h.book.Media(music.ID, until),
		"a picture of a recording": h.book.Extract(extract(own.ID).ID, "still.jpg", false, until),
	}
	stays := map[string]string{
		"a recording of another video, too": h.book.Media(shared.ID, until), "a recording in the library, too": h.book.Media(saved.ID, until),
		"a recording that nothing uses": h.book.Media(unused.ID, until),
		"a picture of another video's":  h.book.Extract(extract(shared.ID).ID, "still.jpg", false, until),
	}

	expect := func(status int, addresses map[string]string) {
		t.Helper()

		for what, url := range addresses {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got, body, _ := send(t, method, url, nil)
				require.Equal(t, status, got, "%s %s: %s", method, what, body)
			}
		}
	}

	for range 2 { // trashed and restored twice
		expect(http.StatusOK, stops)
		expect(http.StatusOK, stays)

		h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) { c.Video.UpdateOneID(v.ID).SetTrashedAt(h.now()).ExecX(ctx) })
		expect(http.StatusNotFound, stops)
		expect(http.StatusOK, stays)

		h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) { c.Video.UpdateOneID(v.ID).ClearTrashedAt().ExecX(ctx) })
	}
}
