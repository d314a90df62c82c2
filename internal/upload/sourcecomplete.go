package upload

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CompleteSource ends an upload and waits for its probe outside any transaction. A source that is already complete is
// returned unchanged, and an interrupted source stays interrupted. It returns forbidden if the caller may know of the
// source but did not create it. It returns a conflict if no bytes have arrived, or fewer bytes than announced.
func (svc *Service) CompleteSource(ctx context.Context, id string, in *model.CompleteSourceInput) (*ent.Source, error) {
	if in == nil {
		in = &model.CompleteSourceInput{}
	}

	if err := input.Validate(in); err != nil {
		return nil, err
	}

	found, err := svc.ownSource(ctx, id)
	if err != nil {
		return nil, err
	}

	interrupted := in.Interrupted != nil && *in.Interrupted
	if interrupted && !found.Streaming {
		return nil, fault.Invalid([]fault.Field{{Path: "interrupted", Rule: "must be false or absent for a source that is not streaming"}})
	}

	if err := svc.end(ctx, found, end{clock: in.Clock.Clock(), interrupted: interrupted}); err != nil {
		return nil, err
	}

	return svc.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return svc.Listing.Rights().KnownSource(ctx, id, "source")
	})
}

// end holds the arguments that end an upload.
type end struct {
	clock       *values.TrackClock // nil keeps the present clock
	interrupted bool
}

// end completes a source that is still being uploaded. For a complete or interrupted source only the clock may change,
// as setClock says.
func (svc *Service) end(ctx context.Context, s *ent.Source, how end) error {
	switch {
	case Incomplete(s):
		return svc.endUpload(ctx, s, how)
	case how.clock == nil:
		return nil
	default:
		_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, svc.setClock(ctx, s.ID, how.clock)
		})

		return err
	}
}

// setClock changes the clock of a source until its bytes are complete. After that, another clock is a conflict.
func (svc *Service) setClock(ctx context.Context, id string, clock *values.TrackClock) error {
	now, err := svc.Store.Client(ctx).Source.Query().Where(source.ID(id)).ForUpdate().Only(ctx)
	if ent.IsNotFound(err) {
		return fault.NotFound("source")
	}

	switch {
	case err != nil:
		return fmt.Errorf("read source: %w", err)
	case reflect.DeepEqual(now.Clock, clock):
		return nil
	case !svc.Intake().Open(now):
		return fault.Conflict("This source is completely uploaded, so its clock cannot change.")
	}

	if err := svc.Store.Client(ctx).Source.UpdateOneID(id).SetClock(clock).Exec(ctx); err != nil {
		return fmt.Errorf("update source: %w", err)
	}

	return nil
}

// endTries is how often an upload is measured if it keeps growing while it is completed.
const endTries = 5

// endUpload completes the bytes that have arrived. It succeeds if another request completed them meanwhile. Bytes that
// were acknowledged after the measurement are included.
func (svc *Service) endUpload(ctx context.Context, s *ent.Source, how end) error {
	for range endTries {
		if err := svc.endMeasured(ctx, s, how); !fault.Is(err, fault.ConflictCode) || !errors.Is(err, errGrown) {
			return err
		}
	}

	return fault.Conflict("Bytes of this source are still arriving.")
}

// errGrown is the cause of a completion that would have lost acknowledged bytes.
var errGrown = errors.New("the upload has grown since it was measured")

func (svc *Service) endMeasured(ctx context.Context, s *ent.Source, how end) error {
	arrived, err := svc.Intake().Arrived(ctx, s)

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
		err = svc.Intake().Interrupt(ctx, s, arrived, timed)
	} else {
		err = svc.Intake().Complete(ctx, s, func(u *ent.SourceUpdate) {
			u.Where(source.UploadOffsetLTE(arrived)).SetBytes(arrived).SetUploadOffset(arrived).SetUploadLength(arrived)
			timed(u)
		})
	}

	if !fault.Is(err, fault.ConflictCode) || svc.Store.Writing(ctx) { // after a conflict the transaction cannot be used
		return err
	}

	now, err := svc.Store.Client(ctx).Source.Get(ctx, s.ID)

	switch {
	case err != nil:
		return fmt.Errorf("read source: %w", err)
	case Incomplete(now):
		return fault.Conflict("More bytes arrived while the upload was being completed. Try again.").Because(errGrown)
	default:
		return nil
	}
}

// ownSource returns a source that the caller created, or forbidden for one that they may only read.
func (svc *Service) ownSource(ctx context.Context, id string) (*ent.Source, error) {
	found, err := svc.Listing.Rights().KnownSource(ctx, id, "source")
	if err != nil {
		return nil, err
	}

	who, err := access.Creator(ctx)
	if err != nil {
		return nil, err
	}

	if !rights.IsCreator(who, found) {
		return nil, fault.Forbidden("Only the creator of a source can change, complete or delete it.")
	}

	return found, nil
}
