package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VideoFields holds the fields that createVideo and updateVideo share. A field that is absent keeps its value.
type VideoFields struct {
	Name                        graphql.Omittable[*string]                 `json:"name" check:"chars=1..255,notblank"`
	Description                 graphql.Omittable[*string]                 `json:"description" check:"chars=..5000"`
	AllowedEmbedDomains         graphql.Omittable[[]string]                `json:"allowedEmbedDomains" check:"items=..100" each:"chars=1..253"`
	CaptionsDefaultEnabled      graphql.Omittable[*bool]                   `json:"captionsDefaultEnabled"`
	CommentEmailsEnabled        graphql.Omittable[*bool]                   `json:"commentEmailsEnabled"`
	CommentsEnabled             graphql.Omittable[*bool]                   `json:"commentsEnabled"`
	CustomThumbnailURL          graphql.Omittable[*string]                 `json:"customThumbnailURL" check:"nullable,url,chars=..2048"`
	DefaultPlaybackRate         graphql.Omittable[*float64]                `json:"defaultPlaybackRate" check:"min=0.5,max=2"`
	DownloadsEnabled            graphql.Omittable[*bool]                   `json:"downloadsEnabled"`
	LinkScope                   graphql.Omittable[*values.LinkScope]       `json:"linkScope"`
	Password                    graphql.Omittable[*string]                 `json:"password"`
	PublishDateEnabled          graphql.Omittable[*bool]                   `json:"publishDateEnabled"`
	RawDownloadsEnabled         graphql.Omittable[*bool]                   `json:"rawDownloadsEnabled"`
	SearchEngineIndexingEnabled graphql.Omittable[*bool]                   `json:"searchEngineIndexingEnabled"`
	TranscriptsEnabled          graphql.Omittable[*bool]                   `json:"transcriptsEnabled"`
	ViewCountEnabled            graphql.Omittable[*bool]                   `json:"viewCountEnabled"`
	Visibility                  graphql.Omittable[*values.Visibility]      `json:"visibility"`
	Dimensions                  graphql.Omittable[*DimensionsInput]        `json:"dimensions"`
	StudioSound                 graphql.Omittable[*bool]                   `json:"studioSound"`
	MicrophoneVolume            graphql.Omittable[*float64]                `json:"microphoneVolume" check:"min=0,max=2"`
	SystemAudioVolume           graphql.Omittable[*float64]                `json:"systemAudioVolume" check:"min=0,max=2"`
	BorderStyle                 graphql.Omittable[*values.BorderStyle]     `json:"borderStyle"`
	Corners                     graphql.Omittable[*values.Corners]         `json:"corners"`
	ClipTransition              graphql.Omittable[*values.VideoTransition] `json:"clipTransition"`
	SubtitlesEnabled            graphql.Omittable[*bool]                   `json:"subtitlesEnabled"`
	CaptionStyle                graphql.Omittable[*CaptionStyleInput]      `json:"captionStyle"`
	CaptionPosition             graphql.Omittable[*PositionInput]          `json:"captionPosition"`
}

// Check implements input.Checker: the rules that tags cannot express.
func (f *VideoFields) Check() []fault.Field {
	faults := passwordRule(f.LinkScope, f.Password)

	faults = append(faults, BorderRule(f.BorderStyle.Value())...)

	for i, d := range f.AllowedEmbedDomains.Value() {
		if _, broken := values.Host(d); broken != "" && d != "" {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("allowedEmbedDomains[%d]", i), Rule: broken,
				Of: []string{"allowedEmbedDomains"},
			})
		}
	}

	return faults
}

// UpdateVideoInput changes a video. At least one field must be given.
type UpdateVideoInput struct {
	_ struct{} `check:"some"`

	VideoFields
}

// CreateVideoInput creates a video from sources.
type CreateVideoInput struct {
	RecordingInput
	VideoFields
}

// Check implements input.Checker: both parts have their own rules.
func (in *CreateVideoInput) Check() []fault.Field {
	return append(in.RecordingInput.Check(), in.VideoFields.Check()...)
}

// DimensionsInput is the size of an artboard. Width and height must be even, because the 4:2:0 video format stores
// colors for blocks of two by two pixels.
type DimensionsInput struct {
	Width  int `json:"width" check:"required,min=128,max=3840"`
	Height int `json:"height" check:"required,min=128,max=3840"`
}

// Check implements input.Checker.
func (d *DimensionsInput) Check() []fault.Field {
	var faults []fault.Field

	if d.Width%2 != 0 {
		faults = append(faults, fault.Field{Path: "width", Rule: "must be even", Of: []string{"width"}})
	}

	if d.Height%2 != 0 {
		faults = append(faults, fault.Field{Path: "height", Rule: "must be even", Of: []string{"height"}})
	}

	return faults
}

// CaptionStyleInput is a complete caption style: all four fields are required.
type CaptionStyleInput struct {
	Name                values.CaptionStyleName `json:"name" check:"required"`
	BackgroundColor     values.Color            `json:"backgroundColor" check:"required,color"`
	TextColor           values.Color            `json:"textColor" check:"required,color"`
	WordLevelHighlights bool                    `json:"wordLevelHighlights" check:"required"`
}

// PositionInput is a point in the frame. Its coordinates are fractions of the frame's width and height.
type PositionInput struct {
	X float64 `json:"x" check:"required,min=0,max=1"`
	Y float64 `json:"y" check:"required,min=0,max=1"`
}

// Chapter is a chapter of a video. Its time is playback time.
type Chapter struct {
	ID          string
	Title       string
	Description string
	TimestampMs int64
}

// TimestampSeconds returns the start of the chapter in seconds.
func (c *Chapter) TimestampSeconds() float64 { return Seconds(c.TimestampMs) }

// Seconds converts milliseconds to seconds.
func Seconds(ms int64) float64 { return float64(ms) / 1000 }

// VideoEditing holds the settings that apply to all clips of a video, and its music.
type VideoEditing struct {
	values.Editing

	BackgroundMusic *values.BackgroundMusic
}

// VideoLinks holds the addresses of a video's page.
type VideoLinks struct {
	ViewPage  string
	EmbedPage string
}

// VideoFilter selects videos. All given conditions must hold.
type VideoFilter struct {
	CreatorID     *string           `json:"creatorId"`
	TagIDs        []string          `json:"tagIds" check:"items=0..50"`
	PlaylistID    *string           `json:"playlistId"`
	LinkScope     *values.LinkScope `json:"linkScope"`
	CreatedAfter  *time.Time        `json:"createdAfter"`
	CreatedBefore *time.Time        `json:"createdBefore"`
}

// Name identifies the filter in cursors. It is empty for the filter that selects every video.
func (f VideoFilter) Name() string {
	if f.CreatorID == nil && len(f.TagIDs) == 0 && f.PlaylistID == nil && f.LinkScope == nil &&
		f.CreatedAfter == nil && f.CreatedBefore == nil {
		return ""
	}

	f.TagIDs = slices.Sorted(slices.Values(f.TagIDs))

	name, err := json.Marshal(f)
	if err != nil {
		panic(err) // texts and times always encode
	}

	return string(name)
}
