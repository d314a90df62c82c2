package values

// StillFormat is the format of a thumbnail: an image or a short video.
type StillFormat string

// The values of StillFormat.
const (
	StillFormatJPG  StillFormat = "jpg"
	StillFormatPNG  StillFormat = "png"
	StillFormatWebP StillFormat = "webp"
	StillFormatGIF  StillFormat = "gif"
	StillFormatMP4  StillFormat = "mp4"
)

// Values returns every StillFormat as it is stored and sent.
func (StillFormat) Values() []string {
	return values(StillFormatJPG, StillFormatPNG, StillFormatWebP, StillFormatGIF, StillFormatMP4)
}

// Moves reports whether the format is a short video instead of an image.
func (f StillFormat) Moves() bool { return f == StillFormatGIF || f == StillFormatMP4 }
