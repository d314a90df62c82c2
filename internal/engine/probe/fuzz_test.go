package probe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
)

// FuzzReadMouse reads any bytes: accepted events are in order and within their ranges.
func FuzzReadMouse(f *testing.F) {
	f.Add([]byte(move))
	f.Add([]byte(`{"timeMs":1e3,"xPct":0,"yPct":100,"type":"click"}` + "\r\n" + `{"type":"move","timeMs":1000.0,"xPct":1e1,"yPct":2}`))
	f.Add([]byte(`{"timeMs":1,"timeMs":1}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		events, err := probe.ReadMouse(bytes.NewReader(file))
		if err != nil {
			if !errors.As(err, new(*ffmpeg.Refused)) {
				t.Fatal(err)
			}

			return
		}

		last := int64(0)

		for _, e := range events {
			inside := e.XPct >= 0 && e.XPct <= 100 && e.YPct >= 0 && e.YPct <= 100

			known := e.Type == mouse.Move || e.Type == mouse.Click
			if e.TimeMs < last || !inside || !known {
				t.Fatalf("%+v after %d", e, last)
			}

			last = e.TimeMs
		}
	})
}

// FuzzMouseLine compares the line parser with encoding/json: an accepted line is valid JSON with the same values.
func FuzzMouseLine(f *testing.F) {
	f.Add(move)
	f.Add(` { "\u0074imeMs" : 1e3 , "xPct":0,"yPct":1E2, "type":"cl\u0069ck" } `)
	f.Add(`{"timeMs":1,"xPct":1,"yPct":1,"type":"move",}`)
	f.Add(`{"timeMs":01,"xPct":.1,"yPct":1.,"type":"move"}`)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") || len(line) > 4000 {
			return
		}

		events, err := probe.ReadMouse(strings.NewReader(line))
		if err == nil {
			var same struct {
				TimeMs float64 `json:"timeMs"`
				XPct   float64 `json:"xPct"`
				YPct   float64 `json:"yPct"`
				Type   string  `json:"type"`
			}
			if err := json.Unmarshal([]byte(line), &same); err != nil {
				t.Fatalf("%q is not JSON: %v", line, err)
			}

			e := events[0]
			if float64(e.TimeMs) != same.TimeMs || e.XPct != same.XPct || e.YPct != same.YPct || e.Type != same.Type {
				t.Fatalf("%q: %+v and %+v", line, e, same)
			}
		}
	})
}

// TestReadMouseTakesWhatJSONWrites checks that every event that encoding/json writes is accepted.
func TestReadMouseAcceptsMarshalledEvents(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(rt *rapid.T) {
		want := mouse.Event{
			TimeMs: rapid.Int64Range(0, 1<<53-1).Draw(rt, "timeMs"),
			XPct:   rapid.Float64Range(0, 100).Draw(rt, "xPct"),
			YPct:   rapid.Float64Range(0, 100).Draw(rt, "yPct"),
			Type:   rapid.SampledFrom([]string{mouse.Move, mouse.Click}).Draw(rt, "type"),
		}

		line, err := json.Marshal(want)
		if err != nil {
			rt.Fatal(err)
		}

		got, err := probe.ReadMouse(bytes.NewReader(line))
		if err != nil || len(got) != 1 || got[0] != want {
			rt.Fatalf("%s: %+v %v", line, got, err)
		}
	})
}
