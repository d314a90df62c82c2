package listing

import "time"

const (
	// showingHour is what the times of a page's addresses are rounded to, so that browsers know the files
	// again; showingLasts how long after it they are good.
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
