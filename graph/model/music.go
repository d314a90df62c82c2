package model

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SetBackgroundMusicInput selects the music of a video: a preset or an uploaded sound.
type SetBackgroundMusicInput struct {
	PresetID graphql.Omittable[*string] `json:"presetId" check:"chars=1..255"`
	SourceID graphql.Omittable[*string] `json:"sourceId" check:"chars=1.."`
	Volume   float64                    `json:"volume" check:"min=0,max=1" default:"0.2"`
	Name     graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
}

// Check implements input.Checker: exactly one of the two must be given.
func (in *SetBackgroundMusicInput) Check() []fault.Field {
	if in.PresetID.IsSet() == in.SourceID.IsSet() {
		return []fault.Field{{Rule: "must have exactly one of presetId and sourceId"}}
	}

	return nil
}

// SubtitlePreset is a named caption style.
type SubtitlePreset struct {
	PresetID     string               `json:"presetId"`
	Name         string               `json:"name"`
	CaptionStyle *values.CaptionStyle `json:"captionStyle"`
}
