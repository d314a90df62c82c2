package model

import "github.com/reelgraph/reelgraph/internal/domain"

// CreateSourceInput declares an upload.
type CreateSourceInput struct {
	SourceDeclared

	DurationSeconds *float64 `json:"durationSeconds" check:"gt=0,max=604800"`
}

// SourceDeclared is what REST and the graph call by the same names. All of it is a hint but kind, role, audio and streaming.
type SourceDeclared struct {
	Kind        domain.SourceKind   `json:"kind" default:"video"`
	Width       *int                `json:"width" check:"min=1,max=65535"`
	Height      *int                `json:"height" check:"min=1,max=65535"`
	Name        *string             `json:"name" check:"chars=1..255,notblank"`
	ContentType *string             `json:"contentType" check:"chars=1..255"`
	Role        *domain.SourceRole  `json:"role"`
	Audio       *domain.SourceAudio `json:"audio"`
	Streaming   *bool               `json:"streaming"`
}
