package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// Limits of a source.
const (
	maxDuration  = 12 * time.Hour
	maxFPS       = 240
	maxSide      = 16384
	maxChannels  = 32
	maxFrames    = 5_000_000
	maxScanBytes = 1 << 30
)

// Limits returns the limits of a program that reads a file that has not been probed yet.
func Limits() ffmpeg.Limits {
	return ffmpeg.Limits{Memory: 3 << 30, CPU: time.Minute, FileSize: 1 << 20, OpenFiles: 64, Wall: 3 * time.Minute, Stall: -1}
}

// ErrNotAFile means that the path is not a regular file but, for example, a folder, a device or a pipe.
var ErrNotAFile = errors.New("not a regular file")

// File probes a file of a declared kind. It reads only that file. It decodes the first picture, the first sound and a
// picture near the end, and trusts the bytes where they differ from the headers.
//
// File returns *Refused for a file that does not match the kind, cannot be decoded, or exceeds a limit. All other
// errors except ErrNotAFile have causes outside the file, so the caller may try again.
func File(ctx context.Context, t ffmpeg.Tools, path, kind string) (Info, error) {
	return probeFile(ctx, t, path, kind, false)
}

// Growing is like File for a file that is still being uploaded. In the result, DurationMs is the length that can be
// decoded now, whatever the headers of the file say. A *Refused error means that nothing can be decoded yet.
func Growing(ctx context.Context, t ffmpeg.Tools, path, kind string) (Info, error) {
	return probeFile(ctx, t, path, kind, true)
}

func probeFile(ctx context.Context, t ffmpeg.Tools, path, kind string, growing bool) (Info, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // O_NONBLOCK: a FIFO must not block
	if err != nil {
		return Info{}, fmt.Errorf("probe: %w", err)
	}
	defer func() { _ = f.Close() }()

	st, err := f.Stat()
	if err != nil {
		return Info{}, fmt.Errorf("probe: %w", err)
	}

	if !st.Mode().IsRegular() {
		return Info{}, fmt.Errorf("probe %s: %w", path, ErrNotAFile)
	}

	if st.Size() == 0 {
		return Info{}, ffmpeg.Refuse(ffmpeg.CodeEmpty, "The file is empty.")
	}

	info := Info{Bytes: st.Size(), growing: growing}
	if kind == KindMouse {
		return probeMouse(f, info)
	}

	if info.Format, err = sniffFile(f); err != nil {
		return Info{}, err
	}

	if kind == KindImage && info.Format == ffmpeg.FormatAPNG {
		info.Format = ffmpeg.FormatPNG
	}

	switch kind {
	case KindImage:
		err = probeImage(ctx, t, f, path, &info)
	case KindVideo, KindAudio:
		err = probeTimed(ctx, t, f, path, kind, growing, &info)
	default:
		err = fmt.Errorf("probe: unknown kind %q", kind)
	}

	if err != nil {
		return Info{}, err
	}

	info.growing = false

	return info, nil
}

// sniffFile reads the first bytes, and those after an ID3 tag that is longer.
func sniffFile(f *os.File) (ffmpeg.Format, error) {
	head, err := readAt(f, 0)
	if err != nil {
		return "", err
	}

	format, err := ffmpeg.Sniff(head)
	if format == ffmpeg.FormatPNG && ffmpeg.AnimatedPNG(f) {
		return ffmpeg.FormatAPNG, nil
	}

	if err != nil || format != ffmpeg.FormatMP3 {
		return format, err
	}

	if at, tagged := ffmpeg.ID3Length(head); tagged && at >= len(head) {
		rest, err := readAt(f, int64(at))
		if err != nil {
			return "", err
		}

		return ffmpeg.SniffTagged(rest, 0), nil
	}

	return format, nil
}

func readAt(f *os.File, at int64) ([]byte, error) {
	buf := make([]byte, ffmpeg.SniffLen)

	n, err := f.ReadAt(buf, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("probe: %w", err)
	}

	return buf[:n], nil
}

// probeTimed probes sound and moving pictures.
func probeTimed(ctx context.Context, t ffmpeg.Tools, r io.ReaderAt, path, kind string, growing bool, info *Info) error {
	if info.Format.Still() {
		if kind == KindAudio {
			return ffmpeg.Refuse(ffmpeg.CodeNoAudio, "The file is an image (%s), not sound.", info.Format)
		}

		return ffmpeg.Refuse(ffmpeg.CodeNoVideo, "The file is an image (%s), not a video.", info.Format)
	}

	head, err := describe(ctx, t, info.Format, path)
	if err != nil {
		return err
	}

	if err := head.choose(kind, info); err != nil {
		return err
	}

	if v := info.Video; v != nil {
		v.readImage(r, info)
	}

	origin := head.origin(*info)
	info.Origin = &origin

	lastMs, err := measureTimes(ctx, t, path, head, growing, info)
	if err != nil {
		return err
	}

	if err := checkTimes(info); err != nil {
		return err
	}

	return decodeEnds(ctx, t, path, info, lastMs)
}

