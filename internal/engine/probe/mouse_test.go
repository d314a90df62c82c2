package probe_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

const move = `{"timeMs":0,"xPct":50,"yPct":50.5,"type":"move"}`

func TestReadMouse(t *testing.T) {
	t.Parallel()

	got, err := probe.ReadMouse(strings.NewReader(move + "\r\n" +
		`{"type": "click", "timeMs": 1e3, "yPct": 0, "xPct": 100}` + "\n" +
		`{"timeMs":1000.0,"xPct":1,"yPct":2,"type":"move"}`))
	require.NoError(t, err)
	require.Equal(t, []mouse.Event{
		{TimeMs: 0, XPct: 50, YPct: 50.5, Type: mouse.Move},
		{TimeMs: 1000, XPct: 100, YPct: 0, Type: mouse.Click},
		{TimeMs: 1000, XPct: 1, YPct: 2, Type: mouse.Move},
	}, got)
}

func TestReadMouseRefuses(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ name, line, message string }{
		{"blank", ``, "not a JSON object"},
		{"array", `[1]`, "not a JSON object"},
		{"broken", `{"timeMs":1,`, "the JSON is malformed"},
		{"unclosed", `{"timeMs":1,"xPct":1,"yPct":1,"type":"move"`, "the JSON is malformed"},
		{"two objects", move + move, "unexpected text after the JSON object"},
		{"unknown property", `{"timeMs":1,"xPct":1,"yPct":1,"type":"move","z":1}`, `"z" is not a mouse event property`},
		{"letter case", `{"timems":1,"xPct":1,"yPct":1,"type":"move"}`, `"timems" is not a mouse event property`},
		{"twice", `{"timeMs":1,"timeMs":2,"xPct":1,"yPct":1,"type":"move"}`, `"timeMs" is given twice`},
		{"missing", `{"timeMs":1,"xPct":1,"type":"move"}`, `"yPct" is missing`},
		{"null", `{"timeMs":null,"xPct":1,"yPct":1,"type":"move"}`, `"timeMs" must be a number`},
		{"text", `{"timeMs":"1","xPct":1,"yPct":1,"type":"move"}`, `"timeMs" must be a number`},
		{"fraction", `{"timeMs":1.5,"xPct":1,"yPct":1,"type":"move"}`, `"timeMs" must be an integer`},
		{"negative", `{"timeMs":-1,"xPct":1,"yPct":1,"type":"move"}`, `"timeMs" must be from 0 to 9007199254740991`},
		{"huge", `{"timeMs":1e400,"xPct":1,"yPct":1,"type":"move"}`, `"timeMs" must be from 0`},
		{"outside", `{"timeMs":1,"xPct":100.1,"yPct":1,"type":"move"}`, `"xPct" must be from 0 to 100`},
		{"nested", `{"timeMs":1,"xPct":{"a":1},"yPct":1,"type":"move"}`, `"xPct" must be a number`},
		{"type", `{"timeMs":1,"xPct":1,"yPct":1,"type":"drag"}`, `"type" must be "move" or "click"`},
		{"not UTF-8", "{\"timeMs\":1,\"xPct\":1,\"yPct\":1,\"type\":\"\xff\"}", "the text is not UTF-8"},
		{"long", `{"timeMs":1` + strings.Repeat(" ", 5000) + `}`, "the line is longer than 4096 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			_, err := probe.ReadMouse(strings.NewReader(move + "\n" + tc.line + "\n" + move))

			var refused *ffmpeg.Refused
			require.ErrorAs(t, err, &refused)
			require.Equal(t, ffmpeg.CodeMouseEvents, refused.Code)
			require.Contains(t, refused.Message, "line 2: "+tc.message)
		})
	}

	_, err := probe.ReadMouse(strings.NewReader(strings.Replace(move, ":0", ":5", 1) + "\n" + strings.Replace(move, ":0", ":4", 1)))
	require.EqualError(t, err, "Mouse events, line 2: timeMs is 4, which is before 5 on the previous line.")

	broken := errors.New("the disk is gone")
	_, err = probe.ReadMouse(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	require.NotErrorAs(t, err, new(*ffmpeg.Refused))
}

func TestProbeMouse(t *testing.T) {
	t.Parallel()

	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, `{"timeMs":%d,"xPct":%d,"yPct":12.5,"type":"move"}`+"\n", i*5, i%101)
	}

	began := time.Now()
	got := rendering.Probe(t, rendering.Write(t, "mouse.jsonl", []byte(b.String())), probe.KindMouse)
	t.Logf("200,000 events in %v", time.Since(began))
	require.Equal(t, probe.Info{Bytes: int64(b.Len()), DurationMs: 199_999 * 5, MouseEvents: 200_000}, got)

	b.WriteString(`{"timeMs":999999999,"xPct":0,"yPct":0,"type":"click"}`)
	rendering.RequireRefused(t, rendering.Write(t, "mouse.jsonl", []byte(b.String())), probe.KindMouse, ffmpeg.CodeMouseEvents,
		"line 200001: the file has more than 200000 events")
	rendering.RequireRefused(t, rendering.Write(t, "mouse.jsonl", nil), probe.KindMouse, ffmpeg.CodeEmpty, "The file is empty.")
}
