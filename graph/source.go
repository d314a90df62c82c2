package graph

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/workers/jobs"
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
	wake, stop := r.Topics.Subscribe(jobs.SourceTopic(id))
	defer stop()

	late := time.NewTimer(r.ProbeWait)
	defer late.Stop()

	for {
		found, err := r.usableSource(ctx, id, "source at "+path)
		if err != nil || found.Status != domain.SourceStatusProcessing {
			return found, err
		}

		select {
		case <-wake:
		case <-late.C:
			return found, nil
		case <-ctx.Done():
			return nil, ctx.Err() //nolint:wrapcheck // the client is gone
		}
	}
}

// findSources answers not_found unless the caller may use every source of a new clip. It comes before
// the caller's rights, and those before the state a source is in.
func (r *Resolver) findSources(ctx context.Context, in model.CreateVideoInput) error {
	for _, s := range []struct {
		id   *string
		path string
	}{{&in.SourceID, "sourceId"}, {in.CameraSourceID.Value(), "cameraSourceId"}, {in.MouseSourceID.Value(), "mouseSourceId"}} {
		if s.id == nil {
			continue
		}

		if _, err := r.usableSource(ctx, *s.id, "source at "+s.path); err != nil {
			return err
		}
	}

	return nil
}

// takeSources reads the sources of a new clip, in the order of the request.
func (r *Resolver) takeSources(ctx context.Context, in model.CreateVideoInput) (taken, error) {
	var t taken

	main, err := r.readySource(ctx, in.SourceID, domain.SourceKindVideo, "sourceId")
	if err != nil {
		return t, err
	}

	t.screen = main

	if id := in.CameraSourceID.Value(); id != nil {
		if t.camera, err = r.readySource(ctx, *id, domain.SourceKindVideo, "cameraSourceId"); err != nil {
			return t, err
		}
	} else if main.Role != nil && *main.Role == domain.SourceRoleCamera {
		t.screen, t.camera = nil, main
	}

	if id := in.MouseSourceID.Value(); id != nil {
		if t.screen == nil {
			return t, fault.Invalid([]fault.Field{{Path: "mouseSourceId", Rule: "needs a screen recording"}})
		}

		if t.mouse, err = r.readySource(ctx, *id, domain.SourceKindMouse, "mouseSourceId"); err != nil {
			return t, err
		}
	}

	return t, nil
}

// clip is what the sources make of a clip.
func (t taken) clip() newClip {
	c := newClip{screen: idOf(t.screen), camera: idOf(t.camera), mouse: idOf(t.mouse)}

	for _, s := range []*ent.Source{t.screen, t.camera} {
		if s == nil {
			continue
		}

		c.lengthMs = max(c.lengthMs, s.DurationMs)

		if s.HasAudio {
			microphone := s.Audio != nil && *s.Audio == domain.SourceAudioMicrophone
			c.microphone = c.microphone || microphone
			c.system = c.system || !microphone
		}
	}

	return c
}

func idOf(s *ent.Source) *string {
	if s == nil {
		return nil
	}

	return &s.ID
}

// known is a figure that the probe found; zero is none.
func known(n int) *int {
	if n == 0 {
		return nil
	}

	return &n
}
