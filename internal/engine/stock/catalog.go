// Package stock makes the backgrounds, sound effects and music that come with the product. It makes them from
// recipes, so the product contains no work that is licensed from others, and the repository has no media files. The
// same recipe always makes the same samples and pixels. Start with Items.
package stock

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// engine is raised when a recipe's output changes, so that everything is made again.
const engine = 1

// Item is one default background or sound. Exactly one of its recipes is set.
type Item struct {
	ID   string // its stable name
	Type values.CatalogType
	Name string

	Colours   *values.Background // a gradient, which needs no file
	Picture   *Picture           // a picture, or what moves in an animated background
	Effect    []Layer
	Music     *Tune
	LoopMs    int64 // of an animated background
	FrameRate int
}

// Hash returns a hash that changes whenever the sound or picture that the recipe makes changes.
func (i Item) Hash() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d|%s|%d|%d|", engine, i.Type, i.LoopMs, i.FrameRate)

	switch {
	case i.Colours != nil:
		fmt.Fprintf(sum, "%#v", *i.Colours)
	case i.Picture != nil:
		fmt.Fprintf(sum, "%#v", *i.Picture)
	case i.Effect != nil:
		fmt.Fprintf(sum, "%#v", i.Effect)
	case i.Music != nil:
		fmt.Fprintf(sum, "%#v", *i.Music)
	}

	return hex.EncodeToString(sum.Sum(nil))
}

// Items returns the whole catalog in display order. The items that are made fastest come first.
func Items() []Item {
	var all []Item

	all = append(all, gradients()...)
	all = append(all, effects()...)
	all = append(all, music()...)
	all = append(all, pictures()...)

	return append(all, animations()...)
}
