package lettering

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// file is one font file, read on first use.
type file struct {
	path, name    string
	weight, width float64
	slanted       bool
	axes          map[string]values.AxisRange

	parsed *font.Font
	broken error
	face   *font.Face // without variations, to look up characters
}

func (f *file) variable() bool {
	_, ok := f.axes["wght"]

	return ok
}

// ranges returns the ranges of the axes; without an axis, the file's own value.
func (f *file) ranges() (weight, width values.AxisRange) {
	weight, ok := f.axes["wght"]
	if !ok {
		weight = values.AxisRange{Min: f.weight, Max: f.weight}
	}

	width, ok = f.axes["wdth"]
	if !ok {
		width = values.AxisRange{Min: f.width, Max: f.width}
	}

	return weight, width
}

// off returns how far the file's width, or its weight, is from the wanted one.
func (f *file) off(width, weight float64, byWidth bool) float64 {
	w, across := f.ranges()

	of := func(r values.AxisRange, v float64) float64 { return math.Abs(v - max(r.Min, min(r.Max, v))) }
	if byWidth {
		return of(across, width)
	}

	return of(w, weight)
}

// open reads the file once.
func (f *file) open() error {
	if f.parsed != nil || f.broken != nil {
		return f.broken
	}

	b, err := os.ReadFile(f.path)
	if err == nil {
		f.face, err = font.ParseTTF(bytes.NewReader(b))
	}

	if err != nil {
		f.broken = fmt.Errorf("read the font %s: %w", f.name, err)

		return f.broken
	}

	f.parsed = f.face.Font

	return nil
}

// has reports whether the font has the character.
func (f *file) has(r rune) bool {
	if f == nil || f.open() != nil {
		return false
	}

	_, ok := f.face.NominalGlyph(r)

	return ok
}

// at returns the face for a weight and a width, clamped to the font's ranges, and a size in pixels.
func (f *file) at(weight, width, size float64) (*font.Face, error) {
	if err := f.open(); err != nil {
		return nil, err
	}

	face := font.NewFace(f.parsed)
	if f.variable() {
		face.SetVariations([]font.Variation{
			{Tag: opentype.MustNewTag("wght"), Value: float32(weight)},
			{Tag: opentype.MustNewTag("wdth"), Value: float32(width)},
			{Tag: opentype.MustNewTag("opsz"), Value: float32(size)},
		})
	}

	if f.name == emojiFamily {
		ppem := uint16(max(1, min(1000, size)))
		face.SetPpem(ppem, ppem)
	}

	return face, nil
}

// readAxes reads the axes of a variable font. A malformed table has none.
func readAxes(raw []byte) map[string]values.AxisRange {
	if len(raw) < 16 {
		return nil
	}

	be := binary.BigEndian
	at, count, size := int(be.Uint16(raw[4:])), int(be.Uint16(raw[8:])), int(be.Uint16(raw[10:]))
	axes := map[string]values.AxisRange{}
	fixed := func(b []byte) float64 { return float64(int32(be.Uint32(b))) / 65536 }

	for range count {
		if size < 20 || at+size > len(raw) {
			return nil
		}

		axes[string(raw[at:at+4])] = values.AxisRange{Min: fixed(raw[at+4:]), Max: fixed(raw[at+12:])}
		at += size
	}

	return axes
}
