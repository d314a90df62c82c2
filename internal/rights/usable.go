package rights

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqljson"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/effect"
	"github.com/reelgraph/reelgraph/ent/libraryitem"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// There are two separate rights to a source. A reader of a video that uses a source may know that the source exists
// and read its metadata. Using a source is more: putting it into another video, exporting it raw, or seeing, hearing or
// reading what the edit cut away. A source may be used by its creator; by the whole workspace if it belongs to the
// workspace; and by everyone who may edit a video that uses it, or read one whose raw downloads are enabled, since they
// could download the file anyway.

// Editable limits videos to those the viewer may edit, by the same rule as access.Standing.MayEdit.
func Editable(v auth.Viewer) predicate.Video {
	switch {
	case v.Role == auth.RoleViewer:
		return func(s *sql.Selector) { s.Where(sql.False()) }
	case v.Role.Governs():
		return access.Readable(v)
	default:
		return video.And(access.Kept(), video.Or(video.UserID(v.UserID), video.HasCollaboratorsWith(
			collaborator.UserID(v.UserID), collaborator.RoleEQ(values.CollaboratorRoleEditor))))
	}
}

// withRawDownloads limits videos to those whose raw downloads are enabled, which means that both switches are on.
func withRawDownloads(s *sql.Selector) {
	for _, enabled := range []string{"downloadsEnabled", "rawDownloadsEnabled"} {
		s.Where(sqljson.ValueEQ(s.C(video.FieldSettings), true, sqljson.Path(enabled)))
	}
}

// opened limits videos to those whose raw recordings the viewer may have.
func opened(v auth.Viewer) predicate.Video {
	return video.Or(Editable(v), video.And(access.Readable(v), withRawDownloads))
}

// belonging limits sources to the viewer's own and the workspace's.
func belonging(v auth.Viewer) predicate.Source {
	return source.Or(
		source.And(source.UserID(v.UserID), source.Partial(false)), // parts of an upload are not sources yet
		source.UserIDIsNil(),
		source.HasLibraryItemsWith(libraryitem.ScopeEQ(values.LibraryScopeWorkspace)),
	)
}

// usedIn limits sources to those that some of these videos use in any way.
func usedIn(videos predicate.Video) predicate.Source {
	clips := clip.HasVideoWith(videos)

	return source.Or(
		source.HasScreenClipsWith(clips),
		source.HasCameraClipsWith(clips),
		source.HasMicrophoneClipsWith(clips),
		source.HasMouseClipsWith(clips),
		source.HasEffectsWith(effect.HasClipWith(clips)),
		namedBy(clip.Table, clip.FieldBackground, clips),
		namedBy(video.Table, video.FieldBackgroundMusic, videos),
		namedBy(video.Table, video.FieldThumbnail, videos),
	)
}

// KnownTo limits sources to those whose metadata the viewer may read.
func KnownTo(v auth.Viewer) predicate.Source {
	return source.Or(belonging(v), usedIn(access.Readable(v)))
}

// Usable limits sources to those the viewer may use.
func Usable(v auth.Viewer) predicate.Source { return source.Or(belonging(v), usedIn(opened(v))) }

// namedBy limits sources to those that a JSON column of a table names in some of its rows. An index serves the lookup.
func namedBy[P ~func(*sql.Selector)](table, column string, some P) predicate.Source {
	return func(s *sql.Selector) {
		pg := sql.Dialect(s.Dialect())
		t := pg.Table(table)
		rows := pg.Select(t.C(paging.IDColumn)).From(t).Where(sql.P(func(b *sql.Builder) {
			b.Ident(t.C(column)).WriteString("->>'sourceId' = ").Ident(s.C(source.FieldID))
		}))
		some(rows)
		s.Where(sql.Exists(rows))
	}
}

// holds returns an expression that is true if a row of the query is one of these.
func holds[P ~func(*sql.Selector)](s *sql.Selector, these P) sql.Querier {
	rows := sql.Dialect(s.Dialect()).Select().From(sql.Table(s.TableName()))
	these(rows)

	return rows.P()
}

// TellUsable makes a query of sources also read whether the viewer may use each source.
func TellUsable(v auth.Viewer) func(*sql.Selector) {
	return func(s *sql.Selector) { s.AppendSelectExprAs(holds(s, Usable(v)), ent.UsableColumn) }
}

// WithUsable returns a function that makes a query of sources also read whether the viewer may use each source. Use
// it for sources that are loaded together with other rows.
func WithUsable(v auth.Viewer) func(*ent.SourceQuery) {
	return func(q *ent.SourceQuery) { q.Modify(TellUsable(v)) }
}

// mayUse reports whether the caller may use a source it knows of.
func (svc Service) mayUse(ctx context.Context, s *ent.Source) (bool, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return false, err
	}

	switch {
	case s.Extra.Usable != nil:
		return *s.Extra.Usable, nil
	case IsCreator(who, s):
		return true, nil
	default:
		return svc.among(ctx, s.ID, Usable(who))
	}
}

// IsCreator reports whether the viewer created the source. A source that belongs to the workspace no longer has a
// creator.
func IsCreator(who auth.Viewer, s *ent.Source) bool {
	return s.UserID != nil && *s.UserID == who.UserID
}

// among reports whether a source is one of these.
func (svc Service) among(ctx context.Context, id string, these predicate.Source) (bool, error) {
	is, err := svc.Store.Client(ctx).Source.Query().Where(source.ID(id), these).Exist(ctx)
	if err != nil {
		return false, fmt.Errorf("find source: %w", err)
	}

	return is, nil
}

