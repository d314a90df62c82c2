package clients_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/test/testkit/browser"
)

// world is a real server with a few videos, the file they were made from, and what clients need to run.
type world struct {
	api, key string
	file     string    // a recording of 3 seconds, 640 by 360
	videos   [2]string // one for each check that renames
	node     string
	runs     int // number of script runs so far

	chromium *browser.Page
	pages    *httptest.Server // pages of clients, at an origin that the server allows
	values   chan []byte      // what the pages have read
}

// recording is the file's name, followed by its properties.
const recording, width, height, seconds = "recording.mp4", 640, 360, 3.0

// newWorld starts the server and fills it, using only programs: reelgraph, ffmpeg and curl.
func newWorld(t *testing.T) *world {
	t.Helper()

	w := &world{file: filepath.Join(t.TempDir(), recording), node: "test/conformance/node_modules/.bin/node"}

	for _, path := range []string{w.node, "clients/node_modules/installed"} {
		_, err := os.Stat(path)
		require.NoError(t, err, "the npm packages are missing: sh scripts/install.sh clients")
	}

	var err error

	w.node, err = filepath.Abs(w.node)
	require.NoError(t, err)

	w.servePages(t)

	server, err := measure.Serve(t.Context(), t.TempDir(), "REELGRAPH_CORS_ORIGINS="+w.pages.URL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })

	w.api, w.key = "http://"+server.Addr, server.Key

	output(t, ".", "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
		fmt.Sprintf("testsrc2=size=%dx%d:rate=30:duration=%v", width, height, seconds),
		"-f", "lavfi", "-i", fmt.Sprintf("sine=frequency=440:duration=%v", seconds), "-pix_fmt", "yuv420p", w.file)

	source := w.ask(t, "/v1/sources", `{"name":"`+recording+`"}`)
	curl(t, "-T", w.file, source["uploadUrl"].(string))

	for i := range 5 { // the last two are renamed
		made := w.ask(t, "/v1/videos", fmt.Sprintf(`{"sourceId":%q,"name":"Film %d"}`, source["sourceId"], i+1))
		w.videos[i%2] = made["video"].(map[string]any)["id"].(string)
	}

	return w
}

// ask sends a request with curl, a POST if there is a body, and returns the answer.
func (w *world) ask(t *testing.T, path, body string) map[string]any {
	t.Helper()

	args := []string{"-H", "Authorization: Bearer " + w.key, w.api + path}
	if body != "" {
		args = append(args, "-H", "Content-Type: application/json", "-d", body)
	}

	return object(t, curl(t, args...))
}

// curl runs curl and fails the test if curl fails.
func curl(t *testing.T, args ...string) []byte {
	t.Helper()

	return output(t, ".", "curl", append([]string{"-sS", "--fail-with-body"}, args...)...)
}

// list returns all videos as curl reads them, page by page.
func (w *world) list(t *testing.T) []any {
	t.Helper()

	all := []any{}

	for after := ""; ; {
		page := w.ask(t, "/v1/videos?limit=2"+after, "")

		for _, v := range page["videos"].([]any) {
			all = append(all, only(v, "id", "name"))
		}

		pagination := page["pagination"].(map[string]any)
		if pagination["hasMore"] == false {
			return all
		}

		after = "&cursor=" + url.QueryEscape(pagination["nextCursor"].(string))
	}
}

// video returns a video as curl reads it.
func (w *world) video(t *testing.T, i int, fields ...string) map[string]any {
	t.Helper()

	return only(w.ask(t, "/v1/videos/"+w.videos[i], "")["video"], fields...)
}

// kept checks that a source is the file: the properties the server found, and the bytes that curl downloads.
func (w *world) kept(t *testing.T, id string) map[string]any {
	t.Helper()

	file, err := os.ReadFile(w.file)
	require.NoError(t, err)

	source := w.ask(t, "/v1/sources/"+id, "")["source"].(map[string]any)
	require.Equal(t, map[string]any{
		"id": id, "name": recording, "status": "ready", "bytes": float64(len(file)), "kind": "video", "hasAudio": true,
		"durationSeconds": seconds, "width": float64(width), "height": float64(height),
	}, only(source, "id", "name", "status", "bytes", "kind", "hasAudio", "durationSeconds", "width", "height"))

	item := w.ask(t, "/v1/library", fmt.Sprintf(`{"sourceId":%q,"type":"video"}`, id))["item"].(map[string]any)
	bytes := curl(t, item["url"].(string))
	require.Equal(t, sum(file), sum(bytes), "the downloaded bytes differ from the uploaded ones")

	return source
}

func sum(b []byte) string {
	s := sha256.Sum256(b)

	return hex.EncodeToString(s[:])
}

// only returns an object with only the given fields.
func only(value any, fields ...string) map[string]any {
	some := map[string]any{}

	for _, name := range fields {
		if v, ok := value.(map[string]any)[name]; ok {
			some[name] = v
		}
	}

	return some
}

func object(t *testing.T, text []byte) (o map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &o), "%s", text)

	return o
}

// output runs a program in a folder and returns its output.
func output(t *testing.T, folder, program string, args ...string) []byte {
	t.Helper()

	return outputWith(t, nil, folder, program, args...)
}

// outputWith is output with settings in the environment.
func outputWith(t *testing.T, settings []string, folder, program string, args ...string) []byte {
	t.Helper()

	var said bytes.Buffer

	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = folder
	cmd.Env = append(cmd.Environ(), append(settings, "NO_COLOR=1")...)
	cmd.Stderr = &said

	out, err := cmd.Output()
	require.NoError(t, err, "%s %s:\n%s%s", program, strings.Join(args, " "), &said, out)

	return out
}
