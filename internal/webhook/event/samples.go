package event

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Sample returns an event of the given kind with made-up values, for a test delivery. It returns nil for an unknown
// kind.
func Sample(kind values.EventType) Event {
	for _, event := range samples() {
		if event.Kind() == kind {
			return event
		}
	}

	return nil
}

// samples holds one event of every kind.
func samples() []Event {
	video := Video{VideoID: "vid_01jz8x3mpv0000000000000000", VideoName: "Sample video"}
	playlist := Playlist{PlaylistID: "pl_01jz8x3mpv0000000000000000", PlaylistName: "Sample playlist"}

	const export = "exp_01jz8x3mpv0000000000000000"

	return []Event{
		ExportFailedEvent{Video: video, ExportID: export, Error: Problem{Code: "render_failed", Message: "A sample of a failed export."}},
		ExportReadyEvent{Video: video, ExportID: export, DownloadURL: "https://example.com/sample.mp4"},
		PlaylistCreatedEvent{playlist},
		PlaylistVideoAddedEvent{playlist, video},
		TranscriptFailedEvent{Video: video, Error: Problem{Code: "transcription_failed", Message: "A sample of a failed transcript."}},
		TranscriptReadyEvent{Video: video, Language: "en"},
		VideoCreatedEvent{video},
		VideoMilestoneEvent{Video: video, Milestone: Milestones()[0], Views: Milestones()[0]},
		VideoViewedEvent{
			ViewID: "view_01jz8x3mpv0000000000000000", Video: video, Views: 1,
			StartedAt: Timestamp(time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)),
		},
	}
}
