package ffmpeg

import (
	"context"
	"encoding/binary"
	"errors"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
)

// probeImage probes a still. Its size is read from the header in Go, so that a small file that holds
// a huge picture is refused before any decoder sees it.
func probeImage(ctx context.Context, t Tools, r io.ReaderAt, path string, info *Info) error {
	if !info.Format.Still() && info.Format != FormatGIF {
		return refuse(CodeNotAnImage, "The file is %s, not an image. Use PNG, JPEG, WebP, GIF or BMP.", info.Format)
	}
	width, height, err := ImageSize(io.NewSectionReader(r, 0, info.Bytes), info.Format)
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
		return refuse(CodeDamaged, "The image cannot be decoded: it is damaged.")
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
		return refuse(CodeDamaged, "The image cannot be decoded: it is damaged.")
	}
	d.sar = ratio{1, 1} // the pixels of a still are square, whatever its resolution tags say
	return d.size(v)
}

// ImageSize reads the size of a still from its header alone, before rotation. A header that cannot
// be read is *Refused.
func ImageSize(r io.Reader, f Format) (width, height int, err error) {
	switch f {
	case FormatPNG:
		c, e := png.DecodeConfig(r)
		width, height, err = c.Width, c.Height, e
	case FormatJPEG:
		c, e := jpeg.DecodeConfig(r)
		width, height, err = c.Width, c.Height, e
	case FormatGIF:
		c, e := gif.DecodeConfig(r)
		width, height, err = c.Width, c.Height, e
	case FormatBMP:
		width, height, err = bmpSize(r)
	case FormatWebP:
		width, height, err = webpSize(r)
	default:
		err = errors.New("not an image format")
	}
	if err != nil {
		return 0, 0, refuse(CodeDamaged, "The image (%s) is damaged.", f).because(err)
	}
	return width, height, nil
}

func bmpSize(r io.Reader) (width, height int, err error) {
	var h [26]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, 0, err
	}
	if binary.LittleEndian.Uint32(h[14:]) == 12 {
		return int(binary.LittleEndian.Uint16(h[18:])), int(binary.LittleEndian.Uint16(h[20:])), nil
	}
	width, height = int(int32(binary.LittleEndian.Uint32(h[18:]))), int(int32(binary.LittleEndian.Uint32(h[22:])))
	if width < 0 {
		return 0, 0, errors.New("less than nothing wide")
	}
	if height < 0 { // rows from the top down
		height = -height
	}
	return width, height, nil
}

// webpSize knows the three kinds of first chunk: extended, lossless, lossy.
func webpSize(r io.Reader) (width, height int, err error) {
	var h [30]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, 0, err
	}
	switch string(h[12:16]) {
	case "VP8X":
		return 1 + uint24(h[24:]), 1 + uint24(h[27:]), nil
	case "VP8L":
		bits := binary.LittleEndian.Uint32(h[21:])
		return 1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff), nil
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(h[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(h[28:]) & 0x3fff), nil
	default:
		return 0, 0, errors.New("no picture in the first chunk")
	}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
