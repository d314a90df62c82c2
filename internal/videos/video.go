package videos

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
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
)

// untitled is the name of a video whose source has no name.
const untitled = "Untitled video"

// CreateVideo creates a video from ready sources, with its first clip.
func (svc *Service) CreateVideo(ctx context.Context, in model.CreateVideoInput) (*ent.Video, error) {
	if err := input.Validate(&in); err != nil {
		return nil, err
	}

	unusable, err := svc.FindSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	who, err := access.Creator(ctx)
	if err != nil {
		return nil, err
	}

	if err := unusable(who, nil); err != nil {
		return nil, err
	}

	if err := premium(who, in.VideoFields); err != nil {
		return nil, err
	}

	taken, err := svc.TakeSources(ctx, in.RecordingInput)
	if err != nil {
		return nil, err
	}

	draft := newDraft()
	draft.apply(in.VideoFields)

	return store.Write(ctx, svc.Store, nil, func(ctx context.Context) (*ent.Video, error) {
		if err := taken.Keep(ctx, svc, who.UserID); err != nil {
			return nil, err
		}

		draft.fit(&taken)

		now, c := svc.Store.Now(), taken.Clip()

		create := svc.Store.Client(ctx).Video.Create().SetUserID(who.UserID).SetCreatedAt(now).SetUpdatedAt(now).
			SetName(taken.name()).SetDurationMs(c.lengthMs).SetNextClipNumber(2)
		draft.save(create.Mutation())

		made, err := create.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("create video: %w", err)
		}

		if _, err := svc.InsertClip(ctx, made, "Clip 1", 0, c); err != nil {
			return nil, err
		}

		if err := svc.prepareThumbnails(ctx, made); err != nil {
			return nil, err
		}

		created := event.VideoCreatedEvent{Video: event.VideoOf(made.ID, made.Name)}

		return made, svc.Jobs.Publish(ctx, created, jobs.Readers(made.ID))
	})
}

// UpdateVideo changes the fields that the input contains. If nothing changes, the video keeps its revision and its
// update time.
func (svc *Service) UpdateVideo(ctx context.Context, id string, in model.UpdateVideoInput) (*ent.Video, error) {
	return store.Write(ctx, svc.Store, &in, func(ctx context.Context) (*ent.Video, error) {
		was, err := svc.Listing.Rights().EditableVideo(ctx, id, func(who auth.Viewer, v *ent.Video) error {
			if in.Visibility.IsSet() && !access.Governs(who, v) {
				return fault.Forbidden("Only the video's creator, owners and admins may change its visibility.")
			}

			return premium(who, in.VideoFields)
		})
		if err != nil {
			return nil, err
		}

		draft := draftOf(was)

		if err := ReplacedPassword(draft.settings.LinkScope, in.LinkScope, in.Password); err != nil {
			return nil, err
		}

		draft.apply(in.VideoFields)

		if reflect.DeepEqual(draft, draftOf(was)) {
			return was, nil
		}

		update := svc.Store.Client(ctx).Video.UpdateOneID(id).AddRevision(1).SetUpdatedAt(svc.Store.Now())
		draft.save(update.Mutation())

		another := draft.settings.CustomThumbnailURL != was.Settings.CustomThumbnailURL
		if another {
			chooseThumbnail(update, nil, plan.Size{})
		}

		changed, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update video: %w", err)
		}

		if !another {
			return changed, nil
		}

		return changed, svc.replaceThumbnail(ctx, was, changed)
	})
}

// DeleteVideo deletes a video, which may be in the trash. A job later deletes the media that no other video uses.
func (svc *Service) DeleteVideo(ctx context.Context, id string) error {
	_, err := store.Write(ctx, svc.Store, nil, func(ctx context.Context) (struct{}, error) {
		v, err := svc.Listing.Rights().LockedOrTrashedVideo(ctx, id)
		if err != nil {
			return struct{}{}, err
		}

		if err := svc.Listing.Rights().RefuseEdit(ctx, v, mayDelete); err != nil {
			return struct{}{}, err
		}

		return struct{}{}, Remove(ctx, svc.Store, svc.Jobs, v)
	})

	return err
}

// mayDelete is an access.Permit for those who may delete a video.
func mayDelete(who auth.Viewer, v *ent.Video) error {
	if !access.Governs(who, v) {
		return fault.Forbidden("Only the video's creator, owners and admins may delete it.")
	}

	return nil
}

// Remove deletes a video that the caller has locked and may delete, and queues the deletion of the media that nothing
// else uses.
func Remove(ctx context.Context, s *store.Store, queue *jobs.Queue, v *ent.Video) error {
	clips, err := s.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID)).WithEffects(listing.WithSources).All(ctx)
	if err != nil {
		return fmt.Errorf("read clips: %w", err)
	}

	exports, err := s.Client(ctx).Export.Query().Brief().Where(export.VideoID(v.ID)).All(ctx)
	if err != nil {
		return fmt.Errorf("read exports: %w", err)
	}

	leftover := jobs.Discard{WorkspaceID: v.WorkspaceID, VideoID: v.ID}

	if music := v.BackgroundMusic; music != nil {
		leftover.SourceIDs = append(leftover.SourceIDs, music.SourceID)
	}

	if chosen := v.Thumbnail; chosen != nil && chosen.SourceID != "" {
		leftover.SourceIDs = append(leftover.SourceIDs, chosen.SourceID)
	}

	for _, c := range clips {
		leftover.SourceIDs = append(leftover.SourceIDs, listing.SourcesOf(c)...)
	}

	if v.ThumbnailKey != "" {
		leftover.BlobKeys = append(leftover.BlobKeys, v.ThumbnailKey)
	}

	for _, e := range exports {
		if e.BlobKey != "" {
			leftover.BlobKeys = append(leftover.BlobKeys, e.BlobKey)
		}
	}

	if err := s.Client(ctx).Video.DeleteOneID(v.ID).Exec(ctx); err != nil {
		return fmt.Errorf("delete video: %w", err)
	}

	return errors.Join(queue.Add(ctx, leftover), s.Notify(ctx, jobs.VideoTopic(v.ID)))
}

