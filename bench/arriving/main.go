// Command arriving uploads a one-minute recording as fast as a recorder would produce it: one second of video every
// second. Two goals are checked. Five seconds after the first byte, the storyboard must be available and must show the
// part that has arrived. Three seconds after the upload ends, the source must be ready. Run the command from the root
// of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

func main() { os.Exit(measure.Run("arriving", run)) }

const (
	seconds = 60
	lookAt  = 5 * time.Second // after the first byte
	soon    = 3 * time.Second
)

// bench is the product as shipped.
type bench struct {
	addr, key string
}

func run(ctx context.Context) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/arriving")

	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	fragments, err := record(ctx, folder)
	if err != nil {
		return err
	}

	product, err := measure.Serve(ctx, folder, "REELGRAPH_WORKERS=media=2,webhook=2")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, product.Stop()) }()

	b := &bench{addr: product.Addr, key: product.Key}

	text, err := b.feed(ctx, fragments)
	if err != nil {
		return err
	}

	return measure.Publish("Recording in progress", began+"\n"+text, "")
}

// record makes a fragmented recording and splits it into fragments of one second. The first contains the header.
func record(ctx context.Context, folder string) ([][]byte, error) {
	path := filepath.Join(folder, "recording.mp4")

	out, err := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-loglevel", "error", "-y",
		"-f", "lavfi", "-i", fmt.Sprintf("testsrc2=size=1280x720:rate=30:duration=%d", seconds),
		"-f", "lavfi", "-i", fmt.Sprintf("sine=frequency=330:duration=%d", seconds),
		"-c:v", "libx264", "-preset", "ultrafast", "-g", "30", "-pix_fmt", "yuv420p", "-c:a", "aac",
		"-movflags", "frag_keyframe+empty_moov+default_base_moof", path).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("ffmpeg: %w: %s", err, out)
	}

	all, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}

	var fragments [][]byte

	for begun, at := 0, 0; at < len(all); {
		size := int(uint32(all[at])<<24 | uint32(all[at+1])<<16 | uint32(all[at+2])<<8 | uint32(all[at+3]))
		kind := string(all[at+4 : at+8])
		at += size

		if kind == "mdat" || at == len(all) {
			fragments = append(fragments, all[begun:at])
			begun = at
		}
	}

	return fragments, nil
}

// feed sends one fragment each second, and checks what has arrived from the fifth second on.
func (b *bench) feed(ctx context.Context, fragments [][]byte) (string, error) {
	var made struct{ SourceID, UploadURL string }
	if err := b.read(ctx, http.MethodPost, "/v1/sources", `{"streaming":true,"name":"live.mp4"}`, &made); err != nil {
		return "", err
	}

	source := "/v1/sources/" + made.SourceID
	began := time.Now()
	looked := make(chan error, 1)

	var readable, covered time.Duration

	go func() {
		if err := wait(ctx, began.Add(lookAt)); err != nil {
			looked <- err

			return
		}

		var board struct {
			IntervalMs int64 `json:"intervalMs"`
		}

		err := b.read(ctx, http.MethodGet, source+"/storyboard?response=json", "", &board)
		readable, covered = time.Since(began)-lookAt, time.Duration(board.IntervalMs*16)*time.Millisecond

		looked <- err
	}()

	offset := 0

	for i, f := range fragments {
		if err := wait(ctx, began.Add(time.Duration(i)*time.Second)); err != nil {
			return "", err
		}

		_, err := b.ask(ctx, http.MethodPatch, made.UploadURL, bytes.NewReader(f), "Tus-Resumable", "1.0.0",
			"Content-Type", "application/offset+octet-stream", "Upload-Offset", strconv.Itoa(offset))
		if err != nil {
			return "", err
		}

		offset += len(f)
	}

	if err := <-looked; err != nil {
		return "", fmt.Errorf("look while it arrives: %w", err)
	}

	ended := time.Now()

	var said struct {
		Source struct {
			Status          string
			DurationSeconds float64 `json:"durationSeconds"`
		}
	}

	for path, method := source+"/complete", http.MethodPost; said.Source.Status != "ready"; path, method = source, http.MethodGet {
		if err := b.read(ctx, method, path, "", &said); err != nil {
			return "", err
		}

		if said.Source.Status == "failed" || time.Since(ended) > time.Minute {
			return "", fmt.Errorf("the source is %s", said.Source.Status)
		}
	}

	took, long := time.Since(ended), said.Source.DurationSeconds
	if whole := float64(len(fragments)); long < whole-1 || long > whole+1 {
		return "", fmt.Errorf("the source is %.1f s long; %.0f s were sent", long, whole)
	}

	return fmt.Sprintf("%d fragments of a second, %.1f MiB, sent in real time.\n\n"+
		"| | figure | goal |\n| --- | --- | --- |\n"+
		"| storyboard requested %.0f s after the first byte, answered after | **%.2f s** | |\n"+
		"| recording time it covers | **%.1f s** | ≥ 3 s, %s |\n"+
		"| completion until the source is ready with its %.1f s | **%.2f s** | ≤ %.0f s, %s |\n",
		len(fragments), float64(offset)/(1<<20), lookAt.Seconds(), readable.Seconds(),
		covered.Seconds(), measure.Verdict(covered >= 3*time.Second), long, took.Seconds(), soon.Seconds(),
		measure.Verdict(took <= soon)), nil
}

// wait waits until a time or until the context ends.
func wait(ctx context.Context, until time.Time) error {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()

	select {
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", ctx.Err())
	case <-timer.C:
		return nil
	}
}

func (b *bench) ask(ctx context.Context, method, at string, body io.Reader, header ...string) ([]byte, error) {
	if strings.HasPrefix(at, "/") {
		at = "http://" + b.addr + at
	}

	r, err := http.NewRequestWithContext(ctx, method, at, body)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}

	if strings.Contains(at, "/v1/") {
		r.Header.Set("Authorization", "Bearer "+b.key)
		r.Header.Set("Content-Type", "application/json")
	}

	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	defer resp.Body.Close() //nolint:errcheck // the body has been read

	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s returned %d: %.500s", method, r.URL.Path, resp.StatusCode, text)
	}

	return text, err
}

func (b *bench) read(ctx context.Context, method, path, body string, into any) error {
	text, err := b.ask(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return err
	}

	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read the answer of %s: %w", path, err)
	}

	return nil
}
