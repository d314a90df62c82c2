package jobs

import (
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// The queues of media work. An upload is answered after its probe, which therefore waits for nothing else:
// neither for films and words, which take long, nor for pictures, of which many are asked for at once.
const (
	QueueMedia  = "media"
	QueueProbe  = "probe"
	QueueRender = "render"
	QueueSpeech = "speech"
	QueueStock  = "catalog"
)

// FairQueues are those whose places are shared among workspaces: one of them holds at most half.
func FairQueues() []string { return []string{QueueMedia, QueueProbe, QueueRender, QueueSpeech} }

// Probe asks what an uploaded source is. Its outcome is the source's status.
type Probe struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Probe) Kind() string { return "probe" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Probe) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueProbe, MaxAttempts: 3}
}

// Look asks how much can be decoded of a source that is arriving. A source has at most one such job.
type Look struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Look) Kind() string { return "look" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Look) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 2, UniqueOpts: atMostOne()}
}

// Measure asks which of the sounds of a source is heard. A source has at most one such job.
type Measure struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Measure) Kind() string { return "measure" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Measure) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 3, UniqueOpts: atMostOne()}
}

// Render asks for the file of an export. An export has one such job, which a crash does not end:
// whoever takes it up again finds the chunks that are done.
type Render struct {
	ExportID string `json:"exportId"`
	// Behind has it wait while there are exports that somebody asked for.
	Behind bool `json:"-"`
}

// Kind implements river.JobArgs.
func (Render) Kind() string { return "render" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (r Render) InsertOpts() river.InsertOpts {
	o := river.InsertOpts{Queue: QueueRender, MaxAttempts: 5}
	if r.Behind {
		o.Priority = queue.PriorityBehind
	}

	return o
}

// Extract asks for what is made of media to be looked at or reckoned with. Whoever wants it waits for
// its topic.
type Extract struct {
	ExtractID string `json:"extractId"`
}

// Kind implements river.JobArgs.
func (Extract) Kind() string { return "extract" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Extract) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 2}
}

// Thumbnail asks for a copy of the picture that a video's customThumbnailURL names.
type Thumbnail struct {
	VideoID string `json:"videoId"`
}

// Kind implements river.JobArgs.
func (Thumbnail) Kind() string { return "thumbnail" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Thumbnail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 4}
}

// Stock asks for the default backgrounds and sounds that are missing.
type Stock struct{}

// Kind implements river.JobArgs.
func (Stock) Kind() string { return "stock" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Stock) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueStock, MaxAttempts: 5}
}

// Transcribe asks for the words of a source, for every clip that waits for them. Each clip that comes to
// wait asks once; one job serves them all, and the others find nothing left to do.
type Transcribe struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Transcribe) Kind() string { return "transcribe" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Transcribe) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueSpeech, MaxAttempts: 6}
}

// Reclaim asks, once an upload must have ended, for the removal of its file unless the source names it: the
// server of the upload died between keeping the file and saying so.
type Reclaim struct {
	SourceID string `json:"sourceId"`
	BlobKey  string `json:"blobKey"`
}

// Kind implements river.JobArgs.
func (Reclaim) Kind() string { return "reclaim" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Reclaim) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, ScheduledAt: time.Now().Add(reclaimAfter)}
}

// reclaimAfter is more than an upload takes whose address is good for an hour after each request.
const reclaimAfter = 25 * time.Hour

// Discard asks for the removal of what a deleted video leaves behind: files of its exports, its
// extracts, and the sources that nothing else refers to.
type Discard struct {
	WorkspaceID string   `json:"workspaceId"`
	VideoID     string   `json:"videoId,omitempty"`
	SourceIDs   []string `json:"sourceIds"`
	BlobKeys    []string `json:"blobKeys"`
}

// Kind implements river.JobArgs.
func (Discard) Kind() string { return "discard" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Discard) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMedia} }

// Sweep asks for the removal of everything whose time is over: abandoned uploads, exports past their
// 30 days, request counters, stored answers, the touch log, old messages. It runs every few minutes.
type Sweep struct{}

// Kind implements river.JobArgs.
func (Sweep) Kind() string { return "sweep" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Sweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 1}
}

// How long things are kept.
const (
	ExportKept  = 30 * 24 * time.Hour
	MessageKept = 30 * 24 * time.Hour
	TouchKept   = 24 * time.Hour
	// ReportKept is how long players' reports are kept. The figures made of them stay.
	ReportKept = 90 * 24 * time.Hour
	// ExtractKept is how long an extract is kept that nobody asks for.
	ExtractKept = 7 * 24 * time.Hour
)

// ExportTopic is woken whenever the export changes.
func ExportTopic(exportID string) string { return "export:" + exportID }

// SourceTopic is woken whenever the source changes.
func SourceTopic(sourceID string) string { return "source:" + sourceID }

// ExtractTopic is woken when what the key names has been made, or cannot be.
func ExtractTopic(workspaceID, key string) string { return "extract:" + workspaceID + ":" + key }

// VideoTopic is woken, by the database, whenever the video is edited or its transcript's status
// changes.
func VideoTopic(videoID string) string { return "video:" + videoID }

// EndpointTopic is woken whenever an attempt at the webhook endpoint is recorded.
func EndpointTopic(endpointID string) string { return "endpoint:" + endpointID }