// premium refuses settings that the workspace's plan does not include.
func premium(who auth.Viewer, in model.VideoFields) error {
	if domains, set := in.AllowedEmbedDomains.ValueOK(); set && len(domains) > 0 && who.Plan == auth.PlanFree {
		return fault.Forbidden("allowedEmbedDomains requires the premium plan.")
	}

	return nil
}

// videoDraft holds everything that UpdateVideo may change, so that an update without changes can be recognized.
type videoDraft struct {
	name         string // empty keeps the present password
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

// fit sizes a new video like its first recording, unless a size was chosen.
func (d *videoDraft) fit(t *Taken) {
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

// apply copies the given fields of an input to the draft. Absent fields stay.
func (d *videoDraft) apply(in model.VideoFields) {
	optional.Give(&d.name, in.Name)
	optional.Give(&d.description, in.Description)
	optional.Give(&d.visibility, in.Visibility)

	if size := in.Dimensions.Value(); size != nil {
		d.artboard, d.sizeAwaited = values.Dimensions{Width: size.Width, Height: size.Height}, false
	}

	d.applySettings(in)
	d.applyEditing(in)
	d.passwordHash = PasswordFor(d.settings.LinkScope, d.passwordHash, in.Password.Value())
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

	optional.Give(&s.CaptionsDefaultEnabled, in.CaptionsDefaultEnabled)
	optional.Give(&s.CommentEmailsEnabled, in.CommentEmailsEnabled)
	optional.Give(&s.CommentsEnabled, in.CommentsEnabled)
	optional.Give(&s.DefaultPlaybackRate, in.DefaultPlaybackRate)
	optional.Give(&s.DownloadsEnabled, in.DownloadsEnabled)
	optional.Give(&s.LinkScope, in.LinkScope)
	optional.Give(&s.PublishDateEnabled, in.PublishDateEnabled)
	optional.Give(&s.RawDownloadsEnabled, in.RawDownloadsEnabled)
	optional.Give(&s.SearchEngineIndexingEnabled, in.SearchEngineIndexingEnabled)
	optional.Give(&s.TranscriptsEnabled, in.TranscriptsEnabled)
	optional.Give(&s.ViewCountEnabled, in.ViewCountEnabled)
}

func (d *videoDraft) applyEditing(in model.VideoFields) {
	e := &d.editing

	optional.Give(&e.StudioSound, in.StudioSound)
	optional.Give(&e.MicrophoneVolume, in.MicrophoneVolume)
	optional.Give(&e.SystemAudioVolume, in.SystemAudioVolume)
	optional.Give(&e.BorderStyle, in.BorderStyle)
	optional.Give(&e.Corners, in.Corners)
	optional.Give(&e.ClipTransition, in.ClipTransition)
	optional.Give(&e.SubtitlesEnabled, in.SubtitlesEnabled)

	if style := in.CaptionStyle.Value(); style != nil {
		e.CaptionStyle = values.CaptionStyle{
			Name: style.Name, BackgroundColor: Colour(style.BackgroundColor), TextColor: Colour(style.TextColor),
			WordLevelHighlights: style.WordLevelHighlights,
		}
	}

	if at := in.CaptionPosition.Value(); at != nil {
		e.CaptionPosition = values.Position{X: at.X, Y: at.Y}
	}
}

// ReplacedPassword returns an error if a request replaces the password with an invalid one. It checks only requests
// that contain a password but no link scope, and only while the link scope in force is password. Other requests are
// checked elsewhere.
func ReplacedPassword(inForce values.LinkScope, scope graphql.Omittable[*values.LinkScope], password graphql.Omittable[*string]) error {
	if inForce != values.LinkScopePassword || scope.Value() != nil || password.Value() == nil {
		return nil
	}

	if err := fault.Invalid(model.PasswordFaults(*password.Value())); err != nil {
		return err
	}

	return nil
}

// PasswordFor returns the password hash to store. The hash is empty unless the link scope is password. If no password
// is given, or the current password is given again, PasswordFor returns the current hash, which is the argument "was".
func PasswordFor(scope values.LinkScope, was string, given *string) string {
	switch {
	case scope != values.LinkScopePassword:
		return ""
	case given == nil || auth.PasswordMatches(was, *given):
		return was
	default:
		return auth.HashPassword(*given)
	}
}

// save copies the draft to a create or update.
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

// Colour returns a validated color in the form in which colors are stored.
func Colour(c values.Color) values.Color {
	if parsed, err := values.ParseColor(string(c)); err == nil {
		return parsed
	}

	return c
}

// awaitedArtboard is the size of a video until its first recording is probed, if no size was declared.
var awaitedArtboard = values.Dimensions{Width: 1920, Height: 1080} //nolint:gochecknoglobals // a constant

// artboard returns the size of a video that begins with these sources. While they are being uploaded, it is the
// declared size.
func (t *Taken) artboard() values.Dimensions {
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

// name returns the first source's name without its extension.
func (t *Taken) name() string {
	name := t.Main().Name

	if short := strings.TrimSuffix(name, path.Ext(name)); strings.TrimSpace(short) != "" {
		return short
	}

	if strings.TrimSpace(name) != "" {
		return name
	}

	return untitled
}
