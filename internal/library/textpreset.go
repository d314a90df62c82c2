package library

import (
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// FontFamilies returns the font catalog. The default font is the first.
func FontFamilies() []*values.Font {
	fonts := values.Fonts()
	out := make([]*values.Font, len(fonts))

	for i := range fonts {
		out[i] = &fonts[i]
	}

	return out
}

// presetArtboard is the artboard for which the sizes of text presets are given.
func presetArtboard() values.Dimensions { return values.Dimensions{Width: 1920, Height: 1080} }

// TextPresets returns the preset styles of text effects. Each contains only the differences from PlainText.
func TextPresets() []*effect.TextPreset {
	preset := func(id, name string, change func(*values.TextStyle)) *effect.TextPreset {
		style := PlainText(presetArtboard())
		change(&style)

		return &effect.TextPreset{PresetID: id, Name: name, Style: style}
	}

	return []*effect.TextPreset{
		preset("plain", "Plain", func(*values.TextStyle) {}),
		preset("title", "Title", func(s *values.TextStyle) {
			s.FontSize, s.FontWeight = 120, 800
		}),
		preset("lower-third", "Lower third", func(s *values.TextStyle) {
			s.FontSize, s.FontWeight, s.TextAlign = 48, 600, values.TextAlignLeft
			s.Background, s.BackgroundShape = "#000000CC", values.TextBackgroundShapeRounded
		}),
		preset("label", "Label", func(s *values.TextStyle) {
			s.FontSize, s.Color = 36, "#111111FF"
			s.Background, s.BackgroundShape = "#FFFFFFFF", values.TextBackgroundShapePill
		}),
		preset("quote", "Quote", func(s *values.TextStyle) {
			s.FontFamily, s.FontSize, s.FontWeight = "EB Garamond", 72, 400
		}),
		preset("code", "Code", func(s *values.TextStyle) {
			s.FontFamily, s.FontSize, s.FontWeight, s.TextAlign = "JetBrains Mono", 40, 400, values.TextAlignLeft
			s.Background, s.BackgroundShape = "#1E1E2EFF", values.TextBackgroundShapeRounded
		}),
		preset("handwritten", "Handwritten", func(s *values.TextStyle) {
			s.FontFamily, s.FontSize, s.FontWeight = "Lobster", 96, 400
		}),
	}
}

// The defaults of a text, in percent of the artboard.
const (
	TextWide  = 60
	TextTall  = 25
	textSized = 7.5 // of the shorter side
)

// PlainText returns the style of a text effect for which no style is set.
func PlainText(on values.Dimensions) values.TextStyle {
	return values.TextStyle{
		Color: "#FFFFFFFF", Background: values.Transparent, BackgroundShape: values.TextBackgroundShapeNone,
		FontFamily: values.DefaultFontFamily, FontSize: textSized * float64(min(on.Width, on.Height)) / 100,
		FontWeight: 500, FontWidth: 100, TextAlign: values.TextAlignCenter,
	}
}
