package effect

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// centred returns the position that puts a box in the middle of the artboard.
func centred(size values.Size, on values.Dimensions) values.Point {
	return values.Point{
		XPct: 50 - 50*size.Width/float64(on.Width),
		YPct: 50 - 50*size.Height/float64(on.Height),
	}
}

// touching refuses a box that lies completely outside the artboard.
func touching(at values.Point, size values.Size, on values.Dimensions) []fault.Field {
	var faults []fault.Field

	outside := func(pct, length float64, side int, field string) {
		if from := pct * float64(side) / 100; from > float64(side) || from+length < 0 {
			faults = append(faults, fault.Field{Path: "point." + field, Rule: "must place at least part of the box on the artboard"})
		}
	}

	outside(at.XPct, size.Width, on.Width, "xPct")
	outside(at.YPct, size.Height, on.Height, "yPct")

	return faults
}

// boxOf returns the given box, with a default size and centered where no values are given.
func boxOf(
	at *effects.ArtboardPointInput, size *effects.ArtboardSizeInput, usual values.Size, on values.Dimensions,
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

// within returns the size of a picture, scaled down to the artboard if it is larger.
func within(width, height int, on values.Dimensions) values.Size {
	scale := min(1, float64(on.Width)/float64(max(width, 1)), float64(on.Height)/float64(max(height, 1)))

	return values.Size{Width: max(1, float64(width)*scale), Height: max(1, float64(height)*scale)}
}

// beginOverlay creates a picture or film over the artboard.
func (d *Desk) beginOverlay(in *effects.AddMediaOverlayInput) (values.EffectParams, *ent.Source, []fault.Field) {
	source, on := d.Sources[in.SourceID], listing.Artboard(d.Video)
	at, size, faults := boxOf(in.Point, in.Dimensions, within(source.Width, source.Height, on), on)
	overlay := values.OverlayParams{Name: source.Name, Point: at, Dimensions: size}
	optional.Put(&overlay.Name, in.Name)

	return values.EffectParams{Overlay: &overlay}, source, faults
}

func (d *Desk) alterOverlay(in *effects.UpdateMediaOverlayInput, row *ent.Effect) []fault.Field {
	overlay := *row.Params.Overlay
	row.Params.Overlay = &overlay

	optional.Give(&overlay.Name, in.Name)
	move(&overlay.Point, &overlay.Dimensions, in.Point.Value(), in.Dimensions.Value())

	return touching(overlay.Point, overlay.Dimensions, listing.Artboard(d.Video))
}

func move(at *values.Point, size *values.Size, point *effects.ArtboardPointInput, dimensions *effects.ArtboardSizeInput) {
	if point != nil {
		*at = values.Point(*point)
	}

	if dimensions != nil {
		*size = values.Size(*dimensions)
	}
}

// beginText creates a text over the artboard.
func (d *Desk) beginText(in *effects.AddTextOverlayInput) (values.EffectParams, *ent.Source, []fault.Field) {
	on := listing.Artboard(d.Video)
	usual := values.Size{Width: library.TextWide * float64(on.Width) / 100, Height: library.TextTall * float64(on.Height) / 100}
	at, size, faults := boxOf(in.Point, in.Dimensions, usual, on)
	style := library.PlainText(on)

	if in.Color != nil {
		style.Color = videos.Colour(*in.Color)
	}

	if in.Background != nil {
		style.Background = textBackground(*in.Background)
	}

	optional.Put(&style.BackgroundShape, in.BackgroundShape)
	optional.Put(&style.FontFamily, in.FontFamily)
	optional.Put(&style.FontSize, in.FontSize)
	optional.Put(&style.FontWeight, in.FontWeight)
	optional.Put(&style.FontWidth, in.FontWidth)
	optional.Put(&style.TextAlign, in.TextAlign)

	return values.EffectParams{Text: &values.TextParams{TextStyle: style, Text: in.Text, Point: at, Dimensions: size}}, nil, faults
}

// textBackground converts a validated value into its stored form.
func textBackground(given string) string {
	if given == values.Transparent {
		return given
	}

	return string(videos.Colour(values.Color(given)))
}

func (d *Desk) alterText(in *effects.UpdateTextOverlayInput, row *ent.Effect) []fault.Field {
	t := *row.Params.Text
	row.Params.Text = &t

	optional.Give(&t.Text, in.Text)
	move(&t.Point, &t.Dimensions, in.Point.Value(), in.Dimensions.Value())

	if given := in.Color.Value(); given != nil {
		t.Color = videos.Colour(*given)
	}

	if given := in.Background.Value(); given != nil {
		t.Background = textBackground(*given)
	}

	optional.Give(&t.BackgroundShape, in.BackgroundShape)
	optional.Give(&t.FontFamily, in.FontFamily)
	optional.Give(&t.FontSize, in.FontSize)
	optional.Give(&t.FontWeight, in.FontWeight)
	optional.Give(&t.FontWidth, in.FontWidth)
	optional.Give(&t.TextAlign, in.TextAlign)

	return touching(t.Point, t.Dimensions, listing.Artboard(d.Video))
}

// beginSound creates a sound from a source or from the workspace's copy of a preset.
func (d *Desk) beginSound(in *effects.AddSoundEffectInput) (values.EffectParams, *ent.Source, []fault.Field) {
	var source *ent.Source
	if in.PresetID != nil {
		source = d.presets[*in.PresetID].Copied
	} else {
		source = d.Sources[*in.SourceID]
	}

	sound := values.SoundParams{Name: source.Name, Volume: 1}
	optional.Put(&sound.Name, in.Name)
	optional.Put(&sound.Volume, in.Volume)

	return values.EffectParams{Sound: &sound}, source, nil
}

func alterSound(in *effects.UpdateSoundEffectInput, row *ent.Effect) []fault.Field {
	sound := *row.Params.Sound
	row.Params.Sound = &sound

	optional.Give(&sound.Name, in.Name)
	optional.Give(&sound.Volume, in.Volume)

	return nil
}
