package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/words"
)

const vtt = "\ufeffWEBVTT - a title\r\nLanguage: de\r\n\r\nNOTE nothing\nof a cue\n\nSTYLE\n::cue { color: red }\n\n" +
	"1\n00:01.000 --> 00:02.000 align:start\n<v Bob>Good <i>morning</i></v>\n\n" +
	"00:00:00.000 --> 00:00:00.900\nthree\nlittle &amp; &lt;b&gt;\n\n" +
	"00:03.000 --> 00:05.000\none <00:03.500>two three<00:09.000> four"

func TestVTT(t *testing.T) {
	t.Parallel()

	f, err := words.ParseVTT([]byte(vtt))
	require.NoError(t, err)
	require.Equal(t, "de", f.Language)

	spoken, err := f.Words(4500)
	require.NoError(t, err)
	require.Equal(t, []words.Word{
		{Text: "three", StartMs: 0, EndMs: 225, Cue: 1},
		{Text: "little", StartMs: 225, EndMs: 450, Cue: 1},
		{Text: "&", StartMs: 450, EndMs: 675, Cue: 1},
		{Text: "<b>", StartMs: 675, EndMs: 900, Cue: 1},
		{Text: "Good", StartMs: 1000, EndMs: 1500, Cue: 2},
		{Text: "morning", StartMs: 1500, EndMs: 2000, Cue: 2},
		{Text: "one", StartMs: 3000, EndMs: 3500, Cue: 3},
		{Text: "two", StartMs: 3500, EndMs: 4000, Cue: 3},
		{Text: "three", StartMs: 4000, EndMs: 4500, Cue: 3},
		{Text: "four", StartMs: 4500, EndMs: 4500, Cue: 3},
	}, spoken)

	require.Empty(t, f.Skipped)

	spoken, err = f.Words(3000)
	require.NoError(t, err)
	require.Len(t, spoken, 6)
	require.Equal(t, words.Skipped{Count: 1, Blocks: []words.SkippedBlock{
		{Line: 18, Reason: "the cue starts at 3000 ms, but the recording ends at 3000 ms"},
	}}, f.Skipped)

	_, err = f.Words(0)
	require.EqualError(t, err, "line 14: the cue starts at 0 ms, but the recording ends at 0 ms; the file has no cue that starts within the recording")
}

func TestSRT(t *testing.T) {
	t.Parallel()

	f, err := words.ParseSRT([]byte("1\n00:00:01,500 --> 00:00:02,500\n{\\an8}<b>He\u0301 you</b>\na < b\n\n2\n0:0:4.5-->0:0:5,01\nx\n\n"))
	require.NoError(t, err)

	spoken, err := f.Words(10_000)
	require.NoError(t, err)
	require.Equal(t, []words.Word{
		{Text: "Hé", StartMs: 1500, EndMs: 1700, Cue: 1},
		{Text: "you", StartMs: 1700, EndMs: 1900, Cue: 1},
		{Text: "a", StartMs: 1900, EndMs: 2100, Cue: 1},
		{Text: "<", StartMs: 2100, EndMs: 2300, Cue: 1},
		{Text: "b", StartMs: 2300, EndMs: 2500, Cue: 1},
		{Text: "x", StartMs: 4500, EndMs: 5010, Cue: 2},
	}, spoken)

	_, err = words.ParseSRT(nil)
	require.EqualError(t, err, "line 1: the file has no cue")
}

