package model

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// LibraryItem is an item of the library: a source that somebody added, or a default sound.
type LibraryItem struct {
	ID              string
	Scope           values.LibraryScope
	Type            values.LibraryType
	Name            string
	URL             string
	SourceID        *string
	PresetID        *string
	Width           *int
	Height          *int
	DurationSeconds *float64
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// LibraryItemConnection is a page of the library.
type LibraryItemConnection = Connection[*LibraryItem]

// LibraryItemEdge is an item in a page of the library.
type LibraryItemEdge = Edge[*LibraryItem]

// AddLibraryItemInput adds a source to the library. Its scope can be private or workspace, but not default.
type AddLibraryItemInput struct {
	SourceID string                                  `json:"sourceId" check:"required,chars=1.."`
	Name     graphql.Omittable[*string]              `json:"name" check:"chars=1..255,notblank"`
	Scope    graphql.Omittable[*values.LibraryScope] `json:"scope" check:"oneof=private|workspace"`
	Type     graphql.Omittable[*values.LibraryType]  `json:"type"`
}
