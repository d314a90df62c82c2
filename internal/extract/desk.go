// Package extract is where what has to be computed from pictures and sound is asked for. What was made
// before is answered at once; otherwise one job makes it, however many ask, in whichever process, and
// all of them wait for it.
package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	stdsql "database/sql"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/address"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/store"
	"github.com/reelgraph/reelgraph/workers/jobs"
)

const (
	// signed is how long the address of a picture is accepted.
	signed = time.Hour
	// tired is how long after a failure the same is tried again.
	tired = 10 * time.Second
	// resend is when who has waited in vain may ask again.
	resend = 5 * time.Second
	// freshFor is how old the note of the last use may be.
	freshFor = time.Hour
)

// Desk is where it is asked for. Every field is required.
type Desk struct {
	Addresses address.Book
	Blobs     blob.Store
	Clock     func() time.Time
	Jobs      *jobs.Queue
	Store     *store.Store
	Topics    *store.Topics
	// Wait is how long whoever asks waits for what is being made, before he is told to come back.
	Wait time.Duration
}

var _ graph.Media = (*Desk)(nil)

// order is what somebody asks for.
type order struct {
	workspaceID, subjectID string
	key                    string
	recipe                 domain.Recipe
}

// obtain returns the extract of a recipe, ready. One that cannot be made is a conflict, and one that takes
// too long, or that nobody makes, is unavailable. It is called outside transactions: it waits for others.
func (d *Desk) obtain(ctx context.Context, subjectID string, r domain.Recipe) (*ent.Extract, error) {
	who, ok := auth.From(ctx)
	if !ok {
		return nil, errors.New("ask for an extract: nobody is asking")
	}

	key, err := r.Key()
	if err != nil {
		return nil, fmt.Errorf("ask for an extract: %w", err)
	}

	o := order{workspaceID: who.WorkspaceID, subjectID: subjectID, key: key, recipe: r}

	found, err := d.find(ctx, o)
	if err != nil {
		return nil, err
	}

	if found != nil && found.Status == domain.ExtractStatusReady {
		return found, d.use(ctx, found)
	}

	return d.await(ctx, o)
}

func (d *Desk) find(ctx context.Context, o order) (*ent.Extract, error) {
	found, err := d.Store.Client(ctx).Extract.Query().
		Where(extract.WorkspaceID(o.workspaceID), extract.Key(o.key)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // it was not asked for before
	}

	if err != nil {
		return nil, fmt.Errorf("find an extract: %w", err)
	}

	return found, nil
}

// await has the extract made, unless somebody else does, and waits for it.
func (d *Desk) await(ctx context.Context, o order) (*ent.Extract, error) {
	// Subscribed before it is asked for, so that its end does not fall between the two.
	wake, stop := d.Topics.Subscribe(jobs.ExtractTopic(o.workspaceID, o.key))
	defer stop()

	if err := d.alone(ctx, func(ctx context.Context) error { return d.request(ctx, o) }); err != nil {
		return nil, fmt.Errorf("ask for an extract: %w", err)
	}

	late := time.NewTimer(d.Wait)
	defer late.Stop()

	for {
		found, err := d.find(ctx, o)

		switch {
		case err != nil:
			return nil, err
		case found == nil:
			return nil, fault.Unavailable(resend)
		case found.Status == domain.ExtractStatusReady:
			return found, nil
		case found.Status == domain.ExtractStatusFailed:
			return nil, fault.Conflict(found.ErrorMessage)
		}

		select {
		case <-wake:
		case <-late.C:
			return nil, fault.Unavailable(resend)
		case <-ctx.Done():
			return nil, ctx.Err() //nolint:wrapcheck // the client is gone
		}
	}
}

// alone runs fn in a transaction of its own, also inside a request that will have one: the job must
// start while the request waits for it.
func (d *Desk) alone(ctx context.Context, fn func(ctx context.Context) error) error {
	ctx, unit := d.Store.Begin(ctx)
	defer unit.Rollback()

	if err := d.Store.InTx(ctx, fn); err != nil {
		return err
	}

	return unit.Commit(ctx) //nolint:wrapcheck // it says what it is
}

// request writes the extract down and asks for its job. Of many at once one does; one that failed a
// while ago is tried again.
func (d *Desk) request(ctx context.Context, o order) error {
	recipe, err := json.Marshal(o.recipe)
	if err != nil {
		return fmt.Errorf("write the recipe: %w", err)
	}

	id, err := d.Store.Client(ctx).Extract.Create().
		SetWorkspaceID(o.workspaceID).SetSubjectID(o.subjectID).SetKey(o.key).SetRecipe(recipe).SetUsedAt(d.now()).
		OnConflict(sql.ConflictColumns(extract.FieldWorkspaceID, extract.FieldKey), sql.DoNothing()).ID(ctx)
	if err == nil {
		return d.Jobs.Add(ctx, jobs.Extract{ExtractID: id}) //nolint:wrapcheck // it says what it is
	}

	if !errors.Is(err, stdsql.ErrNoRows) {
		return err //nolint:wrapcheck // the caller says what was attempted
	}

	there, err := d.find(ctx, o)
	if err != nil || there == nil {
		return err
	}

	n, err := d.Store.Client(ctx).Extract.Update().
		Where(extract.ID(there.ID), extract.StatusEQ(domain.ExtractStatusFailed), extract.FinishedAtLT(d.now().Add(-tired))).
		SetStatus(domain.ExtractStatusPending).SetErrorMessage("").ClearFinishedAt().SetUsedAt(d.now()).Save(ctx)
	if err != nil || n == 0 {
		return err //nolint:wrapcheck // the caller says what was attempted
	}

	return d.Jobs.Add(ctx, jobs.Extract{ExtractID: there.ID}) //nolint:wrapcheck // it says what it is
}

// use notes that an extract is asked for, once an hour.
func (d *Desk) use(ctx context.Context, e *ent.Extract) error {
	if d.now().Sub(e.UsedAt) < freshFor {
		return nil
	}

	return d.alone(ctx, func(ctx context.Context) error {
		return d.Store.Client(ctx).Extract.Update().Where(extract.ID(e.ID)).SetUsedAt(d.now()).Exec(ctx)
	})
}

func (d *Desk) now() time.Time { return d.Clock().UTC().Truncate(time.Millisecond) }
