package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"

	"github.com/reelgraph/reelgraph/internal/engine/probe"
)

const (
	fps    = 30
	spare  = 6 // seconds of the recordings that are cut out
	width  = 1920
	height = 1080
)

// input is a recording as an export's description names it.
type input struct {
	Path    string     `json:"path"`
	Info    probe.Info `json:"info"`
	Content string     `json:"content"`
}

// record makes the recordings, unless they were kept: a busy 1080p screen with a running clock, a screen with a page
// that scrolls by whole pixels beside a window with a film, a calm screen on which little moves, and a 720p camera with
// a voice.
func (l *lab) record(ctx context.Context, seconds int) error {
	index := l.path("recordings.json")

	if kept, err := os.ReadFile(index); err == nil {
		if err := json.Unmarshal(kept, &l.sources); err != nil || l.sources["calm"].Path != "" {
			return err
		}
	}

	long := seconds + spare
	encode := []string{
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-g", "250", "-c:a", "aac", "-b:a", "128k",
	}
	chart := func(size string) []string {
		return []string{"-nostdin", "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=size=%s:rate=%d:duration=%d", size, fps, long)}
	}
	tone := []string{"-f", "lavfi", "-i", fmt.Sprintf("sine=frequency=330:sample_rate=48000:duration=%d,volume=0.2", long)}
	said := "lt(mod(t,1.4),1)*pow(abs(sin(PI*t/0.2)),0.5)*(0.3*sin(2*PI*120*t)+0.2*sin(2*PI*480*t)+0.15*sin(2*PI*1440*t))"
	voice := []string{"-f", "lavfi", "-i", fmt.Sprintf("aevalsrc=exprs='%s':s=16000:c=mono:d=%d", said, long)}

	desk := slices.Concat([]string{
		"-f", "rawvideo", "-pix_fmt", "gray", "-video_size", fmt.Sprintf("%dx%d", width, height), "-framerate", fmt.Sprint(fps), "-i", "pipe:0",
	}, tone, []string{"-vf", "colorize=hue=220:saturation=0.3:lightness=0.5:mix=0.8,format=yuv420p"})

	recordings := map[string][]string{
		"screen": slices.Concat(chart("1920x1080"), tone),
		"page":   desk,
		"calm":   desk,
		"camera": slices.Concat(chart("1280x720"), voice),
	}

	l.sources = map[string]input{}

	for name, args := range recordings {
		if err := os.RemoveAll(l.path(filmOf(name))); err != nil { // made from other recordings
			return err
		}

		path := l.path(name + ".mp4")
		if err := l.ffmpeg(ctx, &desktop{frames: fps * long, calm: name == "calm"}, slices.Concat(args, encode, []string{path})...); err != nil {
			return err
		}

		info, err := probe.File(ctx, l.tools, path, probe.KindVideo)
		if err != nil {
			return fmt.Errorf("probe the %s: %w", name, err)
		}

		l.sources[name] = input{Path: path, Info: info, Content: name}
	}

	known, err := json.Marshal(l.sources)
	if err != nil {
		return fmt.Errorf("describe the recordings: %w", err)
	}

	return os.WriteFile(index, known, 0o600)
}

func (l *lab) ffmpeg(ctx context.Context, in io.Reader, args ...string) error {
	cmd := exec.CommandContext(ctx, l.tools.FFmpeg, append([]string{"-hide_banner", "-loglevel", "error", "-y"}, args...)...)
	cmd.Stdin = in

	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("ffmpeg: %w", err), errors.New(string(out)))
	}

	return nil
}

// desktop is a reader of raw gray frames of a screen in use.
type desktop struct {
	calm         bool // a page stays for five seconds, and there is no film
	frames, next int
	frame, left  []byte
}

func (d *desktop) Read(b []byte) (int, error) {
	if len(d.left) == 0 {
		if d.next == d.frames {
			return 0, io.EOF
		}

		d.paint(d.next)
		d.left = d.frame
		d.next++
	}

	n := copy(b, d.left)
	d.left = d.left[n:]

	return n, nil
}

// paint draws a frame: a sidebar, a page with scrolling lines, a moving window, a clock of blocks.
func (d *desktop) paint(n int) {
	if d.frame == nil {
		d.frame = make([]byte, width*height)
	}

	d.fill(0, 0, width, height, 236)
	d.fill(0, 0, 320, height, 70)

	for i := range 18 {
		d.fill(30, 40+i*56, 120+(i*53)%140, 20, 150)
	}

	// The page scrolls during two of every three seconds.
	scrolled := n/90*240 + min(n%90, 60)*4
	if d.calm {
		scrolled = n / 150 * 900
	}

	for y := -scrolled % 36; y < height; y += 36 {
		line := (y + scrolled) / 36
		for x, word := 380, 0; x < 1840; word++ {
			length := 18 + (line*7919+word*104729)%97
			if (line+word)%23 != 0 {
				d.fill(x, y+10, min(length, 1840-x), 14, byte(40+(line*31+word*17)%90))
			}

			x += length + 12
		}
	}

	across, down := n*5%2200, n*3%1200
	x, y := 420+min(across, 2200-across)*800/1100, 120+min(down, 1200-down)*500/600
	d.fill(x, y, 800, 450, 205)
	d.fill(x, y, 800, 34, 90)

	if !d.calm {
		d.film(x+10, y+44, 780, 396, n)
	}

	for bit := range 16 {
		d.fill(1560+bit*20, 20, 16, 24, byte(30+200*(n>>bit&1)))
	}
}

// film draws a film-like picture: soft shapes with edges that move by parts of a pixel.
func (d *desktop) film(x, y, w, h, n int) {
	across, down := make([]float64, w), make([]float64, h)
	for i := range across {
		across[i] = math.Sin(float64(i)*0.037 + float64(n)*0.061)
	}

	for i := range down {
		down[i] = math.Sin(float64(i)*0.051 - float64(n)*0.043)
	}

	for j, v := range down {
		line := d.frame[(y+j)*width+x:]
		for i, u := range across {
			shape := 6 * (u*v + 0.4*u - 0.3*across[(i*2+j)%w])
			line[i] = byte(128 + 90*min(max(shape, -1), 1) + 20*u)
		}
	}
}

func (d *desktop) fill(x, y, w, h int, luma byte) {
	for row := max(y, 0); row < min(y+h, height); row++ {
		line := d.frame[row*width+max(x, 0) : row*width+min(x+w, width)]
		for i := range line {
			line[i] = luma
		}
	}
}
