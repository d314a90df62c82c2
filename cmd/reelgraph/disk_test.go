//go:build disk

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// TestFullDisk fills the disk of a server with uploads, as far as the server allows, and checks that it continues to work:
// make disk. It mounts a disk of its own, for which it needs root.
func TestFullDisk(t *testing.T) {
	const (
		disk    = 320 << 20
		reserve = 96 << 20
		piece   = 16 << 20
		edits   = 300
	)

	root := t.TempDir()
	require.NoError(t, unix.Mount("tmpfs", root, "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", disk)))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(root, unix.MNT_DETACH)) })

	s := newHost(t)
	s.env["REELGRAPH_DATA"], s.env["REELGRAPH_DISK_RESERVE"] = filepath.Join(root, "data"), "96MiB"

	_, stop := s.start()
	s.newOwner()

	var video struct{ Video struct{ ID string } }
	s.call("POST", "/v1/videos", `{"sourceId":"`+s.upload(footage.Film{Frames: 60})+`","dimensions":{"width":1920,"height":216}}`, &video)

	free := func() int64 {
		free, err := encode.FreeBytes(root)
		require.NoError(t, err)

		return free
	}
	t.Logf("%d MiB free before", free()>>20)

	ask := func(method, at string, body io.Reader, header ...string) (int, string, http.Header) {
		r, err := http.NewRequestWithContext(t.Context(), method, at, body)
		require.NoError(t, err)
		r.Header.Set("Tus-Resumable", "1.0.0")

		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}

		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()

		content, err := io.ReadAll(answer.Body)
		require.NoError(t, err)

		return answer.StatusCode, string(content), answer.Header
	}

	status, said, made := ask(http.MethodPost, s.base+"/uploads", nil, "Upload-Length", strconv.Itoa(300<<20), "Authorization", "Bearer "+s.key)
	require.Equal(t, http.StatusCreated, status, said)

	offset := int64(0)

	for status = http.StatusNoContent; status == http.StatusNoContent; {
		status, said, _ = ask(http.MethodPatch, made.Get("Location"), bytes.NewReader(make([]byte, piece)),
			"Upload-Offset", strconv.FormatInt(offset, 10), "Content-Type", "application/offset+octet-stream")

		_, _, seen := ask(http.MethodHead, made.Get("Location"), nil)
		at, err := strconv.ParseInt(seen.Get("Upload-Offset"), 10, 64)
		require.NoError(t, err)
		require.GreaterOrEqual(t, at, offset, "accepted bytes stay")

		offset = at
	}

	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, said, "96 MiB are reserved")
	require.GreaterOrEqual(t, offset, int64(100_000_000))
	t.Logf("%d bytes accepted, %d MiB free then: %s", offset, free()>>20, said)

	status, said, _ = ask(http.MethodPost, s.base+"/uploads", nil, "Upload-Length", "1", "Authorization", "Bearer "+s.key)
	require.Equal(t, http.StatusServiceUnavailable, status, said)

	for i := range edits {
		s.call("PATCH", "/v1/videos/"+video.Video.ID, fmt.Sprintf(`{"name":"Name %d"}`, i), &struct{}{})
	}

	t.Logf("%d of %d edits, %d MiB free", edits, edits, free()>>20)

	began := time.Now()
	require.NoError(t, stop())
	_, stop = s.start()
	t.Logf("restarted in %s", time.Since(began).Round(time.Millisecond))

	end := func() (status, code string) {
		var export struct {
			Export struct {
				ExportID string
				Status   string
				Error    struct{ Code string }
			}
		}

		s.call("POST", "/v1/videos/"+video.Video.ID+"/exports", "", &export)
		at := "/v1/videos/" + video.Video.ID + "/exports/" + export.Export.ExportID

		require.Eventually(t, func() bool {
			s.call("GET", at, "", &export)

			return export.Export.Status != "pending" && export.Export.Status != "processing"
		}, time.Minute, 20*time.Millisecond)

		return export.Export.Status, export.Export.Error.Code
	}

	began = time.Now()
	state, code := end()
	require.Equal(t, []string{"failed", "no_space"}, []string{state, code})
	require.Less(t, time.Since(began), 10*time.Second)
	t.Logf("no_space after %s", time.Since(began).Round(time.Millisecond))

	// Space is free again.
	s.call("DELETE", "/v1/sources/"+made.Get("Reelgraph-Source-Id"), "", &struct{}{})
	require.Eventually(t, func() bool { return free() > reserve+100_000_000 }, time.Minute, 20*time.Millisecond)

	state, _ = end()
	require.Equal(t, "completed", state)
	require.NoError(t, stop())
}
