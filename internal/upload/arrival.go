package upload

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Upload creates a source, or one part of a source, for a client that has not called createSource. It returns the
// source and the signed address to which the client sends the bytes.
func (svc *Service) Upload(ctx context.Context, in model.CreateSourceInput, partial bool) (*ent.Source, string, error) {
	made, err := store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Source, error) {
		return svc.declareSource(ctx, in, partial)
	})
	if err != nil {
		return nil, "", err
	}

	url, _ := svc.Address(made)

	return made, url, nil
}

// JoinUpload creates a source by joining uploaded parts. If it is called again with the same parts, it returns the
// same source.
func (svc *Service) JoinUpload(ctx context.Context, in model.CreateSourceInput, parts []string) (*ent.Source, string, error) {
	if len(parts) == 0 {
		return nil, "", fault.BadRequest("An upload must have at least one part.")
	}

	made, err := store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Source, error) {
		who, err := access.Creator(ctx)
		if err != nil {
			return nil, err
		}

		found, before, err := svc.Intake().Joined(ctx, who.UserID, parts)
		if err != nil || before != nil {
			return before, err
		}

		fresh, err := svc.declareSource(ctx, in, false)
		if err != nil {
			return nil, err
		}

		return svc.Intake().Join(ctx, fresh, found)
	})
	if err != nil {
		return nil, "", err
	}

	url, _ := svc.Address(made)

	return made, url, nil
}
