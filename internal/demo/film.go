package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// FPS is the frame rate of every film.
const FPS = 30

// A Film is a recording to make. Its pictures are drawn by Draw, which gets the same picture each time, as the frame before
// left it.
type Film struct {
	Width, Height int
	LengthMs      int
	Draw          func(c Frame)
	// Sound is what is heard, as one channel of samples at SoundRate; nil is a film without sound.
	Sound []int16
}

// A Frame is a picture to draw at a time.
type Frame struct {
	canvas

	Ms int
}

// Encode makes the film as a fragmented MP4, as a browser records it.
func (f Film) Encode(ctx context.Context, ffmpeg string) ([]byte, error) {
	args := []string{
		"-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", f.Width, f.Height),
		"-r", strconv.Itoa(FPS), "-i", "pipe:0",
	}

	if f.Sound != nil {
		path, err := f.soundFile()
		if err != nil {
			return nil, err
		}
		defer os.Remove(path) //nolint:errcheck // a temporary file

		args = append(args, "-f", "s16le", "-ar", strconv.Itoa(SoundRate), "-ac", "1", "-i", path, "-c:a", "aac", "-b:a", "96k")
	}

	args = append(args, "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-g", strconv.Itoa(2*FPS), "-pix_fmt", "yuv420p",
		"-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
		"-movflags", "frag_keyframe+empty_moov", "-f", "mp4", "pipe:1")

	cmd := exec.CommandContext(ctx, ffmpeg, args...)

	var out, faults bytes.Buffer

	cmd.Stdout, cmd.Stderr = &out, &faults

	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start ffmpeg: %w", err)
	}

	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start ffmpeg: %w", err)
	}

	drawn := f.write(in)

	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("encode a film: %w: %s", err, &faults)
	}

	return out.Bytes(), drawn
}

// write draws the film into a program.
func (f Film) write(to io.WriteCloser) error {
	defer to.Close() //nolint:errcheck // what was not taken is an error of the program

	frame := Frame{canvas: newCanvas(f.Width, f.Height)}

	for n := range f.LengthMs * FPS / 1000 {
		frame.Ms = n * 1000 / FPS
		f.Draw(frame)

		if _, err := to.Write(frame.Pix); err != nil {
			return fmt.Errorf("hand over a picture: %w", err)
		}
	}

	return nil
}

// soundFile is the sound in a temporary file, as long as the film.
func (f Film) soundFile() (path string, err error) {
	file, err := os.CreateTemp("", "reelgraph-demo-*.pcm")
	if err != nil {
		return "", fmt.Errorf("make room for a sound: %w", err)
	}

	samples := make([]byte, 2*f.LengthMs*SoundRate/1000)
	for i, s := range f.Sound[:min(len(f.Sound), len(samples)/2)] {
		samples[2*i], samples[2*i+1] = byte(s), byte(uint16(s)>>8)
	}

	if _, err = file.Write(samples); err == nil {
		err = file.Close()
	}

	if err != nil {
		return "", fmt.Errorf("write a sound: %w", err)
	}

	return file.Name(), nil
}
