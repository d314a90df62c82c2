package story

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/tag"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/comments"
	"github.com/reelgraph/reelgraph/internal/demo"
	clips "github.com/reelgraph/reelgraph/internal/editing/clip"
	"github.com/reelgraph/reelgraph/internal/editing/effect"
	"github.com/reelgraph/reelgraph/internal/editing/transcript"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/exports"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/playlists"
	"github.com/reelgraph/reelgraph/internal/upload"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/videos"
)

// Guide creates the demo as the person of the context, who must be allowed to create videos. Every field is required.
type Guide struct {
	Store       *store.Store
	Jobs        *jobs.Queue
	Tools       ffmpeg.Tools
	Clips       *clips.Service
	Comments    *comments.Service
	Effects     *effect.Service
	Exports     *exports.Service
	Playlists   *playlists.Service
	Transcripts *transcript.Service
	Upload      *upload.Service
	Videos      *videos.Service
}

// Keep stores what has been made, and how much of the demo that is in percent. It is called in the transaction of each
// part. The percentage is at most 99.
type Keep func(ctx context.Context, made values.DemoMade, percent int) error

// Tell creates those parts of the demo that were not made before, and lets the audience watch them. A video that is not
// complete is deleted and made again. The playback events become figures at the next rollup.
func (g *Guide) Tell(ctx context.Context, made values.DemoMade, keep Keep) error {
	t := &telling{
		Guide: g, keepMade: keep, speaks: Speaks(ctx, g.Tools),
		made: values.DemoMade{Videos: maps.Clone(made.Videos), PlaylistID: made.PlaylistID, SourceIDs: slices.Clone(made.SourceIDs)},
	}
	if t.made.Videos == nil {
		t.made.Videos = map[string]values.DemoVideo{}
	}

	for _, s := range Stories() {
		if err := t.tell(ctx, s); err != nil {
			return fmt.Errorf("make the video %q: %w", s.Name, err)
		}
	}

	crowd, err := newAudience(g)
	if err != nil {
		return err
	}

	for i, s := range Stories() {
		if err := t.watch(ctx, crowd, i, s); err != nil {
			return fmt.Errorf("watch the video %q: %w", s.Name, err)
		}
	}

	return nil
}

// Found returns what an earlier run has made in the workspace of the context, found by the names. The description of a
// video is written last and marks it as complete.
func (g *Guide) Found(ctx context.Context) (values.DemoMade, error) {
	made, c := values.DemoMade{Videos: map[string]values.DemoVideo{}}, g.Store.Client(ctx)

	for _, s := range Stories() {
		rows, err := c.Video.Query().Where(video.Name(s.Name)).All(ctx)
		if err != nil {
			return made, fmt.Errorf("find the videos of the demo: %w", err)
		}

		for _, v := range rows {
			one := values.DemoVideo{ID: v.ID, Complete: v.Description != ""}
			if v.Views > 0 {
				one.Visits = Viewers
			}

			made.Videos[s.Name] = one
		}
	}

	lists, err := c.Playlist.Query().Where(playlist.Name(list), playlist.VisibilityEQ(values.VisibilityOrg)).IDs(ctx)
	if err != nil {
		return made, fmt.Errorf("find the playlist of the demo: %w", err)
	}

	if len(lists) > 0 {
		made.PlaylistID = lists[0]
	}

	return made, nil
}

// telling is one run of Tell.
type telling struct {
	*Guide

	speaks   bool // recordings have speech
	keepMade Keep

	mu   sync.Mutex
	made values.DemoMade
}

// keep stores what has been made after a change of it, in the transaction of the context or in its own.
func (t *telling) keep(ctx context.Context, change func(made *values.DemoMade)) error {
	t.mu.Lock()
	defer t.mu.Unlock()

	change(&t.made)

	return t.keepMade(ctx, t.made, t.percent())
}

// percent returns how much of the demo is there. Recordings take the longest, then come the viewers.
func (t *telling) percent() int {
	const recorded, completed, watched = 10, 10, 10

	done, all := 0, 0

	for _, s := range Stories() {
		all += recorded*2*len(s.shots) + completed + watched

		v := t.made.Videos[s.Name]
		done += watched * v.Visits / Viewers

		if v.Complete {
			done += recorded*2*len(s.shots) + completed
		}
	}

	done += recorded * len(t.made.SourceIDs)

	return min(100*done/all, 99)
}

