package listing

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqljson"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/collaborator"
	"github.com/reelgraph/reelgraph/ent/export"
	"github.com/reelgraph/reelgraph/ent/playlist"
	"github.com/reelgraph/reelgraph/ent/playlistvideo"
	"github.com/reelgraph/reelgraph/ent/predicate"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/rights"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// videoColumns maps each field of a video in the graph to its columns. Fields that are missing here need only the
// columns that are always read.
var videoColumns = map[string][]string{ //nolint:gochecknoglobals // a constant
	"__typename":      nil,
	"id":              nil,
	"updatedAt":       nil,
	"visibility":      nil,
	"name":            {video.FieldName},
	"description":     {video.FieldDescription},
	"aspectRatio":     {video.FieldWidth, video.FieldHeight},
	"dimensions":      {video.FieldWidth, video.FieldHeight},
	"createdAt":       {video.FieldCreatedAt},
	"durationSeconds": {video.FieldDurationMs},
	"durationMs":      {video.FieldDurationMs},
	"views":           {video.FieldViews},
	"revision":        {video.FieldRevision},
	"settings":        {video.FieldSettings},
	"editing":         {video.FieldEditing, video.FieldBackgroundMusic},
	"clips":           {video.FieldEditing},
	"timeline":        {video.FieldWidth, video.FieldHeight, video.FieldRevision},
	"thumbnails":      {video.FieldRevision, video.FieldThumbnailKey},
	"thumbnail":       {video.FieldThumbnail, video.FieldSettings, video.FieldThumbnailKey, video.FieldThumbnailFault},
	"customThumbnail": {video.FieldSettings, video.FieldThumbnailKey, video.FieldThumbnailFault},
	"still":           {video.FieldDurationMs},
	"storyboard":      {video.FieldDurationMs},
	"trashedAt":       {video.FieldTrashedAt},
	"purgedAt":        {video.FieldTrashedAt},
}

// columnsOf returns the columns that the selected fields of a video need, each once.
func columnsOf(who auth.Viewer, nodes []selection.Node) []string {
	columns := []string{video.FieldID, video.FieldUserID, video.FieldVisibility, video.FieldUpdatedAt}

	for _, node := range nodes {
		columns = optional.Unique(columns, videoColumns[node.Name])

		if node.Name == "exports" && !who.Role.Governs() { // to decide whether the caller may have them
			columns = optional.Unique(columns, []string{video.FieldSettings})
		}
	}

	return columns
}

// SelectVideo adds the selected columns and nested lists to a query of videos. If the selection is empty, the query
// reads all columns and no lists.
func (svc *Service) SelectVideo(who auth.Viewer, q *ent.VideoQuery, sel selection.Tree) {
	nodes := withBackEdges(sel.Nodes())
	if len(nodes) == 0 {
		return
	}

	q.Select(columnsOf(who, nodes)...)
	svc.selectLists(who, q, nodes)
}

// selectLists adds the selected nested lists to a query of videos.
func (svc *Service) selectLists(who auth.Viewer, q *ent.VideoQuery, nodes []selection.Node) {
	var below []ReadBelow[*ent.Video]

	for _, field := range FirstPages(nodes) {
		if list := svc.selectBelowVideo(who, q, field); list != nil {
			below = append(below, list)
		}
	}

	WithBelow(q, append(below, svc.Words().heardBelow(selection.Nodes(nodes...))...))
}

