package exports

import (
	"cmp"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// lookOf returns everything that a video shows in addition to its recordings, with or without captions.
func lookOf(v *ent.Video, clips []*ent.Clip, captions bool) values.Look {
	var look values.Look

	if captions {
		look.Captions = &values.CaptionLook{Style: v.Editing.CaptionStyle, Position: v.Editing.CaptionPosition}
	}

	for _, c := range clips {
		shown := clipLookOf(v, c)
		if captions {
			shown.Words = captionWords(c)
		}

		look.Clips = append(look.Clips, shown)
	}

	return look
}

func clipLookOf(v *ent.Video, c *ent.Clip) values.ClipLook {
	look := values.ClipLook{
		Background:  c.Background,
		BorderStyle: *cmp.Or(c.BorderStyle, &v.Editing.BorderStyle),
		Corners:     *cmp.Or(c.Corners, &v.Editing.Corners),
		Crop:        c.Crop,
		Base:        listing.BaseShape(c),
		Cursor:      c.AnimatedCursor && c.MouseSourceID != nil && c.ScreenSourceID != nil,
	}
	follows := look.Cursor

	for _, e := range c.Edges.Effects {
		if k, _ := effect.Of(e.Kind); k.Heard {
			continue
		}

		look.Effects = append(look.Effects, values.ShownEffect{
			Kind: e.Kind, StartMs: e.StartMs, EndMs: e.EndMs, SourceID: optional.Deref(e.SourceID), Params: e.Params,
		})
		follows = follows || e.Params.Zoom != nil && e.Params.Zoom.Type == values.ZoomTypeTrackingZoom
	}

	if follows {
		look.Mouse, look.MouseOffsetMs = optional.Deref(c.MouseSourceID), c.Offsets.Mouse.Ms
	}

	return look
}

// captionWords returns the words that captions show: corrected, without hidden words.
func captionWords(c *ent.Clip) []values.SpokenWord {
	var words []values.SpokenWord

	for _, w := range transcripts.All(c.Edges.Transcript) {
		if !w.Hidden {
			words = append(words, values.SpokenWord{Text: w.Said(), StartMs: w.StartMs, EndMs: w.EndMs, Cue: w.Cue})
		}
	}

	return words
}
