package mouse

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Lines writes events as the JSON lines that Read reads.
func Lines(events []Event) ([]byte, error) {
	var out bytes.Buffer

	encoder := json.NewEncoder(&out)
	for _, e := range events {
		if err := encoder.Encode(e); err != nil {
			return nil, fmt.Errorf("write mouse events: %w", err)
		}
	}

	return out.Bytes(), nil
}
