package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
)

type chapter struct {
	Title            string  `json:"title"`
	Description      string  `json:"description"`
	TimestampSeconds float64 `json:"timestampSeconds"`
}

type ChaptersOut struct {
	Chapters []chapter `json:"chapters"`
}

func ChaptersOutOf(all []*model.Chapter) ChaptersOut {
	return ChaptersOut{Chapters: Each(all, func(c *model.Chapter) chapter {
		return chapter{Title: c.Title, Description: c.Description, TimestampSeconds: c.TimestampSeconds()}
	})}
}
