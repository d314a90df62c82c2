package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// TagsOut is the response with a list of tags.
type TagsOut struct {
	Tags []tag `json:"tags"`
}

// TagOut is the response with one tag.
type TagOut struct {
	Tag tag `json:"tag"`
}

type tag struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Color       values.Color    `json:"color"`
	Scope       values.TagScope `json:"scope"`
	Description string          `json:"description"`
	CreatedAt   Datetime        `json:"createdAt"`
	UpdatedAt   Datetime        `json:"updatedAt"`
}

// TagOf converts a tag to its JSON form.
func TagOf(t *model.Tag) tag {
	return tag{
		ID: t.ID, Name: t.Name, Color: t.Color, Scope: t.Scope, Description: t.Description,
		CreatedAt: DatetimeOf(t.CreatedAt), UpdatedAt: DatetimeOf(t.UpdatedAt),
	}
}
