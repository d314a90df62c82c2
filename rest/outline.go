package rest

import (
	"context"
	"slices"

	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type getTimelineIn struct {
	videoPath

	Include []outlinePart `query:"include" check:"items=1..10"`
	ClipIDs []string      `query:"clipIds" check:"items=1..1000" each:"chars=1..255"`
}

// outlinePart is an optional part of an outline.
type outlinePart string

// Values returns all values of outlinePart.
func (outlinePart) Values() []string { return []string{"cuts", "words", "effects", everyPart} }

const everyPart = "all"

func getTimeline(ctx context.Context, g Graph, in getTimelineIn) (shape.TimelineOut, error) {
	of := selection.Fields("id", "counts")

	for _, part := range []outlinePart{"cuts", "words", "effects"} {
		if slices.Contains(in.Include, part) || slices.Contains(in.Include, everyPart) {
			of = of.And(selection.Fields(string(part)))
		}
	}

	fields := selection.Fields("id").Under("timeline", selection.Tree{}.Under("clips", of))

	v, err := g.Query().Video(asking(ctx, fields), in.ID)
	if err != nil {
		return shape.TimelineOut{}, err
	}

	outline, err := g.Video().Timeline(asking(ctx, selection.Tree{}.Under("clips", of)), v, in.ClipIDs)

	return shape.TimelineOut{Timeline: outline}, err
}
