package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/intake"
)

// How long signed addresses are accepted.
const (
	uploadSigned   = time.Hour
	downloadSigned = 24 * time.Hour
	mediaSigned    = 24 * time.Hour
	stillSigned    = time.Hour
)

// createSource declares an upload.
func (r *Resolver) createSource(ctx context.Context, in model.CreateSourceInput) (*ent.Source, error) {
	return write(ctx, r, &in, func(ctx context.Context) (*ent.Source, error) {
		who, err := creator(ctx)
		if err != nil {
			return nil, err
		}

		create := r.Store.Client(ctx).Source.Create().SetUserID(who.UserID).SetKind(in.Kind).
			SetUploadExpiresAt(r.now().Add(uploadSigned)).
			SetNillableName(in.Name).SetNillableContentType(in.ContentType).SetNillableStreaming(in.Streaming)

		if role := roleOf(in); role != nil {
			create.SetRole(*role)
		}

		if sound := soundOf(in); sound != nil {
			create.SetAudio(*sound)
		}

		made, err := create.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create source: %w", err)
		}

		return made, nil
	})
}

// roleOf is which layer a video becomes; other kinds become none.
func roleOf(in model.CreateSourceInput) *domain.SourceRole {
	if in.Kind != domain.SourceKindVideo {
		return nil
	}

	role := domain.SourceRoleScreen
	if in.Role != nil {
		role = *in.Role
	}

	return &role
}

// soundOf is which volume governs a source's sound: a camera's the microphone, anything else the
// system's, unless the caller says otherwise.
func soundOf(in model.CreateSourceInput) *domain.SourceAudio {
	if in.Kind != domain.SourceKindVideo && in.Kind != domain.SourceKindAudio {
		return nil
	}

	sound := domain.SourceAudioSystem
	if role := roleOf(in); role != nil && *role == domain.SourceRoleCamera {
		sound = domain.SourceAudioMicrophone
	}

	if in.Audio != nil {
		sound = *in.Audio
	}

	return &sound
}

// addressedUntil is how long the address of a source's upload is accepted that its creator is answered; zero once its
// bytes are complete, and for everybody else.
func (r *Resolver) addressedUntil(ctx context.Context, s *ent.Source) time.Time {
	if who, err := viewer(ctx); err != nil || !isCreator(who, s) {
		return time.Time{}
	}

	return r.uploadUntil(s)
}

// uploadUntil is how long the address of a source's upload is accepted; zero once its bytes are
// complete.
func (r *Resolver) uploadUntil(s *ent.Source) time.Time {
	if s.Status != domain.SourceStatusPending && s.Status != domain.SourceStatusUploading {
		return time.Time{}
	}

	return r.now().Add(uploadSigned)
}

// readySource is a source the caller may use, whose bytes are there and were looked at. It waits for
// a look that is under way, and so is called outside the transaction. An unknown source is not_found,
// one without its bytes a conflict, one of another kind or that failed a bad_request.
func (r *Resolver) readySource(ctx context.Context, id string, kind domain.SourceKind, path string) (*ent.Source, error) {
	found, err := r.lookedAt(ctx, id, path)
	if err != nil {
		return nil, err
	}

	if found.Kind != kind {
		return nil, fault.Invalid([]fault.Field{{Path: path, Rule: "must be a source of kind " + string(kind)}})
	}

	return found, usableState(found, path)
}

// usableState refuses a source whose bytes are not there or were not looked at, or that failed.
func usableState(s *ent.Source, path string) error {
	switch s.Status {
	case domain.SourceStatusReady:
		return nil
	case domain.SourceStatusFailed:
		return fault.Invalid([]fault.Field{{Path: path, Rule: "must be a usable source, and this one failed: " +
			strings.TrimSuffix(s.ErrorMessage, ".")}})
	case domain.SourceStatusProcessing:
		late := fault.Conflict("The source at " + path + " is still being processed.")
		late.RetryAfter = time.Second

		return late
	default:
		return fault.Conflict("The bytes of the source at " + path + " have not been uploaded completely.")
	}
}

