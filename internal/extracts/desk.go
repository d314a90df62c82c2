// Package extracts is where what has to be computed from pictures and sound is asked for. What was made
// before is answered at once; otherwise one job makes it, however many ask, in whichever process, and
// all of them wait for it.
package extracts

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
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
	// postponeFor bounds the note of what was asked for inside a transaction.
	postponeFor = 5 * time.Second
)

// Desk is where it is asked for. Every field is required.
type Desk struct {
	Addresses signedurl.Book
	Blobs     blob.Store
	Clock     func() time.Time
	// Fonts names the state of the font catalogue of this machine, which stands for those of all that draw:
	// other fonts, other letters.
	Fonts  func() (string, error)
	Jobs   *jobs.Queue
	Store  *store.Store
	Topics *store.Topics
	// Wait is how long whoever asks waits for what is being made, before he is told to come back.
	Wait time.Duration
}

var _ Media = (*Desk)(nil)

// order is what somebody asks for.
type order struct {
	workspaceID, subjectID string
	key                    string
	recipe                 Recipe
}

// obtain returns the extract of a recipe, ready. One that cannot be made is a conflict, and one that takes
// too long, or that nobody makes, is unavailable. So is one that is not ready inside a transaction, where
// nobody waits for others: it is made for whoever asks again.
func (d *Desk) obtain(ctx context.Context, subjectID string, r Recipe) (*ent.Extract, error) {
	o, found, err := d.look(ctx, subjectID, r)

	switch writing := d.Store.Writing(ctx); {
	case err != nil:
		return nil, err
	case found == nil || found.Status != values.ExtractStatusReady:
		if writing {
			return nil, d.postpone(ctx, o)
		}

		return d.await(ctx, o)
	case writing:
		return found, nil
	default:
		return found, d.use(ctx, found)
	}
}

// picture returns the extract of a picture of which the caller needs no more than the address. Inside a
// transaction it may still have to be made: its job is asked for along with what was written, and whoever
// opens the address waits for it.
func (d *Desk) picture(ctx context.Context, subjectID string, r Recipe) (*ent.Extract, error) {
	if !d.Store.Writing(ctx) {
		return d.obtain(ctx, subjectID, r)
	}

	o, found, err := d.look(ctx, subjectID, r)
	if err != nil || found != nil && found.Status == values.ExtractStatusReady {
		return found, err
	}

	if err := d.request(ctx, o); err != nil {
		return nil, fmt.Errorf("request extract: %w", err)
	}

	return d.asked(ctx, o)
}

// Made returns an extract whose address was given away, once it is ready.
func (d *Desk) Made(ctx context.Context, id string) (*ent.Extract, error) {
	ctx = auth.AsSystem(ctx)

	found, err := d.Store.Client(ctx).Extract.Get(ctx, id)

	switch {
	case ent.IsNotFound(err):
		return nil, fault.NotFound("file").Because(err)
	case err != nil:
		return nil, fmt.Errorf("find extract: %w", err)
	case found.Status == values.ExtractStatusReady:
		return found, nil
	}

	return d.wait(ctx, order{workspaceID: found.WorkspaceID, key: found.Key})
}

// look finds what was made of a recipe, if it was asked for before.
func (d *Desk) look(ctx context.Context, subjectID string, r Recipe) (order, *ent.Extract, error) {
	who, ok := auth.From(ctx)
	if !ok {
		return order{}, nil, errors.New("request extract: no viewer in context")
	}

	key, err := r.Key()
	if err != nil {
		return order{}, nil, fmt.Errorf("request extract: %w", err)
	}

	o := order{workspaceID: who.WorkspaceID, subjectID: subjectID, key: key, recipe: r}
	found, err := d.find(ctx, o)

	return o, found, err
}

