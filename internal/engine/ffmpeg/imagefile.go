package ffmpeg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// Upright is the Exif orientation (1 to 8) of a picture that is displayed without rotating or mirroring it.
const Upright = 1

// maxExif is the longest Exif that is read. Cameras put a thumbnail into it.
const maxExif = 1 << 20

// Orientation returns the Exif orientation of a picture, or Upright if it has no readable one. FFmpeg reads the
// orientation only of JPEG, and only in some versions. So Orientation reads it for every image format that can have
// one.
func Orientation(r io.ReaderAt, size int64, f Format) int {
	switch f {
	case FormatPNG, FormatAPNG:
		return exifOrientation(pngChunk(r, size, "eXIf"))
	case FormatWebP:
		return exifOrientation(webpChunk(r, size, "EXIF"))
	case FormatJPEG:
		return exifOrientation(jpegExif(r, size))
	default:
		return Upright
	}
}

// exifHeader precedes the Exif in a JPEG, and in some other files where it should not.
var exifHeader = []byte("Exif\x00\x00") //nolint:gochecknoglobals // a constant

// exifOrientation reads the orientation tag of the first directory of an Exif.
func exifOrientation(exif []byte) int {
	exif = bytes.TrimPrefix(exif, exifHeader)
	if len(exif) < 14 {
		return Upright
	}

	var order binary.ByteOrder = binary.BigEndian

	switch string(exif[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
	default:
		return Upright
	}

	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return Upright
	}

	entries := exif[at+2:]
	for range order.Uint16(exif[at:]) {
		if len(entries) < 12 {
			break
		}

		const orientationTag, short = 0x0112, 3
		if order.Uint16(entries) == orientationTag && order.Uint16(entries[2:]) == short {
			if v := int(order.Uint16(entries[8:])); v >= 1 && v <= 8 {
				return v
			}

			break
		}

		entries = entries[12:]
	}

	return Upright
}

// readSome reads n bytes at an offset. It returns nil for more than maxExif bytes and if the file ends before.
func readSome(r io.ReaderAt, at, n int64) []byte {
	if n < 0 || n > maxExif {
		return nil
	}

	b := make([]byte, n)
	if _, err := r.ReadAt(b, at); err != nil {
		return nil
	}

	return b
}

// maxChunks is how many chunks of a picture are searched.
const maxChunks = 100_000

// pngChunk returns the content of the first chunk with a name, or nil.
func pngChunk(r io.ReaderAt, size int64, name string) []byte {
	at := int64(8)
	for range maxChunks {
		head := readSome(r, at, 8)
		if head == nil || at > size {
			return nil
		}

		length := int64(binary.BigEndian.Uint32(head))
		if string(head[4:]) == name {
			return readSome(r, at+8, length)
		}

		at += 12 + length
	}

	return nil
}

// AnimatedPNG reports whether a PNG is animated. An animated PNG declares this before its first picture.
func AnimatedPNG(r io.ReaderAt) bool {
	at := int64(8)
	for range maxChunks {
		head := readSome(r, at, 8)
		switch {
		case head == nil, string(head[4:]) == "IDAT":
			return false
		case string(head[4:]) == "acTL":
			return true
		}

		at += 12 + int64(binary.BigEndian.Uint32(head))
	}

	return false
}

// webpChunk returns the content of the first chunk with a name, or nil.
func webpChunk(r io.ReaderAt, size int64, name string) []byte {
	at := int64(12)
	for range maxChunks {
		head := readSome(r, at, 8)
		if head == nil || at > size {
			return nil
		}

		length := int64(binary.LittleEndian.Uint32(head[4:]))
		if string(head[:4]) == name {
			return readSome(r, at+8, length)
		}

		at += 8 + length + length&1
	}

	return nil
}

// jpegExif returns the first Exif segment before the picture, or nil.
func jpegExif(r io.ReaderAt, size int64) []byte {
	at := int64(2)
	for range maxChunks {
		head := readSome(r, at, 4)
		if head == nil || at > size || head[0] != 0xff {
			return nil
		}

		if head[1] == 0xff { // padding before the marker
			at++

			continue
		}

		const startOfScan, app1 = 0xda, 0xe1

		length := int64(binary.BigEndian.Uint16(head[2:]))
		if head[1] == startOfScan || length < 2 {
			return nil
		}

		if head[1] == app1 {
			if b := readSome(r, at+4, length-2); bytes.HasPrefix(b, exifHeader) {
				return b
			}
		}

		at += 2 + length
	}

	return nil
}

// PNGHole returns the transparent color of a gray PNG with fewer than eight bits per pixel, in the form 0xRRGGBB.
// FFmpeg's decoder ignores that color. For other files PNGHole returns an empty string.
func PNGHole(r io.ReaderAt, size int64, f Format) string {
	if f != FormatPNG && f != FormatAPNG {
		return ""
	}

	const grey = 0

	header, key := pngChunk(r, size, "IHDR"), pngChunk(r, size, "tRNS")
	if len(header) != 13 || header[9] != grey || header[8] >= 8 || len(key) != 2 {
		return ""
	}

	most := uint16(1)<<header[8] - 1
	level := 255 * (binary.BigEndian.Uint16(key) & most) / most

	return fmt.Sprintf("0x%02x%02x%02x", level, level, level)
}