// measureTimes finds the real length of the file, its number of frames, and whether they come evenly. It reads every
// packet, except in a long file whose headers count the frames and whose last seconds are where they promise. The
// promises of a growing file are ignored.
//
// It returns the time from the file's start to the start of its last picture, which may be long before its sound ends.
// If it did not read every packet it returns the length of the file.
func measureTimes(
	ctx context.Context, t ffmpeg.Tools, path string, head *description, growing bool, info *Info,
) (lastMs int64, err error) {
	promised, counted := head.durationMs(), head.frames(info) > 0
	if growing {
		promised, counted = 0, false
	}

	slack := max(1000, promised/100)

	var found *packets
	if len(head.Packets) < headPackets {
		found = newPackets(head, info)
		for _, p := range head.Packets {
			found.add(p)
		}
	} else if even, hidden := head.sampled(info); promised > 0 && (counted && !hidden || info.Bytes > maxScanBytes) {
		end, err := scanTail(ctx, t, path, head, info, promised)
		if err != nil {
			return 0, err
		}

		if end >= promised-slack {
			info.DurationMs = promised
			head.believe(info, even)

			return promised, nil
		}
	}

	if found == nil {
		if found, err = scanPackets(ctx, t, path, head, info); err != nil {
			return 0, err
		}
	}

	found.hear(info)

	strays, anew := found.settle(info.Format)
	if anew {
		return 0, ffmpeg.Refuse(ffmpeg.CodeUnsupported,
			"The timestamps of the file restart in the middle, which happens when recordings are joined byte by byte. "+
				"Everything after that point would be lost. Upload each recording as its own file.")
	}

	found.apply(info, head)

	if counted && promised > 0 && promised-slack <= info.DurationMs && info.DurationMs <= promised+slack {
		info.DurationMs = promised
	}

	info.Truncated = promised-slack > info.DurationMs && !strays // strays are part of what was promised

	return found.lastMs() - head.startMs(), nil
}

func checkTimes(info *Info) error {
	switch v := info.Video; {
	case info.DurationMs <= 0:
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The file has no picture or sound that can be played.")
	case info.DurationMs > maxDuration.Milliseconds():
		return ffmpeg.Refuse(ffmpeg.CodeTooLong, "The file is longer than %d hours.", int(maxDuration.Hours()))
	case v == nil:
		return nil
	case info.Format.Moves() && v.Frames < 2:
		return ffmpeg.Refuse(ffmpeg.CodeNoVideo,
			"The file is a picture (%s with one frame only), not a video. Add it as a source of kind image.",
			info.Format)
	case v.FPSNum <= 0 || v.FPSDen <= 0:
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The frame rate of the video cannot be determined.")
	case v.FPSNum > maxFPS*v.FPSDen:
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge, "The video has more than %d frames per second.", maxFPS)
	}

	return nil
}

// checkSize applies the limits of a frame.
func checkSize(width, height int) error {
	switch {
	case width < 2 || height < 2:
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The picture is smaller than 2 × 2 pixels.")
	case width > maxSide || height > maxSide || width*height > ffmpeg.MaxPixels:
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge,
			"The picture is too large: %d × %d pixels; at most %d million pixels and %d pixels per side are allowed.",
			width, height, ffmpeg.MaxPixels/1_000_000, maxSide)
	}

	return nil
}

// Verdict converts the error of a program that read the file to a *Refused. It returns an error that was not caused by
// the file unchanged: a context that is done, a missing program, or a program that was killed from outside.
func Verdict(ctx context.Context, format ffmpeg.Format, err error) error {
	var exit *ffmpeg.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return err
	case errors.Is(err, errTooMuch):
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge, "The file has more streams, packets or frames than are allowed.").WithCause(err)
	case !errors.As(err, &exit):
		return err
	case strings.Contains(exit.Stderr, "max_streams"): // FFmpeg reports it as a lack of memory
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge, "The file has more than %d streams.", ffmpeg.MaxStreams).WithCause(err)
	case exit.Reason != nil:
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge, "Reading the file takes too much time or memory.").WithCause(err)
	case exit.Code == 126 || exit.Code == 127 || exit.Signal == syscall.SIGKILL:
		return err
	default:
		return damaged(format, exit.Stderr).WithCause(err)
	}
}
