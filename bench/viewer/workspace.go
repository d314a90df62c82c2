package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	many    = 10_000 // videos of the workspace
	seconds = 100    // of its film, so that a slice of the retention is one second
)

// furnish creates a video with everything that a page shows, a playlist, and the other videos, which are copies.
func (b *bench) furnish(ctx context.Context) error {
	source, err := b.record(ctx)
	if err != nil {
		return err
	}

	var made struct {
		Video struct {
			ID      string
			ClipIDs []string
		}
	}

	wanted := fmt.Sprintf(`{"sourceId":%q,"name":"How a reel finds its viewers"}`, source)
	if err := b.call(ctx, http.MethodPost, "/v1/videos", wanted, &made); err != nil {
		return err
	}

	b.video = made.Video.ID
	path, clip := "/v1/videos/"+b.video, made.Video.ClipIDs[0]

	err = errors.Join(
		b.call(ctx, http.MethodPut, path+"/chapters", `{"chapters":[{"timestampSeconds":0,"title":"A beginning"},
			{"timestampSeconds":10,"title":"Seen twice"},{"timestampSeconds":50,"title":"The middle of it"}]}`, nil),
		b.call(ctx, http.MethodPatch, path, `{"description":"What happens between a recording and the people who watch it.",
			"searchEngineIndexingEnabled":true,"downloadsEnabled":true}`, nil),
		b.exec(ctx, `UPDATE clips SET transcript_status = 'ready', transcript_language = 'en', transcript_error = '' WHERE id = $1`, clip),
		b.exec(ctx, `INSERT INTO words (id, created_at, workspace_id, clip_id, position, text, start_ms, end_ms)
			SELECT 'wd_' || lpad(n::text, 26, '0'), now(), workspace_id, id, n, CASE n % 12 WHEN 11 THEN 'watches.' ELSE 'word' || n END,
				n * 400, n * 400 + 350
			FROM clips, generate_series(0, 240) n WHERE id = $1`, clip),
		b.exec(ctx, `INSERT INTO comments (id, created_at, workspace_id, video_id, author, body, at_ms)
			SELECT 'cmt_' || lpad(n::text, 26, '0'), now(), workspace_id, id, 'Ada', 'Well said, and worth a second look.', n * 9000
			FROM videos, generate_series(1, 3) n WHERE id = $1`, b.video),
	)
	if err != nil {
		return err
	}

	if err := b.export(ctx, path); err != nil {
		return err
	}

	if err := b.copies(ctx); err != nil {
		return err
	}

	return b.list(ctx)
}

// record uploads a film with a tone.
func (b *bench) record(ctx context.Context) (source string, err error) {
	path := filepath.Join(b.folder, "film.mp4")

	out, err := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-nostdin",
		"-f", "lavfi", "-i", "gradients=size=1280x720:rate=10:c0=0x3b2fbf:c1=0xf2a65a:c2=0x2a9d8f:n=3:speed=0.02:seed=7",
		"-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000", "-t", fmt.Sprint(seconds), "-c:v", "libx264", "-preset", "ultrafast",
		"-g", "10", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", path).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("make a film: %w: %s", err, out)
	}

	film, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the film: %w", err)
	}

	var made struct{ SourceID, UploadURL string }
	if err := b.call(ctx, http.MethodPost, "/v1/sources", `{"name":"recording.mp4"}`, &made); err != nil {
		return "", err
	}

	return made.SourceID, b.call(ctx, http.MethodPut, made.UploadURL, string(film), nil)
}

// export waits for an export of the video, which its page then plays.
func (b *bench) export(ctx context.Context, path string) error {
	var ordered struct{ Export struct{ ExportID string } }
	if err := b.call(ctx, http.MethodPost, path+"/exports", "", &ordered); err != nil {
		return err
	}

	return until(ctx, 20*time.Minute, func() (bool, error) {
		var now struct{ Export struct{ Status string } }

		err := b.call(ctx, http.MethodGet, path+"/exports/"+ordered.Export.ExportID, "", &now)
		if err == nil && now.Export.Status == "failed" {
			err = errors.New("the export failed")
		}

		return now.Export.Status == "completed", err
	})
}

