package model

import "time"

// System is the state of the server. Its other fields are read when they are selected.
type System struct {
	Version string
	Commit  string
}

// JobQueue counts the unfinished jobs of a queue.
type JobQueue struct {
	Name            string
	Waiting         int
	Running         int
	Retrying        int
	Scheduled       int
	OldestWaitingAt *time.Time
}

// SystemStorage is what all workspaces together store, and the limits of uploads. A nil limit is none.
type SystemStorage struct {
	Bytes               int64
	VideoBytes          int64
	AudioBytes          int64
	ImageBytes          int64
	MouseBytes          int64
	ExportBytes         int64
	ExtractBytes        int64
	CatalogBytes        int64
	WorkspaceLimitBytes *int64
	UploadLimitBytes    *int64
}

// Disk is the space of a disk.
type Disk struct {
	TotalBytes   int64
	FreeBytes    int64
	ReserveBytes int64
}

// Finding is the result of one check of the server's surroundings.
type Finding struct {
	Name     string
	State    FindingState
	Message  string
	Remedies []string
}
