package upload_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// creates sends the creation request of tus with the key of a member.
func (h *harbour) creates(who testkit.Member, body string, header ...string) (status int, answer string, got http.Header) {
	h.Helper()

	return send(h.T, http.MethodPost, h.book.BaseURL+"/uploads", strings.NewReader(body),
		append([]string{"Tus-Resumable", "1.0.0", "Authorization", "Bearer " + who.Key}, header...)...)
}

// metadata encodes pairs as tus does.
func metadata(pairs ...string) string {
	var all []string

	for i := 0; i < len(pairs); i += 2 {
		all = append(all, pairs[i]+" "+base64.StdEncoding.EncodeToString([]byte(pairs[i+1])))
	}

	return strings.Join(all, ",")
}

// idOf returns the id of the source or part at an address.
func idOf(t *testing.T, address string) string {
	t.Helper()

	at, err := url.Parse(address)
	require.NoError(t, err)

	return strings.TrimPrefix(at.Path, "/uploads/")
}

// A client that knows only tus can create a source and describe it in metadata.
func TestTusCreation(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	long := strings.Repeat("画", 300) + ".mp4"

	for name, c := range map[string]struct {
		metadata string
		want     func(*ent.Source)
	}{
		"nothing": {"", func(s *ent.Source) {
			require.Equal(t, values.SourceKindVideo, s.Kind)
			require.Equal(t, values.SourceRoleScreen, *s.Role)
			require.Empty(t, s.Name)
		}},
		"what uppy sends of a picture": {
			metadata("relativePath", "null", "name", "a b.png", "type", "image/png", "filetype", "image/png", "filename", "a b.png"),
			func(s *ent.Source) {
				require.Equal(t, values.SourceKindImage, s.Kind)
				require.Equal(t, "a b.png", s.Name)
				require.Equal(t, "image/png", s.ContentType)
			},
		},
		"sound": {metadata("filetype", "audio/mpeg"), func(s *ent.Source) { require.Equal(t, values.SourceKindAudio, s.Kind) }},
		"a camera": {metadata("filetype", "video/webm", "role", "camera", "streaming", "true") + ",empty", func(s *ent.Source) {
			require.Equal(t, values.SourceRoleCamera, *s.Role)
			require.Equal(t, values.SourceAudioMicrophone, *s.Audio)
			require.True(t, s.Streaming)
		}},
		"a kind that is not what the type says": {metadata("filetype", "video/mp4", "kind", "audio"), func(s *ent.Source) {
			require.Equal(t, values.SourceKindAudio, s.Kind)
		}},
		"a long name": {metadata("filename", long), func(s *ent.Source) {
			require.Equal(t, strings.Repeat("画", 251)+".mp4", s.Name)
		}},
	} {
		header := []string{"Upload-Length", "7"}
		if c.metadata != "" {
			header = append(header, "Upload-Metadata", c.metadata)
		}

		status, answer, got := h.creates(h.member, "", header...)
		require.Equal(t, http.StatusCreated, status, "%s: %s", name, answer)
		require.Equal(t, "1.0.0", got.Get("Tus-Resumable"))
		require.Equal(t, idOf(t, got.Get("Location")), got.Get("Reelgraph-Source-Id"))
		require.NotEmpty(t, got.Get("Upload-Expires"))
		require.NotEmpty(t, got.Get("X-RateLimit-Remaining"), "it costs one request")

		at, seen := offset(t, got.Get("Location"))
		require.Zero(t, at)
		require.Equal(t, "7", seen.Get("Upload-Length"))

		src := h.read(got.Get("Reelgraph-Source-Id"))
		require.Equal(t, h.member.UserID, *src.UserID)
		c.want(src)
	}
}

