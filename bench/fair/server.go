package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/lib/pq" // the driver

	"github.com/reelgraph/reelgraph/bench/measure"
)

// quick is the number of workspaces with quick jobs.
const quick = 9

// hearingTakes is the time the speech service takes for each piece.
const hearingTakes = 3 * time.Second

// bench is a server with ten workspaces, the slow one last.
type bench struct {
	product *measure.Product
	db      *sql.DB
	folder  string
	speech  *httptest.Server
	deaf    atomic.Bool  // makes the speech service answer immediately
	asked   atomic.Int64 // time of the service's first request for the long recording
	tenants []*tenant
}

// tenant is a workspace with a recording and a video of it.
type tenant struct {
	b              *bench
	key, workspace string
	source, video  string
	film           []byte        // its recording
	probed         []byte        // what it uploads repeatedly
	looks          time.Duration // interval of checks whether an upload is ready
	asked          atomic.Int64
}

func open(ctx context.Context, folder string) (*bench, error) {
	b := &bench{folder: folder}
	b.speech = httptest.NewServer(http.HandlerFunc(b.hear))
	b.deaf.Store(true)

	var err error

	b.product, err = measure.Serve(ctx, folder, "REELGRAPH_SPEECH=openai+"+b.speech.URL+"/v1", "REELGRAPH_PLAN=premium")
	if err != nil {
		b.speech.Close()

		return nil, err
	}

	if b.db, err = sql.Open("postgres", b.product.DSN); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), b.close())
	}

	if err := b.settle(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}

	return b, nil
}

func (b *bench) close() error {
	var err error
	if b.db != nil {
		err = b.db.Close()
	}

	err = errors.Join(err, b.product.Stop())
	b.speech.Close()

	return err
}

// hear is the speech service: it returns one word after a while.
func (b *bench) hear(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)

	if !b.deaf.Load() {
		b.asked.CompareAndSwap(0, time.Now().UnixNano())

		select {
		case <-time.After(hearingTakes):
		case <-r.Context().Done():
		}
	}

	_, _ = io.WriteString(w, `{"language":"english","text":"well","words":[{"word":"well","start":0.1,"end":0.5}]}`)
}

// settle creates the workspaces with their recordings.
func (b *bench) settle(ctx context.Context) error {
	films := map[string][]byte{}

	for name, seconds := range map[string]int{"quick": 20, "slow": 600, "still": 3600} {
		film, err := make360p(ctx, b.folder, name, seconds)
		if err != nil {
			return err
		}

		films[name] = film
	}

	for i := range quick + 1 {
		t := &tenant{b: b, film: films["quick"], probed: films["quick"], looks: 20 * time.Millisecond}
		if i == quick {
			t.film, t.probed, t.looks = films["slow"], films["still"], 250*time.Millisecond
		}

		name := fmt.Sprintf("bench %d", i)
		cmd := exec.CommandContext(ctx, filepath.Join(b.folder, "reelgraph"), "keys", "create", "--user", fmt.Sprintf("bench%d@example.com", i),
			"--workspace", name, "--plan", "premium")
		cmd.Env = append(cmd.Environ(), "REELGRAPH_DATA="+filepath.Join(b.folder, "data"), "REELGRAPH_WORKSPACES=100")

		out, err := cmd.Output()
		if err != nil {
			if said, ok := errors.AsType[*exec.ExitError](err); ok {
				err = fmt.Errorf("%w: %s", err, said.Stderr)
			}

			return fmt.Errorf("make workspace %s: %w", name, err)
		}

		t.key = strings.TrimSpace(string(out))
		b.tenants = append(b.tenants, t)

		if err := b.db.QueryRowContext(ctx, "SELECT id FROM workspaces WHERE name = $1", name).Scan(&t.workspace); err != nil {
			return fmt.Errorf("find workspace %s: %w", name, err)
		}

		if t.source, err = t.upload(ctx, t.film); err != nil {
			return err
		}

		if t.video, err = t.makeVideo(ctx); err != nil {
			return err
		}
	}

	// A new server generates its catalog first.
	return b.until(ctx, `EXISTS (SELECT FROM river_job WHERE kind = 'stock' AND state = 'completed')`)
}