// copiesSQL copies the rows of the video for many others. All columns are copied except the named ones.
var copiesSQL = []string{
	copySQL("videos", "id", `'id', 'vid_' || n`),
	copySQL("clips", "video_id", `'id', 'cl_' || n, 'video_id', 'vid_' || n`),
	copySQL("chapters", "video_id", `'id', 'ch_' || row_number() OVER () || 'x' || n, 'clip_id', 'cl_' || n, 'video_id', 'vid_' || n`),
	copySQL("comments", "video_id", `'id', 'cmt_' || row_number() OVER () || 'x' || n, 'video_id', 'vid_' || n`),
	copySQL("exports", "video_id", `'id', 'exp_' || n, 'video_id', 'vid_' || n`),
}

func copySQL(table, key, changed string) string {
	//nolint:unqueryvet // a copy needs every column
	return fmt.Sprintf(`INSERT INTO %[1]s SELECT made.* FROM (
		SELECT row, jsonb_build_object(%[3]s) AS changed
		FROM %[1]s row, LATERAL (SELECT lpad(i::text, 26, '0') AS n FROM generate_series(1, $2::int) i) numbers WHERE %[2]s = $1
	) copied, LATERAL jsonb_populate_record(copied.row, copied.changed) made`, table, key, changed)
}

func (b *bench) copies(ctx context.Context) error {
	for _, statement := range copiesSQL {
		if err := b.exec(ctx, statement, b.video, many); err != nil {
			return err
		}
	}

	return b.exec(ctx, "VACUUM ANALYZE")
}

// list creates a playlist of the video and some others.
func (b *bench) list(ctx context.Context) error {
	var made struct{ Playlist struct{ ID string } }
	if err := b.call(ctx, http.MethodPost, "/v1/playlists", `{"name":"First steps","emoji":"🎬","visibility":"org"}`, &made); err != nil {
		return err
	}

	b.playlist = made.Playlist.ID
	path := "/v1/playlists/" + b.playlist

	err := b.call(ctx, http.MethodPatch, path, `{"description":"To begin with.","searchEngineIndexingEnabled":true}`, nil)

	for i := range 8 {
		id := b.video
		if i > 0 {
			id = other(i)
		}

		err = errors.Join(err, b.call(ctx, http.MethodPost, path+"/videos", fmt.Sprintf(`{"videoId":%q}`, id), nil))
	}

	return err
}

// other returns the id of the n-th copy, from 1.
func other(n int) string { return fmt.Sprintf("vid_%026d", n) }

func (b *bench) exec(ctx context.Context, statement string, args ...any) error {
	if _, err := b.db.ExecContext(ctx, statement, args...); err != nil {
		return fmt.Errorf("%.80s: %w", strings.TrimSpace(statement), err)
	}

	return nil
}

// call sends an API request and decodes the answer into out, unless out is nil.
func (b *bench) call(ctx context.Context, method, path, body string, out any) error {
	if strings.HasPrefix(path, "/") {
		path = "http://" + b.product.Addr + path
	}

	r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}

	if strings.Contains(path, "/v1/") {
		r.Header.Set("Authorization", "Bearer "+b.product.Key)
		r.Header.Set("Content-Type", "application/json")
	}

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // the body has been read

	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}

	if answer.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s returned %d: %.500s", method, r.URL.Path, answer.StatusCode, said)
	}

	if out == nil {
		return nil
	}

	if err := json.Unmarshal(said, out); err != nil {
		return fmt.Errorf("read the answer of %s: %w", r.URL.Path, err)
	}

	return nil
}

// until waits until a condition holds.
func until(ctx context.Context, patience time.Duration, is func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()

	for {
		if so, err := is(); so || err != nil {
			return err
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("wait: %w", ctx.Err())
		case <-again.C:
		}
	}
}
