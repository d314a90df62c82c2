package listing

import "time"

const (
	// showingHour is the unit to which expiry times of a page's addresses are rounded, so that browsers can cache the
	// files. showingLasts is how long after that the addresses stay valid.
	showingHour  = time.Hour
	showingLasts = 7 * time.Hour
)

// How long signed addresses are accepted.
const (
	UploadSigned   = time.Hour
	DownloadSigned = 24 * time.Hour
	MediaSigned    = 24 * time.Hour
	stillSigned    = time.Hour
)
