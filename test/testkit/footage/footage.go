// Package footage makes media in which every frame and every sound encodes its own time, and reads these times from
// media. It calls FFmpeg directly and shares no code with the code under test. Start with Counter and Indices.
package footage

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A grid of blocks, each black or white, encodes a number in a frame: sixteen bits of the number and four check bits. A
// block is large enough to survive scaling and lossy encoding.
const (
	columns = 5
	rows    = 4
	bits    = 16
	// MaxFrames is the maximum number of frames of a Counter.
	MaxFrames = 1 << bits
)

// Film describes a recording to make. The comment of each field gives its default.
type Film struct {
	Width, Height int // default 160×90
	// FPS over FPSDen is the frame rate, by default 30 over 1.
	FPS, FPSDen int
	// Frames is the number of frames, by default 10 s of them.
	Frames int
	// Keep reports which frames exist. A missing frame is replaced by showing the one before longer. Nil keeps all.
	Keep func(frame int) bool
	// EventsMs are the times of a flash and a click, each at the beginning of a frame. Used by ClickAndFlash.
	EventsMs []int64
	// Tone adds a steady sound of that frequency in Hz to a Counter.
	Tone int
	// SoundMs is the length of the sound, by default that of the picture.
	SoundMs int64
	// Encoder holds arguments that replace the picture's encoder.
	Encoder []string
	// Sound holds arguments that replace the sound's encoder.
	Sound []string
	// Filter is applied to the picture after scaling.
	Filter string
}

func (f Film) withDefaults() Film {
	f.Width, f.Height = or(f.Width, 160), or(f.Height, 90)
	f.FPS, f.FPSDen = or(f.FPS, 30), or(f.FPSDen, 1)
	f.Frames = or(f.Frames, 10*f.FPS/f.FPSDen)
	f.SoundMs = or(f.SoundMs, int64(f.Frames)*1000*int64(f.FPSDen)/int64(f.FPS))

	if f.Encoder == nil {
		f.Encoder = []string{
			"-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-g", strconv.Itoa(2 * f.FPS / f.FPSDen), "-threads", "1",
		}
	}

	if f.Sound == nil {
		f.Sound = []string{"-c:a", "aac", "-b:a", "96k"}
	}

	return f
}

func or[T int | int64](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}

	return v
}

// Counter makes a film in which frame n shows the number n, in a form that Indices reads. The file extension selects
// the container.
func Counter(ctx context.Context, path string, f Film) error {
	if f.Sound == nil { // re-encoding a steady tone of fewer bits takes FFmpeg three times as long
		f.Sound = []string{"-c:a", "aac", "-b:a", "160k"}
	}

	f = f.withDefaults()
	if f.Frames > MaxFrames {
		return fmt.Errorf("a counter has at most %d frames", MaxFrames)
	}

	return f.film(ctx, path, columns, rows, blocks, f.tone())
}

// ClickAndFlash makes a black, silent film. At each time of EventsMs one frame is white, and a click of three
// milliseconds is heard.
func ClickAndFlash(ctx context.Context, path string, f Film) error {
	f = f.withDefaults()
	white := map[int]bool{}

	for _, ms := range f.EventsMs {
		n, at := int(ms)*f.FPS/(1000*f.FPSDen), int(ms)*f.FPS%(1000*f.FPSDen)
		if at != 0 {
			return fmt.Errorf("no frame begins at %d ms", ms)
		}

		white[n] = true
	}

	sound := fmt.Sprintf("aevalsrc=exprs='%s':s=48000:c=mono:d=%s", clicks(f.EventsMs), seconds(f.SoundMs))

	return f.film(ctx, path, 2, 2, func(n int, luma []byte) {
		for i := range luma {
			luma[i] = 16
			if white[n] {
				luma[i] = 235
			}
		}
	}, sound)
}

