package model

import (
	"fmt"
	"math"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// ReplaceChaptersInput holds the chapters that replace all chapters of a video.
type ReplaceChaptersInput struct {
	Chapters []*ChapterInput `json:"chapters" check:"required,items=..1000"`
}

// Check implements input.Checker: each chapter must start at least a millisecond after the previous one.
func (in *ReplaceChaptersInput) Check() []fault.Field {
	var faults []fault.Field

	for i, c := range in.Chapters {
		if i > 0 && c.TimestampMs() <= in.Chapters[i-1].TimestampMs() {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("chapters[%d].timestampSeconds", i), Rule: "must be after that of the previous chapter",
			})
		}
	}

	return faults
}

// ChapterInput is a chapter: a title at a playback time.
type ChapterInput struct {
	TimestampSeconds float64                    `json:"timestampSeconds" check:"required,min=0,max=9007199254740"`
	Title            string                     `json:"title" check:"required,chars=1..255,notblank"`
	Description      graphql.Omittable[*string] `json:"description" check:"chars=..5000"`
}

// TimestampMs returns the start of the chapter in milliseconds, as it is stored.
func (c *ChapterInput) TimestampMs() int64 { return int64(math.Round(c.TimestampSeconds * 1000)) }
