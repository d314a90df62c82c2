package values

// TrackClock holds the times at which the first frames of a track were captured. They are used to align tracks that
// were recorded together. These tracks share one clock, and all times are in milliseconds of that clock.
type TrackClock struct {
	ID             string    `json:"id"` // the same for all tracks of one recording
	CaptureTimesMs []float64 `json:"captureTimesMs"`
	// StartedAtMs is when recording started; nil if the recorder did not report it.
	StartedAtMs *float64 `json:"startedAtMs,omitempty"`
	// FirstDeliveredIndex is the index of the first captured frame delivered after StartedAtMs; nil if unknown.
	FirstDeliveredIndex *int         `json:"firstDeliveredIndex,omitempty"`
	PausesMs            [][2]float64 `json:"pausesMs,omitempty"`
}

// UploadPart is one of the files that make up an upload.
type UploadPart struct {
	ID      string `json:"id"`
	BlobKey string `json:"blobKey"`
	Bytes   int64  `json:"bytes"`
}