// The creation request may contain the first bytes, or all of them.
func TestTusCreationWithUpload(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	sent := []string{"Content-Type", "application/offset+octet-stream"}

	status, answer, got := h.creates(h.member, "first, ", append(sent, "Upload-Length", "13")...)
	require.Equal(t, http.StatusCreated, status, answer)
	require.Equal(t, "7", got.Get("Upload-Offset"))

	go h.probe(got.Get("Reelgraph-Source-Id"))

	status, answer, _ = patch(t, got.Get("Location"), 7, strings.NewReader("second"))
	require.Equal(t, http.StatusNoContent, status, answer)
	require.Equal(t, values.SourceStatusReady, h.read(got.Get("Reelgraph-Source-Id")).Status, "it is answered after the probe")

	status, answer, got = h.creates(h.member, "so far", append(sent, "Upload-Defer-Length", "1")...)
	require.Equal(t, http.StatusCreated, status, answer)
	require.Equal(t, "6", got.Get("Upload-Offset"))

	_, seen := offset(t, got.Get("Location"))
	require.Equal(t, "1", seen.Get("Upload-Defer-Length"))
	require.Equal(t, "so far", string(h.grown(h.read(got.Get("Reelgraph-Source-Id")))))

	h.server.Intake.Wait = 0 // sources without bytes are not probed

	for _, header := range [][]string{{"Upload-Length", "0"}, append(sent, "Upload-Length", "0")} {
		status, answer, got = h.creates(h.member, "", header...)
		require.Equal(t, http.StatusCreated, status, answer)
		require.Equal(t, "0", got.Get("Upload-Offset"))
		require.Equal(t, values.SourceStatusProcessing, h.read(got.Get("Reelgraph-Source-Id")).Status, "the upload is complete")

		_, err := h.blobs.Settle(t.Context(), h.read(got.Get("Reelgraph-Source-Id")).BlobKey)
		require.NoError(t, err, "an empty upload has an empty file")
	}
}

