package story

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/demo"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// encodeFilm encodes a film as a fragmented MP4, as recorded by a browser.
func encodeFilm(ctx context.Context, tools ffmpeg.Tools, f demo.Film) ([]byte, error) {
	args := []string{
		"-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", f.Width, f.Height),
		"-r", strconv.Itoa(demo.FPS), "-i", "pipe:0",
	}

	if f.Sound != nil {
		sound, err := os.CreateTemp("", "reelgraph-demo-*.pcm")
		if err != nil {
			return nil, fmt.Errorf("create a file for a sound: %w", err)
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

	pictures, drawing := io.Pipe()
	drawn := make(chan error, 1)

	go func() {
		err := f.WritePictures(drawing)
		drawn <- errors.Join(err, drawing.Close())
	}()

	var out bytes.Buffer

	err := tools.Run(ctx, ffmpeg.Command{Args: args, Stdin: pictures, Stdout: &out})
	_ = pictures.Close() // ends the drawing if the program ended early

	return out.Bytes(), errors.Join(err, <-drawn)
}

// Speaks reports whether FFmpeg was built with speech synthesis.
func Speaks(ctx context.Context, tools ffmpeg.Tools) bool {
	return tools.Run(ctx, ffmpeg.Command{Args: []string{"-f", "lavfi", "-i", "flite=voice=slt:text=a", "-f", "null", "-"}}) == nil
}

// voice speaks lines with FFmpeg's speech synthesis.
func voice(ctx context.Context, tools ffmpeg.Tools, lines []demo.Line) (demo.Speech, error) {
	sounds := make([][]int16, len(lines))

	for i, l := range lines {
		var raw bytes.Buffer

		err := tools.Run(ctx, ffmpeg.Command{Stdout: &raw, Args: []string{
			"-f", "lavfi", "-i", "flite=voice=slt:text='" + strings.ReplaceAll(l.Text, "'", "’") + "'",
			"-ar", strconv.Itoa(demo.SoundRate), "-ac", "1", "-f", "s16le", "-",
		}})
		if err != nil {
			return demo.Speech{}, fmt.Errorf("synthesize speech for %q: %w", l.Text, err)
		}

		sounds[i] = make([]int16, raw.Len()/2)
		for j := range sounds[i] {
			sounds[i][j] = int16(binary.LittleEndian.Uint16(raw.Bytes()[2*j:]))
		}
	}

	return demo.NewSpeech(lines, sounds)
}
