package analytics

import (
	"math"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// maxRate is the highest playback rate that is accepted.
const maxRate = 4

// Event is one event that a player reported. A progress, pause or ended event may contain the range that was played
// since the previous event, from FromSeconds to ToSeconds. In a seek event, these are the positions before and after
// the seek, and they do not count as played.
type Event struct {
	Type        values.PlaybackEventType `json:"type"`
	AtMs        int64                    `json:"atMs"`
	FromSeconds *float64                 `json:"fromSeconds,omitempty"`
	ToSeconds   *float64                 `json:"toSeconds,omitempty"`
	Rate        *float64                 `json:"rate,omitempty"` // 1 when absent
}

// Batch holds the events of one report. No event may be later than Received.
type Batch struct {
	Received time.Time
	Events   []Event
}

// Within returns copies of the events. If the player's clock was wrong, an event may have a time before the page was
// opened or after the report was received. Within moves such a time to opened or received.
func Within(events []Event, opened, received time.Time) []Event {
	kept := make([]Event, len(events))

	for i, e := range events {
		e.AtMs = min(max(e.AtMs, opened.UnixMilli()), received.UnixMilli())
		kept[i] = e
	}

	return kept
}

// plays reports whether the event contains a played range.
func (e Event) plays() bool {
	switch e.Type {
	case values.PlaybackEventTypeProgress, values.PlaybackEventTypePause, values.PlaybackEventTypeEnded:
		return e.FromSeconds != nil && e.ToSeconds != nil
	default:
		return false
	}
}

// believed returns how much can have been played in a time at the event's rate.
func (e Event) believed(elapsedMs int64) int64 {
	rate := 1.0
	if e.Rate != nil {
		rate = min(*e.Rate, maxRate)
	}

	return int64(math.Floor(float64(elapsedMs) * rate))
}

// millis converts a video position to milliseconds, within the video's bounds.
func millis(seconds float64, lengthMs int64) int64 {
	return int64(math.Round(min(max(seconds*1000, 0), float64(lengthMs))))
}
