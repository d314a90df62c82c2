// Package signedurl makes and checks the addresses that work without a key: where bytes go in, where
// they come out, and where people watch. What an address allows is in its path, which is signed.
package signedurl

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
)

// Purpose is what an address may be used for: one signed for another purpose is refused.
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

// Book makes the addresses of one server.
type Book struct {
	BaseURL string // without a slash at the end
	Signer  *blob.Signer
}

// Invitation is where a person accepts. The token stands in the fragment, which no server and no log is sent.
func (b Book) Invitation(token string) string { return b.BaseURL + "/invite#" + token }

// PasswordReset is where a person sets a new password. The token stands in the fragment.
func (b Book) PasswordReset(token string) string { return b.BaseURL + "/reset#" + token }

// Upload is where the bytes of a source go.
func (b Book) Upload(sourceID string, until time.Time) string {
	return b.sign(Upload, "/uploads/"+sourceID, until)
}

// Download is where the file of a finished export is.
func (b Book) Download(exportID string, until time.Time) string {
	return b.sign(Download, "/downloads/"+exportID, until)
}

// Media is where the bytes of a source are shown from.
func (b Book) Media(sourceID string, until time.Time) string {
	return b.sign(Media, "/media/"+sourceID, until)
}

// SavedMedia is Media for whoever keeps the file.
func (b Book) SavedMedia(sourceID string, until time.Time) string {
	return b.Media(sourceID, until) + "&" + SaveParam + "=true"
}

// Watch is where pages play the film of a finished export.
func (b Book) Watch(exportID string, until time.Time) string {
	return b.sign(Watch, "/watch/"+exportID, until)
}

// PagePart is where a page that somebody was let in to finds more of a video, such as its captions.
func (b Book) PagePart(videoID, name string, until time.Time) string {
	return b.sign(Page, "/video/"+videoID+"/"+name, until)
}

// Chosen is the size of Still that is the picture which somebody has chosen for the video.
const Chosen = "chosen"

// Still is where a picture of a video is, as it was at a revision: size and format as in the
// contract, such as small and jpg.
func (b Book) Still(videoID string, revision int64, size, format string, until time.Time) string {
	return b.sign(Still, fmt.Sprintf("/stills/%s/%d/%s.%s", videoID, revision, size, format), until)
}

// Extract is where a file of an extract is. Saved, browsers do not show it.
func (b Book) Extract(extractID, file string, save bool, until time.Time) string {
	at := b.sign(Still, "/stills/"+extractID+"/"+file, until)
	if save {
		at += "&" + SaveParam + "=true"
	}

	return at
}

// SaveParam is the query parameter that has a browser save a file. It is not signed: it allows nothing.
const SaveParam = "download"

// Catalog is where the file of a default background or sound is: stable and unsigned, as it is
// everybody's.
func (b Book) Catalog(itemID string) string { return b.BaseURL + catalogPath + itemID }

// CatalogPreview is a small picture of it.
func (b Book) CatalogPreview(itemID string) string { return b.Catalog(itemID) + "/preview" }

// CatalogItem is the item whose file is at the address, if it is exactly one of Catalog.
func (b Book) CatalogItem(address string) (string, bool) {
	return strings.CutPrefix(address, b.BaseURL+catalogPath)
}

const catalogPath = "/catalog/"

// Check reports whether the address was made by this server for the purpose and has not expired. It
// returns blob.ErrBadSignature or blob.ErrExpired.
func (b Book) Check(purpose Purpose, u *url.URL, now time.Time) error {
	if err := b.Signer.VerifyAddress(string(purpose), u, now); err != nil {
		return fmt.Errorf("%s address: %w", purpose, err)
	}

	return nil
}

// ViewPage is where people watch a video.
func (b Book) ViewPage(videoID string) string { return b.BaseURL + "/video/" + videoID + "/view" }

// EmbedPage is what other sites show of a video.
func (b Book) EmbedPage(videoID string) string { return b.BaseURL + "/video/" + videoID + "/embed" }

// PlaylistEmbedPage is what other sites show of a playlist.
func (b Book) PlaylistEmbedPage(playlistID string) string {
	return b.BaseURL + "/playlist/" + playlistID + "/embed"
}

// PlaylistPage is where people watch a playlist.
func (b Book) PlaylistPage(playlistID string) string {
	return b.BaseURL + "/playlist/" + playlistID + "/view"
}

func (b Book) sign(purpose Purpose, path string, until time.Time) string {
	return b.BaseURL + b.Signer.Address(string(purpose), path, until)
}