// postpone has an extract made once the transaction, which is of no use without it, has been undone.
func (d *Desk) postpone(ctx context.Context, o order) error {
	apart := context.WithoutCancel(d.Store.Apart(ctx))

	err := d.Store.OnRollback(ctx, func() {
		ctx, cancel := context.WithTimeout(apart, postponeFor)
		defer cancel()

		// Without it whoever asks again waits as long as the first who asks.
		_ = d.Store.InTx(ctx, func(ctx context.Context) error { return d.request(ctx, o) })
	})
	if err != nil {
		return fmt.Errorf("request extract: %w", err)
	}

	return fault.Unavailable(resend)
}

func (d *Desk) find(ctx context.Context, o order) (*ent.Extract, error) {
	found, err := d.Store.Client(ctx).Extract.Query().
		Where(extract.WorkspaceID(o.workspaceID), extract.Key(o.key)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // it was not asked for before
	}

	if err != nil {
		return nil, fmt.Errorf("find extract: %w", err)
	}

	return found, nil
}

// asked is an extract that was asked for, ready or being made. One that is gone is unavailable, and one that
// cannot be made a conflict.
func (d *Desk) asked(ctx context.Context, o order) (*ent.Extract, error) {
	found, err := d.find(ctx, o)

	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, fault.Unavailable(resend)
	case found.Status == values.ExtractStatusFailed:
		return nil, fault.Conflict(found.ErrorMessage)
	default:
		return found, nil
	}
}

// await has the extract made, unless somebody else does, and waits for it.
func (d *Desk) await(ctx context.Context, o order) (*ent.Extract, error) {
	if err := d.alone(ctx, func(ctx context.Context) error { return d.request(ctx, o) }); err != nil {
		return nil, fmt.Errorf("request extract: %w", err)
	}

	return d.wait(ctx, o)
}

// wait waits for an extract that was asked for.
func (d *Desk) wait(ctx context.Context, o order) (*ent.Extract, error) {
	wake, stop := d.Topics.Subscribe(jobs.ExtractTopic(o.workspaceID, o.key))
	defer stop()

	late := time.NewTimer(d.Wait)
	defer late.Stop()

	for {
		found, err := d.asked(ctx, o)
		if err != nil || found.Status == values.ExtractStatusReady {
			return found, err
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

// alone runs fn in a transaction of its own, also inside a request that will have one, but never inside one
// that is open: the job must start while the request waits for it.
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
		return fmt.Errorf("encode recipe: %w", err)
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
		Where(extract.ID(there.ID), extract.StatusEQ(values.ExtractStatusFailed), extract.FinishedAtLT(d.now().Add(-tired))).
		SetStatus(values.ExtractStatusPending).SetErrorMessage("").ClearFinishedAt().SetUsedAt(d.now()).Save(ctx)
	if err != nil || n == 0 {
		return err //nolint:wrapcheck // the caller says what was attempted
	}

	return d.Jobs.Add(ctx, jobs.Extract{ExtractID: there.ID}) //nolint:wrapcheck // it says what it is
}

// use notes that extracts are asked for, once an hour.
func (d *Desk) use(ctx context.Context, rows ...*ent.Extract) error {
	var stale []string

	for _, e := range rows {
		if d.now().Sub(e.UsedAt) >= freshFor {
			stale = append(stale, e.ID)
		}
	}

	if len(stale) == 0 {
		return nil
	}

	return d.alone(ctx, func(ctx context.Context) error {
		c := d.Store.Client(ctx).Extract
		named := func(ids []string) func(*sql.Selector) {
			return func(s *sql.Selector) { s.Where(store.Among(s.C(extract.FieldID), ids)) }
		}

		// Those that somebody else holds are noted by them, or swept.
		free, err := c.Query().Where(named(stale)).ForUpdate(sql.WithLockAction(sql.SkipLocked)).IDs(ctx)
		if err != nil {
			return err
		}

		return c.Update().Where(named(free)).SetUsedAt(d.now()).Exec(ctx)
	})
}

func (d *Desk) now() time.Time { return d.Clock().UTC().Truncate(time.Millisecond) }
