package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
)

type chapter struct {
	Title            string  `json:"title"`
	Description      string  `json:"description"`
	TimestampSeconds float64 `json:"timestampSeconds"`
}

// ChaptersOut is the response with the chapters of a video.
type ChaptersOut struct {
	Chapters []chapter `json:"chapters"`
}

// ChaptersOutOf returns the response for a list of chapters.
func ChaptersOutOf(all []*model.Chapter) ChaptersOut {
	return ChaptersOut{Chapters: Each(all, func(c *model.Chapter) chapter {
		return chapter{Title: c.Title, Description: c.Description, TimestampSeconds: c.TimestampSeconds()}
	})}
}
