package graph

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// completeSource ends an upload, and waits for its probe outside every transaction. A source whose
// bytes are complete is answered as it is, an interrupted one stays so. Who knows of the source and did not make it is
// forbidden to; one of which nothing has arrived, or less than was announced, is a conflict.
func (r *Resolver) completeSource(ctx context.Context, id string, in *model.CompleteSourceInput) (*ent.Source, error) {
	if in == nil {
		in = &model.CompleteSourceInput{}
	}

	if err := input.Validate(in); err != nil {
		return nil, err
	}

	found, err := r.ownSource(ctx, id)
	if err != nil {
		return nil, err
	}

	interrupted := in.Interrupted != nil && *in.Interrupted
	if interrupted && !found.Streaming {
		return nil, fault.Invalid([]fault.Field{{Path: "interrupted", Rule: "must be false or absent for a source that is not streaming"}})
	}

	if err := r.end(ctx, found, end{clock: in.Clock.Clock(), interrupted: interrupted}); err != nil {
		return nil, err
	}

	return r.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return r.knownSource(ctx, id, "source")
	})
}

// end is how an upload ends.
type end struct {
	clock       *values.TrackClock // nil: as it is
	interrupted bool
}

// end completes a source whose bytes still arrive. Of one that is complete, or was interrupted, only the clock may
// change, as setClock says.
func (r *Resolver) end(ctx context.Context, s *ent.Source, how end) error {
	switch {
	case upload.Incomplete(s):
		return r.endUpload(ctx, s, how)
	case how.clock == nil:
		return nil
	default:
		_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) { return struct{}{}, r.setClock(ctx, s.ID, how.clock) })

		return err
	}
}

// setClock keeps the clock of a source until its bytes are complete; then a clock other than the one it has is a
// conflict.
func (r *Resolver) setClock(ctx context.Context, id string, clock *values.TrackClock) error {
	now, err := r.Store.Client(ctx).Source.Query().Where(source.ID(id)).ForUpdate().Only(ctx)
	if ent.IsNotFound(err) {
		return fault.NotFound("source")
	}

	switch {
	case err != nil:
		return fmt.Errorf("read source: %w", err)
	case reflect.DeepEqual(now.Clock, clock):
		return nil
	case !r.Intake().Open(now):
		return fault.Conflict("The bytes of this source are complete, and its clock does not change any more.")
	}

	if err := r.Store.Client(ctx).Source.UpdateOneID(id).SetClock(clock).Exec(ctx); err != nil {
		return fmt.Errorf("update source: %w", err)
	}

	return nil
}

// endTries is how often an upload is measured that grows while it is completed.
const endTries = 5

// endUpload completes what has arrived. That somebody else did meanwhile is as good. What arrived after it
// was measured, and was acknowledged, is completed too.
func (r *Resolver) endUpload(ctx context.Context, s *ent.Source, how end) error {
	for range endTries {
		if err := r.endMeasured(ctx, s, how); !fault.Is(err, fault.ConflictCode) || !errors.Is(err, errGrown) {
			return err
		}
	}

	return fault.Conflict("Bytes of this source are still arriving.")
}

// errGrown is the cause of a completion that would have cut off what was acknowledged.
var errGrown = errors.New("the upload has grown since it was measured")

func (r *Resolver) endMeasured(ctx context.Context, s *ent.Source, how end) error {
	arrived, err := r.Intake().Arrived(ctx, s)

	switch {
	case err != nil:
		return err
	case arrived == 0:
		return fault.Conflict("No bytes of this source have arrived yet.")
	case s.UploadLength != nil && arrived < *s.UploadLength && !how.interrupted:
		return fault.Conflict(fmt.Sprintf("%d of the %d bytes of this source have arrived.", arrived, *s.UploadLength))
	}

	timed := func(u *ent.SourceUpdate) {
		if how.clock != nil {
			u.SetClock(how.clock)
		}
	}

	if how.interrupted {
		err = r.Intake().Interrupt(ctx, s, arrived, timed)
	} else {
		err = r.Intake().Complete(ctx, s, func(u *ent.SourceUpdate) {
			u.Where(source.UploadOffsetLTE(arrived)).SetBytes(arrived).SetUploadOffset(arrived).SetUploadLength(arrived)
			timed(u)
		})
	}

	if !fault.Is(err, fault.ConflictCode) || r.Store.Writing(ctx) { // which a conflict has ended
		return err
	}

	now, err := r.Store.Client(ctx).Source.Get(ctx, s.ID)

	switch {
	case err != nil:
		return fmt.Errorf("read source: %w", err)
	case upload.Incomplete(now):
		return fault.Conflict("The upload has grown.").Because(errGrown)
	default:
		return nil
	}
}

// ownSource is a source that the caller made. One that it may only read is forbidden.
func (r *Resolver) ownSource(ctx context.Context, id string) (*ent.Source, error) {
	found, err := r.knownSource(ctx, id, "source")
	if err != nil {
		return nil, err
	}

	who, err := creator(ctx)
	if err != nil {
		return nil, err
	}

	if !isCreator(who, found) {
		return nil, fault.Forbidden("Only who made a source can change, complete or remove it.")
	}

	return found, nil
}
