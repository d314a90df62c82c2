package sharing

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/chapter"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// The pages call this code for visitors, who need not belong to the workspace. A video is looked up as the system.
// admit decides by its linkScope whether it is shown. What is shown is then read within the video's workspace.

// ShowVideo returns a video for a visitor of its page, or the reason why the visitor may not see it.
func (svc *Service) ShowVideo(ctx context.Context, id string, visitor model.Visitor) (*model.Showing, error) {
	v, within, err := svc.shownVideo(ctx, id)
	if err != nil {
		return nil, err
	}

	s := &model.Showing{Video: v}

	s.Admission, err = svc.admit(ctx, gateOf(v), visitor)
	if err != nil || s.Barrier != model.BarrierNone {
		return s, err
	}

	clips, err := multitrack.WithSources(svc.Store.Client(ctx).Clip.Query().Where(clip.VideoID(v.ID))).
		Order(ent.Asc(clip.FieldPosition, clip.FieldID)).
		WithEffects(func(q *ent.EffectQuery) { q.Order(ent.Asc(effect.FieldZ, effect.FieldID)) }).All(within)
	if err != nil {
		return nil, fmt.Errorf("read clips: %w", err)
	}

	marks, err := svc.Store.Client(ctx).Chapter.Query().Where(chapter.VideoID(v.ID)).All(within)
	if err != nil {
		return nil, fmt.Errorf("read chapters: %w", err)
	}

	if len(marks) > 0 {
		s.Chapters = videos.ReportChapters(clips, marks)
	}

	h := transcripts.Of(clips)
	s.Transcript = model.TranscriptState{Status: h.Status, Language: h.Language}
	s.Pictures, s.Moving = svc.Videos.Thumbnails().Pictures(v), svc.Videos.Thumbnails().Moving(v)

	film, err := svc.streamOf(within, v, clips)
	if err != nil {
		return nil, err
	}

	s.Stream = film.stream
	s.Downloads = svc.downloadsOf(v, film, clips)

	return s, nil
}

// shownVideo returns a video with its creator, for any visitor, and a context in which to read what belongs to
// it.
func (svc *Service) shownVideo(ctx context.Context, id string) (*ent.Video, context.Context, error) {
	if !ids.Is(ids.Video, id) {
		return nil, nil, fault.NotFound("video")
	}

	v, err := svc.Store.Client(ctx).Video.Query().Where(video.ID(id)).WithCreator().Only(auth.AsSystem(ctx))
	if ent.IsNotFound(err) {
		return nil, nil, fault.NotFound("video")
	}

	if err != nil {
		return nil, nil, fmt.Errorf("read video: %w", err)
	}

	return v, auth.AsWorkspace(ctx, v.WorkspaceID), nil
}

// gate holds the settings that decide who may watch something.
type gate struct {
	id, workspaceID string
	scope           values.LinkScope
	passwordHash    string
	creatorID       string // may watch without the password
}

func gateOf(v *ent.Video) gate {
	return gate{v.ID, v.WorkspaceID, v.Settings.LinkScope, v.PasswordHash, v.UserID}
}

func gateOfPlaylist(p *ent.Playlist) gate {
	return gate{p.ID, p.WorkspaceID, p.LinkScope, p.PasswordHash, p.UserID}
}

