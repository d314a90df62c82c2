package probe

import (
	"context"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// probeImage probes a still. Go code reads the size from the header, so a small file with a huge picture is refused
// before a decoder reads it.
func probeImage(ctx context.Context, t ffmpeg.Tools, r io.ReaderAt, path string, info *Info) error {
	if !info.Format.Still() && info.Format != ffmpeg.FormatGIF {
		return ffmpeg.Refuse(ffmpeg.CodeNotAnImage, "The file is %s, not an image. Use PNG, JPEG, WebP, GIF or BMP.", info.Format)
	}

	width, height, err := ffmpeg.ImageSize(io.NewSectionReader(r, 0, info.Bytes), info.Format)
	if err != nil {
		return err
	}

	if err := checkSize(width, height); err != nil {
		return err
	}

	head, err := describe(ctx, t, info.Format, path)
	if err != nil {
		return err
	}

	s, _ := head.first("video")
	if s == nil {
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The image cannot be decoded: it is damaged.")
	}

	v := s.video()
	v.Frames = 1
	v.readImage(r, info)
	info.Video = v

	d, err := decodeSome(ctx, t, path, *info, nil, nil)
	if err != nil {
		return err
	}

	if d.pictures == 0 {
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The image cannot be decoded: it is damaged.")
	}

	d.sar = ratio{1, 1} // the pixels of a still are square, whatever its resolution tags say

	return d.size(v)
}

// readImage reads what FFmpeg does not find in image files.
func (v *VideoInfo) readImage(r io.ReaderAt, info *Info) {
	if o := ffmpeg.Orientation(r, info.Bytes, info.Format); o != ffmpeg.Upright {
		v.Orientation = o
	}

	if v.Hole = ffmpeg.PNGHole(r, info.Bytes, info.Format); v.Hole != "" {
		v.PixFmt = "rgba" // after the hole is cut
	}
}
