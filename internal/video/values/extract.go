package values

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// ExtractKind is what is made of media.
type ExtractKind string

// The kinds.
const (
	// ExtractStill is one picture, or one short film, of one size.
	ExtractStill ExtractKind = "still"
	// ExtractPosters are the pictures that every video has, in all their sizes.
	ExtractPosters ExtractKind = "posters"
	// ExtractPreviews are the short films that every video has, in all their sizes.
	ExtractPreviews ExtractKind = "previews"
	// ExtractStoryboard is a sheet of pictures.
	ExtractStoryboard ExtractKind = "storyboard"
	// ExtractWaveform is the shape of a sound, as JSON.
	ExtractWaveform ExtractKind = "waveform"
	// ExtractSilences are the stretches of a sound in which nobody speaks, as JSON.
	ExtractSilences ExtractKind = "silences"
	// ExtractReach is how much of a recording that still arrives can be decoded, as JSON.
	ExtractReach ExtractKind = "reach"
	// ExtractWindow is where the window is in the frames of a screen recording, as JSON.
	ExtractWindow ExtractKind = "window"
)

// ExtractStatus is how far an extract has come.
type ExtractStatus string

// The values of ExtractStatus.
const (
	ExtractStatusPending ExtractStatus = "pending"
	ExtractStatusReady   ExtractStatus = "ready"
	ExtractStatusFailed  ExtractStatus = "failed"
)

// Values lists every ExtractStatus, as stored.
func (ExtractStatus) Values() []string {
	return values(ExtractStatusPending, ExtractStatusReady, ExtractStatusFailed)
}

// ExtractFile is a file of an extract.
type ExtractFile struct {
	Name    string `json:"name"` // such as small.jpg
	BlobKey string `json:"blobKey"`
	Bytes   int64  `json:"bytes"`
}

// recipeVersion rises when equal recipes begin to make other files than before.
const recipeVersion = 3

// Recipe says what to make of what. Equal recipes make equal files, so its hash is what finds them.
type Recipe struct {
	Kind ExtractKind `json:"kind"`
	// SourceID is the source that is shown as it was recorded, and Content what says which bytes of it.
	SourceID string `json:"sourceId,omitempty"`
	Content  string `json:"content,omitempty"`
	// Arriving says that more bytes of the source are to come.
	Arriving bool `json:"arriving,omitempty"`
	// Plan is what is shown when it is a video or a clip as it is played.
	Plan *ExportPlan `json:"plan,omitempty"`
	// Engine is the version of the engine that draws a plan: another may draw it otherwise.
	Engine int `json:"engine,omitempty"`
	// Fonts names the state of the font catalogue when letters are drawn.
	Fonts string `json:"fonts,omitempty"`
	// LengthMs is how long what is shown plays.
	LengthMs   int64       `json:"lengthMs"`
	FromMs     int64       `json:"fromMs,omitempty"`
	DurationMs int64       `json:"durationMs,omitempty"`
	Format     StillFormat `json:"format,omitempty"`
	// Width and Height are those asked for; zero follows from the other, both zero is the picture's own.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

// Key identifies what the recipe makes.
func (r Recipe) Key() (string, error) {
	b, err := json.Marshal(r)
	sum := sha256.Sum256(append(b, recipeVersion))

	return hex.EncodeToString(sum[:]), err
}

// File is the name of the one file of a still or a storyboard.
func (r Recipe) File() string {
	if r.Kind == ExtractStoryboard {
		return "storyboard.webp"
	}

	return "thumbnail." + string(r.Format)
}

// Storyboards are sheets of this many pictures.
const (
	StoryboardColumns = 4
	StoryboardRows    = 4
	StoryboardTiles   = StoryboardColumns * StoryboardRows
)

// ThumbnailWidths are the sizes in which every video has thumbnails.
func ThumbnailWidths() map[string]int {
	return map[string]int{"small": 320, "medium": 640, "large": 1280, "xl": 1920}
}

// FoundWindow is where the window is in the frames of a screen recording. A confidence of zero says
// that there is none; the box is the whole frame then.
type FoundWindow struct {
	Box        CropBox `json:"box"`
	Confidence float64 `json:"confidence"`
}
