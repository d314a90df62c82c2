package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreateSource creates a source and the address for its upload.
func (svc *Service) CreateSource(ctx context.Context, in model.CreateSourceInput) (*ent.Source, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Source, error) { return svc.declareSource(ctx, in, false) })
}

// declareSource does the work of CreateSource in an open transaction, for a validated input. partial marks a part of an
// upload.
func (svc *Service) declareSource(ctx context.Context, in model.CreateSourceInput, partial bool) (*ent.Source, error) {
	who, err := access.Creator(ctx)
	if err != nil {
		return nil, err
	}

	if most := svc.Limits.Upload; in.Bytes != nil && most > 0 && *in.Bytes > most {
		return nil, TooLarge(most)
	}

	create := svc.Store.Client(ctx).Source.Create().SetPartial(partial).SetUserID(who.UserID).SetKind(in.Kind).
		SetUploadExpiresAt(svc.Store.Now().Add(listing.UploadSigned)).
		SetNillableName(in.Name).SetNillableContentType(in.ContentType).SetNillableStreaming(in.Streaming).
		SetNillableUploadLength(in.Bytes).SetNillableDeclaredWidth(in.Width).SetNillableDeclaredHeight(in.Height)

	if in.Clock != nil {
		create.SetClock(in.Clock.Clock())
	}

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

	if in.Bytes != nil {
		err = svc.Intake().ReserveAll(ctx, made, *in.Bytes)
	}

	return made, err
}

// roleOf returns the layer that a video becomes, or nil for other kinds.
func roleOf(in model.CreateSourceInput) *values.SourceRole {
	if in.Kind != values.SourceKindVideo {
		return nil
	}

	role := values.SourceRoleScreen
	if in.Role != nil {
		role = *in.Role
	}

	return &role
}

// soundOf returns which volume controls a source's sound: the microphone volume for a camera and the system volume for
// anything else, unless the caller chose one.
func soundOf(in model.CreateSourceInput) *values.SourceAudio {
	if in.Kind != values.SourceKindVideo && in.Kind != values.SourceKindAudio {
		return nil
	}

	sound := values.SourceAudioSystem
	if role := roleOf(in); role != nil && *role == values.SourceRoleCamera {
		sound = values.SourceAudioMicrophone
	}

	if in.Audio != nil {
		sound = *in.Audio
	}

	return &sound
}

// URL returns the address to which the creator sends the bytes of a source. It returns nil when they are complete, and
// for everyone else.
func (svc *Service) URL(ctx context.Context, s *ent.Source) *string {
	url, _ := svc.addressFor(ctx, s)

	return url
}

// ExpiresAt returns until when URL is accepted, or nil if there is no URL.
func (svc *Service) ExpiresAt(ctx context.Context, s *ent.Source) *time.Time {
	_, until := svc.addressFor(ctx, s)

	return until
}

func (svc *Service) addressFor(ctx context.Context, s *ent.Source) (*string, *time.Time) {
	if who, err := access.Viewer(ctx); err != nil || !listing.IsCreator(who, s) || !svc.Intake().Open(s) {
		return nil, nil
	}

	url, until := svc.Address(s)

	return &url, &until
}

// Address returns the signed address for the bytes of an open source, and until when it is accepted.
func (svc *Service) Address(s *ent.Source) (url string, until time.Time) {
	until = svc.Store.Now().Add(listing.UploadSigned)

	return svc.Addresses.Upload(s.ID, until), until
}

// ReadySource returns a source the caller may use after it has been probed. It waits for a running probe, so do not
// call it inside a transaction. It returns not_found for an unknown source, a conflict for one without its bytes, and
// bad_request for one that failed or has another kind.
func (svc *Service) ReadySource(ctx context.Context, id string, kind values.SourceKind, path string) (*ent.Source, error) {
	found, err := svc.LookedAt(ctx, id, path)
	if err != nil {
		return nil, err
	}

	if err := OfKind(found, kind, path); err != nil {
		return nil, err
	}

	return found, UsableState(found, path)
}

// OfKind refuses a source of another kind.
func OfKind(s *ent.Source, kind values.SourceKind, path string) error {
	if s.Kind == kind {
		return nil
	}

	return fault.Invalid([]fault.Field{{Path: path, Rule: "must be a source of kind " + string(kind)}})
}

// UsableState refuses a source that is not uploaded, not probed, or failed.
func UsableState(s *ent.Source, path string) error {
	switch s.Status {
	case values.SourceStatusReady:
		return nil
	case values.SourceStatusFailed:
		return fault.Invalid([]fault.Field{{Path: path, Rule: "must be a usable source, but this one failed: " +
			strings.TrimSuffix(s.ErrorMessage, ".")}})
	case values.SourceStatusProcessing:
		late := fault.Conflict("The source at " + path + " is still being processed.")
		late.RetryAfter = time.Second

		return late
	default:
		return fault.Conflict("The bytes of the source at " + path + " have not been uploaded completely.")
	}
}

// LookedAt reads a source after it has been processed. It waits for ProbeWait at most.
func (svc *Service) LookedAt(ctx context.Context, id, path string) (*ent.Source, error) {
	return svc.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return svc.Listing.Rights().UsableSource(ctx, id, "source at "+path)
	})
}

// Intake completes uploads.
func (svc *Service) Intake() Desk {
	return Desk{
		Blobs: svc.Blobs, Clock: svc.Store.Clock, Limits: svc.Limits, Queue: svc.Jobs, Store: svc.Store, Topics: svc.Topics,
		Wait: svc.ProbeWait,
	}
}

// AudioTracks returns the audio tracks that the probe of a source found.
func AudioTracks(s *ent.Source) []*model.AudioTrack {
	var probe struct {
		Audio *struct {
			Channels int                 `json:"channels"`
			Tracks   []*model.AudioTrack `json:"tracks"`
		} `json:"audio"`
	}

	if s.Probe == nil || json.Unmarshal(s.Probe, &probe) != nil || probe.Audio == nil {
		return []*model.AudioTrack{}
	}

	if len(probe.Audio.Tracks) == 0 { // probed before tracks were stored
		return []*model.AudioTrack{{Channels: probe.Audio.Channels}}
	}

	for i, t := range probe.Audio.Tracks {
		t.Index = i
	}

	return probe.Audio.Tracks
}

// Known returns a value that the probe found, or nil for zero, which means unknown.
func Known(n int) *int {
	if n == 0 {
		return nil
	}

	return &n
}
