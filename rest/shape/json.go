package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode writes JSON as it travels: without the HTML escapes of encoding/json, which belong in pages.
func Encode(v any) ([]byte, error) {
	if a, writes := v.(appender); writes {
		return a.appendJSON(nil)
	}

	var b bytes.Buffer

	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)

	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}

	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// appender is implemented by answers that write themselves, as encode would. A list of 100,000 words costs several times as
// much there.
type appender interface {
	appendJSON(to []byte) ([]byte, error)
}
