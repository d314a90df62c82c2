package words

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text decodes a text file. For a file that is neither UTF-8 nor UTF-16 with a byte order mark it returns a
// *FaultError.
func Text(file []byte) (string, error) { return textOf(file) }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd")

// textOf decodes a file and turns all line ends into \n. The file is UTF-8, or UTF-16 with a byte order mark.
func textOf(file []byte) (string, error) {
	var text string

	switch {
	case bytes.HasPrefix(file, []byte{0xff, 0xfe}):
		wide, err := utf16Text(file[2:], func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 })
		if err != nil {
			return "", err
		}

		text = wide
	case bytes.HasPrefix(file, []byte{0xfe, 0xff}):
		wide, err := utf16Text(file[2:], func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 })
		if err != nil {
			return "", err
		}

		text = wide
	default:
		file = bytes.TrimPrefix(file, []byte("\ufeff"))

		if line, valid := validUTF8(file); !valid {
			return "", &FaultError{line, "the text is neither UTF-8 nor UTF-16 with a byte order mark"}
		}

		text = string(file)
	}

	if strings.IndexByte(text, '\r') < 0 && strings.IndexByte(text, 0) < 0 {
		return text, nil
	}

	return lineEnds.Replace(text), nil
}

// validUTF8 returns the line of the first byte that is not UTF-8.
func validUTF8(file []byte) (line int, valid bool) {
	if utf8.Valid(file) {
		return 0, true
	}

	at := 0

	for at < len(file) {
		r, size := utf8.DecodeRune(file[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}

		at += size
	}

	return bytes.Count(file[:at], []byte("\n")) + 1, false
}

// utf16Text decodes pairs of bytes. Half a surrogate pair becomes the replacement character.
func utf16Text(file []byte, unit func([]byte) uint16) (string, error) {
	if len(file)%2 != 0 {
		return "", &FaultError{1, "the UTF-16 text has an odd number of bytes"}
	}

	units := make([]uint16, len(file)/2)
	for i := range units {
		units[i] = unit(file[2*i:])
	}

	return string(utf16.Decode(units)), nil
}
