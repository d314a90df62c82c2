// Package auth says on whose behalf a request or a job acts, and makes and recognises API keys.
package auth

import "context"

// Role is a member's standing in a workspace.
type Role string

// The roles, weakest last.
const (
	RoleOwner  Role = "owner"
	RoleAdmin  Role = "admin"
	RoleMember Role = "member"
	RoleViewer Role = "viewer"
)

// Values lists the roles for ent and for input checks.
func (Role) Values() []string {
	return []string{string(RoleOwner), string(RoleAdmin), string(RoleMember), string(RoleViewer)}
}

// Governs reports whether the role rules over what others made: owners and admins do.
func (r Role) Governs() bool { return r == RoleOwner || r == RoleAdmin }

// Plan is what the workspace pays for.
type Plan string

// The plans. Free refuses 60 fps, 4k and embed domains.
const (
	PlanFree    Plan = "free"
	PlanPremium Plan = "premium"
)

// Values lists the plans for ent and for input checks.
func (Plan) Values() []string { return []string{string(PlanFree), string(PlanPremium)} }

// Viewer is who is asking: a user in one workspace, or our own jobs.
type Viewer struct {
	UserID      string // empty for a job that acts as its workspace
	WorkspaceID string // empty only for System
	KeyID       string // empty unless an API key was used
	SessionID   string // empty unless a browser's session was used
	Role        Role
	Plan        Plan
	// System sees every workspace. Only workers and the command line are System.
	System bool
}

type viewerKey struct{}

// With returns a context in which v is asking.
func With(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, v)
}

// Follow returns a context in which whoever now says is asking: while a stream lasts that may change, and be
// nobody in the end, who has no UserID.
func Follow(ctx context.Context, now func() Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, now)
}

// From returns who is asking; false when nobody is, which every store access refuses.
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

// AsSystem returns a context that sees every workspace. For workers looking for their row, for the
// command line, and for the few things a person does across workspaces; never else for a request.
func AsSystem(ctx context.Context) context.Context { return With(ctx, Viewer{System: true}) }

// AsWorkspace returns a context in which a job acts within one workspace, with an owner's rights.
func AsWorkspace(ctx context.Context, workspaceID string) context.Context {
	return With(ctx, Viewer{WorkspaceID: workspaceID, Role: RoleOwner})
}
