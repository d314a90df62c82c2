package stock

import "github.com/reelgraph/reelgraph/internal/video/values"

func gradients() []Item {
	named := []struct {
		id, name string
		angle    int
		one, two values.Color
	}{
		{"bg-dawn", "Dawn", 135, "#FF9A8BFF", "#FF6A88FF"},
		{"bg-ocean", "Ocean", 160, "#2193B0FF", "#6DD5EDFF"},
		{"bg-violet", "Violet", 135, "#667EEAFF", "#764BA2FF"},
		{"bg-forest", "Forest", 150, "#134E5EFF", "#71B280FF"},
		{"bg-sand", "Sand", 120, "#E6DADAFF", "#B79891FF"},
		{"bg-night", "Night", 180, "#232526FF", "#414345FF"},
		{"bg-citrus", "Citrus", 45, "#F7971EFF", "#FFD200FF"},
		{"bg-frost", "Frost", 90, "#E0EAFCFF", "#CFDEF3FF"},
	}

	all := make([]Item, len(named))
	for i, n := range named {
		all[i] = Item{ID: n.id, Type: values.CatalogTypeBackground, Name: n.name, Colours: &values.Background{
			Type: values.BackgroundTypeGradient, GradientAngle: n.angle, GradientColor1: n.one, GradientColor2: n.two,
		}}
	}

	return all
}

func pictures() []Item {
	named := []struct {
		id, name string
		picture  Picture
	}{
		{"bg-aurora", "Aurora", Picture{Top: 0x07122b, Bottom: 0x0d2b3e, Bands: 3, Lights: []Light{
			{X: 0.25, Y: 0.35, Size: 0.45, Colour: 0x1fd6a0, Strength: 0.75},
			{X: 0.6, Y: 0.3, Size: 0.5, Colour: 0x3a7bff, Strength: 0.7},
			{X: 0.85, Y: 0.55, Size: 0.4, Colour: 0x9b4dff, Strength: 0.65},
		}}},
		{"bg-peach", "Peach", Picture{Top: 0xffd9c4, Bottom: 0xff9f8f, Lights: []Light{
			{X: 0.2, Y: 0.2, Size: 0.5, Colour: 0xfff1d6, Strength: 0.8},
			{X: 0.8, Y: 0.75, Size: 0.55, Colour: 0xff6f91, Strength: 0.7},
			{X: 0.5, Y: 1, Size: 0.5, Colour: 0xffc36b, Strength: 0.6},
		}}},
		{"bg-lagoon", "Lagoon", Picture{Top: 0x0a3d62, Bottom: 0x0fb9b1, Bands: 5, Lights: []Light{
			{X: 0.3, Y: 0.8, Size: 0.6, Colour: 0x7bed9f, Strength: 0.5}, {X: 0.75, Y: 0.2, Size: 0.5, Colour: 0x1e90ff, Strength: 0.6},
		}}},
		{"bg-studio", "Studio", Picture{Top: 0x2b2d33, Bottom: 0x141518, Lights: []Light{
			{X: 0.5, Y: 0.25, Size: 0.7, Colour: 0x6b7280, Strength: 0.7}, {X: 0.5, Y: 1.1, Size: 0.5, Colour: 0x3b3f4a, Strength: 0.6},
		}}},
		{"bg-orchid", "Orchid", Picture{Top: 0x3b1d60, Bottom: 0x8e2de2, Bands: 2, Lights: []Light{
			{X: 0.15, Y: 0.8, Size: 0.5, Colour: 0xff5ea8, Strength: 0.7}, {X: 0.8, Y: 0.25, Size: 0.55, Colour: 0x5b8cff, Strength: 0.7},
		}}},
		{"bg-paper", "Paper", Picture{Top: 0xf7f5f0, Bottom: 0xe6e1d6, Lights: []Light{
			{X: 0.3, Y: 0.25, Size: 0.6, Colour: 0xffffff, Strength: 0.8}, {X: 0.9, Y: 0.9, Size: 0.6, Colour: 0xd8cfbd, Strength: 0.6},
		}}},
	}

	all := make([]Item, len(named))
	for i, n := range named {
		all[i] = Item{ID: n.id, Type: values.CatalogTypeBackground, Name: n.name, Picture: &n.picture}
	}

	return all
}

const (
	loopMs = 8000
	loopFR = 24
)

func animations() []Item {
	named := []struct {
		id, name string
		picture  Picture
	}{
		{"loop-drift", "Drift", Picture{Top: 0x1b2a6b, Bottom: 0x4b1d6b, Lights: []Light{
			{X: 0.3, Y: 0.4, Size: 0.5, Colour: 0x2dd4ff, Strength: 0.7, Orbit: 0.22, Turns: 1},
			{X: 0.7, Y: 0.6, Size: 0.55, Colour: 0xff5edb, Strength: 0.65, Orbit: 0.2, Turns: -1, Phase: 0.4},
			{X: 0.5, Y: 0.5, Size: 0.4, Colour: 0x7c5cff, Strength: 0.6, Orbit: 0.3, Turns: 1, Phase: 0.7},
		}}},
		{"loop-ember", "Ember", Picture{Top: 0x2a0f0a, Bottom: 0x5a1a0c, Lights: []Light{
			{X: 0.25, Y: 0.9, Size: 0.55, Colour: 0xff7a18, Strength: 0.8, Orbit: 0.15, Turns: 1},
			{X: 0.7, Y: 0.95, Size: 0.5, Colour: 0xffc24b, Strength: 0.7, Orbit: 0.18, Turns: -1, Phase: 0.3},
			{X: 0.5, Y: 0.5, Size: 0.45, Colour: 0xb31217, Strength: 0.6, Orbit: 0.12, Turns: 2, Phase: 0.1},
		}}},
		{"loop-tide", "Tide", Picture{Top: 0x0b486b, Bottom: 0x3b8686, Bands: 4, Lights: []Light{
			{X: 0.3, Y: 0.3, Size: 0.6, Colour: 0x79bd9a, Strength: 0.6, Orbit: 0.2, Turns: 1},
			{X: 0.8, Y: 0.7, Size: 0.5, Colour: 0xa8dba8, Strength: 0.5, Orbit: 0.16, Turns: -1},
		}}},
		{"loop-cloud", "Cloud", Picture{Top: 0xdfe9f3, Bottom: 0xffffff, Lights: []Light{
			{X: 0.25, Y: 0.6, Size: 0.55, Colour: 0xc4d7f2, Strength: 0.8, Orbit: 0.2, Turns: 1},
			{X: 0.7, Y: 0.35, Size: 0.5, Colour: 0xf6d5e5, Strength: 0.75, Orbit: 0.2, Turns: -1, Phase: 0.5},
		}}},
	}

	all := make([]Item, len(named))
	for i, n := range named {
		all[i] = Item{
			ID: n.id, Type: values.CatalogTypeAnimatedBackground, Name: n.name, Picture: &n.picture, LoopMs: loopMs, FrameRate: loopFR,
		}
	}

	return all
}
