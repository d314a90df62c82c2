package extracts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// recipeVersion must be increased when the same recipe begins to produce other files.
const recipeVersion = 3

// Recipe describes what to compute and from which source or plan. Equal recipes produce equal files, so files are
// found by the hash of their recipe.
type Recipe struct {
	Kind values.ExtractKind `json:"kind"`
	// SourceID is the source that is shown as recorded. Content identifies its bytes.
	SourceID string `json:"sourceId,omitempty"`
	Content  string `json:"content,omitempty"`
	// Arriving reports whether more bytes of the source are expected.
	Arriving bool `json:"arriving,omitempty"`
	// Copy is the key of a stored picture that is shown. Its content never changes.
	Copy string `json:"copy,omitempty"`
	// Plan is what is shown if the subject is a playing video or clip.
	Plan *plan.ExportPlan `json:"plan,omitempty"`
	// Engine is the version of the engine that draws a plan. Another version may draw it differently.
	Engine int `json:"engine,omitempty"`
	// Fonts identifies the font catalog when text is drawn.
	Fonts string `json:"fonts,omitempty"`
	// LengthMs is how long the subject plays.
	LengthMs   int64              `json:"lengthMs"`
	FromMs     int64              `json:"fromMs,omitempty"`
	DurationMs int64              `json:"durationMs,omitempty"`
	Format     values.StillFormat `json:"format,omitempty"`
	// Width and Height are the requested size. If one is zero it follows from the other. If both are zero the picture
	// keeps its own size.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

// Key returns the hash that identifies the result of the recipe.
func (r Recipe) Key() (string, error) {
	b, err := json.Marshal(r)
	sum := sha256.Sum256(append(b, recipeVersion))

	return hex.EncodeToString(sum[:]), err
}

// File returns the name of the file of a still or a storyboard. Each of them has only one file.
func (r Recipe) File() string {
	if r.Kind == values.ExtractStoryboard {
		return "storyboard.webp"
	}

	return "thumbnail." + string(r.Format)
}
