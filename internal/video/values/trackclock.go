package values

// TrackClock says when the first frames of a track were captured, so that tracks which were recorded together can be
// laid beside each other. All times are milliseconds of one clock that the tracks share.
type TrackClock struct {
	ID             string    `json:"id"` // the same for all tracks of one recording
	CaptureTimesMs []float64 `json:"captureTimesMs"`
	// StartedAtMs is when recording was started; nil when the recorder did not say.
	StartedAtMs *float64 `json:"startedAtMs,omitempty"`
	// FirstDeliveredIndex is the first of the captured frames that was delivered after that; nil is not known.
	FirstDeliveredIndex *int         `json:"firstDeliveredIndex,omitempty"`
	PausesMs            [][2]float64 `json:"pausesMs,omitempty"`
}

// UploadPart is one of the files that an upload is put together from.
type UploadPart struct {
	ID      string `json:"id"`
	BlobKey string `json:"blobKey"`
	Bytes   int64  `json:"bytes"`
}