// lookedAt reads a source until it is no longer being processed, for ProbeWait at most.
func (r *Resolver) lookedAt(ctx context.Context, id, path string) (*ent.Source, error) {
	return r.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return r.usableSource(ctx, id, "source at "+path)
	})
}

// Intake is where uploads are completed.
func (r *Resolver) Intake() intake.Desk {
	return intake.Desk{Blobs: r.Blobs, Queue: r.Jobs, Store: r.Store, Topics: r.Topics, Wait: r.ProbeWait}
}

// completeSource ends an upload, and waits for its probe outside every transaction. A source whose
// bytes are complete is answered as it is. Who knows of the source and did not make it is forbidden to;
// one of which nothing has arrived, or less than was announced, is a conflict.
func (r *Resolver) completeSource(ctx context.Context, id string) (*ent.Source, error) {
	found, err := r.knownSource(ctx, id, "source")
	if err != nil {
		return nil, err
	}

	if err := mayComplete(ctx, found); err != nil {
		return nil, err
	}

	if !r.uploadUntil(found).IsZero() {
		if err := r.endUpload(ctx, found); err != nil {
			return nil, err
		}
	}

	return r.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return r.knownSource(ctx, id, "source")
	})
}

func mayComplete(ctx context.Context, s *ent.Source) error {
	who, err := creator(ctx)
	if err != nil {
		return err
	}

	if !isCreator(who, s) {
		return fault.Forbidden("Only who made a source can complete its upload.")
	}

	return nil
}

// endTries is how often an upload is measured that grows while it is completed.
const endTries = 5

// endUpload completes what has arrived. That somebody else did meanwhile is as good. What arrived after it
// was measured, and was acknowledged, is completed too.
func (r *Resolver) endUpload(ctx context.Context, s *ent.Source) error {
	for range endTries {
		if err := r.endMeasured(ctx, s); !fault.Is(err, fault.ConflictCode) || !errors.Is(err, errGrown) {
			return err
		}
	}

	return fault.Conflict("Bytes of this source are still arriving.")
}

// errGrown is the cause of a completion that would have cut off what was acknowledged.
var errGrown = errors.New("the upload has grown since it was measured")

func (r *Resolver) endMeasured(ctx context.Context, s *ent.Source) error {
	arrived, err := r.Intake().Arrived(ctx, s)

	switch {
	case err != nil:
		return err
	case arrived == 0:
		return fault.Conflict("No bytes of this source have arrived yet.")
	case s.UploadLength != nil && arrived < *s.UploadLength:
		return fault.Conflict(fmt.Sprintf("%d of the %d bytes of this source have arrived.", arrived, *s.UploadLength))
	}

	err = r.Intake().Complete(ctx, s, func(u *ent.SourceUpdate) {
		u.Where(source.UploadOffsetLTE(arrived)).SetBytes(arrived).SetUploadOffset(arrived).SetUploadLength(arrived)
	})
	if !fault.Is(err, fault.ConflictCode) || r.Store.Writing(ctx) { // which a conflict has ended
		return err
	}

	now, err := r.Store.Client(ctx).Source.Get(ctx, s.ID)

	switch {
	case err != nil:
		return fmt.Errorf("read source: %w", err)
	case now.Status == domain.SourceStatusPending, now.Status == domain.SourceStatusUploading:
		return fault.Conflict("The upload has grown.").Because(errGrown)
	default:
		return nil
	}
}

// audioTracks are the sounds that the probe of a source found.
func audioTracks(s *ent.Source) []*model.AudioTrack {
	var probe struct {
		Audio *struct {
			Channels int                 `json:"channels"`
			Tracks   []*model.AudioTrack `json:"tracks"`
		} `json:"audio"`
	}

	if s.Probe == nil || json.Unmarshal(s.Probe, &probe) != nil || probe.Audio == nil {
		return []*model.AudioTrack{}
	}

	if len(probe.Audio.Tracks) == 0 { // probed before tracks were noted
		return []*model.AudioTrack{{Channels: probe.Audio.Channels}}
	}

	for i, t := range probe.Audio.Tracks {
		t.Index = i
	}

	return probe.Audio.Tracks
}

// known is a figure that the probe found; zero is none.
func known(n int) *int {
	if n == 0 {
		return nil
	}

	return &n
}
