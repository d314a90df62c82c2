package ffmpeg

import (
	"encoding/binary"
	"errors"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
)

// ImageSize reads the size of a still from its header. The size does not include the rotation. If the header cannot be
// read, ImageSize returns a *Refused.
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
		return 0, 0, Refuse(CodeDamaged, "The image (%s) is damaged.", f).WithCause(err)
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
		return 0, 0, errors.New("the width is negative")
	}

	if height < 0 { // rows from the top down
		height = -height
	}

	return width, height, nil
}

// webpSize handles the three kinds of first chunk: extended, lossless, lossy.
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
		return 0, 0, errors.New("the type of the first chunk is unknown")
	}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
