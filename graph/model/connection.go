package model

import (
	"context"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/effect"
)

// Connection is one page of a list, in the format of the Relay specification. It is built from the nodes of the page.
type Connection[T any] struct {
	Nodes    []T
	PageInfo PageInfo

	// CursorOf returns the cursor of one node. It is called only for requested edges.
	CursorOf func(T) string
	// Count counts the whole list. It is called only on request.
	Count func(ctx context.Context) (int, error)
}

// Edge is a node with its position in the list.
type Edge[T any] struct {
	Node T

	cursorOf func(T) string
}

// Cursor returns a cursor for the position of the node. To read the nodes that follow, pass the cursor as the
// argument "after".
func (e *Edge[T]) Cursor() string { return e.cursorOf(e.Node) }

// Edges returns the nodes with their cursors.
func (c *Connection[T]) Edges() []*Edge[T] {
	edges := make([]*Edge[T], len(c.Nodes))
	for i, node := range c.Nodes {
		edges[i] = &Edge[T]{Node: node, cursorOf: c.CursorOf}
	}

	return edges
}

// TotalCount returns the number of items in the whole list.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) { return c.Count(ctx) }

// PageInfo describes the start and the end of a page.
type PageInfo struct {
	HasNextPage bool
	// HasPreviousPage is true if the page was read after a cursor.
	HasPreviousPage bool
	// Start returns the cursor of the first node; nil on an empty page.
	Start func() string
	// End returns the cursor of the last node; nil on an empty page. It is called only on request, because sealing a
	// cursor takes longer than the rest of a small page.
	End func() string
}

// StartCursor returns the cursor of the first node, or nil on an empty page.
func (p PageInfo) StartCursor() *string {
	if p.Start == nil {
		return nil
	}

	start := p.Start()

	return &start
}

// EndCursor returns the cursor of the last node, or nil on an empty page. To read the next page, pass the cursor as
// the argument "after".
func (p PageInfo) EndCursor() *string {
	if p.End == nil {
		return nil
	}

	end := p.End()

	return &end
}

// The connections of the graph.
type (
	// VideoConnection is a page of videos.
	VideoConnection = Connection[*ent.Video]
	// VideoEdge is a video in a page.
	VideoEdge = Edge[*ent.Video]
	// ClipConnection is a page of clips.
	ClipConnection = Connection[*ent.Clip]
	// ClipEdge is a clip in a page.
	ClipEdge = Edge[*ent.Clip]
	// EffectConnection is a page of effects.
	EffectConnection = Connection[effect.Effect]
	// EffectEdge is an effect in a page.
	EffectEdge = Edge[effect.Effect]
	// SourceConnection is a page of sources.
	SourceConnection = Connection[*ent.Source]
	// SourceEdge is a source in a page.
	SourceEdge = Edge[*ent.Source]
	// ExportConnection is a page of exports.
	ExportConnection = Connection[*ent.Export]
	// ExportEdge is an export in a page.
	ExportEdge = Edge[*ent.Export]
	// WebhookEndpointConnection is a page of webhook endpoints.
	WebhookEndpointConnection = Connection[*ent.WebhookEndpoint]
	// WebhookEndpointEdge is a webhook endpoint in a page.
	WebhookEndpointEdge = Edge[*ent.WebhookEndpoint]
	// WebhookMessageConnection is a page of messages.
	WebhookMessageConnection = Connection[*ent.WebhookMessage]
	// WebhookMessageEdge is a message in a page.
	WebhookMessageEdge = Edge[*ent.WebhookMessage]
	// WebhookAttemptConnection is a page of attempts.
	WebhookAttemptConnection = Connection[*ent.WebhookAttempt]
	// WebhookAttemptEdge is an attempt in a page.
	WebhookAttemptEdge = Edge[*ent.WebhookAttempt]
	// PlaylistConnection is a page of playlists.
	PlaylistConnection = Connection[*ent.Playlist]
	// PlaylistEdge is a playlist in a page.
	PlaylistEdge = Edge[*ent.Playlist]
	// PlaylistGroupConnection is a page of groups.
	PlaylistGroupConnection = Connection[*ent.PlaylistGroup]
	// PlaylistGroupEdge is a group in a page.
	PlaylistGroupEdge = Edge[*ent.PlaylistGroup]
	// TagConnection is a page of tags.
	TagConnection = Connection[*ent.Tag]
	// TagEdge is a tag in a page.
	TagEdge = Edge[*ent.Tag]
	// CollaboratorConnection is a page of collaborators.
	CollaboratorConnection = Connection[*ent.Collaborator]
	// CollaboratorEdge is a collaborator in a page.
	CollaboratorEdge = Edge[*ent.Collaborator]
	// MembershipConnection is a page of memberships.
	MembershipConnection = Connection[*ent.Membership]
	// MembershipEdge is a membership in a page.
	MembershipEdge = Edge[*ent.Membership]
	// APIKeyConnection is a page of keys.
	APIKeyConnection = Connection[*ent.APIKey]
	// APIKeyEdge is a key in a page.
	APIKeyEdge = Edge[*ent.APIKey]
	// SessionConnection is a page of sessions.
	SessionConnection = Connection[*ent.Session]
	// SessionEdge is a session in a page.
	SessionEdge = Edge[*ent.Session]
	// CommentConnection is a page of comments.
	CommentConnection = Connection[*ent.Comment]
	// CommentEdge is a comment in a page.
	CommentEdge = Edge[*ent.Comment]
)