func TestTusCreationRefuses(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	viewer := testkit.NewMember(t, h.store, testkit.MemberOpts{WorkspaceID: h.member.WorkspaceID, Role: auth.RoleViewer})

	for name, c := range map[string]struct {
		who    testkit.Member
		body   string
		header []string
		status int
		says   string
	}{
		"no key":               {testkit.Member{}, "", []string{"Upload-Length", "1"}, 401, "API key"},
		"a viewer":             {viewer, "", []string{"Upload-Length", "1"}, 403, "viewer"},
		"another version":      {h.member, "", []string{"Upload-Length", "1", "Tus-Resumable", "0.2.2"}, 412, "1.0.0"},
		"no length":            {h.member, "", nil, 400, "Upload-Length is missing"},
		"two lengths":          {h.member, "", []string{"Upload-Length", "1", "Upload-Defer-Length", "1"}, 400, "cannot be used together"},
		"a deferred two":       {h.member, "", []string{"Upload-Defer-Length", "2"}, 400, "must be 1"},
		"no number":            {h.member, "", []string{"Upload-Length", "1e3"}, 400, "whole number"},
		"too long":             {h.member, "", []string{"Upload-Length", strconv.Itoa(uploadMax + 1)}, 413, strconv.Itoa(uploadMax)},
		"more than announced":  {h.member, "four", []string{"Upload-Length", "3", "Content-Type", "application/offset+octet-stream"}, 413, "3 bytes"},
		"another body":         {h.member, "{}", []string{"Upload-Length", "2", "Content-Type", "application/json"}, 415, "offset+octet-stream"},
		"no Base64":            {h.member, "", []string{"Upload-Length", "1", "Upload-Metadata", "filename a%b"}, 400, "Base64"},
		"twice":                {h.member, "", []string{"Upload-Length", "1", "Upload-Metadata", "a YQ==,a YQ=="}, 400, "twice"},
		"an unknown kind":      {h.member, "", []string{"Upload-Length", "1", "Upload-Metadata", metadata("kind", "film")}, 400, "video, audio, image, mouse"},
		"an unknown role":      {h.member, "", []string{"Upload-Length", "1", "Upload-Metadata", metadata("role", "desk")}, 400, "screen, camera"},
		"streaming maybe":      {h.member, "", []string{"Upload-Length", "1", "Upload-Metadata", metadata("streaming", "yes")}, 400, "true, false"},
		"an unknown concat":    {h.member, "", []string{"Upload-Length", "1", "Upload-Concat", "whole"}, 400, "partial"},
		"parts of nothing":     {h.member, "", []string{"Upload-Concat", "final;"}, 400, "1 to 100"},
		"parts with bytes":     {h.member, "x", []string{"Upload-Concat", "final;" + h.book.Upload("su_x", h.now().Add(time.Hour))}, 400, "must not have a body"},
		"a part of nowhere":    {h.member, "", []string{"Upload-Concat", "final;" + h.book.Upload("su_x", h.now().Add(time.Hour))}, 404, "part 1"},
		"an unsigned part":     {h.member, "", []string{"Upload-Concat", "final;/uploads/su_x"}, 403, "signature"},
		"a part for reading":   {h.member, "", []string{"Upload-Concat", "final;" + h.book.Media("su_x", h.now().Add(time.Hour))}, 403, "signature"},
		"an address that none": {h.member, "", []string{"Upload-Concat", "final;http://[::1"}, 400, "part 1"},
	} {
		status, answer, _ := h.creates(c.who, c.body, c.header...)
		require.Equal(t, c.status, status, "%s: %s", name, answer)
		require.Contains(t, answer, c.says, name)
	}

	var made int
	require.NoError(t, h.store.DB.QueryRow(`SELECT count(*) FROM sources`).Scan(&made))
	require.Zero(t, made, "refused requests leave nothing")

	for _, at := range []string{"/uploads", "/uploads/", "/uploads/su_x"} {
		status, _, got := send(t, http.MethodOptions, h.book.BaseURL+at, nil)
		require.Equal(t, http.StatusNoContent, status)
		require.Equal(t, "creation,creation-with-upload,creation-defer-length,concatenation,expiration", got.Get("Tus-Extension"))
		require.Equal(t, "1.0.0", got.Get("Tus-Version"))
		require.Equal(t, strconv.Itoa(uploadMax), got.Get("Tus-Max-Size"))
		require.Empty(t, got.Get("X-RateLimit-Remaining"), "it costs nothing")
	}

	for method, status := range map[string]int{http.MethodGet: 405, http.MethodPatch: 405, http.MethodDelete: 405} {
		got, _, header := send(t, method, h.book.BaseURL+"/uploads", nil)
		require.Equal(t, status, got)
		require.Equal(t, "POST, OPTIONS", header.Get("Allow"))
	}

	status, _, _ := send(t, http.MethodPost, h.book.BaseURL+"/uploads", nil, "X-HTTP-Method-Override", "PATCH", "Authorization", "Bearer "+h.member.Key)
	require.Equal(t, http.StatusPreconditionFailed, status, "the method cannot be overridden at creation")
}

// part uploads a part for a member.
func (h *harbour) part(who testkit.Member, content string) (address string) {
	h.Helper()

	status, answer, got := h.creates(who, "", "Upload-Length", strconv.Itoa(len(content)), "Upload-Concat", "partial")
	require.Equal(h.T, http.StatusCreated, status, answer)
	require.Empty(h.T, got.Get("Reelgraph-Source-Id"), "a part is not a source")

	status, answer, _ = patch(h.T, got.Get("Location"), 0, strings.NewReader(content))
	require.Equal(h.T, http.StatusNoContent, status, answer)

	at, seen := offset(h.T, got.Get("Location"))
	require.EqualValues(h.T, len(content), at)
	require.Equal(h.T, "partial", seen.Get("Upload-Concat"))

	return got.Get("Location")
}

// joins creates an upload from parts.
func (h *harbour) joins(who testkit.Member, parts ...string) (status int, answer string, got http.Header) {
	h.Helper()

	return h.creates(who, "", "Upload-Concat", "final;"+strings.Join(parts, " "), "Upload-Metadata", metadata("filename", "whole.webm"))
}

