package shape

import (
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// StillOut is the response for a still picture. It is a redirect to the signed address of the picture, or contains
// the address in its body.
type StillOut struct {
	URL string `json:"url"`

	InBody bool `json:"-"` // answer with this body instead of a redirect
}

// Location implements Located.
func (o StillOut) Location() string {
	if o.InBody {
		return ""
	}

	return o.URL
}

// StoryboardOut is the response for a storyboard. It is a redirect to the signed address of the image, or contains
// the address and the grid in its body.
type StoryboardOut struct {
	URL        string `json:"url"`
	Columns    int    `json:"columns"`
	Rows       int    `json:"rows"`
	IntervalMs int64  `json:"intervalMs"`

	InBody bool `json:"-"` // answer with this body instead of a redirect
}

// Location implements Located.
func (o StoryboardOut) Location() string {
	if o.InBody {
		return ""
	}

	return o.URL
}

// WaveformOut is the response with a waveform.
type WaveformOut struct {
	Version         int   `json:"version"`
	Channels        int   `json:"channels"`
	SampleRate      int   `json:"sampleRate"`
	SamplesPerPixel int   `json:"samplesPerPixel"`
	Bits            int   `json:"bits"`
	Length          int   `json:"length"`
	Data            []int `json:"data"`
}

// AutoCropOut is the response with the window that was found in a recording.
type AutoCropOut struct {
	Crop        *values.CropBox `json:"crop"`
	Confidence  float64         `json:"confidence"`
	AspectRatio string          `json:"aspectRatio"`
	InpointMs   int64           `json:"inpointMs"`
}
