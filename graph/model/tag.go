package model

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreateTagInput creates a tag.
type CreateTagInput struct {
	Name        string                              `json:"name" check:"required,chars=1..255,notblank"`
	Scope       graphql.Omittable[*values.TagScope] `json:"scope"`
	Color       graphql.Omittable[*values.Color]    `json:"color" check:"color"`
	Description graphql.Omittable[*string]          `json:"description" check:"chars=..5000"`
}

// UpdateTagInput changes a tag. At least one field must be given.
type UpdateTagInput struct {
	_ struct{} `check:"some"`

	Name        graphql.Omittable[*string]       `json:"name" check:"chars=1..255,notblank"`
	Color       graphql.Omittable[*values.Color] `json:"color" check:"color"`
	Description graphql.Omittable[*string]       `json:"description" check:"chars=..5000"`
}
