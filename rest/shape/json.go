package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode returns v as JSON without the HTML escapes of encoding/json, which are needed only in pages.
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

// appender is implemented by responses that write their own JSON, with the same result as encode. For a list of
// 100,000 words this is several times faster.
type appender interface {
	appendJSON(to []byte) ([]byte, error)
}
