package lettering

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ErrNoFonts means that no fonts are installed.
var ErrNoFonts = errors.New("no fonts are installed")

// Folders returns the folders in which operating systems keep their fonts. One of them is Debian's separate folder
// for a font with Korean. If two folders have the same face, the face of the later folder is used.
func Folders() []string {
	return []string{
		"/usr/share/fonts", "/usr/share/fonts-droid-fallback",
		"/run/current-system/sw/share/X11/fonts", "/System/Library/Fonts", "/Library/Fonts",
		"/opt/homebrew/share/fonts", "/usr/local/share/fonts",
	}
}

const (
	emojiFamily = "Noto Color Emoji"
	// eastFamily has Chinese, Japanese and Korean characters. Its file is a twentieth of the size of Noto's fonts for
	// them.
	eastFamily = "Droid Sans Fallback"
)

// Fonts holds the installed fonts and lays out text with them. It is safe for concurrent use.
type Fonts struct {
	mu       sync.Mutex // guards the faces, which have caches
	families map[string]family
	spare    []*file        // by preference, for characters that a family lacks
	emoji    *file          // nil when it is missing
	chosen   map[rune]*file // the spare font of each character looked up; nil if none has it
	identity string
}

// family holds the upright faces of one name: either one variable face, or all others by width and weight.
type family []*file

// Load finds the fonts in the given folders, or in Folders() if no folder is given. It returns ErrNoFonts if it finds
// no font.
func Load(folders ...string) (*Fonts, error) {
	if len(folders) == 0 {
		folders = Folders()
	}

	f := &Fonts{families: map[string]family{}, chosen: map[rune]*file{}}
	for _, folder := range folders {
		if err := f.scan(folder); err != nil {
			return nil, err
		}
	}

	f.sort()

	if len(f.families) == 0 && len(f.spare) == 0 {
		return nil, ErrNoFonts
	}

	return f, f.identify()
}

// scan adds all fonts below a folder. A folder that does not exist is not an error.
func (f *Fonts) scan(folder string) error {
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && entry.IsDir() {
			return nil
		}

		if err != nil {
			return err
		}

		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf":
			f.add(path)
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("find fonts: %w", err)
	}

	return nil
}

// add takes a font that can be used and skips one that cannot be read.
func (f *Fonts) add(path string) {
	found, err := describe(path)
	if err != nil || found.slanted {
		return
	}

	switch {
	case found.name == emojiFamily:
		f.emoji = found
	case slices.ContainsFunc(values.Fonts(), func(d values.Font) bool { return d.Name == found.name }):
		f.families[found.name] = append(f.families[found.name], found)
	case strings.HasPrefix(found.name, "Noto Sans ") || found.name == "DejaVu Sans" || found.name == eastFamily:
		if found.weight == 400 && found.width == 100 {
			f.spare = append(f.spare, found)
		}
	}
}

// describe reads the description in a font file.
func describe(path string) (*file, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()

	loader, err := opentype.NewLoader(r)
	if err != nil {
		return nil, err
	}

	d, _ := font.Describe(loader, nil)
	f := &file{
		path: path, name: d.Family, weight: float64(d.Aspect.Weight), width: 100 * float64(d.Aspect.Stretch),
		slanted: d.Aspect.Style == font.StyleItalic,
	}

	if base, condensed := strings.CutSuffix(f.name, " Condensed"); condensed && slices.Contains([]string{"Roboto", "Open Sans"}, base) {
		f.name, f.width = base, min(f.width, 75)
	}

	// Inter's single variable file has this suffix in its name since version 4.
	f.name = strings.TrimSuffix(f.name, " Variable")

	if f.weight == 250 { // once the value for the thinnest, because some programs drew 100 badly
		f.weight = 100
	}

	// Debian's single file of Lobster has the name of its successor.
	if strings.EqualFold(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), "lobster") {
		f.name, f.weight, f.width, f.slanted = "Lobster", 400, 100, false
	}

	if raw, err := loader.RawTable(opentype.MustNewTag("fvar")); err == nil {
		f.axes = readAxes(raw)
	}

	return f, nil
}

