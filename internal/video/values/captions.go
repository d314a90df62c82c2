package values

// CaptionPreset is a predefined caption style.
type CaptionPreset struct {
	ID    string
	Name  string
	Style CaptionStyle
}

// CaptionPresets returns all presets, in the order in which they are offered. Their ids never change.
func CaptionPresets() []CaptionPreset {
	preset := func(id, name string, background, text Color, highlights bool) CaptionPreset {
		return CaptionPreset{ID: id, Name: name, Style: CaptionStyle{
			Name: CaptionStyleNameBackdrop, BackgroundColor: background, TextColor: text, WordLevelHighlights: highlights,
		}}
	}

	return []CaptionPreset{
		preset("classic", "Classic", "#000000CC", "#FFFFFFFF", true),
		preset("plain", "Plain", "#000000CC", "#FFFFFFFF", false),
		preset("light", "Light", "#FFFFFFE6", "#111111FF", true),
		preset("bare", "Bare", "#00000000", "#FFFFFFFF", true),
		preset("sun", "Sun", "#000000E6", "#FFD60AFF", true),
		preset("night", "Night", "#0B1F3AE6", "#E6F0FFFF", true),
	}
}
