package live

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent/comment"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/rights"
)

// errOver ends a stream without an error for the client, which subscribes again.
var errOver = errors.New("live: the stream is over")

// WorkspaceUpdated sends the ids of what changed in the caller's workspace and of what went, at most once a second. The
// first event is sent at once and is empty: what the client reads after it is as new as the stream.
func (s *Service) WorkspaceUpdated(ctx context.Context) (<-chan *model.WorkspaceUpdate, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	wake, stop := s.Topics.Subscribe(jobs.WorkspaceTopic(who.WorkspaceID))

	return follow(ctx, listener[*model.WorkspaceUpdate]{Service: s, wakes: []<-chan struct{}{wake}, tell: s.workspaceUpdate}, stop)
}

// workspaceUpdate returns the ids of those changes that the viewer may know. An id that they may read has changed. An id
// that they may not read has gone, if they could read it before.
func (s *Service) workspaceUpdate(ctx context.Context, who auth.Viewer, all []changed) (*model.WorkspaceUpdate, bool, error) {
	u := &model.WorkspaceUpdate{}
	kinds := map[string]**model.IDChanges{
		kindVideos: &u.Videos, kindPlaylists: &u.Playlists, kindTags: &u.Tags, kindMembers: &u.Members,
		kindSources: &u.Sources, kindExports: &u.Exports, kindComments: &u.Comments,
	}
	byKind := map[string][]changed{}

	for _, c := range all {
		byKind[c.kind] = append(byKind[c.kind], c)
	}

	news := false

	for kind, to := range kinds {
		told, err := s.told(ctx, who, kind, byKind[kind])
		if err != nil {
			return nil, false, err
		}

		*to = told
		news = news || len(told.Changed)+len(told.Gone) > 0
	}

	return u, news, nil
}

// told divides changes of one kind into what changed and what went for a viewer.
func (s *Service) told(ctx context.Context, who auth.Viewer, kind string, all []changed) (*model.IDChanges, error) {
	d := &model.IDChanges{Changed: []string{}, Gone: []string{}}
	if len(all) == 0 {
		return d, nil
	}

	named := make([]string, len(all))
	for i, c := range all {
		named[i] = c.id
	}

	ids, err := s.readable(ctx, who, kind, named)
	if err != nil {
		return nil, fmt.Errorf("find out who may read the changed %s: %w", kind, err)
	}

	reads := map[string]bool{}
	for _, id := range ids {
		reads[id] = true
	}

	for _, c := range all {
		switch {
		case reads[c.id]:
			d.Changed = append(d.Changed, c.id)
		case c.known:
			d.Gone = append(d.Gone, c.id)
		}
	}

	return d, nil
}

// readable returns those of the named rows that the viewer may read now.
func (s *Service) readable(ctx context.Context, who auth.Viewer, kind string, named []string) ([]string, error) {
	db := s.Store.Client(ctx)
	among := func(q *sql.Selector) { q.Where(store.Among(q.C("id"), named)) }

	switch kind {
	case kindVideos:
		return db.Video.Query().Where(among, access.Readable(who)).IDs(ctx) //nolint:wrapcheck // told says what was attempted
	case kindPlaylists:
		return db.Playlist.Query().Where(among, listing.ReadablePlaylist(who)).IDs(ctx) //nolint:wrapcheck // as above
	case kindTags:
		return db.Tag.Query().Where(among, listing.VisibleTag(who)).IDs(ctx) //nolint:wrapcheck // as above
	case kindMembers:
		return db.Membership.Query().Where(among).IDs(ctx) //nolint:wrapcheck // as above
	case kindSources:
		return db.Source.Query().Where(among, rights.KnownTo(who)).IDs(ctx) //nolint:wrapcheck // as above
	case kindExports:
		return db.Export.Query().Where(among, listing.ExportableBy(who)).IDs(ctx) //nolint:wrapcheck // as above
	default:
		return db.Comment.Query().Where(among, comment.HasVideoWith(access.Readable(who))).IDs(ctx) //nolint:wrapcheck // as above
	}
}