// clicks returns an expression for bursts of 3 kHz that begin at full strength.
func clicks(eventsMs []int64) string {
	var terms []string
	for _, ms := range eventsMs {
		terms = append(terms, fmt.Sprintf("gte(t,%s)*lt(t,%s)", seconds(ms), seconds(ms+3)))
	}

	if terms == nil {
		return "0"
	}

	return "0.8*cos(2*PI*3000*t)*(" + strings.Join(terms, "+") + ")"
}

func (f Film) tone() string {
	if f.Tone == 0 {
		return ""
	}

	return fmt.Sprintf("sine=frequency=%d:sample_rate=48000:duration=%s", f.Tone, seconds(f.SoundMs))
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

// blocks draws a number and its check bits into the grid.
func blocks(n int, luma []byte) {
	word := n<<4 | check(n)

	for i := range luma {
		luma[i] = 40
		if word>>(columns*rows-1-i)&1 == 1 {
			luma[i] = 210
		}
	}
}

// check combines the four nibbles of a number so that any single wrong block is noticed.
func check(n int) int { return (n ^ n>>4*3 ^ n>>8*5 ^ n>>12*7 ^ 9) & 15 }

// film feeds one tiny gray picture for each frame to FFmpeg, which enlarges it. The pictures have chroma planes,
// because versions of FFmpeg disagree on the range of a picture without them.
func (f Film) film(ctx context.Context, path string, w, h int, paint func(n int, luma []byte), sound string) error {
	rate := fmt.Sprintf("%d/%d", f.FPS, f.FPSDen)
	chain := fmt.Sprintf("scale=%d:%d:flags=neighbor:in_range=tv:out_range=tv,format=yuv420p", f.Width, f.Height)

	if f.Keep != nil {
		chain = "select='" + f.selection() + "'," + chain
	}

	if f.Filter != "" {
		chain += "," + f.Filter
	}

	args := []string{
		"-hide_banner", "-loglevel", "error", "-y", "-filter_threads", "1",
		"-f", "rawvideo", "-pix_fmt", "yuv444p", "-video_size", fmt.Sprintf("%dx%d", w, h), "-framerate", rate, "-i", "pipe:0",
	}
	if sound != "" {
		args = append(args, "-f", "lavfi", "-i", sound)
	}

	args = append(args, "-map", "0:v", "-vf", chain, "-fps_mode", "passthrough")
	if sound != "" {
		args = append(args, "-map", "1:a")
		args = append(args, f.Sound...)
	}

	args = append(append(args, f.Encoder...), path)

	picture := append(make([]byte, w*h), bytes.Repeat([]byte{128}, 2*w*h)...)

	return FFmpeg(ctx, &pictures{frames: f.Frames, paint: paint, picture: picture, luma: picture[:w*h]}, nil, args...)
}

// selection returns an expression that is true for the kept frames.
func (f Film) selection() string {
	var terms []string

	for n := 0; n < f.Frames; n++ {
		if !f.Keep(n) {
			continue
		}

		first := n
		for n+1 < f.Frames && f.Keep(n+1) {
			n++
		}

		terms = append(terms, fmt.Sprintf(`between(n\,%d\,%d)`, first, n))
	}

	return strings.Join(terms, "+")
}

// pictures is a reader of raw frames, which are painted when read.
type pictures struct {
	frames, next int
	paint        func(int, []byte)
	picture      []byte
	luma         []byte // the luma plane
	left         []byte
}

func (p *pictures) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		if p.next == p.frames {
			return 0, io.EOF
		}

		p.paint(p.next, p.luma)
		p.left = p.picture
		p.next++
	}

	n := copy(b, p.left)
	p.left = p.left[n:]

	return n, nil
}

// FFmpeg runs FFmpeg with the encoders that tests use. If it fails, the returned error contains FFmpeg's error
// output.
func FFmpeg(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	return program(ctx, "ffmpeg", in, out, args...)
}

func program(ctx context.Context, name string, in io.Reader, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)

	var said bytes.Buffer

	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &said

	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, said.String())
	}

	return nil
}
