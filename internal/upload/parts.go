package upload

import (
	"context"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// PartsKept is how long the parts of an upload are kept if the client does not join them.
const PartsKept = SilentFor

// Joined returns the parts with the given ids and locks them until the transaction ends. If the user has already
// created a source from exactly these parts, before is that source. A client that missed the response can therefore
// repeat its request. Joined returns an error for parts that cannot be joined.
func (d Desk) Joined(ctx context.Context, userID string, named []string) (parts []*ent.Source, before *ent.Source, err error) {
	rows, err := d.Store.Client(ctx).Source.Query().
		Where(source.IDIn(named...), source.Partial(true), source.UserID(userID)).Order(ent.Asc(source.FieldID)).ForUpdate().All(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read parts: %w", err)
	}

	byID := map[string]*ent.Source{}
	for _, row := range rows {
		byID[row.ID] = row
	}

	var total int64

	for i, id := range named {
		part := byID[id]

		switch {
		case part == nil:
			return nil, nil, fault.NotFound(fmt.Sprintf("part %d of the upload among your uploads", i+1))
		case slices.Contains(named[:i], id):
			return nil, nil, fault.BadRequest(fmt.Sprintf("Part %d of the upload is listed twice.", i+1))
		case part.JoinedID == "" && (part.UploadLength == nil || part.UploadOffset != *part.UploadLength):
			return nil, nil, fault.Conflict(fmt.Sprintf("Part %d of the upload is not completely uploaded.", i+1))
		}

		parts = append(parts, part)
		total += part.UploadOffset
	}

	if d.Limits.Upload > 0 && total > d.Limits.Upload {
		return nil, nil, TooLarge(d.Limits.Upload)
	}

	before, err = d.joinedBefore(ctx, parts)

	return parts, before, err
}

func (d Desk) joinedBefore(ctx context.Context, parts []*ent.Source) (*ent.Source, error) {
	id := ""

	for _, part := range parts {
		if part.JoinedID != "" {
			id = part.JoinedID
		}
	}

	if id == "" {
		return nil, nil //nolint:nilnil // none was joined before, which is no fault
	}

	taken := fault.Conflict("A part of this upload already belongs to another upload.")

	before, err := d.Store.Client(ctx).Source.Get(ctx, id)
	if ent.IsNotFound(err) {
		return nil, taken
	}

	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}

	if !slices.EqualFunc(parts, before.Parts, func(s *ent.Source, p values.UploadPart) bool { return s.ID == p.ID }) {
		return nil, taken
	}

	return before, nil
}

// Join moves the bytes of the parts to a newly created source and queues its probe, which builds the file. It uses
// the transaction of the context. Afterwards the parts no longer have bytes.
func (d Desk) Join(ctx context.Context, made *ent.Source, parts []*ent.Source) (*ent.Source, error) {
	var (
		of    []values.UploadPart
		total int64
		names []string
	)

	for _, part := range parts {
		of = append(of, values.UploadPart{ID: part.ID, BlobKey: part.BlobKey, Bytes: part.UploadOffset})
		total += part.UploadOffset
		names = append(names, part.ID)
	}

	key, err := blob.NewKey("sources", "")
	if err != nil {
		return nil, fmt.Errorf("join an upload: %w", err)
	}

	c := d.Store.Client(ctx).Source

	err = c.Update().Where(source.IDIn(names...)).SetJoinedID(made.ID).SetBlobKey("").SetReservedBytes(0).Exec(ctx)
	if err != nil {
		return nil, fmt.Errorf("assign parts: %w", err)
	}

	joined, err := c.UpdateOneID(made.ID).SetStatus(values.SourceStatusProcessing).SetBlobKey(key).SetParts(of).
		SetBytes(total).SetUploadOffset(total).SetUploadLength(total).ClearUploadExpiresAt().Save(ctx)
	if err != nil {
		return nil, fmt.Errorf("join an upload: %w", err)
	}

	return joined, d.Queue.Add(ctx, jobs.Probe{SourceID: made.ID})
}