// selectBelowVideo adds a nested field of videos to a query: it either loads an edge or returns how to read the list.
func (svc *Service) selectBelowVideo(who auth.Viewer, q *ent.VideoQuery, field Asked) ReadBelow[*ent.Video] {
	switch field.Name {
	case "creator":
		q.WithCreator()
	case "clips":
		return EachList[*ent.Video](FirstPage(field, clip.Table, clip.FieldVideoID, clipOrder()),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Clip] {
				q := svc.Store.Client(ctx).Clip.Query()
				svc.selectClip(who, q, field.Tree.Items())
				q.Modify(only)

				return q
			}, tellVideo, TellAbove[*ent.Clip])
	case "timeline":
		return svc.Effects().outlineBelow(who, field)
	case "exports":
		if !who.Role.Governs() {
			q.WithCollaborators(func(q *ent.CollaboratorQuery) { q.Where(collaborator.UserID(who.UserID)) })
		}

		return EachList[*ent.Video](FirstPage(field, export.Table, export.FieldVideoID, exportOrder()),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Export] {
				q := svc.Store.Client(ctx).Export.Query().Where(listable(who))
				selectExport(q, field.Tree.Items())
				q.Modify(only)

				return q
			}, TellAbove[*ent.Export])
	case "analytics":
		if !who.Role.Governs() { // to decide whether the caller may see the figures of personal videos
			q.WithCollaborators(func(q *ent.CollaboratorQuery) { q.Where(collaborator.UserID(who.UserID)) })
		}

		return tellSiblings
	case "tags":
		return svc.tagsBelow(who, field)
	case "playlists":
		return svc.Playlists().playlistsBelow(who, field)
	case "comments":
		return svc.commentsBelow(field)
	case "collaborators":
		return EachList[*ent.Video](FirstPage(field, collaborator.Table, collaborator.FieldVideoID,
			[]sql.Querier{sql.Expr(collaborator.FieldID)}),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.Collaborator] {
				q := svc.Store.Client(ctx).Collaborator.Query().WithUser()
				q.Modify(only)

				return q
			})
	case "playlistIds":
		return EachList[*ent.Video](wholeList(field.Name, playlistvideo.Table, playlistvideo.FieldVideoID, memberOf()...),
			func(ctx context.Context, only func(*sql.Selector)) paging.Listing[*ent.PlaylistVideo] {
				q := svc.Store.Client(ctx).PlaylistVideo.Query().Where(inReadablePlaylist(who))
				q.Select(playlistvideo.FieldID, playlistvideo.FieldCreatedAt, playlistvideo.FieldVideoID, playlistvideo.FieldPlaylistID)
				q.Modify(only)

				return q
			})
	}

	return nil
}

// exportColumns maps each field of an export to its columns.
var exportColumns = map[string][]string{ //nolint:gochecknoglobals // a constant
	"id":          nil,
	"videoId":     {export.FieldVideoID},
	"status":      {export.FieldStatus},
	"progress":    {export.FieldProgress},
	"granularity": {export.FieldGranularity},
	"resolution":  {export.FieldResolution},
	"fps":         {export.FieldFps},
	"speed":       {export.FieldSpeed},
	"subtitles":   {export.FieldSubtitles},
	"revision":    {export.FieldRevision},
	"downloadUrl": {export.FieldStatus},
	"error":       {export.FieldStatus, export.FieldErrorCode, export.FieldErrorMessage},
	"createdAt":   nil,
	"updatedAt":   {export.FieldUpdatedAt},
	"video":       {export.FieldVideoID},
}

// selectExport reads only the selected columns of exports. An export's plan can be long, and no field shows it.
func selectExport(q *ent.ExportQuery, sel selection.Tree) {
	if columns, all := madeOf(sel, exportColumns, export.FieldID, export.FieldCreatedAt); all {
		q.Select(columns...)
	} else {
		q.Brief()
	}
}

// madeOf returns the columns that the selected fields need and those that are always read, each once. all is false if a
// field is not in the table, in which case the whole row must be read.
func madeOf(sel selection.Tree, known map[string][]string, always ...string) (columns []string, all bool) {
	columns = always

	for _, node := range sel.Nodes() {
		made, is := known[node.Name]
		if !is && node.Name != "__typename" {
			return nil, false
		}

		columns = optional.Unique(columns, made)
	}

	return columns, true
}

// clipColumns maps fields of a clip to their columns, for places that only name clips. Other fields need the whole row.
var clipColumns = map[string][]string{ //nolint:gochecknoglobals // a constant
	"id":      nil,
	"videoId": {clip.FieldVideoID},
	"name":    {clip.FieldName},
	"order":   nil,
	"video":   {clip.FieldVideoID},
}

