package plan

import (
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/mouse"
)

// Source is what a plan needs to know about an uploaded file.
type Source struct {
	// Content is the SHA-256 of the bytes. It must not be empty.
	Content string
	// Name is the uploaded file's name; only its last element is used, and only in a ZIP.
	Name string
	// Ext is the extension, such as ".mp4", for a Name that has none.
	Ext     string
	Bytes   int64
	Picture *Picture // nil without a picture
	Sound   bool
	// Heard says which of its sounds is used, and how; the mix depends on it.
	Heard string
	// Mouse is the content of a source of pointer events.
	Mouse []mouse.Event
}

// Picture is the displayed picture of a source.
type Picture struct {
	Size
	FPSNum, FPSDen int64
	Colour         Colour
	// Still is a single picture, shown for as long as needed.
	Still bool
	// Coded is the decoded size, if it differs from Size: pixels need not be square.
	Coded Size
	// Turned means that the decoder turns or mirrors the picture.
	Turned bool
	Mended Mended
}

// Mended is the processing of decoded pictures that comes before all other filters.
type Mended struct {
	// Fields deinterlaces pictures made of two fields: "auto" where a picture is marked as such, "tff" or "bff" for all pictures,
	// top or bottom field first.
	Fields string `json:"fields,omitempty"`
	// Orientation turns and mirrors pictures, in Exif's numbers; 0 leaves them.
	Orientation int `json:"orientation,omitempty"`
	// Hole is the colour, as 0xRRGGBB, whose pixels are transparent; empty is none.
	Hole string `json:"hole,omitempty"`
}

// kept is the size to which all pictures are scaled; the zero Size when that is not possible.
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

// Colour tells how to read the samples of a source, in FFmpeg's terms. An empty field is unknown.
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

// picture returns a source that can be shown.
func (s Sources) picture(id string) (Source, error) {
	src, err := s.find(id)
	if err == nil && (src.Picture == nil || src.Picture.Width < 1 || src.Picture.Height < 1) {
		err = &SourceError{id, "has no picture"}
	}

	return src, err
}
