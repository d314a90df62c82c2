package linebreak_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/linebreak"
)

// TestConformance runs Unicode's LineBreakTest.txt, which comes with the sources of the shaping library. Where letters of
// scripts that need a dictionary meet, we break and the file does not.
func TestConformance(t *testing.T) {
	t.Parallel()

	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-text/typesetting").Output()
	require.NoError(t, err)

	f, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "segmenter", "test", "LineBreakTest.txt"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })

	cases := 0

	for scan := bufio.NewScanner(f); scan.Scan(); {
		line, _, _ := strings.Cut(scan.Text(), "#")

		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}

		var (
			text   []rune
			broken []bool
		)

		for i, field := range fields {
			if i%2 == 0 {
				broken = append(broken, field == "÷")

				continue
			}

			r, err := strconv.ParseInt(field, 16, 32)
			require.NoError(t, err)

			text = append(text, rune(r))
		}

		for i, b := range linebreak.Of(text) {
			if i > 0 && i < len(text) && linebreak.Unspaced(text[i-1]) && linebreak.Unspaced(text[i]) {
				continue
			}

			if got := b >= linebreak.Allowed; got != broken[i] {
				t.Fatalf("before character %d of %s: %v", i, line, got)
			}
		}

		cases++
	}

	require.Greater(t, cases, 15_000)
}

func TestDictionaryScripts(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"สวัสดี":   "ส|วั|ส|ดี",
		"เวลาๆ":    "เว|ลาๆ",
		"ไทย 5บาท": "ไท|ย |5บา|ท",
		"ສະບາຍດີ":  "ສະ|ບາ|ຍ|ດີ",
		"ស្ត្រី":   "ស្ត្រី",
		"မြန်မာ":   "မြန်|မာ",
		"ᨠᩣ᩠ᨿ":     "ᨠᩣ᩠ᨿ",
		"hello":    "hello",
	} {
		runes, from := []rune(text), 0

		var parts []string

		for i, b := range linebreak.Of(runes) {
			if i > from && b >= linebreak.Allowed {
				parts, from = append(parts, string(runes[from:i])), i
			}
		}

		require.Equal(t, want, strings.Join(parts, "|"), text)
	}
}