// selectClip reads only the selected columns of clips and adds the fields that need more than their own rows.
func (svc *Service) selectClip(who auth.Viewer, q *ent.ClipQuery, sel selection.Tree) {
	if columns, all := madeOf(sel, clipColumns, clip.FieldID, clip.FieldPosition); all && len(sel.Nodes()) > 0 {
		q.Select(columns...)
	}

	if sel.Has("sources") || sel.Has("tracks") || sel.Has("silences") {
		multitrack.WithSources(q, rights.WithUsable(who))
	}

	if sel.Has("sources") || sel.Has("tracks") || sel.Has("silences") || sel.Has("mouseEvents") {
		q.WithMouseSource(rights.WithUsable(who))
	}

	if sel.Has("tracks") && !who.Role.Governs() {
		q.Intercept(svc.Rights().findEditable(who))
	}

	if sel.Has("silences") {
		q.Intercept(svc.Words().findSilences())
	}

	if sel.Has("background") && !who.Role.Governs() {
		q.Modify(rights.TellBehind(who))
	}

	if sel.Has("words") && !who.Role.Governs() {
		q.Modify(rights.TellUncut(who))
	}

	below := svc.Effects().effectsBelow(who, sel)

	for _, list := range FirstPages(sel.All("words")) {
		below = append(below, svc.Words().wordsBelow(list))
	}

	WithBelow(q, below)
}

// inReadablePlaylist limits memberships to those of playlists that the viewer may read: the workspace's and its own.
func inReadablePlaylist(who auth.Viewer) predicate.PlaylistVideo {
	return playlistvideo.HasPlaylistWith(ReadablePlaylist(who))
}

// memberOf orders the playlists of a video by when the video was added to them.
func memberOf() []sql.Querier {
	return []sql.Querier{sql.Expr(playlistvideo.FieldCreatedAt), sql.Expr(playlistvideo.FieldID)}
}

// ReadablePlaylist limits a query to playlists that the viewer may read.
func ReadablePlaylist(who auth.Viewer) predicate.Playlist {
	return playlist.Or(playlist.VisibilityEQ(values.VisibilityOrg), playlist.UserID(who.UserID))
}

// listable leaves out raw exports of videos whose raw files the viewer may not have. It does not check whether the
// viewer may export the video at all.
func listable(who auth.Viewer) predicate.Export {
	raw := []predicate.Video{func(s *sql.Selector) {
		s.Where(sqljson.ValueEQ(video.FieldSettings, true, sqljson.Path("rawDownloadsEnabled")))
	}}

	asked := export.ForPages(false)

	switch {
	case who.Role.Governs(): // a viewer of this role may edit every video it may read
		return asked
	case who.Role != auth.RoleViewer:
		raw = append(raw, video.UserID(who.UserID), video.HasCollaboratorsWith(
			collaborator.UserID(who.UserID), collaborator.RoleEQ(values.CollaboratorRoleEditor)))
	}

	return export.And(asked, export.Or(export.GranularityNEQ(values.GranularityRaw), export.HasVideoWith(video.Or(raw...))))
}

// ExportableBy limits exports to those that the viewer may see: of videos they may export, and raw ones only if they may
// have the raw files.
func ExportableBy(who auth.Viewer) predicate.Export {
	return export.And(listable(who), export.HasVideoWith(access.Readable(who), video.Or(rights.Editable(who), func(s *sql.Selector) {
		s.Where(sqljson.ValueEQ(s.C(video.FieldSettings), true, sqljson.Path("downloadsEnabled")))
	})))
}

func clipOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(clip.FieldPosition), sql.Expr(clip.FieldID)}
}

func exportOrder() []sql.Querier {
	return []sql.Querier{sql.Expr(export.FieldCreatedAt + " DESC"), sql.Expr(export.FieldID + " DESC")}
}

// sizeOf returns the requested page size of a nested list. The schema holds the default.
func sizeOf(node selection.Node) int {
	size, _ := node.Int("first")

	return size
}