// tell creates a video unless it is complete. Its description is written last.
func (t *telling) tell(ctx context.Context, s story) error {
	if t.made.Videos[s.Name].Complete {
		return nil
	}

	if err := t.forget(ctx, s); err != nil {
		return err
	}

	id, ids, err := t.clips(ctx, s)
	if err != nil {
		return err
	}

	if _, err := t.Videos.UpdateVideo(ctx, id, model.UpdateVideoInput{VideoFields: s.look}); err != nil {
		return err
	}

	if _, err := t.Videos.ReplaceChapters(ctx, id, model.ReplaceChaptersInput{Chapters: s.chapters}); err != nil {
		return err
	}

	if s.cut != nil {
		if _, err := t.Clips.CutClip(ctx, id, ids[0], model.CutClipInput{Cuts: []*model.CutRangeInput{s.cut}}); err != nil {
			return err
		}
	}

	if s.export {
		if _, err := t.Exports.StartExport(ctx, id, nil); err != nil {
			return err
		}
	}

	if err := t.file(ctx, id, s); err != nil {
		return err
	}

	return t.Store.InTx(ctx, func(ctx context.Context) error {
		_, err := t.Videos.UpdateVideo(ctx, id, model.UpdateVideoInput{VideoFields: model.VideoFields{
			Description: set(s.description), DownloadsEnabled: set(true),
		}})
		if err != nil {
			return err
		}

		return t.keep(ctx, func(made *values.DemoMade) {
			made.SourceIDs = nil
			made.Videos[s.Name] = values.DemoVideo{ID: id, Complete: true}
		})
	})
}

// forget deletes what an interrupted run left of a video.
func (t *telling) forget(ctx context.Context, s story) error {
	begun := t.made.Videos[s.Name].ID
	if begun == "" && len(t.made.SourceIDs) == 0 {
		return nil
	}

	if begun != "" {
		if err := t.Videos.DeleteVideo(ctx, begun); err != nil && !fault.Is(err, fault.NotFoundCode) {
			return err
		}
	}

	for _, id := range t.made.SourceIDs {
		err := t.Upload.DeleteSource(ctx, id)
		if err != nil && !fault.Is(err, fault.NotFoundCode) && !fault.Is(err, fault.ConflictCode) { // somebody uses it by now
			return err
		}
	}

	return t.Store.InTx(ctx, func(ctx context.Context) error {
		return t.keep(ctx, func(made *values.DemoMade) {
			made.SourceIDs = nil
			delete(made.Videos, s.Name)
		})
	})
}

// clips creates a video from its recordings, sets up its clips, and returns the ids.
func (t *telling) clips(ctx context.Context, s story) (id string, ids []string, err error) {
	for i, shot := range s.shots {
		recorded, speech, err := t.shoot(ctx, shot)
		if err != nil {
			return "", nil, err
		}

		if i == 0 {
			id, err = t.create(ctx, s, recorded)
		} else {
			_, err = t.Clips.AddClip(ctx, id, model.AddClipInput{RecordingInput: recorded, Name: set(shot.name)})
		}

		if err != nil {
			return "", nil, err
		}

		ids, err = t.Store.Client(ctx).Clip.Query().Where(clip.VideoID(id)).Order(clip.ByPosition()).IDs(ctx)
		if err != nil {
			return "", nil, fmt.Errorf("list the clips: %w", err)
		}

		if err := t.dress(ctx, id, ids[i], shot, speech); err != nil {
			return "", nil, err
		}
	}

	return id, ids, nil
}

// create creates a video with its first clip, and keeps its id in the same transaction.
func (t *telling) create(ctx context.Context, s story, recorded model.RecordingInput) (id string, err error) {
	err = t.Store.InTx(ctx, func(ctx context.Context) error {
		v, err := t.Videos.CreateVideo(ctx, model.CreateVideoInput{
			RecordingInput: recorded, VideoFields: model.VideoFields{Name: set(s.Name)},
		})
		if err != nil {
			return err
		}

		id = v.ID

		return t.keep(ctx, func(made *values.DemoMade) { made.Videos[s.Name] = values.DemoVideo{ID: id} })
	})

	return id, err
}

// dress gives a clip its look, its transcript and its effects.
func (t *telling) dress(ctx context.Context, videoID, clipID string, s shot, speech demo.Speech) error {
	if _, err := t.Clips.UpdateClip(ctx, videoID, clipID, s.look); err != nil {
		return err
	}

	if err := t.transcribe(ctx, videoID, clipID, s.says, speech); err != nil {
		return err
	}

	for _, e := range s.effects {
		if _, err := t.Effects.AddEffect(ctx, videoID, clipID, e); err != nil {
			return err
		}
	}

	if s.zooms == nil {
		return nil
	}

	_, err := t.Effects.AutoZooms(ctx, videoID, clipID, *s.zooms)

	return err
}

