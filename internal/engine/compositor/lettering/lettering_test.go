package lettering_test

import (
	"image"
	"image/color"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

var system = sync.OnceValues(func() (*lettering.Fonts, error) { return lettering.Load() })

func fonts(t *testing.T) *lettering.Fonts {
	t.Helper()

	f, err := system()
	require.NoError(t, err)

	return f
}

// The ranges that the API reports for each family are those of its installed files.
func TestTheCatalogueIsInstalled(t *testing.T) {
	t.Parallel()

	require.Empty(t, fonts(t).Missing(), "sh scripts/install.sh run installs them")

	for _, d := range values.Fonts() {
		weight, width, ok := fonts(t).Ranges(d.Name)
		require.True(t, ok)
		require.Equal(t, d.Weight, weight, d.Name)
		require.Equal(t, d.Width, width, d.Name)
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()

	again, err := lettering.Load()
	require.NoError(t, err)
	require.Equal(t, fonts(t).Identity(), again.Identity())

	fewer, err := lettering.Load("/usr/share/fonts/truetype/lato")
	require.NoError(t, err)
	require.NotEqual(t, fonts(t).Identity(), fewer.Identity())

	_, err = lettering.Load(t.TempDir())
	require.ErrorIs(t, err, lettering.ErrNoFonts)
}

func set(t *testing.T, f *lettering.Fonts, text string, s lettering.Style, width float64) lettering.Layout {
	t.Helper()

	l, err := f.Set(text, s, width)
	require.NoError(t, err)

	return l
}

// A missing family is replaced by the first one of the catalog that is installed, without an error.
func TestAMissingFamilyIsReplaced(t *testing.T) {
	t.Parallel()

	few, err := lettering.Load("/usr/share/fonts/truetype/lato")
	require.NoError(t, err)

	style := lettering.Style{Family: "Lobster", Size: 40, Weight: 400, Width: 100}
	inLato := set(t, few, "Text", lettering.Style{Family: "Lato", Size: 40, Weight: 400, Width: 100}, 0)
	require.InDelta(t, inLato.Width, set(t, few, "Text", style, 0).Width, 0.001)
	require.NotEqual(t, inLato.Width, set(t, fonts(t), "Text", style, 0).Width)
}

func TestFamiliesDrawDifferently(t *testing.T) {
	t.Parallel()

	widths := map[float64]string{}

	for _, d := range values.Fonts() {
		l := set(t, fonts(t), "Reelgraph draws text", lettering.Style{Family: d.Name, Size: 50, Weight: 400, Width: 100}, 0)
		require.NotContains(t, widths, l.Width, "%s and %s", d.Name, widths[l.Width])
		widths[l.Width] = d.Name
	}
}

func TestLines(t *testing.T) {
	t.Parallel()

	style := lettering.Style{Family: "Inter", Size: 20, Weight: 400, Width: 100}
	words := set(t, fonts(t), "seven words that go into some lines", style, 130)
	require.Greater(t, len(words.Lines), 2)
	require.InDelta(t, float64(len(words.Lines))*24, words.Height, 0.01)
	require.Zero(t, words.Broken)

	for i, l := range words.Lines {
		require.LessOrEqual(t, l.Width, 130.0)

		if i > 0 {
			require.InDelta(t, 24, l.Baseline-words.Lines[i-1].Baseline, 0.01)
		}
	}

	require.Len(t, set(t, fonts(t), "a\n\nb\r\nc", style, 0).Lines, 4)
	require.Positive(t, set(t, fonts(t), "Donaudampfschifffahrtsgesellschaft", style, 100).Broken)
	require.Empty(t, set(t, fonts(t), "", style, 100).Lines[0].Glyphs)
}

// Every character keeps its index in the text, in both writing directions.
func TestRunesKeepTheirPlace(t *testing.T) {
	t.Parallel()

	text := []rune("ab\nשלום cd 👩‍💻 Ж")
	l := set(t, fonts(t), string(text), lettering.Style{Family: "Inter", Size: 30, Weight: 400, Width: 100}, 0)
	at := map[rune]float64{}

	for _, line := range l.Lines {
		for _, g := range line.Glyphs {
			at[text[g.Rune]] = g.X
		}
	}

	require.Less(t, at['a'], at['b'])
	require.Greater(t, at['ש'], at['ל'], "from right to left")
	require.Contains(t, at, 'Ж')
	require.Contains(t, at, '👩', "one picture of three characters")
	require.NotContains(t, at, '💻')
}

// Characters that a family lacks come from other fonts and are not empty boxes.
func TestOtherScripts(t *testing.T) {
	t.Parallel()

	for _, text := range []string{
		"नमस्ते", "مرحبا", "გამარჯობა", "สวัสดี", "日本語テキスト", "中文字幕", "한국어", "←→≠∞", "🎉",
	} {
		l := set(t, fonts(t), text, lettering.Style{Family: "Lobster", Size: 40, Weight: 400, Width: 100}, 0)
		missing := set(t, fonts(t), "\U0010FFFD", lettering.Style{Family: "Lobster", Size: 40, Weight: 400, Width: 100}, 0)
		require.NotEqual(t, missing.Width, l.Lines[0].Glyphs[0].Advance, text)

		dst := image.NewRGBA(l.Ink(10, 10, 0, 100))
		l.Draw(dst, 10, 10, color.White, 0, 100)

		ink := 0
		for i := 3; i < len(dst.Pix); i += 4 {
			ink += int(dst.Pix[i]) / 255
		}

		require.Greater(t, ink, 50, text)
	}
}
