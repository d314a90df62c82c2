package graph

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
)

// fontFamilies are the font catalogue, the default first.
func fontFamilies() []*domain.Font {
	fonts := domain.Fonts()
	out := make([]*domain.Font, len(fonts))

	for i := range fonts {
		out[i] = &fonts[i]
	}

	return out
}

// presetArtboard is what the sizes of text presets are meant for.
func presetArtboard() domain.Dimensions { return domain.Dimensions{Width: 1920, Height: 1080} }

// textPresets are looks for texts: changes to the plain one.
func textPresets() []*model.TextPreset {
	preset := func(id, name string, change func(*domain.TextStyle)) *model.TextPreset {
		style := plainText(presetArtboard())
		change(&style)

		return &model.TextPreset{PresetID: id, Name: name, Style: style}
	}

	return []*model.TextPreset{
		preset("plain", "Plain", func(*domain.TextStyle) {}),
		preset("title", "Title", func(s *domain.TextStyle) {
			s.FontSize, s.FontWeight = 120, 800
		}),
		preset("lower-third", "Lower third", func(s *domain.TextStyle) {
			s.FontSize, s.FontWeight, s.TextAlign = 48, 600, domain.TextAlignLeft
			s.Background, s.BackgroundShape = "#000000CC", domain.TextBackgroundShapeRounded
		}),
		preset("label", "Label", func(s *domain.TextStyle) {
			s.FontSize, s.Color = 36, "#111111FF"
			s.Background, s.BackgroundShape = "#FFFFFFFF", domain.TextBackgroundShapePill
		}),
		preset("quote", "Quote", func(s *domain.TextStyle) {
			s.FontFamily, s.FontSize, s.FontWeight = "EB Garamond", 72, 400
		}),
		preset("code", "Code", func(s *domain.TextStyle) {
			s.FontFamily, s.FontSize, s.FontWeight, s.TextAlign = "JetBrains Mono", 40, 400, domain.TextAlignLeft
			s.Background, s.BackgroundShape = "#1E1E2EFF", domain.TextBackgroundShapeRounded
		}),
		preset("handwritten", "Handwritten", func(s *domain.TextStyle) {
			s.FontFamily, s.FontSize, s.FontWeight = "Lobster", 96, 400
		}),
	}
}
