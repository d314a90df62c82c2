package jobs

import (
	"time"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/platform/queue"
)

// The queues of media work. The response to an upload waits for its probe, so probes have their own queue:
// films and transcripts take long, and pictures are requested in large numbers.
const (
	QueueMedia  = "media"
	QueueProbe  = "probe"
	QueueRender = "render"
	QueueSpeech = "speech"
	QueueStock  = "catalog"
)

// FairQueues returns the queues whose places (slots for running jobs) are shared among workspaces. One workspace gets
// at most half of the places.
func FairQueues() []string { return []string{QueueMedia, QueueProbe, QueueRender, QueueSpeech} }

// Probe examines an uploaded source and stores the result and the new status of the source.
type Probe struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Probe) Kind() string { return "probe" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Probe) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueProbe, MaxAttempts: 3}
}

// Look finds out how much of a source can be decoded while the source is still being uploaded. A source has at most
// one such job.
type Look struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Look) Kind() string { return "look" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Look) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 2, UniqueOpts: atMostOne()}
}

// Measure finds out which audio tracks of a source are audible. A source has at most one such job.
type Measure struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Measure) Kind() string { return "measure" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Measure) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 3, UniqueOpts: atMostOne()}
}

// Render creates the file of an export. An export has one such job. If a run is interrupted by a crash, the next run
// continues with the chunks that are finished.
type Render struct {
	ExportID string `json:"exportId"`
	// Behind makes the job wait while exports that a person requested are queued.
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

// Extract creates a file that is derived from media, such as a thumbnail strip or a waveform. Callers wait for a
// notification on ExtractTopic.
type Extract struct {
	ExtractID string `json:"extractId"`
}

// Kind implements river.JobArgs.
func (Extract) Kind() string { return "extract" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Extract) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 2}
}

// Thumbnail stores a copy of the picture at the customThumbnailURL of a video.
type Thumbnail struct {
	VideoID string `json:"videoId"`
}

// Kind implements river.JobArgs.
func (Thumbnail) Kind() string { return "thumbnail" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Thumbnail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 4}
}

// Posters requests the still thumbnails of a video that can be shown, or whose chosen picture is new. Another job draws
// them, unless they exist or somebody has requested them meanwhile.
type Posters struct {
	VideoID string `json:"videoId"`
}

// Kind implements river.JobArgs.
func (Posters) Kind() string { return "posters" }

// InsertOpts implements river.JobArgsWithInsertOpts. Nobody waits for the job, so it lets all others go first.
func (Posters) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 4, Priority: queue.PriorityBehind}
}

// Stock creates those default backgrounds and sounds that do not exist yet.
type Stock struct{}

// Kind implements river.JobArgs.
func (Stock) Kind() string { return "stock" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Stock) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueStock, MaxAttempts: 5}
}

// Transcribe creates the transcript of a source for all clips that wait for it. Each of these clips inserts a job.
// The first job serves all clips, and the other jobs have nothing left to do.
type Transcribe struct {
	SourceID string `json:"sourceId"`
}

// Kind implements river.JobArgs.
func (Transcribe) Kind() string { return "transcribe" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Transcribe) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueSpeech, MaxAttempts: 6}
}

// Reclaim removes the file of an upload unless the source refers to the file. It runs when the upload must have
// ended. Without it the file would stay forever if the server died after storing the file and before recording it.
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

// reclaimAfter is longer than any upload takes, whose address is renewed for an hour with each request.
const reclaimAfter = 25 * time.Hour

// Discard removes what remains of a deleted video: the files of its exports, its extracts, and the sources that
// nothing else refers to.
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

// Sweep removes everything that has expired: abandoned uploads, exports after 30 days, request counters, stored
// responses, old messages, and old entries of the touch log (see ent/schema). It runs every few minutes.
type Sweep struct{}

// Kind implements river.JobArgs.
func (Sweep) Kind() string { return "sweep" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Sweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMedia, MaxAttempts: 1}
}

// How long data is kept.
const (
	ExportKept  = 30 * 24 * time.Hour
	TrashKept   = 30 * 24 * time.Hour
	MessageKept = 30 * 24 * time.Hour
	TouchKept   = 24 * time.Hour
	// ChangeKept is how long listeners can read in the change log what they have missed.
	ChangeKept = time.Hour
	// ReportKept is how long players' reports are kept. The figures computed from them stay.
	ReportKept = 90 * 24 * time.Hour
	// ExtractKept is how long an extract is kept after its last use.
	ExtractKept = 7 * 24 * time.Hour
)

// ExportTopic returns the topic that is notified whenever the export changes.
func ExportTopic(exportID string) string { return "export:" + exportID }

// SourceTopic returns the topic that is notified whenever the source changes.
func SourceTopic(sourceID string) string { return "source:" + sourceID }

// ExtractTopic returns the topic that is notified when the extract has been created or has failed.
func ExtractTopic(workspaceID, key string) string { return "extract:" + workspaceID + ":" + key }

// VideoTopic returns the topic that the database notifies whenever the video is edited or its transcript's
// status changes.
func VideoTopic(videoID string) string { return "video:" + videoID }

// WorkspaceTopic returns the topic that the database notifies whenever something changes in the workspace that listeners
// are told of.
func WorkspaceTopic(workspaceID string) string { return "workspace:" + workspaceID }

// CommentsTopic returns the topic that the database notifies whenever the comments on the video change.
func CommentsTopic(videoID string) string { return "comments:" + videoID }

// EndpointTopic returns the topic that is notified whenever an attempt at the webhook endpoint is recorded.
func EndpointTopic(endpointID string) string { return "endpoint:" + endpointID }
