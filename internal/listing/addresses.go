package listing

import (
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
)

const (
	// showingHour is the unit to which expiry times of a page's addresses are rounded, so that browsers can cache the
	// files. showingLasts is how long after that the addresses stay valid.
	showingHour  = time.Hour
	showingLasts = 7 * time.Hour
)

// How long signed addresses are accepted. Those of pictures are accepted for up to an hour more (see signedurl.Steady).
const (
	UploadSigned   = time.Hour
	DownloadSigned = 24 * time.Hour
	mediaSigned    = 24 * time.Hour
	stillSigned    = time.Hour
)

// MediaURL returns the address of the bytes of a picture, loop or sound that is not a recording, such as a background.
func (svc *Service) MediaURL(sourceID string) string {
	return svc.Addresses.Media(sourceID, signedurl.Steady(svc.Store.Now(), mediaSigned))
}

// ShowingUntil returns when the signed addresses on a page expire if the page is opened now.
func (svc Rights) ShowingUntil() time.Time {
	return svc.Store.Now().Truncate(showingHour).Add(showingLasts)
}
