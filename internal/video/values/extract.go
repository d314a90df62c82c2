package values

// ExtractKind is the kind of file that is derived from media.
type ExtractKind string

// The kinds.
const (
	// ExtractStill is one picture or short video of one size.
	ExtractStill ExtractKind = "still"
	// ExtractPosters are the pictures of every video, in all sizes.
	ExtractPosters ExtractKind = "posters"
	// ExtractPreviews are the short videos of every video, in all sizes.
	ExtractPreviews ExtractKind = "previews"
	// ExtractStoryboard is a sheet of pictures.
	ExtractStoryboard ExtractKind = "storyboard"
	// ExtractWaveform is the shape of a sound, as JSON.
	ExtractWaveform ExtractKind = "waveform"
	// ExtractSilences are the stretches of a sound without speech, as JSON.
	ExtractSilences ExtractKind = "silences"
	// ExtractReach is how much of an unfinished upload can be decoded, as JSON.
	ExtractReach ExtractKind = "reach"
	// ExtractWindow is the position of the window in a screen recording, as JSON.
	ExtractWindow ExtractKind = "window"
)

// ExtractStatus is the state of an extract.
type ExtractStatus string

// The values of ExtractStatus.
const (
	ExtractStatusPending ExtractStatus = "pending"
	ExtractStatusReady   ExtractStatus = "ready"
	ExtractStatusFailed  ExtractStatus = "failed"
)

// Values returns every ExtractStatus as it is stored.
func (ExtractStatus) Values() []string {
	return values(ExtractStatusPending, ExtractStatusReady, ExtractStatusFailed)
}

// ExtractFile is one file of an extract.
type ExtractFile struct {
	Name    string `json:"name"` // such as small.jpg
	BlobKey string `json:"blobKey"`
	Bytes   int64  `json:"bytes"`
}

// The columns and rows of a storyboard sheet.
const (
	StoryboardColumns = 4
	StoryboardRows    = 4
	StoryboardTiles   = StoryboardColumns * StoryboardRows
)

// ThumbnailWidths returns the widths of the thumbnails that every video has, by the name of the size.
func ThumbnailWidths() map[string]int {
	return map[string]int{"small": 320, "medium": 640, "large": 1280, "xl": 1920}
}

// FoundWindow is the position of the window in a screen recording. A confidence of zero means that none was found; the
// box is then the whole frame.
type FoundWindow struct {
	Box        CropBox `json:"box"`
	Confidence float64 `json:"confidence"`
}
