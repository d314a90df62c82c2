package values

// ExtractKind is what is made of media.
type ExtractKind string

// The kinds.
const (
	// ExtractStill is one picture, or one short film, of one size.
	ExtractStill ExtractKind = "still"
	// ExtractPosters are the pictures that every video has, in all their sizes.
	ExtractPosters ExtractKind = "posters"
	// ExtractPreviews are the short films that every video has, in all their sizes.
	ExtractPreviews ExtractKind = "previews"
	// ExtractStoryboard is a sheet of pictures.
	ExtractStoryboard ExtractKind = "storyboard"
	// ExtractWaveform is the shape of a sound, as JSON.
	ExtractWaveform ExtractKind = "waveform"
	// ExtractSilences are the stretches of a sound in which nobody speaks, as JSON.
	ExtractSilences ExtractKind = "silences"
	// ExtractReach is how much of a recording that still arrives can be decoded, as JSON.
	ExtractReach ExtractKind = "reach"
	// ExtractWindow is where the window is in the frames of a screen recording, as JSON.
	ExtractWindow ExtractKind = "window"
)

// ExtractStatus is how far an extract has come.
type ExtractStatus string

// The values of ExtractStatus.
const (
	ExtractStatusPending ExtractStatus = "pending"
	ExtractStatusReady   ExtractStatus = "ready"
	ExtractStatusFailed  ExtractStatus = "failed"
)

// Values lists every ExtractStatus, as stored.
func (ExtractStatus) Values() []string {
	return values(ExtractStatusPending, ExtractStatusReady, ExtractStatusFailed)
}

// ExtractFile is a file of an extract.
type ExtractFile struct {
	Name    string `json:"name"` // such as small.jpg
	BlobKey string `json:"blobKey"`
	Bytes   int64  `json:"bytes"`
}

// Storyboards are sheets of this many pictures.
const (
	StoryboardColumns = 4
	StoryboardRows    = 4
	StoryboardTiles   = StoryboardColumns * StoryboardRows
)

// ThumbnailWidths are the sizes in which every video has thumbnails.
func ThumbnailWidths() map[string]int {
	return map[string]int{"small": 320, "medium": 640, "large": 1280, "xl": 1920}
}

// FoundWindow is where the window is in the frames of a screen recording. A confidence of zero says
// that there is none; the box is the whole frame then.
type FoundWindow struct {
	Box        CropBox `json:"box"`
	Confidence float64 `json:"confidence"`
}
