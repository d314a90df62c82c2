package schema

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	gen "github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/intercept"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// ErrNobody is returned for every read and write whose context has no viewer. Access is denied by default, so code
// that forgets the viewer breaks a test instead of leaking data.
var ErrNobody = errors.New("ent: no viewer in the context")

// ErrForeign is returned by a write that refers to another workspace, or to a row of another workspace.
var ErrForeign = errors.New("ent: the row belongs to another workspace")

// tenant limits reads and writes of an entity to its workspace. Interceptors do not see writes, hooks do not see reads,
// and neither sees the rows that edges lead to, so it has both and also checks edges.
type tenant struct{ mixin.Schema }

func (tenant) Fields() []ent.Field {
	return []ent.Field{field.String("workspace_id").Immutable()}
}

func (tenant) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{scoped(func(workspaceID string) func(*sql.Selector) {
		return sql.FieldEQ("workspace_id", workspaceID)
	})}
}

func (tenant) Hooks() []ent.Hook { return []ent.Hook{bounded} }

// scoped limits every query to rows of the viewer's workspace.
func scoped(within func(workspaceID string) func(*sql.Selector)) ent.Interceptor {
	return intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		viewer, ok := auth.From(ctx)

		switch {
		case !ok:
			return ErrNobody
		case viewer.System:
			return nil
		}

		q.WhereP(within(viewer.WorkspaceID))

		return nil
	})
}

// mutation lists the methods that generated mutations have in addition to those of ent.Mutation.
type mutation interface {
	ent.Mutation
	WhereP(preds ...func(*sql.Selector))
	Client() *gen.Client
}

// bounded limits every write to the viewer's workspace.
func bounded(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		viewer, ok := auth.From(ctx)

		switch {
		case !ok:
			return nil, ErrNobody
		case viewer.System:
			return next.Mutate(ctx, m)
		}

		tm, ok := m.(mutation)
		if !ok {
			return nil, fmt.Errorf("ent: %s takes no predicates, so it cannot be limited to a workspace", m.Type())
		}

		if err := bind(tm, viewer.WorkspaceID); err != nil {
			return nil, err
		}

		if err := proveEdges(ctx, tm); err != nil {
			return nil, err
		}

		return next.Mutate(ctx, m)
	})
}

func bind(m mutation, workspaceID string) error {
	if !m.Op().Is(ent.OpCreate) {
		m.WhereP(sql.FieldEQ("workspace_id", workspaceID))

		return nil
	}

	if named, set := m.Field("workspace_id"); set && named != workspaceID {
		return fmt.Errorf("create %s: %w", m.Type(), ErrForeign)
	}

	return m.SetField("workspace_id", workspaceID)
}

// within lets a viewer change only the row whose column equals its workspace. It refuses creation.
func within(column string) ent.Hook {
	return narrowed(func(v auth.Viewer) func(*sql.Selector) { return sql.FieldEQ(column, v.WorkspaceID) })
}

// self lets a viewer change only its own user.
func self(next ent.Mutator) ent.Mutator {
	return narrowed(func(v auth.Viewer) func(*sql.Selector) { return sql.FieldEQ("id", v.UserID) })(next)
}

func narrowed(to func(auth.Viewer) func(*sql.Selector)) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			viewer, ok := auth.From(ctx)

			switch {
			case !ok:
				return nil, ErrNobody
			case viewer.System:
				return next.Mutate(ctx, m)
			case m.Op().Is(ent.OpCreate):
				return nil, fmt.Errorf("create %s: %w", m.Type(), ErrForeign)
			}

			tm, ok := m.(mutation)
			if !ok {
				return nil, fmt.Errorf("ent: %s takes no predicates, so it cannot be limited to a user", m.Type())
			}

			tm.WhereP(to(viewer))

			return next.Mutate(ctx, m)
		})
	}
}
