package model

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Viewer is the person on whose behalf a request runs.
type Viewer struct {
	User      *User
	Workspace *Workspace
	Role      auth.Role
}

// UpdatePreferencesInput changes the caller's default settings. At least one field must be given.
type UpdatePreferencesInput struct {
	_ struct{} `check:"some"`

	LayoutIntroTransition graphql.Omittable[*values.LayoutTransition] `json:"layoutIntroTransition"`
	LayoutOutroTransition graphql.Omittable[*values.LayoutTransition] `json:"layoutOutroTransition"`
}

// UpdateUserInput changes the caller's account. At least one field must be given.
type UpdateUserInput struct {
	_ struct{} `check:"some"`

	Name           graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
	AvatarSourceID graphql.Omittable[*string] `json:"avatarSourceId" check:"nullable,chars=1.."`
}

// CreateWorkspaceInput names a new workspace.
type CreateWorkspaceInput struct {
	Name string `json:"name" check:"required,chars=1..255,notblank"`
}

// UpdateWorkspaceInput changes a workspace. At least one field must be given.
type UpdateWorkspaceInput struct {
	_ struct{} `check:"some"`

	Name           graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
	SpeechLanguage graphql.Omittable[*string] `json:"speechLanguage" check:"nullable,chars=..35"`
}

// Check implements input.Checker.
func (in *UpdateWorkspaceInput) Check() []fault.Field {
	if tag := in.SpeechLanguage.Value(); tag != nil && *tag != "" && !IsLanguage(*tag) {
		return []fault.Field{{Path: "speechLanguage", Rule: "must be a language tag such as en or pt-BR"}}
	}

	return nil
}

// UpdateMemberInput is a member's new role.
type UpdateMemberInput struct {
	Role auth.Role `json:"role" check:"required"`
}

// CreateAPIKeyInput sets the name and the expiry of a new key.
type CreateAPIKeyInput struct {
	Name      string     `json:"name" check:"required,chars=1..255,notblank"`
	ExpiresAt *time.Time `json:"expiresAt"`
}

// SignInInput holds the credentials of a person.
type SignInInput struct {
	Email       string  `json:"email" check:"required,chars=1..320"`
	Password    string  `json:"password" check:"required,chars=1..255"`
	WorkspaceID *string `json:"workspaceId" check:"chars=1..255"`
}

// CreateOwnerInput is the token of the welcome link and the account of the first owner.
type CreateOwnerInput struct {
	Token    string `json:"token" check:"required,chars=1..255"`
	Name     string `json:"name" check:"required,chars=1..255,notblank"`
	Email    string `json:"email" check:"required,email,chars=3..320"`
	Password string `json:"password" check:"required,chars=8..255,notblank"`
}

// SetPasswordInput changes a password.
type SetPasswordInput struct {
	CurrentPassword string `json:"currentPassword" check:"required,chars=1..255"`
	NewPassword     string `json:"newPassword" check:"required,chars=8..255,notblank"`
}

// RequestPasswordResetInput holds the email address of an account whose password was forgotten.
type RequestPasswordResetInput struct {
	Email string `json:"email" check:"required,chars=1..320"`
}

// ResetPasswordInput holds a new password and the token of a reset link.
type ResetPasswordInput struct {
	Token    string `json:"token" check:"required,chars=1..255"`
	Password string `json:"password" check:"required,chars=8..255,notblank"`
}

// CreatePasswordResetInput names the account for which an operator creates a reset link.
type CreatePasswordResetInput struct {
	Email string `json:"email" check:"required,chars=1..320"`
}

// AddCommentInput is a new comment.
type AddCommentInput struct {
	Body      string   `json:"body" check:"required,chars=1..5000,notblank"`
	AtSeconds *float64 `json:"atSeconds" check:"min=0"`
	ReplyToID *string  `json:"replyToId" check:"chars=1.."`
}

// UpdateCommentInput changes a comment.
type UpdateCommentInput struct {
	Body string `json:"body" check:"required,chars=1..5000,notblank"`
}

// ResolveCommentInput resolves a comment or opens it again.
type ResolveCommentInput struct {
	Resolved bool `json:"resolved"`
}