// Parts that were uploaded in parallel become one source, whose bytes are stored once. The request may be repeated.
func TestTusConcatenation(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	first, second, third := h.part(h.member, "first, "), h.part(h.member, "second, "), h.part(h.member, "third")

	relative, err := url.Parse(second)
	require.NoError(t, err)

	var id string

	for range 2 {
		status, answer, got := h.joins(h.member, first, relative.RequestURI(), third)
		require.Equal(t, http.StatusCreated, status, answer)

		if id != "" {
			require.Equal(t, id, got.Get("Reelgraph-Source-Id"))
		}

		id = got.Get("Reelgraph-Source-Id")

		at, seen := offset(t, got.Get("Location"))
		require.EqualValues(t, 20, at)
		require.Equal(t, "20", seen.Get("Upload-Length"))
		require.True(t, strings.HasPrefix(seen.Get("Upload-Concat"), "final;/uploads/"), seen.Get("Upload-Concat"))

		status, _, _ = patch(t, got.Get("Location"), 20, strings.NewReader("more"))
		require.Equal(t, http.StatusConflict, status)
	}

	src := h.read(id)
	require.Equal(t, values.SourceStatusProcessing, src.Status)
	require.Equal(t, "whole.webm", src.Name)
	require.Len(t, src.Parts, 3)

	parts := make([]blob.Part, len(src.Parts))
	for i, part := range src.Parts {
		parts[i] = blob.Part{Key: part.BlobKey, Size: part.Bytes}
	}

	_, err = h.blobs.Join(t.Context(), src.BlobKey, parts) // as the probe does
	require.NoError(t, err)

	o, err := h.blobs.Open(t.Context(), src.BlobKey)
	require.NoError(t, err)

	var content bytes.Buffer

	_, err = content.ReadFrom(o.Content)
	require.NoError(t, err)
	require.NoError(t, o.Content.Close())
	require.Equal(t, "first, second, third", content.String())
	require.Len(t, h.files(), 1, "the bytes are stored once")

	// Parts that are used already, belong to another user or are incomplete are refused.
	other := testkit.NewMember(t, h.store, testkit.MemberOpts{WorkspaceID: h.member.WorkspaceID})
	theirs, fresh := h.part(other, "theirs"), h.part(h.member, "fresh")

	_, _, begun := h.creates(h.member, "", "Upload-Length", "9", "Upload-Concat", "partial")
	_, _, whole := h.creates(h.member, "", "Upload-Length", "9")

	for name, c := range map[string]struct {
		status int
		parts  []string
	}{
		"a part of another upload": {409, []string{fresh, first}},
		"fewer than before":        {409, []string{first, relative.String()}},
		"in another order":         {409, []string{third, second, first}},
		"another member's":         {404, []string{fresh, theirs}},
		"one that still arrives":   {409, []string{fresh, begun.Get("Location")}},
		"one that is no part":      {404, []string{fresh, whole.Get("Location")}},
		"one twice":                {400, []string{fresh, fresh}},
	} {
		status, answer, _ := h.joins(h.member, c.parts...)
		require.Equal(t, c.status, status, "%s: %s", name, answer)
	}

	status, _, _ := send(t, http.MethodHead, first, nil, "Tus-Resumable", "1.0.0")
	require.Equal(t, http.StatusNotFound, status, "a joined part is gone")

	status, _, _ = send(t, http.MethodPut, fresh, strings.NewReader("x"))
	require.Equal(t, http.StatusBadRequest, status)
}

// bytes returns the size of all files of the harbour.
func (h *harbour) bytes() (all int64) {
	h.Helper()

	for _, file := range h.files() {
		if info, err := os.Stat(file); err == nil { // otherwise it was removed meanwhile
			all += info.Size()
		}
	}

	return all
}

