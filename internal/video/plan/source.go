package plan

import (
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/mouse"
)

// Source is what a plan must know of an upload.
type Source struct {
	// Content identifies the bytes: their SHA-256. It may not be empty.
	Content string
	// Name is the file name it was uploaded with; only its last element is used, and only in a ZIP.
	Name string
	// Ext is how the names of such files end, such as ".mp4", for a Name that ends in nothing.
	Ext     string
	Bytes   int64
	Picture *Picture // nil without a picture
	Sound   bool
	// Heard says which of its sounds is heard, and how: what is mixed depends on it.
	Heard string
	// Mouse is what a source of pointer events holds.
	Mouse []mouse.Event
}

// Picture is the moving picture of a source, as it is displayed.
type Picture struct {
	Size
	FPSNum, FPSDen int64
	Colour         Colour
	// Still is a single picture, which lasts as long as it is asked for.
	Still bool
	// Coded is the size of the decoded pictures, when it is another: pixels need not be square.
	Coded Size
	// Turned says that the decoder turns or mirrors it.
	Turned bool
	Mended Mended
}

// Mended is what is done to decoded pictures before anything else sees them.
type Mended struct {
	// Fields has pictures that were made of two fields, taken one after the other, made of one moment each: "auto" where each
	// of them says so, "tff" or "bff" where all were, the field at the top or the bottom first.
	Fields string `json:"fields,omitempty"`
	// Orientation turns and mirrors pictures, in Exif's numbers; 0 leaves them.
	Orientation int `json:"orientation,omitempty"`
	// Hole is a colour, as 0xRRGGBB, whose pixels are transparent; empty is none.
	Hole string `json:"hole,omitempty"`
}

// kept is the size to which all its pictures are brought, the zero Size when that is not possible.
func (p Picture) kept() Size {
	if p.Turned || p.Still || p.Mended.Orientation != 0 || p.Colour.PixelFormat == "" {
		return Size{}
	}

	return p.decoded()
}

// decoded is the size of the decoded pictures.
func (p Picture) decoded() Size {
	if p.Coded == (Size{}) {
		return p.Size
	}

	return p.Coded
}

// alpha reports whether parts of the picture may be transparent.
func (p Picture) alpha() bool {
	for _, prefix := range []string{"yuva", "rgba", "bgra", "argb", "abgr", "gbrap", "ya8", "ya16", "pal8"} {
		if strings.HasPrefix(p.Colour.PixelFormat, prefix) {
			return true
		}
	}

	return false
}

// Colour is how a source's samples are to be read, in FFmpeg's names. Empty is unknown.
type Colour struct {
	PixelFormat string `json:"pixelFormat,omitempty"`
	Range       string `json:"range,omitempty"`
	Matrix      string `json:"matrix,omitempty"`
	Transfer    string `json:"transfer,omitempty"`
	Primaries   string `json:"primaries,omitempty"`
}

// SourceError reports a source that a plan cannot use.
type SourceError struct {
	Source string
	Reason string
}

func (e *SourceError) Error() string { return fmt.Sprintf("source %s %s", e.Source, e.Reason) }

// Sources holds the sources of a video by id.
type Sources map[string]Source

func (s Sources) find(id string) (Source, error) {
	src, ok := s[id]

	switch {
	case !ok:
		return Source{}, &SourceError{id, "is unknown"}
	case src.Content == "":
		return Source{}, &SourceError{id, "has no content hash"}
	default:
		return src, nil
	}
}

// picture is a source that can be shown.
func (s Sources) picture(id string) (Source, error) {
	src, err := s.find(id)
	if err == nil && (src.Picture == nil || src.Picture.Width < 1 || src.Picture.Height < 1) {
		err = &SourceError{id, "has no picture"}
	}

	return src, err
}
