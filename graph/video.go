package graph

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// untitled is the name of a video whose source has none.
const untitled = "Untitled video"

// createVideo makes a video of ready sources, and its first clip.
func (r *Resolver) createVideo(ctx context.Context, in model.CreateVideoInput) (*ent.Video, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	unusable, err := r.findSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	who, err := creator(ctx)
	if err != nil {
		return nil, err
	}

	if err := unusable(who, nil); err != nil {
		return nil, err
	}

	if err := premium(who, in.VideoFields); err != nil {
		return nil, err
	}

	taken, err := r.takeSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	draft := newDraft()
	draft.apply(in.VideoFields)

	return store.Write(ctx, r.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		if err := taken.keep(ctx, r, who.UserID); err != nil {
			return nil, err
		}

		draft.fit(&taken)

		now, c := r.Store.Now(), taken.clip()

		create := r.Store.Client(ctx).Video.Create().SetUserID(who.UserID).SetCreatedAt(now).SetUpdatedAt(now).
			SetName(taken.name()).SetDurationMs(c.lengthMs).SetNextClipNumber(2)
		draft.save(create.Mutation())

		made, err := create.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create video: %w", err)
		}

		if _, err := r.insertClip(ctx, made, "Clip 1", 0, c); err != nil {
			return nil, err
		}

		if err := r.copyThumbnail(ctx, made); err != nil {
			return nil, err
		}

		event := webhook.VideoCreatedEvent{Video: webhook.Video{VideoID: made.ID, VideoName: made.Name}}

		return made, r.Jobs.Publish(ctx, event, jobs.Readers(made.ID))
	})
}

// updateVideo changes what the input names. A change of nothing moves neither the revision nor the
// time.
func (r *Resolver) updateVideo(ctx context.Context, id string, in model.UpdateVideoInput) (*ent.Video, error) {
	return store.Write(ctx, r.Store, &in, func(ctx context.Context) (*ent.Video, error) {
		was, err := r.editableVideo(ctx, id, func(who auth.Viewer, v *ent.Video) error {
			if in.Visibility.IsSet() && !governs(who, v) {
				return fault.Forbidden("Only the video's creator, owners and admins may change its visibility.")
			}

			return premium(who, in.VideoFields)
		})
		if err != nil {
			return nil, err
		}

		draft := draftOf(was)

		if err := replacedPassword(draft.settings.LinkScope, in.LinkScope, in.Password); err != nil {
			return nil, err
		}

		draft.apply(in.VideoFields)

		if reflect.DeepEqual(draft, draftOf(was)) {
			return was, nil
		}

		update := r.Store.Client(ctx).Video.UpdateOneID(id).AddRevision(1).SetUpdatedAt(r.Store.Now())
		draft.save(update.Mutation())

		another := draft.settings.CustomThumbnailURL != was.Settings.CustomThumbnailURL
		if another {
			update.ClearThumbnailKey().ClearThumbnailFault()
		}

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update video: %w", err)
		}

		if !another {
			return changed, nil
		}

		return changed, errors.Join(r.dropThumbnail(ctx, was), r.copyThumbnail(ctx, changed))
	})
}

// deleteVideo removes a video. Its media go in a job, once no other video refers to them.
func (r *Resolver) deleteVideo(ctx context.Context, id string) error {
	_, err := store.Write(ctx, r.Store, nil, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.deleteLocked(ctx, id)
	})

	return err
}

