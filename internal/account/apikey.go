package account

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// ownKeys returns the caller's keys in the workspace that are not revoked.
func (svc Keys) ownKeys(ctx context.Context) (*ent.APIKeyQuery, auth.Viewer, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, who, err
	}

	return svc.Store.Client(ctx).APIKey.Query().Where(apikey.UserID(who.UserID), apikey.RevokedAtIsNil()), who, nil
}

// KeyPage returns a page of the caller's keys, newest first.
func (svc Keys) KeyPage(ctx context.Context, size int, after *string) (*model.APIKeyConnection, error) {
	q, who, err := svc.ownKeys(ctx)
	if err != nil {
		return nil, err
	}

	turn := svc.Listing.Paging.Turn(strings.Join([]string{"keys", who.WorkspaceID, who.UserID}, "|"))
	count := q.Clone()

	if after != nil {
		c, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(paging.Before(c, apikey.FieldCreatedAt))
	}

	rows, err := q.Order(ent.Desc(apikey.FieldCreatedAt, apikey.FieldID)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}

	return paging.PageOf(turn, rows, size, func(k *ent.APIKey) cursor.Cursor { return paging.PositionAt(k.CreatedAt, k.ID) }, count.Count), nil
}

// KeyOf returns one of the caller's keys, or not_found.
func (svc Keys) KeyOf(ctx context.Context, id string) (*ent.APIKey, error) {
	q, _, err := svc.ownKeys(ctx)
	if err != nil {
		return nil, err
	}

	if !ids.Is(ids.APIKey, id) {
		return nil, fault.NotFound("API key")
	}

	k, err := q.Where(apikey.ID(id)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.NotFound("API key")
	}

	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}

	return k, nil
}

// CreateKey creates an API key for the caller. This is the only response that contains the key itself.
func (svc Keys) CreateKey(ctx context.Context, in model.CreateAPIKeyInput) (*model.CreateAPIKeyPayload, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*model.CreateAPIKeyPayload, error) {
		who, err := access.Viewer(ctx)
		if err != nil {
			return nil, err
		}

		if in.ExpiresAt != nil && !in.ExpiresAt.After(svc.Store.Now()) {
			return nil, fault.Invalid([]fault.Field{{Path: "expiresAt", Rule: "must be in the future"}})
		}

		key := auth.NewKey()

		made, err := svc.Store.Client(ctx).APIKey.Create().SetUserID(who.UserID).SetName(in.Name).
			SetHash(key.Hash).SetLast4(key.Last4).SetNillableExpiresAt(in.ExpiresAt).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create key: %w", err)
		}

		return &model.CreateAPIKeyPayload{APIKey: made, Key: key.Plain}, nil
	})
}

// RevokeKey revokes one of the caller's keys. The key stops working on all nodes immediately, because every request
// looks up its key in the database.
func (svc Keys) RevokeKey(ctx context.Context, id string) (*ent.APIKey, error) {
	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.APIKey, error) {
		k, err := svc.KeyOf(ctx, id)
		if err != nil {
			return nil, err
		}

		revoked, err := svc.Store.Client(ctx).APIKey.UpdateOneID(k.ID).SetRevokedAt(svc.Store.Now()).Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("revoke key: %w", err)
		}

		return revoked, nil
	})
}

// KeysNamed returns those of the named keys that are the caller's, in any order.
func (svc Keys) KeysNamed(ctx context.Context, named []string) ([]*ent.APIKey, error) {
	q, _, err := svc.ownKeys(ctx)
	if err != nil {
		return nil, err
	}

	rows, err := q.Where(apikey.IDIn(named...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}

	return rows, nil
}
