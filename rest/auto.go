package rest

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/rest/shape"
)

type autoZoomsIn struct {
	clipPath

	Body model.AutoZoomsInput `body:"json"`
}

func autoZooms(ctx context.Context, g Graph, in autoZoomsIn) (zoomsOut, error) {
	done, err := g.Mutation().AutoZooms(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return zoomsOut{}, err
	}

	return zoomsOut{Zooms: done.Zooms}, nil
}

type autoLayoutsIn struct {
	clipPath

	Body model.AutoLayoutsInput `body:"json"`
}

func autoLayouts(ctx context.Context, g Graph, in autoLayoutsIn) (shape.AutoLayoutsOut, error) {
	done, err := g.Mutation().AutoLayouts(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return shape.AutoLayoutsOut{}, err
	}

	return shape.AutoLayoutsOut{Layouts: done.Layouts, EditingStyle: done.EditingStyle}, nil
}
