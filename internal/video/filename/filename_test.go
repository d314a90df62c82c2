package filename_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/filename"
)

func TestSafe(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"take 1.mp4":                         "take 1.mp4",
		"a\x00b\nc\u0085d\u2028e":            "a-b-c-d-e",
		`a/b\c:d*e?f"g<h>i|j`:                "a-b-c-d-e-f-g-h-i-j",
		"invoice\u202e4pm.exe":               "invoice4pm.exe",
		"\u200fשלום\u200e \u2067a\u2069.mp4": "שלום a.mp4",
		"\ufeffa":                            "a",
		"...hidden. ":                        "hidden",
		"\u3000 . ":                          "clip",
		"\u202e":                             "clip",
		"a\xff.mp4":                          "a-.mp4",
		"CON":                                "_CON",
		"nul.tar.gz":                         "_nul.tar.gz",
		"Com1 .mp4":                          "_Com1 .mp4",
		"lpt².mov":                           "_lpt².mov",
		"CONIN$":                             "_CONIN$",
		"COM10.mp4":                          "COM10.mp4",
		"console.mp4":                        "console.mp4",
		"👩‍💻.mp4":                            "👩‍💻.mp4",
	} {
		require.Equal(t, want, filename.Safe(name, "clip"), "%q", name)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()

	for name, want := range map[string][2]string{
		"a.mp4": {"a", ".mp4"}, "a.tar.gz": {"a.tar", ".gz"}, "a": {"a", ""}, "a.": {"a.", ""}, ".mp4": {".mp4", ""},
		"v1. " + strings.Repeat("x", 30): {"v1. " + strings.Repeat("x", 30), ""},
	} {
		base, ext := filename.Split(name)
		require.Equal(t, want, [2]string{base, ext}, name)
	}
}

// Names keep their extension and stay unique when they are shortened, between letters of any script.
func TestLongNames(t *testing.T) {
	t.Parallel()

	for letter, bytes := range map[string]int{"a": 1, "é": 2, "画": 3, "😀": 4, "नि": 6, "👩‍💻": 11, "e\u0301": 3} {
		taken := filename.Taken{}

		for i := 1; i <= 11; i++ {
			suffix := ".mp4"
			if i > 1 {
				suffix = fmt.Sprintf(" (%d).mp4", i)
			}

			name := taken.Unique(strings.Repeat(letter, 300), ".mp4")
			fits := (255 - len(suffix)) / bytes
			require.Equal(t, strings.Repeat(letter, fits)+suffix, name)
			require.LessOrEqual(t, len(name), 255)
		}
	}

	zalgo := filename.Fit("a"+strings.Repeat("\u0301", 200), ".webm")
	require.LessOrEqual(t, len(zalgo), 255)
	require.True(t, utf8.ValidString(zalgo))
	require.True(t, strings.HasSuffix(zalgo, ".webm"))

	require.Equal(t, strings.Repeat("a", 250)+".mp4", filename.Fit(strings.Repeat("a", 250)+" . . aa", ".mp4"), "no space before the end")
}

func TestUniqueFoldsCaseAndAccents(t *testing.T) {
	t.Parallel()

	taken := filename.Taken{}
	require.Equal(t, "É.mp4", taken.Unique("É", ".mp4"))
	require.Equal(t, "e\u0301 (2).MP4", taken.Unique("e\u0301", ".MP4"))
	require.Equal(t, "é (3).mp4", taken.Unique("é", ".mp4"))
}
