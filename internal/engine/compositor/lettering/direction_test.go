package lettering_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
)

var inter = lettering.Style{Family: "Inter", Size: 20, Weight: 400, Width: 100}

// visual returns the characters of each line from left to right, as they are placed.
func visual(l lettering.Layout, text string) []string {
	runes := []rune(text)
	lines := make([]string, 0, len(l.Lines))

	for _, line := range l.Lines {
		glyphs := slices.Clone(line.Glyphs)
		slices.SortStableFunc(glyphs, func(a, b lettering.Glyph) int {
			return int(64*a.X) - int(64*b.X)
		})

		var b strings.Builder

		for _, g := range glyphs {
			if g.Advance > 0 { // marks of direction have no width
				b.WriteRune(runes[g.Rune])
			}
		}

		lines = append(lines, b.String())
	}

	return lines
}

// TestBidirectionalText compares the order of characters with that of fribidi 1.0.8 (--nopad --clean). Brackets are
// compared as in the text: the font mirrors them, and fribidi's program does, too.
func TestBidirectionalText(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"a אב 1 גד z":                     "a דג 1 בא z",
		"שלום, abc 12%!":                  "!abc 12% ,םולש",
		"price: 12-ה ו-13":                "price: 12-13-ו ה",
		"a١ע":                             "aע١",
		"x (א) [ב] y":                     "x (א) [ב] y",
		"אב (cd 5) הו.":                   ".וה )cd 5( בא",
		"1 - 2 אב 3 - 4":                  "4 - 3 בא 2 - 1",
		"tel: \u2067אב +972-3\u2069 end":  "tel: 972-3+ בא end",
		"א [a(b]c) ב":                     "ב )c]a(b[ א",
		"12:30–14:00 בערב":                "ברעב 14:00–12:30",
		"C++ הוא 3.5$ (v2)":               "C++ 3.5$ אוה (v2)",
		"\u202eabc\u202c def":             "cba def",
		"הסרט Reelgraph 2.0 יצא ב-5 במאי": "יאמב 5-ב אצי Reelgraph 2.0 טרסה",
	} {
		require.Equal(t, []string{want}, visual(set(t, fonts(t), text, inter, 0), text), text)
	}
}

// The text is divided into lines first, then each line is reordered on its own: what is read first is in the first
// line.
func TestLinesAreReorderedOneByOne(t *testing.T) {
	t.Parallel()

	text := "אחת two שלוש 4 חמש six שבע 8"
	width := set(t, fonts(t), "אחת two שלוש 4", inter, 0).Width
	l := set(t, fonts(t), text, inter, width+1)
	require.Equal(t, []string{"4 שולש two תחא", "8 עבש six שמח"}, visual(l, text))
	require.InDelta(t, width, l.Lines[0].Width, 0.01, "the space at the end has no width")
	require.Zero(t, l.Broken)

	// Each paragraph has its own direction, and every separator ends one.
	text = "(א) b\r\n(b) א\u2029ג 1\r3 d"
	require.Equal(t, []string{"b )א(", "(b) א", "1 ג", "3 d"}, visual(set(t, fonts(t), text, inter, 0), text))
}

// A mirrored bracket is drawn as the other one of its pair.
func TestBracketsAreMirrored(t *testing.T) {
	t.Parallel()

	left := set(t, fonts(t), "(", inter, 0).Lines[0].Glyphs[0]
	right := set(t, fonts(t), ")", inter, 0).Lines[0].Glyphs[0]
	require.NotEqual(t, left.Left-left.X, right.Left-right.X)

	glyphs := set(t, fonts(t), "(א", inter, 0).Lines[0].Glyphs
	open := glyphs[slices.IndexFunc(glyphs, func(g lettering.Glyph) bool { return g.Rune == 0 })]
	require.InDelta(t, right.Left-right.X, open.Left-open.X, 0.01)
}

