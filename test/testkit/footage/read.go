package footage

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
)

// Window is the part of a picture to read. The zero Window is the whole picture.
type Window struct{ X, Y, Width, Height int }

func (w Window) crop() string {
	if w == (Window{}) {
		return ""
	}

	return fmt.Sprintf("crop=%d:%d:%d:%d,", w.Width, w.Height, w.X, w.Y)
}

// Unreadable is the index of a frame without a readable number.
const Unreadable = -1

// Indices returns the number shown by every frame of a file, in presentation order.
func Indices(ctx context.Context, path string, w Window) ([]int, error) {
	return numbers(ctx, path, w.crop())
}

// Tiles returns the number in every tile of a storyboard sheet, row by row. first is the window of the first tile.
func Tiles(ctx context.Context, path string, first Window, across, down int) ([]int, error) {
	sheet := Window{X: first.X, Y: first.Y, Width: first.Width * across, Height: first.Height * down}

	return numbers(ctx, path, sheet.crop()+fmt.Sprintf("untile=%dx%d,", across, down))
}

// numbers returns the numbers of every frame of a file after applying filters.
func numbers(ctx context.Context, path, filters string) ([]int, error) {
	raw, err := grey(ctx, path, filters, columns, rows)
	if err != nil {
		return nil, err
	}

	indices := make([]int, 0, len(raw)/(columns*rows))
	for frame := range slices.Chunk(raw, columns*rows) {
		indices = append(indices, index(frame))
	}

	return indices, nil
}

// index decodes a grid. A block that is neither black nor white, or a wrong check, makes it Unreadable.
func index(frame []byte) int {
	word := 0

	for _, luma := range frame {
		word <<= 1

		switch {
		case luma > 165:
			word |= 1
		case luma > 90:
			return Unreadable
		}
	}

	if n := word >> 4; check(n) == word&15 {
		return n
	}

	return Unreadable
}

// grey decodes every frame of a file, averaged down to a few blocks. It uses one thread: test pictures are small, and
// starting more threads costs as much as decoding.
func grey(ctx context.Context, path, filters string, w, h int) ([]byte, error) {
	var out bytes.Buffer

	err := FFmpeg(ctx, nil, &out, "-hide_banner", "-loglevel", "error", "-nostdin", "-filter_threads", "1", "-threads", "1",
		"-i", path, "-an", "-vf", fmt.Sprintf("%sscale=%d:%d:flags=area,format=gray", filters, w, h),
		"-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1")

	return out.Bytes(), err
}

// FlashesMs returns the times at which a dark film turns white, according to the timestamps of its frames.
func FlashesMs(ctx context.Context, path string) ([]float64, error) {
	raw, err := grey(ctx, path, "", 1, 1)
	if err != nil {
		return nil, err
	}

	times, err := FrameTimes(ctx, path)
	if err != nil {
		return nil, err
	}

	if len(raw) != len(times) {
		return nil, fmt.Errorf("%s: %d frames, %d timestamps", path, len(raw), len(times))
	}

	var (
		flashes []float64
		before  bool
	)

	for i, luma := range raw {
		white := luma > 128
		if white && !before {
			flashes = append(flashes, times[i]*1000)
		}

		before = white
	}

	return flashes, nil
}

// FrameTimes returns the presentation times that the container gives for the frames of a file, in seconds, ascending.
func FrameTimes(ctx context.Context, path string) ([]float64, error) {
	var (
		out bytes.Buffer
		got struct {
			Packets []struct {
				Time string `json:"pts_time"`
			} `json:"packets"`
		}
	)

	err := program(ctx, "ffprobe", nil, &out, "-v", "error", "-select_streams", "V:0",
		"-show_entries", "packet=pts_time", "-of", "json", path)
	if err != nil {
		return nil, err
	}

	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		return nil, fmt.Errorf("read the packets of %s: %w", path, err)
	}

	times := make([]float64, 0, len(got.Packets))

	for _, p := range got.Packets {
		t, err := strconv.ParseFloat(p.Time, 64)
		if err != nil {
			return nil, fmt.Errorf("read the packets of %s: %w", path, err)
		}

		times = append(times, t)
	}

	slices.Sort(times)

	return times, nil
}

