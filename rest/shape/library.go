package shape

import (
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// LibraryOut is the response with a list of library items.
type LibraryOut struct {
	Items      []libraryItem `json:"items"`
	Pagination pagination    `json:"pagination"`
	Cursor     *string       `json:"cursor,omitempty"`
}

// LibraryItemOut is the response with one library item.
type LibraryItemOut struct {
	Item libraryItem `json:"item"`
}

type libraryItem struct {
	ID              string              `json:"id"`
	Kind            values.LibraryScope `json:"kind"`
	Type            values.LibraryType  `json:"type"`
	Name            string              `json:"name"`
	URL             string              `json:"url"`
	SourceID        *string             `json:"sourceId,omitempty"`
	PresetID        *string             `json:"presetId,omitempty"`
	Width           *int                `json:"width,omitempty"`
	Height          *int                `json:"height,omitempty"`
	DurationSeconds *float64            `json:"durationSeconds,omitempty"`
	CreatedAt       Datetime            `json:"createdAt"`
}

// LibraryItemOf converts a library item to its JSON form.
func LibraryItemOf(i *model.LibraryItem) libraryItem {
	return libraryItem{
		ID: i.ID, Kind: i.Scope, Type: i.Type, Name: i.Name, URL: i.URL, SourceID: i.SourceID, PresetID: i.PresetID,
		Width: i.Width, Height: i.Height, DurationSeconds: i.DurationSeconds, CreatedAt: DatetimeOf(i.CreatedAt),
	}
}

// BackgroundsOut is the response with the available backgrounds.
type BackgroundsOut struct {
	Personal        []BackgroundChoice `json:"personal"`
	Workspace       []BackgroundChoice `json:"workspace"`
	Default         []BackgroundChoice `json:"default"`
	DefaultAnimated []BackgroundChoice `json:"defaultAnimated"`
}

// BackgroundChoice is one available background.
type BackgroundChoice struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	PreviewURL string            `json:"previewUrl"`
	Background *model.Background `json:"background"`
}
