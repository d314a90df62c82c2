package ffmpeg

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg/stub"
)

// needed are the libraries that work behind this door can use beside FFmpeg's own: decoders that FFmpeg has not itself (AV1;
// the transparency of VP8 and VP9; teletext, which probing opens), the encoders of what is made here, and zscale.
func needed() []string {
	return append(stub.FFmpeg(),
		"libaom", "libdav1d", "libpng16", "libsharpyuv", "libvpx", "libwebp", "libwebpmux", "libx264", "libzimg", "libzvbi")
}

// leanWait is how long it may take to find out how to start lean.
const leanWait = time.Minute

// Lean returns tools that start in a quarter of the time, without the libraries that FFmpeg is linked with and nothing behind
// this door uses: docs/decisions/0048. It keeps what that takes in folder, for as long as the tools are used; other processes
// may have it too. An error says why that cannot be done here; the tools are those there were, then.
func (t Tools) Lean(ctx context.Context, folder string) (Tools, error) {
	ctx, cancel := context.WithTimeout(ctx, leanWait)
	defer cancel()

	stubs, err := stub.Write(ctx, folder, needed(), t.FFmpeg, t.FFprobe)
	if err != nil {
		return t, err
	}

	lean := Tools{FFmpeg: t.FFmpeg, FFprobe: t.FFprobe, stubs: stubs}
	if err := lean.try(ctx); err != nil {
		return t, err
	}

	return lean, nil
}

// try makes a film of one picture and a little sound, and looks at it: a loader that does not do as told, and a folder in
// which nothing may be run, show at once.
func (t Tools) try(ctx context.Context) error {
	var film bytes.Buffer

	err := t.Run(ctx, Command{
		Args: []string{
			"-f", "rawvideo", "-pixel_format", "yuv420p", "-video_size", "64x64", "-i", "-",
			"-f", "lavfi", "-t", "0.1", "-i", "anullsrc",
			"-vf", "zscale=32:32", "-c:v", "libx264", "-c:a", "aac", "-f", "matroska", "pipe:1",
		},
		Stdin: bytes.NewReader(make([]byte, 64*64*3/2)), Stdout: &film,
	})
	if err != nil {
		return fmt.Errorf("start FFmpeg without what it does not need: %w", err)
	}

	err = t.Run(ctx, Command{Program: t.FFprobe, Args: []string{"-f", "matroska", "-i", "-"}, Stdin: &film})
	if err != nil {
		return fmt.Errorf("start ffprobe without what it does not need: %w", err)
	}

	return nil
}