// A PATCH reopens an interrupted recording exactly where it ended.
func TestInterruptedRecordingResumes(t *testing.T) {
	t.Parallel()

	h := newHarbour(t)
	h.server.Intake.Wait = 0
	src := h.recording("first, ")
	desk := h.server.Intake
	ctx := auth.AsSystem(context.Background())

	require.NoError(t, desk.Interrupt(ctx, src, 7))
	h.settled(src.ID)

	at := h.book.Upload(src.ID, h.now().Add(time.Hour))
	n, seen := offset(t, at)
	require.EqualValues(t, 7, n)
	require.Equal(t, "1", seen.Get("Upload-Defer-Length"))
	require.True(t, desk.Interrupted(h.read(src.ID)))

	for _, wrong := range []int64{0, 6, 8} {
		status, _, _ := patch(t, at, wrong, strings.NewReader("x"))
		require.Equal(t, http.StatusConflict, status)
		require.Equal(t, values.SourceStatusReady, h.read(src.ID).Status, "a piece at another offset does not reopen it")
	}

	status, _, _ := send(t, http.MethodPut, at, strings.NewReader("all of it"))
	require.Equal(t, http.StatusConflict, status)

	status, answer, _ := patch(t, at, 7, strings.NewReader("second"))
	require.Equal(t, http.StatusNoContent, status, answer)

	now := h.read(src.ID)
	require.Equal(t, values.SourceStatusUploading, now.Status)
	require.False(t, desk.Interrupted(now))
	require.NotEqual(t, now.BlobKey, now.GrowingKey)
	require.Equal(t, "first, ", h.content(now.BlobKey)[:7], "readers of the old file can continue")

	n, _ = offset(t, at)
	require.EqualValues(t, 13, n)

	status, answer, _ = patch(t, at, 13, strings.NewReader("!"), "Upload-Length", "14")
	require.Equal(t, http.StatusNoContent, status, answer)
	h.settled(src.ID)

	now = h.read(src.ID)
	require.Equal(t, "first, second!", h.content(now.BlobKey))
	require.Empty(t, now.GrowingKey)
	require.Nil(t, now.InterruptedAt)
	require.EqualValues(t, 14, now.Bytes)

	status, _, _ = patch(t, at, 14, strings.NewReader("x"))
	require.Equal(t, http.StatusConflict, status, "the upload is complete now")

	// Thirty days have passed.
	late := h.recording("late")
	require.NoError(t, desk.Interrupt(ctx, late, 4))
	h.settled(late.ID)

	h.late.Store(int64(upload.ResumableFor + time.Minute))
	status, _, _ = patch(t, h.book.Upload(late.ID, h.now().Add(time.Hour)), 4, strings.NewReader("x"))
	require.Equal(t, http.StatusConflict, status)
	require.False(t, desk.Interrupted(h.read(late.ID)))
}

// recording creates a streaming source with some bytes.
func (h *harbour) recording(content string) *ent.Source {
	h.Helper()

	var src *ent.Source

	h.member.Do(h.T, h.store, func(ctx context.Context, c *ent.Client) {
		src = c.Source.Create().SetUserID(h.member.UserID).SetKind(values.SourceKindVideo).SetStreaming(true).
			SetUploadExpiresAt(h.now().Add(time.Hour)).SaveX(ctx)
	})

	status, answer, _ := patch(h.T, h.book.Upload(src.ID, h.now().Add(time.Hour)), 0, strings.NewReader(content))
	require.Equal(h.T, http.StatusNoContent, status, answer)

	return h.read(src.ID)
}

// settled does what the probe would do.
func (h *harbour) settled(id string) {
	h.Helper()

	src := h.read(id)
	require.Equal(h.T, values.SourceStatusProcessing, src.Status)

	_, err := h.blobs.Settle(h.Context(), src.BlobKey)
	require.NoError(h.T, err)

	h.member.Do(h.T, h.store, func(ctx context.Context, c *ent.Client) {
		c.Source.Update().Where(source.ID(id)).SetStatus(values.SourceStatusReady).ExecX(ctx)
	})
}

func (h *harbour) content(key string) string {
	h.Helper()

	o, err := h.blobs.Open(h.Context(), key)
	require.NoError(h.T, err)

	defer o.Content.Close()

	var content bytes.Buffer

	_, err = content.ReadFrom(o.Content)
	require.NoError(h.T, err)

	return content.String()
}
