// Package signedurl creates and checks addresses that work without an API key: for uploads, downloads and watch
// pages. The path of an address determines what the address allows, and is signed.
package signedurl

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

// Purpose is what an address may be used for. An address signed for another purpose is refused.
type Purpose string

// The purposes.
const (
	Upload   Purpose = "upload"
	Download Purpose = "download"
	Media    Purpose = "media"
	Still    Purpose = "still"
	Watch    Purpose = "watch"
	Page     Purpose = "page"
)

// Book creates the signed and public addresses of one server.
type Book struct {
	BaseURL string // without a slash at the end
	Signer  *blob.Signer
}

// Invitation returns the address at which a person accepts an invitation. The token is in the fragment of the URL:
// browsers do not send it to a server, so no log contains it.
func (b Book) Invitation(token string) string { return b.BaseURL + "/invite#" + token }

// Welcome returns the address where the first owner sets up the server. The token is in the fragment.
func (b Book) Welcome(token string) string { return b.BaseURL + "/welcome#" + token }

// PasswordReset returns the address where a person sets a new password. The token is in the fragment.
func (b Book) PasswordReset(token string) string { return b.BaseURL + "/reset#" + token }

// Upload returns the address to which the bytes of a source are sent.
func (b Book) Upload(sourceID string, until time.Time) string {
	return b.sign(Upload, "/uploads/"+sourceID, until)
}

// Download returns the address of the file of a finished export.
func (b Book) Download(exportID string, until time.Time) string {
	return b.sign(Download, "/downloads/"+exportID, until)
}

// Media returns the address from which the bytes of a source are played.
func (b Book) Media(sourceID string, until time.Time) string {
	return b.sign(Media, "/media/"+sourceID, until)
}

// SavedMedia is like Media, but a browser saves the file instead of playing it.
func (b Book) SavedMedia(sourceID string, until time.Time) string {
	return b.Media(sourceID, until) + "&" + SaveParam + "=true"
}

// Watch returns the address at which pages play the film of a finished export.
func (b Book) Watch(exportID string, until time.Time) string {
	return b.sign(Watch, "/watch/"+exportID, until)
}

// PagePart returns the address of a part of a video, such as its captions, for a page that was opened with
// access to it.
func (b Book) PagePart(videoID, name string, until time.Time) string {
	return b.sign(Page, "/video/"+videoID+"/"+name, until)
}

// Still returns the address of a thumbnail of a video, or of the picture of a person. version changes whenever it may
// show something else, so that browsers may keep what they have read. size and format are values of the API, such as
// small and jpg.
func (b Book) Still(id, version, size, format string, until time.Time) string {
	return b.sign(Still, fmt.Sprintf("/stills/%s/%s/%s.%s", id, version, size, format), until)
}

// Extract returns the address of one file of an extract, such as a waveform. If save is true, a browser saves the
// file.
func (b Book) Extract(extractID, file string, save bool, until time.Time) string {
	at := b.sign(Still, "/stills/"+extractID+"/"+file, until)
	if save {
		at += "&" + SaveParam + "=true"
	}

	return at
}

// SaveParam is the query parameter that makes a browser save a file. It is not signed, because it gives no access.
const SaveParam = "download"

// Catalog returns the address of the file of a default background or sound. It is stable and unsigned,
// because everybody may read it.
func (b Book) Catalog(itemID string) string { return b.BaseURL + catalogPath + itemID }

// CatalogPreview returns the address of a small picture of a catalog item.
func (b Book) CatalogPreview(itemID string) string { return b.Catalog(itemID) + "/preview" }

// CatalogItem returns the id of the catalog item whose file is at the address. It returns false unless the address is
// exactly one that Catalog returns.
func (b Book) CatalogItem(address string) (string, bool) {
	return strings.CutPrefix(address, b.BaseURL+catalogPath)
}

const catalogPath = "/catalog/"

// Check returns nil if this server made the address for the purpose and it has not expired. Otherwise it
// returns blob.ErrBadSignature or blob.ErrExpired.
func (b Book) Check(purpose Purpose, u *url.URL, now time.Time) error {
	if err := b.Signer.VerifyAddress(string(purpose), u, now); err != nil {
		return fmt.Errorf("%s address: %w", purpose, err)
	}

	return nil
}

// ViewPage returns the address of a video's watch page.
func (b Book) ViewPage(videoID string) string { return b.BaseURL + "/video/" + videoID + "/view" }

// EmbedPage returns the address of the page that other sites embed for a video.
func (b Book) EmbedPage(videoID string) string { return b.BaseURL + "/video/" + videoID + "/embed" }

// PlaylistEmbedPage returns the address of the page that other sites embed for a playlist.
func (b Book) PlaylistEmbedPage(playlistID string) string {
	return b.BaseURL + "/playlist/" + playlistID + "/embed"
}

// PlaylistPage returns the address of a playlist's watch page.
func (b Book) PlaylistPage(playlistID string) string {
	return b.BaseURL + "/playlist/" + playlistID + "/view"
}

// steadyFor is how long an address with the expiry of Steady stays the same.
const steadyFor = time.Hour

// Steady returns when an address expires that is accepted for at least the given time. Addresses that are made within the
// same hour expire at the same time, so they are equal, and a browser that has loaded one does not load it again.
func Steady(now time.Time, atLeast time.Duration) time.Time {
	return now.Truncate(steadyFor).Add(steadyFor + atLeast)
}

func (b Book) sign(purpose Purpose, path string, until time.Time) string {
	return b.BaseURL + b.Signer.Address(string(purpose), path, until)
}
