package graph

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The defaults of a text, in percent of the artboard.
const (
	textWide  = 60
	textTall  = 25
	textSized = 7.5 // of the shorter side
)

// centred is where a box lies in the middle of the artboard.
func centred(size values.Size, on values.Dimensions) values.Point {
	return values.Point{
		XPct: 50 - 50*size.Width/float64(on.Width),
		YPct: 50 - 50*size.Height/float64(on.Height),
	}
}

// touching refuses a box that lies beyond the artboard.
func touching(at values.Point, size values.Size, on values.Dimensions) []fault.Field {
	var faults []fault.Field

	outside := func(pct, length float64, side int, field string) {
		if from := pct * float64(side) / 100; from > float64(side) || from+length < 0 {
			faults = append(faults, fault.Field{Path: "point." + field, Rule: "must let the box touch the artboard"})
		}
	}

	outside(at.XPct, size.Width, on.Width, "xPct")
	outside(at.YPct, size.Height, on.Height, "yPct")

	return faults
}

// boxOf is a box as given, of a default size, and centred where nobody says.
func boxOf(
	at *model.ArtboardPointInput, size *model.ArtboardSizeInput, usual values.Size, on values.Dimensions,
) (values.Point, values.Size, []fault.Field) {
	if size != nil {
		usual = values.Size(*size)
	}

	place := centred(usual, on)
	if at != nil {
		place = values.Point(*at)
	}

	return place, usual, touching(place, usual, on)
}

// within is the size of a picture as it is, scaled down to the artboard if it is larger.
func within(width, height int, on values.Dimensions) values.Size {
	scale := min(1, float64(on.Width)/float64(max(width, 1)), float64(on.Height)/float64(max(height, 1)))

	return values.Size{Width: max(1, float64(width)*scale), Height: max(1, float64(height)*scale)}
}

// beginOverlay is a new picture or film over the artboard.
func (d *desk) beginOverlay(in *model.AddMediaOverlayInput) (values.EffectParams, *ent.Source, []fault.Field) {
	source, on := d.sources[in.SourceID], artboard(d.video)
	at, size, faults := boxOf(in.Point, in.Dimensions, within(source.Width, source.Height, on), on)
	overlay := values.OverlayParams{Name: source.Name, Point: at, Dimensions: size}
	put(&overlay.Name, in.Name)

	return values.EffectParams{Overlay: &overlay}, source, faults
}

func (d *desk) alterOverlay(in *model.UpdateMediaOverlayInput, row *ent.Effect) []fault.Field {
	overlay := *row.Params.Overlay
	row.Params.Overlay = &overlay

	give(&overlay.Name, in.Name)
	move(&overlay.Point, &overlay.Dimensions, in.Point.Value(), in.Dimensions.Value())

	return touching(overlay.Point, overlay.Dimensions, artboard(d.video))
}

func move(at *values.Point, size *values.Size, point *model.ArtboardPointInput, dimensions *model.ArtboardSizeInput) {
	if point != nil {
		*at = values.Point(*point)
	}

	if dimensions != nil {
		*size = values.Size(*dimensions)
	}
}

// beginText is a new text over the artboard.
func (d *desk) beginText(in *model.AddTextOverlayInput) (values.EffectParams, *ent.Source, []fault.Field) {
	on := artboard(d.video)
	usual := values.Size{Width: textWide * float64(on.Width) / 100, Height: textTall * float64(on.Height) / 100}
	at, size, faults := boxOf(in.Point, in.Dimensions, usual, on)
	style := plainText(on)

	if in.Color != nil {
		style.Color = colour(*in.Color)
	}

	if in.Background != nil {
		style.Background = textBackground(*in.Background)
	}

	put(&style.BackgroundShape, in.BackgroundShape)
	put(&style.FontFamily, in.FontFamily)
	put(&style.FontSize, in.FontSize)
	put(&style.FontWeight, in.FontWeight)
	put(&style.FontWidth, in.FontWidth)
	put(&style.TextAlign, in.TextAlign)

	return values.EffectParams{Text: &values.TextParams{TextStyle: style, Text: in.Text, Point: at, Dimensions: size}}, nil, faults
}

// plainText is how a text looks of which nothing is said.
func plainText(on values.Dimensions) values.TextStyle {
	return values.TextStyle{
		Color: "#FFFFFFFF", Background: values.Transparent, BackgroundShape: values.TextBackgroundShapeNone,
		FontFamily: values.DefaultFontFamily, FontSize: textSized * float64(min(on.Width, on.Height)) / 100,
		FontWeight: 500, FontWidth: 100, TextAlign: values.TextAlignCenter,
	}
}

// textBackground is the stored spelling of what has been checked.
func textBackground(given string) string {
	if given == values.Transparent {
		return given
	}

	return string(colour(values.Color(given)))
}

func (d *desk) alterText(in *model.UpdateTextOverlayInput, row *ent.Effect) []fault.Field {
	t := *row.Params.Text
	row.Params.Text = &t

	give(&t.Text, in.Text)
	move(&t.Point, &t.Dimensions, in.Point.Value(), in.Dimensions.Value())

	if given := in.Color.Value(); given != nil {
		t.Color = colour(*given)
	}

	if given := in.Background.Value(); given != nil {
		t.Background = textBackground(*given)
	}

	give(&t.BackgroundShape, in.BackgroundShape)
	give(&t.FontFamily, in.FontFamily)
	give(&t.FontSize, in.FontSize)
	give(&t.FontWeight, in.FontWeight)
	give(&t.FontWidth, in.FontWidth)
	give(&t.TextAlign, in.TextAlign)

	return touching(t.Point, t.Dimensions, artboard(d.video))
}

// beginSound is a new sound: a source, or the workspace's copy of a preset.
func (d *desk) beginSound(in *model.AddSoundEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
	var source *ent.Source
	if in.PresetID != nil {
		source = d.presets[*in.PresetID].copied
	} else {
		source = d.sources[*in.SourceID]
	}

	sound := values.SoundParams{Name: source.Name, Volume: 1}
	put(&sound.Name, in.Name)
	put(&sound.Volume, in.Volume)

	return values.EffectParams{Sound: &sound}, source, nil
}

func alterSound(in *model.UpdateSoundEffectInput, row *ent.Effect) []fault.Field {
	sound := *row.Params.Sound
	row.Params.Sound = &sound

	give(&sound.Name, in.Name)
	give(&sound.Volume, in.Volume)

	return nil
}
