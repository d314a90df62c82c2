package values

// DemoStatus is the state of a demo run, which fills a workspace with demo videos.
type DemoStatus string

// The values of DemoStatus.
const (
	DemoStatusPending   DemoStatus = "pending"
	DemoStatusRunning   DemoStatus = "running"
	DemoStatusCompleted DemoStatus = "completed"
	DemoStatusFailed    DemoStatus = "failed"
)

// Values returns every DemoStatus as it is stored and sent.
func (DemoStatus) Values() []string {
	return values(DemoStatusPending, DemoStatusRunning, DemoStatusCompleted, DemoStatusFailed)
}

// DemoMade is what a demo run has created so far. A run that is interrupted goes on from here.
type DemoMade struct {
	Videos     map[string]DemoVideo `json:"videos,omitempty"` // by the name in the script
	PlaylistID string               `json:"playlistId,omitempty"`
	SourceIDs  []string             `json:"sourceIds,omitempty"` // uploads for the video that is not complete yet
}

// DemoVideo is a video of a demo run.
type DemoVideo struct {
	ID       string `json:"id"`
	Complete bool   `json:"complete,omitempty"`
	Visits   int    `json:"visits,omitempty"` // viewers so far
}