// fingerprint returns a hash that changes whenever the password changes. It reveals nothing else about the password.
func (g gate) fingerprint() string {
	sum := sha256.Sum256([]byte(g.id + "\n" + g.passwordHash))

	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// admit checks a visitor against a gate.
func (svc *Service) admit(ctx context.Context, g gate, visitor model.Visitor) (model.Admission, error) {
	who, name, known, err := svc.signedInAt(ctx, g.workspaceID, visitor.Session)
	if err != nil {
		return model.Admission{}, err
	}

	return g.hold(model.Admission{Who: who, Name: name}, known, visitor), nil
}

// hold returns the barrier that keeps the visitor out, if any. known is true if the visitor has signed in to any
// workspace.
func (g gate) hold(a model.Admission, known bool, visitor model.Visitor) model.Admission {
	a.Fingerprint = g.fingerprint()

	switch {
	case g.scope == values.LinkScopePrivate && a.Who.UserID == "" && known:
		a.Barrier = model.BarrierMembers
	case g.scope == values.LinkScopePrivate && a.Who.UserID == "":
		a.Barrier = model.BarrierSignIn
	case g.scope == values.LinkScopePassword && visitor.Knows[g.id] != a.Fingerprint && (g.creatorID == "" || a.Who.UserID != g.creatorID):
		a.Barrier = model.BarrierPassword
	case g.scope == values.LinkScopeEmbedOnly && !visitor.Embedded:
		a.Barrier = model.BarrierEmbed
	}

	return a
}

// signedInAt returns the member of the workspace who signed in with a token. known says whether anybody did.
func (svc *Service) signedInAt(ctx context.Context, workspaceID, token string) (who auth.Viewer, name string, known bool, err error) {
	s, known, err := svc.Accounts.Sessions().SessionBy(ctx, token)
	if !known || err != nil {
		return who, "", false, err
	}

	who, person, err := svc.Accounts.Sessions().MemberBy(ctx, s, workspaceID)

	return who, person.Name, true, err
}

// UnlockVideo checks the password of a video. It returns a fingerprint of the password, which the visitor's browser
// sends later to be admitted.
func (svc *Service) UnlockVideo(ctx context.Context, id, password string) (fingerprint string, err error) {
	v, _, err := svc.shownVideo(ctx, id)
	if err != nil {
		return "", err
	}

	return gateOf(v).unlock(password)
}

// UnlockPlaylist does the same as UnlockVideo for a playlist.
func (svc *Service) UnlockPlaylist(ctx context.Context, id, password string) (fingerprint string, err error) {
	p, err := svc.shownPlaylist(ctx, id)
	if err != nil {
		return "", err
	}

	return gateOfPlaylist(p).unlock(password)
}

func (g gate) unlock(password string) (string, error) {
	if g.scope != values.LinkScopePassword || !auth.PasswordMatches(g.passwordHash, password) {
		return "", fault.Forbidden("The password is wrong.")
	}

	return g.fingerprint(), nil
}

// ShownWords returns the sentences and words of a video. Their timestamps are in the playback time of the video.
// ShownWords does not check rights, because the signed address of the request proves that the visitor was admitted.
func (svc *Service) ShownWords(ctx context.Context, id string) (sentences []model.PlayedSentence, spoken []model.PlayedWord, err error) {
	v, within, err := svc.shownVideo(ctx, id)
	if err != nil {
		return nil, nil, err
	}

	clips, err := svc.Listing.ClipsOf(within, v)
	if err != nil || transcripts.Of(clips).Status != values.TranscriptStatusReady {
		return nil, nil, err
	}

	rows, err := svc.Listing.Words().WordsOf(within, clips...)
	if err != nil {
		return nil, nil, err
	}

	spoken = listing.SpokenIn(clips, rows)

	return words.Sentences(spoken), spoken, nil
}

// ShownStoryboard returns a contact sheet of the whole video. The caller must have checked that the visitor may watch
// the video.
func (svc *Service) ShownStoryboard(ctx context.Context, id string) (*model.Storyboard, error) {
	v, within, err := svc.shownVideo(ctx, id)
	if err != nil {
		return nil, err
	}

	return svc.Exports.Storyboard(within, svc.Exports.PictureOfVideo(v), model.StoryboardQuery{DurationMs: max(v.DurationMs, 1)})
}

// ShownStream returns the stream that the page of a video plays now. The caller must have checked that the visitor
// may watch the video.
func (svc *Service) ShownStream(ctx context.Context, id string) (model.Stream, error) {
	v, within, err := svc.shownVideo(ctx, id)
	if err != nil {
		return model.Stream{}, err
	}

	film, err := svc.filmOf(within, v)

	return film.stream, err
}
