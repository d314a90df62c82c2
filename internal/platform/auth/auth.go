// Package auth defines the Viewer, for whom a request or a job acts. It also creates and checks API keys and
// passwords.
package auth

import "context"

// Role is a member's role in a workspace.
type Role string

// The roles, from the strongest to the weakest.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleMember Role = "member"
	RoleViewer Role = "viewer"
)

// Values returns all roles, for ent and for input validation.
func (Role) Values() []string {
	return []string{string(RoleOwner), string(RoleAdmin), string(RoleMember), string(RoleViewer)}
}

// Governs reports whether the role may manage what other members created. Owners and admins may.
func (r Role) Governs() bool { return r == RoleOwner || r == RoleAdmin }

// Plan is the tier that the workspace pays for.
type Plan string

// The plans. Free does not allow 60 fps, 4k or embed domains.
const (
	PlanFree    Plan = "free"
	PlanPremium Plan = "premium"
)

// Values returns all plans, for ent and for input validation.
func (Plan) Values() []string { return []string{string(PlanFree), string(PlanPremium)} }

// Viewer is the identity for which a request or a job acts: a user in one workspace, or the system.
type Viewer struct {
	UserID      string // empty for a job that acts as its workspace
	WorkspaceID string // empty only for System
	KeyID       string // empty unless the request used an API key
	SessionID   string // empty unless the request used a browser session
	Role        Role
	Plan        Plan
	// System means that the viewer sees every workspace. Only workers and commands set it.
	System bool
}

type viewerKey struct{}

// With returns a context whose viewer is v.
func With(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, v)
}

// Follow returns a context whose viewer can change. Each call of From calls the function now and returns its result.
// Streams use Follow, because the viewer can change while a stream is open. If the result has no UserID, nobody is
// signed in any more.
func Follow(ctx context.Context, now func() Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, now)
}

// From returns the viewer of the context. If there is none, From returns false and the store refuses access.
func From(ctx context.Context) (Viewer, bool) {
	switch v := ctx.Value(viewerKey{}).(type) {
	case Viewer:
		return v, true
	case func() Viewer:
		who := v()

		return who, who.UserID != ""
	default:
		return Viewer{}, false
	}
}

type trashKey struct{}

// WithTrash returns a context whose reads of videos also find those in the trash. Without it nobody finds them, not
// even the system. Use it only for what restores or deletes them, and in workers that finish what began before a video
// was trashed.
func WithTrash(ctx context.Context) context.Context { return context.WithValue(ctx, trashKey{}, true) }

// SeesTrash reports whether reads of videos also find those in the trash.
func SeesTrash(ctx context.Context) bool {
	sees, _ := ctx.Value(trashKey{}).(bool)

	return sees
}

// AsSystem returns a context that can read every workspace. Use it only in workers that look up their database row,
// in commands, and in the few operations of a person that span several workspaces.
func AsSystem(ctx context.Context) context.Context { return With(ctx, Viewer{System: true}) }

// AsWorkspace returns a context that acts within one workspace with an owner's rights. Jobs use it.
func AsWorkspace(ctx context.Context, workspaceID string) context.Context {
	return With(ctx, Viewer{WorkspaceID: workspaceID, Role: RoleOwner})
}
