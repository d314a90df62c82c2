package model

import (
	"math"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// MinTrimMs is the length of the shortest range that a trim may keep.
const MinTrimMs = 1000

// DuplicateVideoInput lists how the copy of a video must differ from the original.
type DuplicateVideoInput struct {
	Name graphql.Omittable[*string]    `json:"name" check:"chars=1..255,notblank"`
	Trim graphql.Omittable[*TrimInput] `json:"trim"`
}

// TrimInput is the part of a video that a copy keeps: a range of playback time, or a chapter.
type TrimInput struct {
	StartSeconds *float64 `json:"startSeconds" check:"min=0,max=9007199254740"`
	EndSeconds   *float64 `json:"endSeconds" check:"gt=0,max=9007199254740"`
	ChapterIndex *int     `json:"chapterIndex" check:"min=0"`
}

// Span returns the range of playback time that the trim keeps. Call it only if the trim gives times instead of a
// chapter.
func (t *TrimInput) Span() values.Span {
	return values.Span{StartMs: int64(math.Round(*t.StartSeconds * 1000)), EndMs: int64(math.Round(*t.EndSeconds * 1000))}
}

// Check implements input.Checker: either a range or a chapter, and complete.
func (t *TrimInput) Check() []fault.Field {
	ranged := t.StartSeconds != nil || t.EndSeconds != nil

	switch {
	case ranged == (t.ChapterIndex != nil):
		return []fault.Field{{Rule: "must have either startSeconds and endSeconds, or chapterIndex, and not both"}}
	case !ranged:
		return nil
	case t.StartSeconds == nil:
		return []fault.Field{{Path: "startSeconds", Rule: "is required with endSeconds"}}
	case t.EndSeconds == nil:
		return []fault.Field{{Path: "endSeconds", Rule: "is required with startSeconds"}}
	case t.Span().LengthMs() < MinTrimMs:
		return []fault.Field{{Path: "endSeconds", Rule: "must be at least 1 second after startSeconds"}}
	default:
		return nil
	}
}