func (r *Resolver) deleteLocked(ctx context.Context, id string) error {
	v, err := r.editableVideo(ctx, id, func(who auth.Viewer, v *ent.Video) error {
		if !governs(who, v) {
			return fault.Forbidden("Only the video's creator, owners and admins may delete it.")
		}

		return nil
	})
	if err != nil {
		return err
	}

	clips, err := r.Store.Client(ctx).Clip.Query().Where(clip.VideoID(id)).WithEffects(withSources).All(ctx)
	if err != nil {
		return fmt.Errorf("read clips: %w", err)
	}

	exports, err := r.Store.Client(ctx).Export.Query().Brief().Where(export.VideoID(id)).All(ctx)
	if err != nil {
		return fmt.Errorf("read exports: %w", err)
	}

	leftover := jobs.Discard{WorkspaceID: v.WorkspaceID, VideoID: v.ID}

	if music := v.BackgroundMusic; music != nil {
		leftover.SourceIDs = append(leftover.SourceIDs, music.SourceID)
	}

	for _, c := range clips {
		leftover.SourceIDs = append(leftover.SourceIDs, sourcesOf(c)...)
	}

	if v.ThumbnailKey != "" {
		leftover.BlobKeys = append(leftover.BlobKeys, v.ThumbnailKey)
	}

	for _, e := range exports {
		if e.BlobKey != "" {
			leftover.BlobKeys = append(leftover.BlobKeys, e.BlobKey)
		}
	}

	if err := r.Store.Client(ctx).Video.DeleteOneID(id).Exec(ctx); err != nil {
		return fmt.Errorf("delete video: %w", err)
	}

	return errors.Join(r.Jobs.Add(ctx, leftover), r.Store.Notify(ctx, jobs.VideoTopic(id)))
}

// premium refuses what the workspace's plan does not hold.
func premium(who auth.Viewer, in model.VideoFields) error {
	if domains, set := in.AllowedEmbedDomains.ValueOK(); set && len(domains) > 0 && who.Plan == auth.PlanFree {
		return fault.Forbidden("allowedEmbedDomains is part of the premium plan.")
	}

	return nil
}

// videoDraft is everything updateVideo may change, so that a change of nothing can be told.
type videoDraft struct {
	name         string // empty keeps what is there
	description  string
	visibility   values.Visibility
	artboard     values.Dimensions
	sizeAwaited  bool
	settings     values.VideoSettings
	editing      values.Editing
	passwordHash string
}

func newDraft() videoDraft {
	return videoDraft{
		visibility:  values.VisibilityOrg,
		sizeAwaited: true,
		settings:    values.DefaultVideoSettings(),
		editing:     values.DefaultEditing(),
	}
}

// fit makes a new video as large as its first recording, unless a size was chosen.
func (d *videoDraft) fit(t *taken) {
	if d.sizeAwaited {
		d.artboard, d.sizeAwaited = t.artboard(), t.Main().Status != values.SourceStatusReady
	}
}

func draftOf(v *ent.Video) videoDraft {
	return videoDraft{
		name: v.Name, description: v.Description, visibility: v.Visibility,
		artboard: values.Dimensions{Width: v.Width, Height: v.Height}, sizeAwaited: v.SizeAwaited,
		settings: v.Settings, editing: v.Editing, passwordHash: v.PasswordHash,
	}
}

// apply lays an input over the draft: absent fields stay.
func (d *videoDraft) apply(in model.VideoFields) {
	give(&d.name, in.Name)
	give(&d.description, in.Description)
	give(&d.visibility, in.Visibility)

	if size := in.Dimensions.Value(); size != nil {
		d.artboard, d.sizeAwaited = values.Dimensions{Width: size.Width, Height: size.Height}, false
	}

	d.applySettings(in)
	d.applyEditing(in)
	d.passwordHash = passwordFor(d.settings.LinkScope, d.passwordHash, in.Password.Value())
}

func (d *videoDraft) applySettings(in model.VideoFields) {
	s := &d.settings

	if domains, set := in.AllowedEmbedDomains.ValueOK(); set {
		s.AllowedEmbedDomains = append([]string{}, domains...)
	}

	if address, set := in.CustomThumbnailURL.ValueOK(); set {
		s.CustomThumbnailURL = ""
		if address != nil {
			s.CustomThumbnailURL = *address
		}
	}

	give(&s.CaptionsDefaultEnabled, in.CaptionsDefaultEnabled)
	give(&s.CommentEmailsEnabled, in.CommentEmailsEnabled)
	give(&s.CommentsEnabled, in.CommentsEnabled)
	give(&s.DefaultPlaybackRate, in.DefaultPlaybackRate)
	give(&s.DownloadsEnabled, in.DownloadsEnabled)
	give(&s.LinkScope, in.LinkScope)
	give(&s.PublishDateEnabled, in.PublishDateEnabled)
	give(&s.RawDownloadsEnabled, in.RawDownloadsEnabled)
	give(&s.SearchEngineIndexingEnabled, in.SearchEngineIndexingEnabled)
	give(&s.TranscriptsEnabled, in.TranscriptsEnabled)
	give(&s.ViewCountEnabled, in.ViewCountEnabled)
}