func TestFaults(t *testing.T) {
	t.Parallel()

	for file, want := range map[string]string{
		"":                                        "line 1: a WebVTT file must start with WEBVTT",
		"WEBVTTX":                                 "line 1: a WebVTT file must start with WEBVTT",
		"WEBVTT":                                  "line 1: the file has no cue",
		"WEBVTT\n\nNOTE nothing\n":                "line 1: the file has no cue",
		"WEBVTT\n\nhello":                         "line 3: the cue has no times, such as 00:00:01.000 --> 00:00:02.000; the file has no usable cue",
		"WEBVTT\n\na\n00:01.000 --> 2\nx":         "line 4: the cue times are malformed; the file has no usable cue",
		"WEBVTT\n\n00:01,000 --> 00:02,000\nx":    "line 3: the cue times are malformed; the file has no usable cue",
		"WEBVTT\n\n00:02.000 --> 00:02.000\nx":    "line 3: the cue must end after it starts; the file has no usable cue",
		"WEBVTT\n\n00:61.000 --> 01:02.000\nx":    "line 3: the cue times are malformed; the file has no usable cue",
		"WEBVTT\n\n00:01.000 --> 00:02.000\n\xff": "line 4: the text is neither UTF-8 nor UTF-16 with a byte order mark",
		"\xff\xfeW":                               "line 1: the UTF-16 text has an odd number of bytes",
		"WEBVTT\n\n00:01.000 --> 00:02.000\nok " + strings.Repeat("a", 256):                                 "line 3: a word may have at most 255 characters; this cue has one with 256",
		"WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:02.000 --> 00:03.000\n" + strings.Repeat("a ", 100_000): "line 6: a transcript may have at most 100000 words; this cue exceeds that",
	} {
		_, err := words.ParseVTT([]byte(file))
		require.EqualError(t, err, want, "%.60q", file)
	}

	for file, want := range map[string]string{
		"1\n00:00:02,000 --> 00:00:01,000\nx":                 "line 2: the cue must end after it starts; the file has no usable cue",
		"1\n\nx\n\ny":                                         "line 1: the cue has no times, such as 00:00:01.000 --> 00:00:02.000; the file has no usable cue",
		"1\n00:00:01,000 --> 00:00:02,000\n" + tooMany + "\n": "line 2: a transcript may have at most 100000 words; this cue exceeds that",
	} {
		_, err := words.ParseSRT([]byte(file))
		require.EqualError(t, err, want, "%.60q", file)
	}
}

// tooMany has one word more than a transcript may have, each in markup.
var tooMany = strings.Repeat("<i>w</i> ", words.MaxWords+1)

// Files at the limits are accepted, whatever markup they use.
func TestBounds(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("画", 254) + "e\u0301" // 256 characters as written, 255 as they are kept

	f, err := words.ParseVTT([]byte("WEBVTT\n\n00:01.000 --> 00:02.000\n" + long + strings.Repeat(" {\\i1}w", 99_999)))
	require.NoError(t, err)

	words, err := f.Words(10_000)
	require.NoError(t, err)
	require.Len(t, words, 100_000)
	require.Equal(t, strings.Repeat("画", 254)+"é", words[0].Text)
	require.Equal(t, "w", words[99_999].Text)
}

func FuzzVTT(f *testing.F) {
	f.Add([]byte(vtt))
	f.Fuzz(func(t *testing.T, file []byte) { holds(t, words.ParseVTT, file) })
}

func FuzzSRT(f *testing.F) {
	f.Add([]byte("1\n00:00:01,500 --> 00:00:02,500\n{\\an8}<b>Hey</b>\n\n2\n0:0:4.5-->0:0:5,01\nx\n\n"))
	f.Fuzz(func(t *testing.T, file []byte) { holds(t, words.ParseSRT, file) })
}

// holds checks the properties of every accepted file.
func holds(t *testing.T, parse func([]byte) (words.File, error), file []byte) {
	t.Helper()

	parsed, err := parse(file)
	if err != nil {
		require.ErrorAs(t, err, new(*words.FaultError))

		return
	}

	const lengthMs = 1 << 50 // more than six digits of hours

	words, err := parsed.Words(lengthMs)
	require.NoError(t, err)

	var lastMs int64

	for _, w := range words {
		require.NotEmpty(t, w.Text)
		require.True(t, utf8.ValidString(w.Text))
		require.NotContains(t, w.Text, "\x00")
		require.GreaterOrEqual(t, w.StartMs, lastMs)
		require.GreaterOrEqual(t, w.EndMs, w.StartMs)
		lastMs = w.StartMs
	}
}
