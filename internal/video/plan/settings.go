package plan

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// Granularity is the kind of files that an export delivers.
type Granularity string

// The granularities.
const (
	// Story is one MP4 of the whole video.
	Story Granularity = "story"
	// Scenes is a ZIP with one MP4 per clip.
	Scenes Granularity = "scenes"
	// Raw is a ZIP with the uploaded files, unchanged.
	Raw Granularity = "raw"
)

// Resolution is the box that the pictures of an export fit into.
type Resolution string

// The resolutions.
const (
	P1080 Resolution = "1080p"
	UHD4K Resolution = "4k"
)

// Settings are the choices of one export. An export with granularity Raw ignores all fields except Granularity.
type Settings struct {
	Granularity Granularity
	Resolution  Resolution
	FPS         int64 // 30 or 60
	Speed       timeline.Speed
	// Artboard is the video's own size; the export keeps its aspect.
	Artboard Size
	// Frame is the size of stills and previews. It is even and has the aspect ratio of the artboard. Zero means the
	// size that Resolution gives.
	Frame Size
	// Fonts is the identity of the installed fonts, because other fonts draw other letters.
	Fonts string
}

func (s Settings) frame() Size {
	if s.Frame != (Size{}) {
		return s.Frame
	}

	return s.Resolution.Size(s.Artboard)
}

// Defaults returns the settings of an export for which the client chose nothing.
func Defaults(artboard Size) Settings {
	return Settings{Granularity: Story, Resolution: P1080, FPS: 30, Speed: timeline.Normal(), Artboard: artboard}
}

func (s Settings) rate() timeline.Rate { return timeline.Rate{FPS: s.FPS, Speed: s.Speed} }

// check rejects settings that the API validation must have stopped.
func (s Settings) check() error {
	switch {
	case s.Granularity == Raw:
		return nil
	case s.Granularity != Story && s.Granularity != Scenes:
		return fmt.Errorf("unknown granularity %q", s.Granularity)
	case s.Resolution != P1080 && s.Resolution != UHD4K:
		return fmt.Errorf("unknown resolution %q", s.Resolution)
	case s.FPS != 30 && s.FPS != 60:
		return fmt.Errorf("unsupported frame rate %d; use 30 or 60", s.FPS)
	case s.Speed.Num < 1 || s.Speed.Den < 1:
		return fmt.Errorf("speed %d/%d is not positive", s.Speed.Num, s.Speed.Den)
	case s.Artboard.Width < 1 || s.Artboard.Height < 1:
		return fmt.Errorf("artboard size %d×%d is not positive", s.Artboard.Width, s.Artboard.Height)
	default:
		return nil
	}
}