// shoot makes both recordings of a shot concurrently, and returns the input for a clip of them.
func (t *telling) shoot(ctx context.Context, s shot) (model.RecordingInput, demo.Speech, error) {
	var (
		speech         demo.Speech
		screen, camera string
		recorded       model.RecordingInput
	)

	if t.speaks {
		var err error
		if speech, err = voice(ctx, t.Tools, s.says); err != nil {
			return recorded, speech, err
		}
	}

	length := s.lengthMs
	group, within := errgroup.WithContext(ctx)

	if s.screen != nil {
		shown := s.screen()
		length = shown.LengthMs
		recorded.MouseEvents = graphql.OmittableOf(mouseEvents(shown.Pointer))

		if s.camera == nil {
			shown.Sound = speech.Sound
		}

		group.Go(func() (err error) {
			screen, err = t.record(within, s.name+" (screen).mp4", values.SourceRoleScreen, shown.Film)

			return err
		})
	}

	if s.camera != nil {
		group.Go(func() (err error) {
			camera, err = t.record(within, s.name+" (camera).mp4", values.SourceRoleCamera, demo.Presenter(*s.camera, speech, length))

			return err
		})
	}

	if err := group.Wait(); err != nil {
		return recorded, speech, err
	}

	recorded.SourceID = screen

	switch {
	case screen == "":
		recorded.SourceID = camera
	case camera != "":
		recorded.CameraSourceID = set(camera)
	}

	return recorded, speech, nil
}

// record makes a recording, uploads it, and returns its source. The voice of a screen without a camera is in its file.
func (t *telling) record(ctx context.Context, name string, role values.SourceRole, film demo.Film) (id string, err error) {
	content, err := encodeFilm(ctx, t.Tools, film)
	if err != nil {
		return "", fmt.Errorf("encode %s: %w", name, err)
	}

	in := model.CreateSourceInput{SourceDeclared: model.SourceDeclared{
		Kind: values.SourceKindVideo, Name: &name, Role: &role, Audio: new(values.SourceAudioMicrophone), Bytes: new(int64(len(content))),
	}}

	err = t.Store.InTx(ctx, func(ctx context.Context) error {
		made, err := t.Upload.CreateSource(ctx, in)
		if err != nil {
			return err
		}

		id = made.ID

		return t.keep(ctx, func(made *values.DemoMade) { made.SourceIDs = append(made.SourceIDs, id) })
	})
	if err != nil {
		return "", err
	}

	return id, t.Upload.Fill(ctx, id, content)
}

// mouseEvents converts pointer positions to the events of a recording.
func mouseEvents(points []demo.Point) []*model.MouseEventInput {
	all := make([]*model.MouseEventInput, len(points))

	for i, p := range points {
		kind := values.MouseEventTypeMove
		if p.Click {
			kind = values.MouseEventTypeClick
		}

		x, y := p.Percent()
		all[i] = &model.MouseEventInput{TimeMs: int64(p.TimeMs), XPct: min(max(x, 0), 100), YPct: min(max(y, 0), 100), Type: kind}
	}

	return all
}

// list is the name of the demo's playlist.
const list = "Start here"

// file adds a video to the playlist, and gives it tags and comments.
func (t *telling) file(ctx context.Context, id string, s story) error {
	if err := t.enlist(ctx, id); err != nil {
		return err
	}

	for _, name := range s.tags {
		tagID, err := t.tag(ctx, name)
		if err != nil {
			return err
		}

		if _, err := t.Videos.Tags().TagVideo(ctx, id, tagID); err != nil {
			return err
		}
	}

	for _, one := range s.comments {
		if _, err := t.Comments.AddComment(ctx, id, one); err != nil {
			return fmt.Errorf("comment: %w", err)
		}
	}

	return nil
}

// enlist adds a video to the playlist, which it creates if there is none.
func (t *telling) enlist(ctx context.Context, videoID string) error {
	there := t.made.PlaylistID != ""

	if there {
		var err error
		if there, err = t.Store.Client(ctx).Playlist.Query().Where(playlist.ID(t.made.PlaylistID)).Exist(ctx); err != nil {
			return fmt.Errorf("find the playlist: %w", err)
		}
	}

	if !there {
		err := t.Store.InTx(ctx, func(ctx context.Context) error {
			made, err := t.Playlists.CreatePlaylist(ctx, model.CreatePlaylistInput{
				Name: list, Visibility: set(values.VisibilityOrg), Emoji: set("👋"),
			})
			if err != nil {
				return err
			}

			return t.keep(ctx, func(kept *values.DemoMade) { kept.PlaylistID = made.ID })
		})
		if err != nil {
			return err
		}
	}

	_, err := t.Playlists.AddPlaylistVideo(ctx, t.made.PlaylistID, videoID)

	return err
}

// tag returns the tag of the workspace with that name. It creates the tag if there is none.
func (t *telling) tag(ctx context.Context, name string) (string, error) {
	found, err := t.Store.Client(ctx).Tag.Query().Where(tag.Name(name), tag.ScopeEQ(values.TagScopeWorkspace)).IDs(ctx)
	if err != nil {
		return "", fmt.Errorf("find the tag %q: %w", name, err)
	}

	if len(found) > 0 {
		return found[0], nil
	}

	made, err := t.Videos.Tags().CreateTag(ctx, model.CreateTagInput{Name: name})
	if err != nil {
		return "", err
	}

	return made.ID, nil
}