// sampleRate is the rate of what Samples returns.
const sampleRate = 48_000

// Samples decodes the first channel of a file's sound at 48 kHz, starting at timestamp zero.
func Samples(ctx context.Context, path string) ([]float32, error) {
	var out bytes.Buffer

	err := FFmpeg(ctx, nil, &out, "-hide_banner", "-loglevel", "error", "-nostdin", "-copyts", "-i", path, "-vn",
		"-af", "aresample=48000:async=1:first_pts=0,pan=mono|c0=c0", "-f", "f32le", "pipe:1")
	if err != nil {
		return nil, err
	}

	samples := make([]float32, out.Len()/4)
	if err := binary.Read(&out, binary.LittleEndian, samples); err != nil {
		return nil, fmt.Errorf("read the samples of %s: %w", path, err)
	}

	return samples, nil
}

// ClicksMs returns the times at which clicks begin. A click begins where the sound reaches half of the file's loudest
// sample after at least 50 ms below that level.
func ClicksMs(ctx context.Context, path string) ([]float64, error) {
	samples, err := Samples(ctx, path)
	if err != nil {
		return nil, err
	}

	var peak float32
	for _, s := range samples {
		peak = max(peak, s, -s)
	}

	var clicks []float64

	quiet := sampleRate // samples since the last loud one

	for i, s := range samples {
		if max(s, -s) < peak/2 || peak == 0 {
			quiet++

			continue
		}

		if quiet > sampleRate/20 {
			clicks = append(clicks, float64(i)*1000/sampleRate)
		}

		quiet = 0
	}

	return clicks, nil
}

// Said runs FFmpeg and returns its log, for example to read what a measuring filter reports.
func Said(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "ffmpeg", append([]string{"-hide_banner", "-nostdin", "-nostats"}, args...)...)

	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("ffmpeg %v: %w: %s", args, err, out)
	}

	return string(out), nil
}

// IndicesIn reads the numbers that a film of the given size shows in several windows of each frame. The function
// windows returns the windows of a frame. IndicesIn calls found with the index of the frame, the index of the window,
// and the number. It reads only the middle of each block.
func IndicesIn(
	ctx context.Context, path string, width, height int, windows func(frame int) []Window, found func(frame, window, number int),
) error {
	frames, to := io.Pipe()
	ended := make(chan error, 1)

	go func() {
		err := FFmpeg(ctx, nil, to, "-hide_banner", "-loglevel", "error", "-nostdin", "-i", path, "-an",
			"-vf", "format=gray", "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1")

		_ = to.CloseWithError(err)
		ended <- err
	}()

	luma := make([]byte, width*height)

	for n := 0; ; n++ {
		if _, err := io.ReadFull(frames, luma); err != nil {
			_ = frames.CloseWithError(err)

			return <-ended
		}

		for i, w := range windows(n) {
			found(n, i, index(w.blocks(luma, width)))
		}
	}
}

// blocks returns the means of the middle quarter of each block in a window of a picture.
func (w Window) blocks(luma []byte, width int) []byte {
	all := make([]byte, 0, columns*rows)

	for row := range rows {
		for column := range columns {
			x0, x1 := w.X+w.Width*(4*column+1)/(4*columns), w.X+w.Width*(4*column+3)/(4*columns)
			y0, y1 := w.Y+w.Height*(4*row+1)/(4*rows), w.Y+w.Height*(4*row+3)/(4*rows)
			sum := 0

			for y := y0; y < y1; y++ {
				for _, v := range luma[y*width+x0 : y*width+x1] {
					sum += int(v)
				}
			}

			all = append(all, byte(sum/max(1, (x1-x0)*(y1-y0))))
		}
	}

	return all
}
