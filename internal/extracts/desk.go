// Package extracts returns results that are computed from pictures and sound, such as thumbnails and waveforms. These
// results are called extracts. A stored extract is returned immediately. Otherwise one job computes the extract, even
// if many requests in many processes wait for it.
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
	// signed is how long the address of a picture is accepted at least.
	signed = time.Hour
	// tired is how long after a failure the same extract is tried again.
	tired = 10 * time.Second
	// resend is the Retry-After of a request that waited without success.
	resend = 5 * time.Second
	// freshFor is how old the stored time of the last use may be before it is updated.
	freshFor = time.Hour
	// postponeFor bounds the transaction that stores a request that was made inside a transaction.
	postponeFor = 5 * time.Second
)

// Desk returns extracts and queues the jobs that compute them. Every field is required.
type Desk struct {
	Addresses signedurl.Book
	Blobs     blob.Store
	Clock     func() time.Time
	// Fonts identifies the font catalog of this machine, which must be the same on all machines that draw: other fonts
	// draw other text.
	Fonts  func() (string, error)
	Jobs   *jobs.Queue
	Store  *store.Store
	Topics *store.Topics
	// Wait is how long a request waits for an extract before the caller gets a Retry-After.
	Wait time.Duration
}

var _ Media = (*Desk)(nil)

// order is a requested extract.
type order struct {
	workspaceID, subjectID string
	key                    string
	recipe                 Recipe
}

// obtain returns the extract of a recipe when it is ready. It returns a conflict if the extract cannot be made, and
// unavailable if making it takes too long or no worker makes it. Inside a transaction, which must not wait for a job,
// it returns unavailable if the extract is not ready. The extract is then made for the next request.
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

// picture returns the extract of a picture for callers that need only its address. Inside a transaction it may still
// have to be made: its job is queued with the transaction, and the request that opens the address waits for it.
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

// Made returns the extract with the given id, and waits until the extract is ready. The client has the id from a
// signed address.
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

// look finds the extract of a recipe if it was requested before. It returns nil otherwise.
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

// postpone queues an extract after the current transaction, which cannot succeed without it, has been rolled back.
func (d *Desk) postpone(ctx context.Context, o order) error {
	apart := context.WithoutCancel(d.Store.Apart(ctx))

	err := d.Store.OnRollback(ctx, func() {
		ctx, cancel := context.WithTimeout(apart, postponeFor)
		defer cancel()

		// If this fails, the next request waits as long as a first one.
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
		return nil, nil //nolint:nilnil // not requested before
	}

	if err != nil {
		return nil, fmt.Errorf("find extract: %w", err)
	}

	return found, nil
}

// asked returns a requested extract that is ready or being computed. It returns unavailable if the extract was
// deleted, and a conflict if it cannot be computed.
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

// await queues the extract, unless another request did, and waits for it.
func (d *Desk) await(ctx context.Context, o order) (*ent.Extract, error) {
	if err := d.alone(ctx, func(ctx context.Context) error { return d.request(ctx, o) }); err != nil {
		return nil, fmt.Errorf("request extract: %w", err)
	}

	return d.wait(ctx, o)
}

// wait waits for a requested extract.
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

// alone runs fn in its own transaction, even in a request that opens a transaction later. It must not be called inside
// an open transaction: the job must start while the request waits for it.
func (d *Desk) alone(ctx context.Context, fn func(ctx context.Context) error) error {
	ctx, unit := d.Store.Begin(ctx)
	defer unit.Rollback()

	if err := d.Store.InTx(ctx, fn); err != nil {
		return err
	}

	return unit.Commit(ctx) //nolint:wrapcheck // already wrapped
}

// request stores the extract and queues its job. If several requests do so at once, one wins. An extract that failed a
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
		return d.Jobs.Add(ctx, jobs.Extract{ExtractID: id}) //nolint:wrapcheck // already wrapped
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

	return d.Jobs.Add(ctx, jobs.Extract{ExtractID: there.ID}) //nolint:wrapcheck // already wrapped
}

// use stores, at most once an hour, that extracts are still in use.
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

		// Rows that are locked belong to a request that updates them itself, or are being deleted.
		free, err := c.Query().Where(named(stale)).ForUpdate(sql.WithLockAction(sql.SkipLocked)).IDs(ctx)
		if err != nil {
			return err
		}

		return c.Update().Where(named(free)).SetUsedAt(d.now()).Exec(ctx)
	})
}

func (d *Desk) now() time.Time { return d.Clock().UTC().Truncate(time.Millisecond) }
