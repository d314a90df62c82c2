package values

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// SpokenWords is a list of words. It is stored as a JSON list or, if it is long, as compressed text, because the
// database needs seconds to store a list of 100,000 objects.
type SpokenWords []SpokenWord

// manySpoken is the number of words from which on they are compressed. The version before this one reads lists only.
const manySpoken = 10_000

// MarshalJSON implements json.Marshaler.
func (w SpokenWords) MarshalJSON() ([]byte, error) {
	if len(w) < manySpoken {
		return json.Marshal([]SpokenWord(w)) //nolint:wrapcheck // encoding/json adds the context
	}

	var text bytes.Buffer

	text.WriteByte('"')

	letters := base64.NewEncoder(base64.StdEncoding, &text)

	packed, err := flate.NewWriter(letters, flate.BestSpeed)
	if err != nil {
		return nil, fmt.Errorf("compress words: %w", err)
	}

	const portion = 1000

	for rest := []SpokenWord(w); len(rest) > 0; rest = rest[min(len(rest), portion):] {
		part, err := json.Marshal(rest[:min(len(rest), portion)])
		if err != nil {
			return nil, fmt.Errorf("write words: %w", err)
		}

		if _, err := packed.Write(part); err != nil {
			return nil, fmt.Errorf("compress words: %w", err)
		}
	}

	err = errors.Join(packed.Close(), letters.Close())

	text.WriteByte('"')

	return text.Bytes(), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *SpokenWords) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '"' {
		return json.Unmarshal(data, (*[]SpokenWord)(w)) //nolint:wrapcheck // encoding/json adds the context
	}

	parts := json.NewDecoder(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(bytes.Trim(data, `"`)))))

	for *w = nil; ; {
		var part []SpokenWord

		switch err := parts.Decode(&part); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read words: %w", err)
		}

		*w = append(*w, part...)
	}
}
