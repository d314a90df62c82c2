package extracts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// recipeVersion rises when equal recipes begin to make other files than before.
const recipeVersion = 3

// Recipe says what to make of what. Equal recipes make equal files, so its hash is what finds them.
type Recipe struct {
	Kind values.ExtractKind `json:"kind"`
	// SourceID is the source that is shown as it was recorded, and Content what says which bytes of it.
	SourceID string `json:"sourceId,omitempty"`
	Content  string `json:"content,omitempty"`
	// Arriving says that more bytes of the source are to come.
	Arriving bool `json:"arriving,omitempty"`
	// Plan is what is shown when it is a video or a clip as it is played.
	Plan *plan.ExportPlan `json:"plan,omitempty"`
	// Engine is the version of the engine that draws a plan: another may draw it otherwise.
	Engine int `json:"engine,omitempty"`
	// Fonts names the state of the font catalogue when letters are drawn.
	Fonts string `json:"fonts,omitempty"`
	// LengthMs is how long what is shown plays.
	LengthMs   int64              `json:"lengthMs"`
	FromMs     int64              `json:"fromMs,omitempty"`
	DurationMs int64              `json:"durationMs,omitempty"`
	Format     values.StillFormat `json:"format,omitempty"`
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
	if r.Kind == values.ExtractStoryboard {
		return "storyboard.webp"
	}

	return "thumbnail." + string(r.Format)
}
