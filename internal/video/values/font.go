package values

// DefaultFontFamily is the font of a text that does not name a font.
const DefaultFontFamily = "Inter"

// AxisRange is the range of values of one axis of a variable font.
type AxisRange struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// Font is one font family of the catalog, with the ranges of its axes. Values outside a range are clamped when a text
// is drawn. The ranges are those of the files in Debian's packages.
type Font struct {
	Name     string    `json:"name"`
	Variable bool      `json:"variable"` // any value of the axes, not only whole steps
	Weight   AxisRange `json:"weight"`   // 100 is thin, 900 is black
	Width    AxisRange `json:"width"`    // percent
}

// Fonts returns the catalog of fonts. The default comes first.
func Fonts() []Font {
	normal := AxisRange{Min: 100, Max: 100}
	family := func(name string, light, black float64) Font {
		return Font{Name: name, Weight: AxisRange{Min: light, Max: black}, Width: normal}
	}

	fonts := []Font{
		family(DefaultFontFamily, 100, 900), family("Roboto", 100, 900), family("Open Sans", 300, 800),
		family("Lato", 100, 900), family("Noto Sans", 400, 700), family("Noto Serif", 400, 700),
		family("JetBrains Mono", 100, 800), family("EB Garamond", 400, 700), family("Comfortaa", 300, 700),
		family("Lobster", 400, 400),
	}
	fonts[0].Variable = true
	fonts[1].Width.Min, fonts[2].Width.Min = 75, 75 // they have condensed faces

	return fonts
}