// until waits until a condition holds in the database.
func (b *bench) until(ctx context.Context, condition string, args ...any) error {
	for {
		var holds bool

		if err := b.db.QueryRowContext(ctx, "SELECT "+condition, args...).Scan(&holds); err != nil {
			return fmt.Errorf("ask whether %s: %w", condition, err)
		}

		if holds {
			return nil
		}

		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// slow returns the workspace with slow jobs.
func (b *bench) slow() *tenant { return b.tenants[quick] }

// make360p makes a recording with a tone in which everything moves. In a "still" one only every twentieth second moves,
// as in a recording of slides: it has few bytes and many packets.
func make360p(ctx context.Context, folder, name string, seconds int) ([]byte, error) {
	path := filepath.Join(folder, name+".mp4")
	piece := min(seconds, 20)
	moves, held, keys := strconv.Itoa(piece), "null", "60"

	if name == "still" {
		moves, keys, held = "1", "600", "trim=end_frame=1,tpad=stop_mode=clone:stop_duration="+strconv.Itoa(piece)
	}

	// One piece is encoded and repeated.
	out, err := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-y",
		"-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration="+moves,
		"-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000:duration="+strconv.Itoa(piece),
		"-vf", held, "-c:v", "libx264", "-preset", "ultrafast", "-g", keys,
		"-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "16k",
		"-t", strconv.Itoa(piece), path+".mp4").CombinedOutput()
	if err == nil {
		out, err = exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", strconv.Itoa(seconds/piece-1),
			"-i", path+".mp4", "-c", "copy", "-movflags", "+faststart", path).CombinedOutput()
	}

	if err != nil {
		return nil, fmt.Errorf("make a film: %w: %s", err, out)
	}

	film, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a film: %w", err)
	}

	return film, nil
}

// call sends a request for the workspace and decodes the answer. It repeats a request that gets errAgain.
func (t *tenant) call(ctx context.Context, method, path, kind, body string, into any) error {
	for {
		err := t.once(ctx, method, path, kind, body, into)
		if !errors.Is(err, errAgain) {
			return err
		}

		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// errAgain means that a request should be sent again. The server answers so when making a picture takes longer than a
// request may wait.
var errAgain = errors.New("request must be sent again")

func (t *tenant) once(ctx context.Context, method, path, kind, body string, into any) error {
	if !strings.HasPrefix(path, "http") {
		path = "http://" + t.b.product.Addr + path
	}

	r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}

	r.Header.Set("Authorization", "Bearer "+t.key)
	r.Header.Set("Content-Type", kind)

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	defer resp.Body.Close() //nolint:errcheck // the body has been read

	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}

	if resp.StatusCode == http.StatusServiceUnavailable {
		return errAgain
	}

	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s returned %d: %.300s", method, r.URL.Path, resp.StatusCode, answer)
	}

	if into == nil {
		return nil
	}

	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("read an answer of %s: %w", path, err)
	}

	return nil
}

const asJSON = "application/json"

// upload uploads a film and waits until the source is ready.
func (t *tenant) upload(ctx context.Context, film []byte) (id string, err error) {
	var made struct{ SourceID, UploadURL string }
	if err := t.call(ctx, http.MethodPost, "/v1/sources", asJSON, `{"name":"film.mp4"}`, &made); err != nil {
		return "", err
	}

	if err := t.call(ctx, http.MethodPut, made.UploadURL, "video/mp4", string(film), nil); err != nil {
		return "", err
	}

	for {
		var is struct{ Source struct{ Status string } }
		if err := t.call(ctx, http.MethodGet, "/v1/sources/"+made.SourceID, asJSON, "", &is); err != nil {
			return "", err
		}

		if is.Source.Status == "ready" || is.Source.Status == "failed" {
			return made.SourceID, nil
		}

		if err := pause(ctx, t.looks); err != nil {
			return "", err
		}
	}
}

func (t *tenant) makeVideo(ctx context.Context) (id string, err error) {
	var made struct{ Video struct{ ID string } }

	err = t.call(ctx, http.MethodPost, "/v1/videos", asJSON, fmt.Sprintf(`{"sourceId":%q,"name":"film"}`, t.source), &made)

	return made.Video.ID, err
}

// excerpt requests an extract of the video of the maximum length.
func (t *tenant) excerpt(ctx context.Context) error {
	err := t.picture(ctx, 500, "format=mp4&durationMs=30000")
	if err != nil && strings.Contains(err.Error(), "at most 10000") {
		return t.picture(ctx, 500, "format=mp4&durationMs=10000")
	}

	return err
}

// picture requests a still of the video at a new random time within its first seconds.
func (t *tenant) picture(ctx context.Context, seconds int64, query string) error {
	at := t.asked.Add(1) * 137 % (seconds * 1000)

	return t.call(ctx, http.MethodGet, fmt.Sprintf("/v1/videos/%s/thumbnail?inpointMs=%d&%s", t.video, at, query), asJSON, "", nil)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // nothing to add
	}
}
