package upload_test

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// bounded limits the bytes that a workspace may store.
func (h *harbour) bounded(bytes int64) {
	h.made.Uploads.Workspace = bytes
	h.server.Intake.Limits.Workspace = bytes
}

// The limit of a workspace holds for every kind of upload and any number of connections.
func TestWorkspaceBytes(t *testing.T) {
	t.Parallel()

	const room = 1000

	h := newHarbour(t)
	h.bounded(room)
	h.server.Intake.Wait = 0

	// Announced bytes are reserved, and given back if they do not come.
	status, answer, declared := h.creates(h.member, "", "Upload-Length", "600")
	require.Equal(t, http.StatusCreated, status, answer)

	status, answer, _ = h.creates(h.member, "", "Upload-Length", "401")
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Contains(t, answer, "REELGRAPH_WORKSPACE_BYTES")

	status, answer, rest := h.creates(h.member, "", "Upload-Length", "400")
	require.Equal(t, http.StatusCreated, status, answer)

	h.member.Do(t, h.store, func(ctx context.Context, c *ent.Client) {
		c.Source.DeleteOneID(rest.Get("Reelgraph-Source-Id")).ExecX(ctx)
	})

	// A PUT or PATCH with a Content-Length is refused as a whole; without one, a PATCH keeps what fits.
	src := h.source(values.SourceStatusPending)
	at := h.book.Upload(src.ID, h.now().Add(time.Hour))

	status, _, _ = send(t, http.MethodPut, at, strings.NewReader(strings.Repeat("x", 401)))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)

	status, _, _ = send(t, http.MethodPut, at, endless(strings.Repeat("x", 401)))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Empty(t, h.files(), "a refused PUT leaves nothing")

	status, _, _ = patch(t, at, 0, strings.NewReader(strings.Repeat("x", 401)))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)

	n, _ := offset(t, at)
	require.Zero(t, n)

	status, answer, _ = patch(t, at, 0, endless(strings.Repeat("x", 399)))
	require.Equal(t, http.StatusNoContent, status, answer)

	status, _, _ = patch(t, at, 399, endless("yz"))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)

	n, _ = offset(t, at)
	require.EqualValues(t, 400, n, "the bytes that fit are kept")

	status, answer, _ = patch(t, declared.Get("Location"), 0, strings.NewReader(strings.Repeat("x", 600)))
	require.Equal(t, http.StatusNoContent, status, "the room was reserved: %s", answer)

	// Another workspace has its own limit.
	stranger := testkit.NewMember(t, h.store, testkit.MemberOpts{})
	status, answer, _ = h.creates(stranger, "", "Upload-Length", "1000")
	require.Equal(t, http.StatusCreated, status, answer)
}

// endless is a body without a known length.
func endless(s string) *struct{ *strings.Reader } {
	return &struct{ *strings.Reader }{strings.NewReader(s)}
}

// Many concurrent uploads on two nodes never store more than the limit, and can use all of it.
func TestWorkspaceBytesAreExactAcrossNodes(t *testing.T) {
	t.Parallel()

	const room, each, asked = 1000, 100, 30

	one := newHarbour(t)
	two := openHarbour(t, one.place)
	two.member = one.member

	for _, h := range []*harbour{one, two} {
		h.bounded(room + each/2)
	}

	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		taken = map[int]int{}
	)

	for i := range asked {
		h := []*harbour{one, two}[i%2]

		all.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.book.BaseURL+"/uploads", http.NoBody)
			if err != nil {
				return
			}

			r.Header = http.Header{"Tus-Resumable": {"1.0.0"}, "Authorization": {"Bearer " + h.member.Key}}
			if i%3 == 0 { // as a PATCH to a source without a declared length
				src := h.source(values.SourceStatusPending)
				at := h.book.Upload(src.ID, h.now().Add(time.Hour))

				r, err = http.NewRequestWithContext(t.Context(), http.MethodPatch, at, endless(strings.Repeat("x", each)))
				if err != nil {
					return
				}

				r.Header = http.Header{
					"Tus-Resumable": {"1.0.0"}, "Upload-Offset": {"0"}, "Content-Type": {"application/offset+octet-stream"},
				}
			} else {
				r.Header.Set("Upload-Length", strconv.Itoa(each))
			}

			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				return
			}
			defer answer.Body.Close()

			mu.Lock()
			defer mu.Unlock()

			taken[answer.StatusCode/100]++
		})
	}

	all.Wait()
	require.Equal(t, asked, taken[2]+taken[4], "%v", taken)

	var stored int
	require.NoError(t, one.store.DB.QueryRow(`SELECT sum(greatest(bytes, upload_offset, reserved_bytes)) FROM sources`).Scan(&stored))
	require.LessOrEqual(t, stored, room+each/2, "%v", taken)

	// A stream of unknown length reserves more than it needs while it arrives, so concurrent uploads may be refused.
	// Afterwards all of that room is available again.
	for left := room + each/2 - stored; left >= each; left -= each {
		status, answer, _ := one.creates(one.member, "", "Upload-Length", strconv.Itoa(each))
		require.Equal(t, http.StatusCreated, status, answer)
	}

	status, answer, _ := two.creates(one.member, "", "Upload-Length", strconv.Itoa(each))
	require.Equal(t, http.StatusRequestEntityTooLarge, status, answer)
}

// Uploads stop when only the reserve for the database is free, say so, and continue when there is more space.
func TestUploadsLeaveTheReserve(t *testing.T) {
	t.Parallel()

	const reserve = 4 << 20

	h := newHarbour(t)

	var free int64 = reserve + 512<<10

	h.blobs.Keep(blob.Limit{Reserve: reserve, Free: func(string) (int64, error) { return free - h.bytes(), nil }})

	src := h.source(values.SourceStatusPending)
	at := h.book.Upload(src.ID, h.now().Add(time.Hour))

	status, answer, _ := patch(t, at, 0, bytes.NewReader(make([]byte, 400<<10)))
	require.Equal(t, http.StatusNoContent, status, answer)

	status, answer, got := patch(t, at, 400<<10, bytes.NewReader(make([]byte, 400<<10)))
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, answer, "4 MiB are reserved")
	require.NotNil(t, got)

	n, _ := offset(t, at)
	require.GreaterOrEqual(t, n, int64(400<<10), "accepted bytes stay")
	require.LessOrEqual(t, n, int64(512<<10))

	status, _, _ = send(t, http.MethodPut, h.book.Upload(h.source(values.SourceStatusPending).ID, h.now().Add(time.Hour)),
		bytes.NewReader(make([]byte, 200<<10)))
	require.Equal(t, http.StatusServiceUnavailable, status)

	free = reserve
	status, _, _ = h.creates(h.member, "", "Upload-Length", "1")
	require.Equal(t, http.StatusServiceUnavailable, status)

	free = reserve + 2<<20
	status, answer, _ = patch(t, at, n, bytes.NewReader(make([]byte, 400<<10)))
	require.Equal(t, http.StatusNoContent, status, answer)
}
