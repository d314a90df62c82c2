package listing

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// aboveName is the name under which the rows of a nested list hold the video that they belong to, read with everything
// that they select of it.
const aboveName = "video"

// withBackEdges adds to the selected fields of a video those that its clips and exports select of it, at any depth.
// The video that is above a clip is then the video that the clip belongs to, and it is not read again.
func withBackEdges(nodes []selection.Node) []selection.Node {
	for i := 0; i < len(nodes); i++ { // the list grows
		if name := nodes[i].Name; name == "clips" || name == "exports" {
			nodes = append(nodes, nodes[i].Tree.Items().Below(aboveName).Nodes()...)
		}
	}

	return nodes
}

// TellAbove tells a row below a video which video it belongs to. The video must have been read with what LoadAbove adds.
func TellAbove[Below paging.Entity](v *ent.Video, row Below) {
	_, extra := row.Below()
	extra.Lists = append(extra.Lists, ent.List{Name: aboveName, Rows: v})
}

// tellSelected tells rows that were read apart from their video which video they belong to, if they select it.
func tellSelected[Below paging.Entity](ctx context.Context, svc *Service, videoID string, rows []Below) error {
	wanted := selection.Of(ctx).Items().Below(aboveName)
	if len(rows) == 0 || len(wanted.Nodes()) == 0 {
		return nil
	}

	v, err := svc.Rights().ReadableVideo(ctx, videoID, wanted)
	if err != nil {
		return err
	}

	for _, row := range rows {
		TellAbove(v, row)
	}

	return nil
}

// LoadAbove returns a function that makes a query of the videos above rows also read what the rows select of them.
func (svc *Service) LoadAbove(who auth.Viewer, sel selection.Tree) func(*ent.VideoQuery) {
	nodes := withBackEdges(sel.Below(aboveName).Nodes())

	return func(q *ent.VideoQuery) { svc.selectLists(who, q, nodes) }
}

// VideoAbove returns the video that a clip or an export belongs to, with the selected fields. id is the id of the video.
func (svc *Service) VideoAbove(ctx context.Context, row paging.Entity, id string) (*ent.Video, error) {
	_, extra := row.Below()

	for _, list := range extra.Lists {
		if v, told := list.Rows.(*ent.Video); told && list.Name == aboveName {
			return v, nil
		}
	}

	return svc.Rights().ReadableVideo(ctx, id, selection.Of(ctx))
}