// sort makes the choice of faces independent of the order in which they were found.
func (f *Fonts) sort() {
	for name, faces := range f.families {
		if i := slices.IndexFunc(faces, func(f *file) bool { return f.variable() }); i >= 0 {
			f.families[name] = family{faces[i]}

			continue
		}

		slices.Reverse(faces) // the later one of two equal faces
		slices.SortStableFunc(faces, func(a, b *file) int {
			return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.weight, b.weight))
		})
		f.families[name] = slices.CompactFunc(faces, func(a, b *file) bool { return a.width == b.width && a.weight == b.weight })
	}

	// DejaVu first; eastFamily, which has a little of everything, last, so that Noto's font of a script precedes it.
	rank := func(f *file) int { return b2i(f.name != "DejaVu Sans") + b2i(f.name == eastFamily) }

	slices.SortStableFunc(f.spare, func(a, b *file) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.path, b.path))
	})

	if noto := f.families["Noto Sans"]; noto != nil {
		f.spare = slices.Insert(f.spare, 0, noto.nearest(400, 100))
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}

	return 0
}

// identify hashes the fonts by content, and the spare ones by name and size.
func (f *Fonts) identify() error {
	sum := sha256.New()

	for _, d := range values.Fonts() {
		for _, face := range f.families[d.Name] {
			content, err := hashFile(face.path)
			if err != nil {
				return fmt.Errorf("read a font: %w", err)
			}

			_, _ = fmt.Fprintf(sum, "%s %x\n", d.Name, content)
		}
	}

	for _, face := range append(slices.Clone(f.spare), f.emoji) {
		if face == nil {
			continue
		}

		info, err := os.Stat(face.path)
		if err != nil {
			return fmt.Errorf("read a font: %w", err)
		}

		_, _ = fmt.Fprintf(sum, "%s %d\n", face.name, info.Size())
	}

	f.identity = hex.EncodeToString(sum.Sum(nil)[:16])

	return nil
}

func hashFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()

	sum := sha256.New()
	_, err = io.Copy(sum, f)

	return sum.Sum(nil), err
}

// Identity identifies this set of fonts: two machines with the same identity draw every text alike.
func (f *Fonts) Identity() string { return f.identity }

// Missing returns the catalog's font families that are not installed. It also returns the fallback fonts that are
// missing: without them, emoji or East Asian letters are drawn as boxes. Missing reads all fonts, so it is meant for
// the doctor command, not for use while drawing.
func (f *Fonts) Missing() []string {
	var missing []string

	for _, d := range values.Fonts() {
		if f.families[d.Name] == nil {
			missing = append(missing, d.Name)
		}
	}

	if f.emoji == nil {
		missing = append(missing, emojiFamily)
	}

	f.mu.Lock()
	defer f.mu.Unlock()

	for _, r := range "中あア한" { //nolint:gosmopolitan // the list is about these scripts
		if !slices.ContainsFunc(f.spare, func(of *file) bool { return of.has(r) }) {
			return append(missing, eastFamily+" (Chinese, Japanese, Korean)")
		}
	}

	return missing
}

// Ranges returns the range of weights and the range of widths that the installed faces of a family cover. ok is false
// if the family is not installed.
func (f *Fonts) Ranges(name string) (weight, width values.AxisRange, ok bool) {
	faces, ok := f.families[name]
	if !ok {
		return weight, width, false
	}

	weight = values.AxisRange{Min: faces[0].weight, Max: faces[0].weight}
	width = values.AxisRange{Min: faces[0].width, Max: faces[0].width}

	for _, face := range faces {
		of, across := face.ranges()
		weight.Min, weight.Max = min(weight.Min, of.Min), max(weight.Max, of.Max)
		width.Min, width.Max = min(width.Min, across.Min), max(width.Max, across.Max)
	}

	return weight, width, true
}

// family returns the family of that name, or its replacement.
func (f *Fonts) family(name string) family {
	if found, ok := f.families[name]; ok {
		return found
	}

	for _, d := range values.Fonts() {
		if found, ok := f.families[d.Name]; ok {
			return found
		}
	}

	return family{f.spare[0]}
}

// spareFor returns the spare font that has a character; nil if none has it.
func (f *Fonts) spareFor(r rune) *file {
	found, ok := f.chosen[r]
	if !ok {
		if i := slices.IndexFunc(f.spare, func(f *file) bool { return f.has(r) }); i >= 0 {
			found = f.spare[i]
		}

		f.chosen[r] = found
	}

	return found
}

// nearest returns the face of the nearest width, and of these the one of the nearest weight. So values outside the
// range are clamped.
func (f family) nearest(weight, width float64) *file {
	return slices.MinFunc(f, func(a, b *file) int {
		return cmp.Or(cmp.Compare(a.off(width, weight, true), b.off(width, weight, true)),
			cmp.Compare(a.off(width, weight, false), b.off(width, weight, false)))
	})
}
