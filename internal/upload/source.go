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
	"github.com/reelgraph/reelgraph/internal/rights"
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

// URL returns the address to which the creator of a source sends its bytes. It returns nil if the upload is complete
// or the caller is not the creator.
func (svc *Service) URL(ctx context.Context, s *ent.Source) *string {
	url, _ := svc.addressFor(ctx, s)

	return url
}

// ExpiresAt returns the time until which the address that URL returns is accepted. It returns nil if URL returns nil.
func (svc *Service) ExpiresAt(ctx context.Context, s *ent.Source) *time.Time {
	_, until := svc.addressFor(ctx, s)

	return until
}

func (svc *Service) addressFor(ctx context.Context, s *ent.Source) (*string, *time.Time) {
	if who, err := access.Viewer(ctx); err != nil || !rights.IsCreator(who, s) || !svc.Intake().Open(s) {
		return nil, nil
	}

	url, until := svc.Address(s)

	return &url, &until
}

// Address returns the signed address for uploading the bytes of a source, and the time until which it is accepted.
func (svc *Service) Address(s *ent.Source) (url string, until time.Time) {
	until = svc.Store.Now().Add(listing.UploadSigned)

	return svc.Addresses.Upload(s.ID, until), until
}

// ReadySource returns a source that the caller may use and that has been probed. If the probe is still running,
// ReadySource waits for it, so do not call it inside a transaction. It returns not_found for an unknown source, a
// conflict for a source whose bytes have not been uploaded, and bad_request for a source that failed or is of another
// kind.
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

// OfKind returns an error if the source is not of the given kind.
func OfKind(s *ent.Source, kind values.SourceKind, path string) error {
	if s.Kind == kind {
		return nil
	}

	return fault.Invalid([]fault.Field{{Path: path, Rule: "must be a source of kind " + string(kind)}})
}

// UsableState returns an error if the source has not been uploaded, has not been probed, or has failed.
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

// LookedAt reads a source and waits until it has been processed, but at most for ProbeWait.
func (svc *Service) LookedAt(ctx context.Context, id, path string) (*ent.Source, error) {
	return svc.Intake().Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return svc.Listing.Rights().UsableSource(ctx, id, "source at "+path)
	})
}

// Intake returns the Desk, the service that completes uploads.
func (svc *Service) Intake() Desk {
	return Desk{
		Blobs: svc.Blobs, Clock: svc.Store.Clock, Limits: svc.Limits, Queue: svc.Jobs, Store: svc.Store, Topics: svc.Topics,
		Wait: svc.ProbeWait,
	}
}

// AudioTracks returns the audio tracks that the probe found in a source.
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

// Known returns a pointer to a value that the probe found. It returns nil for zero, which means that the value is
// unknown.
func Known(n int) *int {
	if n == 0 {
		return nil
	}

	return &n
}
