package schema

import (
	"context"
	"fmt"

	"entgo.io/ent"

	gen "github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistgroup"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/ent/viewsession"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/ent/webhookendpoint"
	"github.com/reelgraph/reelgraph/ent/webhookmessage"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
)

// visible counts, for each kind of id, how many of the named rows the viewer's workspace can see. It must hold every
// kind that an edge can lead to; edges to any other kind are refused.
var visible = map[ids.Kind]func(ctx context.Context, c *gen.Client, named []string) (int, error){
	ids.Workspace: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Workspace.Query().Where(workspace.IDIn(named...)).Count(ctx)
	},
	ids.User: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.User.Query().Where(user.IDIn(named...)).Count(ctx)
	},
	ids.Video: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Video.Query().Where(video.IDIn(named...)).Count(ctx)
	},
	ids.Clip: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Clip.Query().Where(clip.IDIn(named...)).Count(ctx)
	},
	ids.Comment: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Comment.Query().Where(comment.IDIn(named...)).Count(ctx)
	},
	ids.Source: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Source.Query().Where(source.IDIn(named...)).Count(ctx)
	},
	ids.Export: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Export.Query().Where(export.IDIn(named...)).Count(ctx)
	},
	ids.Playlist: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Playlist.Query().Where(playlist.IDIn(named...)).Count(ctx)
	},
	ids.PlaylistGroup: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.PlaylistGroup.Query().Where(playlistgroup.IDIn(named...)).Count(ctx)
	},
	ids.Tag: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.Tag.Query().Where(tag.IDIn(named...)).Count(ctx)
	},
	ids.Endpoint: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.WebhookEndpoint.Query().Where(webhookendpoint.IDIn(named...)).Count(ctx)
	},
	ids.Message: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.WebhookMessage.Query().Where(webhookmessage.IDIn(named...)).Count(ctx)
	},
	ids.Delivery: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.WebhookDelivery.Query().Where(webhookdelivery.IDIn(named...)).Count(ctx)
	},
	ids.ViewSession: func(ctx context.Context, c *gen.Client, named []string) (int, error) {
		return c.ViewSession.Query().Where(viewsession.IDIn(named...)).Count(ctx)
	},
}

type provenKey struct{}

// Proven returns a context in which writes do not check the named rows again. Before that, it checks
// that the viewer's workspace can see these rows, with one statement for each kind of row. If the workspace cannot
// see one of them, Proven returns ErrForeign. Use it before writing many rows.
func Proven(ctx context.Context, c *gen.Client, named ...string) (context.Context, error) {
	proven, byKind := map[string]bool{}, map[ids.Kind][]string{}

	for _, id := range named {
		if kind, _ := ids.KindOf(id); !proven[id] {
			proven[id], byKind[kind] = true, append(byKind[kind], id)
		}
	}

	for kind, some := range byKind {
		if err := prove(ctx, c, kind, some); err != nil {
			return nil, err
		}
	}

	return context.WithValue(ctx, provenKey{}, proven), nil
}

// prove returns ErrForeign unless the viewer's workspace can see all named rows of the kind. Each id must be named
// once.
func prove(ctx context.Context, c *gen.Client, kind ids.Kind, named []string) error {
	count, known := visible[kind]
	if !known {
		return ErrForeign
	}

	n, err := count(ctx, c, named)
	if err == nil && n != len(named) {
		err = ErrForeign
	}

	return err
}

// proveEdges refuses a write that adds an edge to a row that the viewer's workspace cannot see.
func proveEdges(ctx context.Context, m mutation) error {
	for _, edge := range m.AddedEdges() {
		for _, value := range m.AddedIDs(edge) {
			if err := proveEdge(ctx, m, edge, value); err != nil {
				return err
			}
		}
	}

	return nil
}

func proveEdge(ctx context.Context, m mutation, edge string, value ent.Value) error {
	id, ok := value.(string)
	if !ok {
		return fmt.Errorf("%s.%s: the target of the edge has an id that is not a string", m.Type(), edge)
	}

	if proven, _ := ctx.Value(provenKey{}).(map[string]bool); proven[id] {
		return nil
	}

	kind, _ := ids.KindOf(id)
	if err := prove(ctx, m.Client(), kind, []string{id}); err != nil {
		return fmt.Errorf("%s.%s: %w", m.Type(), edge, err)
	}

	return nil
}