func (d *videoDraft) applyEditing(in model.VideoFields) {
	e := &d.editing

	give(&e.StudioSound, in.StudioSound)
	give(&e.MicrophoneVolume, in.MicrophoneVolume)
	give(&e.SystemAudioVolume, in.SystemAudioVolume)
	give(&e.BorderStyle, in.BorderStyle)
	give(&e.Corners, in.Corners)
	give(&e.ClipTransition, in.ClipTransition)
	give(&e.SubtitlesEnabled, in.SubtitlesEnabled)

	if style := in.CaptionStyle.Value(); style != nil {
		e.CaptionStyle = values.CaptionStyle{
			Name: style.Name, BackgroundColor: colour(style.BackgroundColor), TextColor: colour(style.TextColor),
			WordLevelHighlights: style.WordLevelHighlights,
		}
	}

	if at := in.CaptionPosition.Value(); at != nil {
		e.CaptionPosition = values.Position{X: at.X, Y: at.Y}
	}
}

// replacedPassword refuses what cannot take the place of a password that is in force. Where none is, nobody reads it.
func replacedPassword(inForce values.LinkScope, scope graphql.Omittable[*values.LinkScope], password graphql.Omittable[*string]) error {
	if inForce != values.LinkScopePassword || scope.Value() != nil || password.Value() == nil {
		return nil
	}

	if err := fault.Invalid(model.PasswordFaults(*password.Value())); err != nil {
		return err
	}

	return nil
}

// passwordFor keeps a password only where it opens something: with the link scope password, given
// in the same request or in force before. A password that is already in force is no change.
func passwordFor(scope values.LinkScope, was string, given *string) string {
	switch {
	case scope != values.LinkScopePassword:
		return ""
	case given == nil || auth.PasswordMatches(was, *given):
		return was
	default:
		return auth.HashPassword(*given)
	}
}

// save writes the draft into a creation or an update.
func (d *videoDraft) save(m *ent.VideoMutation) {
	if d.name != "" {
		m.SetName(d.name)
	}

	m.SetDescription(d.description)
	m.SetVisibility(d.visibility)
	m.SetWidth(d.artboard.Width)
	m.SetHeight(d.artboard.Height)
	m.SetSizeAwaited(d.sizeAwaited)
	m.SetSettings(d.settings)
	m.SetEditing(d.editing)

	if d.passwordHash == "" {
		m.ClearPasswordHash()
	} else {
		m.SetPasswordHash(d.passwordHash)
	}
}

// give lays a given value over what is there.
func give[T any](to *T, in graphql.Omittable[*T]) {
	if value := in.Value(); value != nil {
		*to = *value
	}
}

// colour is the stored spelling of a colour whose rule has been checked.
func colour(c values.Color) values.Color {
	if parsed, err := values.ParseColor(string(c)); err == nil {
		return parsed
	}

	return c
}

// awaitedArtboard is the size of a video until its first recording, of which nothing is known, has been probed.
var awaitedArtboard = values.Dimensions{Width: 1920, Height: 1080} //nolint:gochecknoglobals // a constant

// artboard is the size of a video that begins with the sources; while they arrive, as it was declared.
func (t *taken) artboard() values.Dimensions {
	main := t.Main()

	size := plan.Size{Width: main.Width, Height: main.Height}
	if main.Status != values.SourceStatusReady {
		size = plan.Size{Width: main.DeclaredWidth, Height: main.DeclaredHeight}
	}

	if size.Width == 0 || size.Height == 0 {
		return awaitedArtboard
	}

	size = plan.Artboard(size)

	return values.Dimensions{Width: size.Width, Height: size.Height}
}

// name is the first source's name without its extension.
func (t *taken) name() string {
	name := t.Main().Name

	if short := strings.TrimSuffix(name, path.Ext(name)); strings.TrimSpace(short) != "" {
		return short
	}

	if strings.TrimSpace(name) != "" {
		return name
	}

	return untitled
}
