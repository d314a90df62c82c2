package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
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
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Source, error) { return r.declareSource(ctx, in, false) })
}

// declareSource is createSource in an open transaction, for an input that obeys its rules. partial is a part of an upload.
func (r *Resolver) declareSource(ctx context.Context, in model.CreateSourceInput, partial bool) (*ent.Source, error) {
	who, err := creator(ctx)
	if err != nil {
		return nil, err
	}

	if most := r.Uploads.Upload; in.Bytes != nil && most > 0 && *in.Bytes > most {
		return nil, upload.TooLarge(most)
	}

	create := r.Store.Client(ctx).Source.Create().SetPartial(partial).SetUserID(who.UserID).SetKind(in.Kind).
		SetUploadExpiresAt(r.Store.Now().Add(uploadSigned)).
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
		err = r.Intake().ReserveAll(ctx, made, *in.Bytes)
	}

	return made, err
}

// roleOf is which layer a video becomes; other kinds become none.
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

// soundOf is which volume governs a source's sound: a camera's the microphone, anything else the
// system's, unless the caller says otherwise.
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
	if !r.Intake().Open(s) {
		return time.Time{}
	}

	return r.Store.Now().Add(uploadSigned)
}

// readySource is a source the caller may use, whose bytes are there and were looked at. It waits for
// a look that is under way, and so is called outside the transaction. An unknown source is not_found,
// one without its bytes a conflict, one of another kind or that failed a bad_request.
func (r *Resolver) readySource(ctx context.Context, id string, kind values.SourceKind, path string) (*ent.Source, error) {
	found, err := r.lookedAt(ctx, id, path)
	if err != nil {
		return nil, err
	}

	if err := ofKind(found, kind, path); err != nil {
		return nil, err
	}

	return found, usableState(found, path)
}

// ofKind refuses a source of another kind.
func ofKind(s *ent.Source, kind values.SourceKind, path string) error {
	if s.Kind == kind {
		return nil
	}

	return fault.Invalid([]fault.Field{{Path: path, Rule: "must be a source of kind " + string(kind)}})
}

// usableState refuses a source whose bytes are not there or were not looked at, or that failed.
func usableState(s *ent.Source, path string) error {
	switch s.Status {
	case values.SourceStatusReady:
		return nil
	case values.SourceStatusFailed:
		return fault.Invalid([]fault.Field{{Path: path, Rule: "must be a usable source, and this one failed: " +
			strings.TrimSuffix(s.ErrorMessage, ".")}})
	case values.SourceStatusProcessing:
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
func (r *Resolver) Intake() upload.Desk {
	return upload.Desk{Blobs: r.Blobs, Clock: r.Store.Clock, Limits: r.Uploads, Queue: r.Jobs, Store: r.Store, Topics: r.Topics, Wait: r.ProbeWait}
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
