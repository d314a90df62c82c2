package story

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/demo"
)

// encodeFilm encodes a film as a fragmented MP4, as recorded by a browser.
func encodeFilm(ctx context.Context, ffmpeg string, f demo.Film) ([]byte, error) {
	args := []string{
		"-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", f.Width, f.Height),
		"-r", strconv.Itoa(demo.FPS), "-i", "pipe:0",
	}

	if f.Sound != nil {
		sound, err := os.CreateTemp("", "reelgraph-demo-*.pcm")
		if err != nil {
			return nil, fmt.Errorf("create a folder for a sound: %w", err)
		}
		defer os.Remove(sound.Name()) //nolint:errcheck // a temporary file
		defer sound.Close()           //nolint:errcheck // as above

		if _, err := sound.Write(f.Samples()); err != nil {
			return nil, fmt.Errorf("write a sound: %w", err)
		}

		args = append(args, "-f", "s16le", "-ar", strconv.Itoa(demo.SoundRate), "-ac", "1", "-i", sound.Name(), "-c:a", "aac", "-b:a", "96k")
	}

	args = append(args, "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-g", strconv.Itoa(2*demo.FPS), "-pix_fmt", "yuv420p",
		"-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
		"-movflags", "frag_keyframe+empty_moov", "-f", "mp4", "pipe:1")

	cmd := exec.CommandContext(ctx, ffmpeg, args...)

	var out, faults bytes.Buffer

	cmd.Stdout, cmd.Stderr = &out, &faults

	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}

	if err := cmd.Start(); err != nil {
		return nil, err
	}

	drawn := f.WritePictures(in)
	_ = in.Close() // the program reports what it could not read

	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, &faults)
	}

	return out.Bytes(), drawn
}

// Speaks reports whether the given FFmpeg program has speech synthesis.
func Speaks(ctx context.Context, ffmpeg string) bool {
	return exec.CommandContext(ctx, ffmpeg, "-v", "quiet", "-f", "lavfi", "-i", "flite=voice=slt:text=a", "-f", "null", "-").Run() == nil
}

// voice speaks lines with FFmpeg's speech synthesis.
func voice(ctx context.Context, ffmpeg string, lines []demo.Line) (demo.Speech, error) {
	sounds := make([][]int16, len(lines))

	for i, l := range lines {
		cmd := exec.CommandContext(ctx, ffmpeg, "-nostdin", "-v", "error", "-f", "lavfi",
			"-i", "flite=voice=slt:text='"+strings.ReplaceAll(l.Text, "'", "’")+"'",
			"-ar", strconv.Itoa(demo.SoundRate), "-ac", "1", "-f", "s16le", "-")

		var faults bytes.Buffer

		cmd.Stderr = &faults

		raw, err := cmd.Output()
		if err != nil {
			return demo.Speech{}, fmt.Errorf("synthesize speech for %q: %w: %s", l.Text, err, &faults)
		}

		sounds[i] = make([]int16, len(raw)/2)
		for j := range sounds[i] {
			sounds[i][j] = int16(binary.LittleEndian.Uint16(raw[2*j:]))
		}
	}

	return demo.NewSpeech(lines, sounds)
}
