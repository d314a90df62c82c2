// Package stock makes the backgrounds, sound effects and music that come with the product, from recipes:
// nothing in them is licensed from anybody, and no media file is in the repository. It is pure: the same
// recipe makes the same samples and pixels.
package stock

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// engine is raised when a recipe makes something else than before, so that everything is made anew.
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

// Hash changes whenever what the recipe makes does.
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

// Items are the whole catalogue, in the order in which it is shown: what is made soonest comes first.
func Items() []Item {
	var all []Item

	all = append(all, gradients()...)
	all = append(all, effects()...)
	all = append(all, music()...)
	all = append(all, pictures()...)

	return append(all, animations()...)
}
