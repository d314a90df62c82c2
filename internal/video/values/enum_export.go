package values

// ExportStatus is the progress state of an export.
type ExportStatus string

// The values of ExportStatus.
const (
	ExportStatusPending    ExportStatus = "pending"
	ExportStatusProcessing ExportStatus = "processing"
	ExportStatusCompleted  ExportStatus = "completed"
	ExportStatusFailed     ExportStatus = "failed"
	ExportStatusCanceled   ExportStatus = "canceled"
)

// Values returns every ExportStatus as it is stored and sent.
func (ExportStatus) Values() []string {
	return values(ExportStatusPending, ExportStatusProcessing, ExportStatusCompleted, ExportStatusFailed, ExportStatusCanceled)
}

// Granularity is what an export produces: one video, one video per clip, or the uploaded files.
type Granularity string

// The values of Granularity.
const (
	GranularityStory  Granularity = "story"
	GranularityScenes Granularity = "scenes"
	GranularityRaw    Granularity = "raw"
)

// Values returns every Granularity as it is stored and sent.
func (Granularity) Values() []string {
	return values(GranularityStory, GranularityScenes, GranularityRaw)
}

// Resolution is the box that the frame of an export must fit into.
type Resolution string

// The values of Resolution.
const (
	ResolutionP1080 Resolution = "1080p"
	Resolution4K    Resolution = "4k"
)

// Values returns every Resolution as it is stored and sent.
func (Resolution) Values() []string {
	return values(ResolutionP1080, Resolution4K)
}

// FPS is the frame rate of an export.
type FPS string

// The values of FPS.
const (
	FPS30 FPS = "30"
	FPS60 FPS = "60"
)

// Values returns every FPS as it is stored and sent.
func (FPS) Values() []string {
	return values(FPS30, FPS60)
}

// Speed is the playback speed of an export.
type Speed string

// The values of Speed.
const (
	Speed0_5  Speed = "0.5"
	Speed0_75 Speed = "0.75"
	Speed1    Speed = "1"
	Speed1_25 Speed = "1.25"
	Speed1_5  Speed = "1.5"
	Speed1_75 Speed = "1.75"
	Speed2    Speed = "2"
)

// Values returns every Speed as it is stored and sent.
func (Speed) Values() []string {
	return values(Speed0_5, Speed0_75, Speed1, Speed1_25, Speed1_5, Speed1_75, Speed2)
}
