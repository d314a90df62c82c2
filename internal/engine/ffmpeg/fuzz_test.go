package ffmpeg_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
)

// FuzzSniff feeds the door with anything: it decides or refuses in a sentence, and never panics.
func FuzzSniff(f *testing.F) {
	for _, seed := range []string{
		"", "x", "\x00\x00\x00\x18ftypisom", "\x1a\x45\xdf\xa3", "RIFF\x00\x00\x00\x00WEBPVP8X", "RIFF\x00\x00\x00\x00AVI ",
		"ID3\x04\x00\x10\x7f\x7f\x7f\x7f", "ID3\x04\x00\x00\x00\x00\x00\x00\xff\xf1\x50\x80\x02\x1f\xfc",
		"\xff\xfb\x90\x64", "\xff\xf1\x50\x80\x02\x1f\xfc",
		"BM\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x00\x00\x00\x0c\x00\x00\x00\x10\x00\x10\x00\x01\x00\x18\x00",
		"\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "GIF89a\x10\x00\x10\x00", "\x0b\x77\x00\x00\x00\x40", "\x47", "#EXTM3U\n", "\xef\xbb\xbf<svg",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		format, err := ffmpeg.Sniff(head)
		var refused *ffmpeg.Refused
		switch {
		case err == nil && format == "":
			t.Fatal("neither a format nor a reason")
		case err != nil && (format != "" || !errors.As(err, &refused) || refused.Message == "" || refused.Code == ""):
			t.Fatalf("%q and %v", format, err)
		}
		if format.Still() || format == ffmpeg.FormatGIF {
			if w, h, err := ffmpeg.ImageSize(bytes.NewReader(head), format); err == nil && (w < 0 || h < 0) {
				t.Fatalf("%d × %d", w, h)
			}
		}
	})
}

// FuzzReadMouse reads anything: what it accepts holds what is promised.
func FuzzReadMouse(f *testing.F) {
	f.Add([]byte(move))
	f.Add([]byte(`{"timeMs":1e3,"xPct":0,"yPct":100,"type":"click"}` + "\r\n" + `{"type":"move","timeMs":1000.0,"xPct":1e1,"yPct":2}`))
	f.Add([]byte(`{"timeMs":1,"timeMs":1}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		events, err := ffmpeg.ReadMouse(bytes.NewReader(file))
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

// FuzzMouseLine compares the reader of one line with encoding/json: what is accepted is JSON and says
// the same, and a proper event is accepted.
func FuzzMouseLine(f *testing.F) {
	f.Add(move)
	f.Add(` { "\u0074imeMs" : 1e3 , "xPct":0,"yPct":1E2, "type":"cl\u0069ck" } `)
	f.Add(`{"timeMs":1,"xPct":1,"yPct":1,"type":"move",}`)
	f.Add(`{"timeMs":01,"xPct":.1,"yPct":1.,"type":"move"}`)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") || len(line) > 4000 {
			return
		}
		events, err := ffmpeg.ReadMouse(strings.NewReader(line))
		if err == nil {
			var same struct {
				TimeMs float64 `json:"timeMs"`
				XPct   float64 `json:"xPct"`
				YPct   float64 `json:"yPct"`
				Type   string  `json:"type"`
			}
			if err := json.Unmarshal([]byte(line), &same); err != nil {
				t.Fatalf("%q is no JSON: %v", line, err)
			}
			e := events[0]
			if float64(e.TimeMs) != same.TimeMs || e.XPct != same.XPct || e.YPct != same.YPct || e.Type != same.Type {
				t.Fatalf("%q: %+v and %+v", line, e, same)
			}
		}
	})
}

// TestReadMouseTakesWhatJSONWrites whatever the values are.
func TestReadMouseTakesWhatJSONWrites(t *testing.T) {
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
		got, err := ffmpeg.ReadMouse(bytes.NewReader(line))
		if err != nil || len(got) != 1 || got[0] != want {
			rt.Fatalf("%s: %+v %v", line, got, err)
		}
	})
}
