package upload_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestDownload(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	key, err := blob.NewKey("exports", ".mp4")
	require.NoError(t, err)
	_, err = h.blobs.Put(t.Context(), key, strings.NewReader("0123456789"))
	require.NoError(t, err)

	var exp *ent.Export

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		v := c.Video.Create().SetUserID(h.member.UserID).SetWorkspaceID(h.member.WorkspaceID).SetName(`Größe "1"/2`).
			SetWidth(2).SetHeight(2).SetSettings(values.DefaultVideoSettings()).SetEditing(values.DefaultEditing()).SaveX(ctx)
		exp = c.Export.Create().SetVideo(v).SetWorkspaceID(h.member.WorkspaceID).SetUserID(h.member.UserID).
			SetGranularity(values.GranularityStory).SetResolution(values.ResolutionP1080).SetFps(values.FPS30).
			SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).SetPlan([]byte("{}")).SetPlanHash("").
			SetBlobKey(key).SaveX(ctx)
	})
	url := h.book.Download(exp.ID, h.now().Add(time.Hour))

	status, _, _ := send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusNotFound, status, "not while it is being made")

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		c.Export.UpdateOneID(exp.ID).SetStatus(values.ExportStatusCompleted).ExecX(ctx)
	})

	status, answer, header := send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "0123456789", answer)
	require.Equal(t, "video/mp4", header.Get("Content-Type"))
	require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
	require.Equal(t, `attachment; filename="Gr__e -1--2.mp4"; filename*=utf-8''Gr%C3%B6%C3%9Fe%20-1--2.mp4`, header.Get("Content-Disposition"))

	status, answer, header = send(t, http.MethodGet, url, nil, "Range", "bytes=2-4")
	require.Equal(t, http.StatusPartialContent, status)
	require.Equal(t, "234", answer)
	require.Equal(t, "bytes 2-4/10", header.Get("Content-Range"))

	for _, beyond := range []string{"bytes=10-12", "bytes=-0", "bytes=99999999999999999999-"} {
		status, answer, header = send(t, http.MethodGet, url, nil, "Range", beyond)
		require.Equal(t, http.StatusRequestedRangeNotSatisfiable, status, beyond)
		require.Equal(t, "bytes */10", header.Get("Content-Range"))
		require.Empty(t, header.Get("Content-Disposition"))
		require.Empty(t, header.Get("ETag"))
		require.Equal(t, "bad_request: The range lies outside the file. Content-Range gives the length of the file.\n", answer)

		status, _, header = send(t, http.MethodHead, url, nil, "Range", beyond) // has no ranges
		require.Equal(t, http.StatusOK, status, beyond)
		require.Equal(t, "10", header.Get("Content-Length"))
	}

	for asked, want := range map[string]int{
		"items=0-5": http.StatusOK, "bytes=5-2": http.StatusOK, "bytes=x": http.StatusOK,
		"bytes=0-9999999999999999999": http.StatusPartialContent, "bytes=-9999999999999999999": http.StatusPartialContent,
	} {
		status, answer, header = send(t, http.MethodGet, url, nil, "Range", asked)
		require.Equal(t, want, status, asked)
		require.Equal(t, "0123456789", answer, asked)
		require.Equal(t, want == http.StatusPartialContent, header.Get("Content-Range") == "bytes 0-9/10", asked)
	}

	status, answer, header = send(t, http.MethodHead, url, nil)
	require.Equal(t, http.StatusOK, status)
	require.Empty(t, answer)
	require.Equal(t, "10", header.Get("Content-Length"))

	status, _, _ = send(t, http.MethodGet, h.book.Download(exp.ID, h.now().Add(-time.Second)), nil)
	require.Equal(t, http.StatusForbidden, status)
	status, _, _ = send(t, http.MethodPut, url, nil)
	require.Equal(t, http.StatusMethodNotAllowed, status)

	back := h.away()
	status, _, _ = send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusServiceUnavailable, status, "the file is not lost")
	back()

	require.NoError(t, h.blobs.Delete(t.Context(), key))
	status, _, _ = send(t, http.MethodGet, url, nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestMediaIsWhatTheProbeFound(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	key, err := blob.NewKey("sources", "")
	require.NoError(t, err)
	_, err = h.blobs.Put(t.Context(), key, strings.NewReader("<script>alert(1)</script>"))
	require.NoError(t, err)

	src := h.source(values.SourceStatusReady)
	url := h.book.Media(src.ID, h.now().Add(time.Hour))

	for probe, kind := range map[string]string{
		`{"format":"mov"}`:  "video/mp4",
		`{"format":"html"}`: "application/octet-stream",
	} {
		h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
			c.Source.UpdateOneID(src.ID).SetBlobKey(key).SetContentType("text/html").SetProbe([]byte(probe)).ExecX(ctx)
		})

		status, _, header := send(t, http.MethodGet, url, nil)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, kind, header.Get("Content-Type"))
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Contains(t, header.Get("Content-Security-Policy"), "sandbox")
	}

	status, _, _ := send(t, http.MethodGet, h.book.Media(h.source(values.SourceStatusPending).ID, h.now().Add(time.Hour)), nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestStillsAreShown(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	key, err := blob.NewKey("stills", ".jpg")
	require.NoError(t, err)
	_, err = h.blobs.Put(t.Context(), key, strings.NewReader("a picture"))
	require.NoError(t, err)

	file := values.ExtractFile{Name: "small.jpg", BlobKey: key, Bytes: 9}
	v := testkit.NewVideo(t, h.store, h.member, testkit.VideoOpts{})
	h.server.Thumbnail = func(ctx context.Context, videoID, name string) (values.ExtractFile, error) {
		who, _ := auth.From(ctx)
		require.Equal(t, h.member.WorkspaceID, who.WorkspaceID)
		require.Equal(t, v.ID+" small.jpg", videoID+" "+name)

		return file, nil
	}

	made := &ent.Extract{ID: "ext_1", Files: []values.ExtractFile{file, {Name: "silences.json", BlobKey: key}}}
	h.server.Still = func(_ context.Context, id string) (*ent.Extract, error) {
		if id != made.ID {
			return nil, fault.NotFound("file")
		}

		return made, nil
	}

	until := h.now().Add(time.Hour)
	saved := h.book.Extract(made.ID, "small.jpg", true, until)
	shown := h.book.Still(v.ID, listing.ThumbnailVersion(v), "small", "jpg", until)

	for _, url := range []string{shown, h.book.Still(v.ID, "old", "small", "jpg", until), saved} {
		status, body, header := send(t, http.MethodGet, url, nil)
		require.Equal(t, http.StatusOK, status, body)
		require.Equal(t, "image/jpeg", header.Get("Content-Type"))
		require.Equal(t, "a picture", body)
		require.Equal(t, url == saved, header.Get("Content-Disposition") != "")

		// An old address shows the present picture, so it must be asked for again.
		kept := map[bool]string{true: "private, max-age=3600", false: "private, no-cache"}
		require.Equal(t, kept[url == saved || url == shown], header.Get("Cache-Control"), url)

		status, _, _ = send(t, http.MethodGet, url, nil, "If-None-Match", header.Get("ETag"))
		require.Equal(t, http.StatusNotModified, status)

		status, _, _ = send(t, http.MethodGet, strings.Replace(url, "small", "large", 1), nil)
		require.Equal(t, http.StatusForbidden, status)
	}

	for _, url := range []string{
		h.book.Extract(made.ID, "silences.json", false, until), h.book.Extract(made.ID, "large.jpg", false, until),
		h.book.Extract("st_1", "small.jpg", false, until), h.book.Still("vid_1", "3", "small", "jpg", until),
	} {
		status, _, _ := send(t, http.MethodGet, url, nil)
		require.Equal(t, http.StatusNotFound, status, url)
	}
}

func TestAvatarsAreShown(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	key, err := blob.NewKey("stills", ".jpg")
	require.NoError(t, err)
	_, err = h.blobs.Put(t.Context(), key, strings.NewReader("a face"))
	require.NoError(t, err)

	image := h.source(values.SourceStatusReady)
	h.server.Avatar = func(ctx context.Context, of *ent.Source) (values.ExtractFile, error) {
		who, _ := auth.From(ctx)
		require.Equal(t, [2]string{h.member.WorkspaceID, image.ID}, [2]string{who.WorkspaceID, of.ID})

		return values.ExtractFile{Name: "thumbnail.jpg", BlobKey: key, Bytes: 6}, nil
	}

	var person *ent.User

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		person = c.User.UpdateOneID(h.member.UserID).SetAvatarSourceID(image.ID).SaveX(ctx)
	})

	until := h.now().Add(time.Hour)
	at := h.book.Still(person.ID, listing.AvatarVersion(person), "avatar", "jpg", until)

	for url, kept := range map[string]string{
		at: "private, max-age=3600", h.book.Still(person.ID, "old", "avatar", "jpg", until): "private, no-cache",
	} {
		status, body, header := send(t, http.MethodGet, url, nil)
		require.Equal(t, http.StatusOK, status, body)
		require.Equal(t, []string{"a face", "image/jpeg", kept}, []string{body, header.Get("Content-Type"), header.Get("Cache-Control")})
	}

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) { c.User.UpdateOne(person).ClearAvatarSourceID().ExecX(ctx) })

	for _, url := range []string{at, h.book.Still("usr_none", "1", "avatar", "jpg", until)} {
		status, _, _ := send(t, http.MethodGet, url, nil)
		require.Equal(t, http.StatusNotFound, status)
	}
}