// A tab is a space, and other control characters are invisible: fonts draw them as boxes.
func TestControlsAreInvisible(t *testing.T) {
	t.Parallel()

	want := set(t, fonts(t), "ab cd", inter, 0)

	for _, text := range []string{"ab\tcd", "ab \x01cd", "a\x7fb\tcd"} {
		require.InDelta(t, want.Width, set(t, fonts(t), text, inter, 0).Width, 0.01, "%q", text)
	}

	require.Equal(t, []string{"שד בא"}, visual(set(t, fonts(t), "אב\tדש", inter, 0), "אב דש"))
	require.Len(t, set(t, fonts(t), "a\vb\u2028c\x0cd\u0085e", inter, 0).Lines, 5, "line separators")
}

// TestLinesOfEveryScript breaks lines by Unicode's rules: between ideographs, but not before closing and not after
// opening punctuation. Thai, Lao, Khmer and Myanmar break between grapheme clusters, never within a syllable that is
// written in one.
func TestLinesOfEveryScript(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		name, text string
		notFirst   string // characters that must not begin a line
	}{
		{"Chinese", "我们在这个视频里介绍如何录制屏幕，编辑剪辑，并且把它分享给同事。「好」", "，。」"},
		{"Japanese", "この動画では画面の録画と編集の方法を説明します。ちょっとした「コツ」もありますー。", "。」ーょっ"},
		{"Korean", "이동영상에서는화면을녹화하고편집하는방법을설명합니다", ""},
		{"Thai", "วิดีโอนี้อธิบายวิธีบันทึกหน้าจอและตัดต่อคลิปของคุณให้เพื่อนร่วมงานดูได้ง่ายๆ", "ิีึืุู่้๊๋์ะาำๆ"},
		{"Lao", "ວິດີໂອນີ້ອະທິບາຍວິທີການບັນທຶກໜ້າຈໍແລະແກ້ໄຂຄລິບຂອງທ່ານ", "ິີຶືຸູ່້໊໋໌ະາຳ"},
		{"Khmer", "វីដេអូនេះពន្យល់ពីរបៀបថតអេក្រង់និងកែសម្រួលឃ្លីបរបស់អ្នក", "ាិីឹឺុូួើឿៀេែៃោៅំះ្"},
		{"Myanmar", "ဤဗီဒီယိုသည်မျက်နှာပြင်ကိုမှတ်တမ်းတင်နည်းကိုရှင်းပြသည်", "ါာိီုူေဲံ့း္်ျြွှ"},
	} {
		runes := []rune(tc.text)
		whole := set(t, fonts(t), tc.text, inter, 0)
		require.Len(t, whole.Lines, 1)

		l := set(t, fonts(t), tc.text, inter, whole.Width/2.5)
		require.GreaterOrEqual(t, len(l.Lines), 3, tc.name)
		require.LessOrEqual(t, len(l.Lines), 4, tc.name)
		require.Zero(t, l.Broken, "%s: no word is broken", tc.name)

		for i, line := range l.Lines {
			require.LessOrEqual(t, line.Width, whole.Width/2.5, tc.name)

			if i < len(l.Lines)-1 {
				require.Greater(t, line.Width, whole.Width/2.5-5*inter.Size, "%s: the line is full", tc.name)
			}

			first := len(runes)
			for _, g := range line.Glyphs {
				first = min(first, g.Rune)
			}

			require.NotContains(t, tc.notFirst, string(runes[first]), "%s: line %d", tc.name, i)
			require.NotContains(t, "「เแโใไເແໂໃໄ", string(runes[max(0, first-1)]), tc.name)
		}
	}

	// A word of another script that does not fit moves to the next line, and a line may end after a hyphen.
	hello := set(t, fonts(t), "สวัสดี well-", inter, 0).Width
	l := set(t, fonts(t), "สวัสดี well-known", inter, hello+1)
	require.Len(t, l.Lines, 2)
	require.Equal(t, "known", visual(l, "สวัสดี well-known")[1])
}