// RefuseUse returns forbidden if the caller may not use the source. It does not check whether the caller may know of
// the source, so check this before. The argument "what" describes the source in the error message.
func (svc Service) RefuseUse(ctx context.Context, s *ent.Source, what string) error {
	may, err := svc.mayUse(ctx, s)
	if err != nil || may {
		return err
	}

	return notYours(what)
}

// notYours returns the error for a source that the caller may know of but not use.
func notYours(what string) error {
	return fault.Forbidden("You may not use the " + what + ", because it belongs to somebody else. " +
		"You could use it if you could edit a video that contains it, " +
		"or read such a video that has raw downloads enabled.")
}

// KnownSource returns a source, and stores in it whether the caller may use it. It returns not_found if the caller
// may not know of the source. The argument "what" describes the source in the error message.
func (svc Service) KnownSource(ctx context.Context, id, what string) (*ent.Source, error) {
	if _, err := access.Viewer(ctx); err != nil {
		return nil, err
	}

	if !ids.Is(ids.Source, id) {
		return nil, fault.NotFound(what)
	}

	found, err := svc.KnownSources(ctx, []string{id})
	if err != nil {
		return nil, err
	}

	if found[id] == nil {
		return nil, fault.NotFound(what)
	}

	return found[id], nil
}

// UsableSource returns a source that the caller may use. It returns not_found if the caller may not know of the
// source. It returns forbidden if the caller may know of the source but not use it. The argument "what" describes the
// source in the error message.
func (svc Service) UsableSource(ctx context.Context, id, what string) (*ent.Source, error) {
	found, err := svc.KnownSource(ctx, id, what)
	if err != nil {
		return nil, err
	}

	return found, svc.RefuseUse(ctx, found, what)
}

// KnownSources returns the named sources by id, and stores in each one whether the caller may use it. It leaves out
// sources that the caller may not know of.
func (svc Service) KnownSources(ctx context.Context, named []string) (map[string]*ent.Source, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	q := svc.Store.Client(ctx).Source.Query().Where(source.IDIn(named...), KnownTo(who))
	q.Modify(TellUsable(who))

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read sources: %w", err)
	}

	found := make(map[string]*ent.Source, len(rows))
	for _, row := range rows {
		found[row.ID] = row
	}

	return found, nil
}

// uncut limits clips to those whose cut words the viewer may read. The viewer must be allowed to use every sound of the
// clip or, if a clip without sound was given words, everything that is seen.
func uncut(v auth.Viewer) predicate.Clip {
	closed := source.Not(Usable(v))
	silent := clip.And(clip.HasMicrophone(false), clip.HasSystemAudio(false))
	none := func(of predicate.Source) predicate.Clip {
		return clip.And(
			clip.Not(clip.HasScreenSourceWith(of)), clip.Not(clip.HasCameraSourceWith(of)), clip.Not(clip.HasMicrophoneSourceWith(of)),
		)
	}

	return clip.Or(
		clip.HasVideoWith(opened(v)),
		clip.And(clip.Not(silent), none(source.And(source.HasAudio(true), closed))),
		clip.And(silent, none(closed)),
	)
}

// TellUncut makes a query of clips also read whether the viewer may read the cut words of each clip.
func TellUncut(v auth.Viewer) func(*sql.Selector) {
	return func(s *sql.Selector) { s.AppendSelectExprAs(holds(s, uncut(v)), ent.UncutColumn) }
}

// MayReadUncut reports whether the caller, who may read the clip, may also read its cut words.
func (svc Service) MayReadUncut(ctx context.Context, c *ent.Clip) (bool, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return false, err
	}

	if c.Extra.Uncut != nil {
		return *c.Extra.Uncut, nil
	}

	if who.Role.Governs() { // a viewer of this role may edit every video it may read
		return true, nil
	}

	may, err := svc.Store.Client(ctx).Clip.Query().Where(clip.ID(c.ID), uncut(who)).Exist(ctx)
	if err != nil {
		return false, fmt.Errorf("find clip: %w", err)
	}

	return may, nil
}

// backed limits clips to those whose background the viewer may use.
func backed(v auth.Viewer) predicate.Clip {
	return func(s *sql.Selector) {
		pg := sql.Dialect(s.Dialect())
		t := pg.Table(source.Table)
		rows := pg.Select(t.C(paging.IDColumn)).From(t).Where(sql.P(func(b *sql.Builder) {
			b.Ident(t.C(source.FieldID)).WriteString(" = ").Ident(s.C(clip.FieldBackground)).WriteString("->>'sourceId'")
		}))
		Usable(v)(rows)
		s.Where(sql.Exists(rows))
	}
}

// TellBehind makes a query of clips also read whether the viewer may use the source of each clip's background.
func TellBehind(v auth.Viewer) func(*sql.Selector) {
	return func(s *sql.Selector) { s.AppendSelectExprAs(holds(s, backed(v)), ent.BehindColumn) }
}

// MayUseBehind reports whether the caller may use the source of a clip's background. It does not check whether the
// caller may read the clip, so check this before.
func (svc Service) MayUseBehind(ctx context.Context, c *ent.Clip) (bool, error) {
	who, err := access.Viewer(ctx)
	if err != nil {
		return false, err
	}

	switch {
	case c.Background.SourceID == "", who.Role.Governs(): // a viewer of this role may edit every video it may read
		return true, nil
	case c.Extra.Behind != nil:
		return *c.Extra.Behind, nil
	default:
		return svc.among(ctx, c.Background.SourceID, Usable(who))
	}
}
