package analytics

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// tokenLife is how long a page may stay open without a report before it must be reloaded.
const tokenLife = 6 * time.Hour

// pass is the content of a view token: one page view of one video by one viewer.
type pass struct {
	Session  string `json:"s"`
	Video    string `json:"v"`
	OpenedMs int64  `json:"o"`
	EndsMs   int64  `json:"e"`
	Referrer string `json:"r,omitempty"` // the registrable domain of the referring page
	First    int64  `json:"f,omitempty"` // the number of the report that opened the session again
}

// Tokens creates the view tokens of pages. No other kind of token may use the same purpose for its Box.
type Tokens struct {
	Box  keyring.Box
	Host string // of this server's own pages, which do not count as referrers
}

// Open creates the token for a page view that begins now. referrer is the Referer header of the page's request and may
// be empty.
func (t Tokens) Open(videoID, referrer string, now time.Time) string {
	return t.write(pass{
		Session: ids.New(ids.ViewSession), Video: videoID, OpenedMs: now.UnixMilli(), Referrer: registrable(referrer, t.Host),
	}, now)
}

// write encrypts a pass with a new expiry.
func (t Tokens) write(p pass, now time.Time) string {
	p.EndsMs = now.Add(tokenLife).UnixMilli()

	plain, err := json.Marshal(p)
	if err != nil {
		panic(err) // a struct of numbers and strings cannot fail
	}

	return base64.RawURLEncoding.EncodeToString(t.Box.Seal(plain, nil))
}

// read decrypts a token. It returns the same error for every invalid token.
func (t Tokens) read(text string, now time.Time) (pass, error) {
	var p pass

	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return p, badToken(err)
	}

	plain, err := t.Box.Open(sealed, nil)
	if err != nil {
		return p, badToken(err)
	}

	if err := json.Unmarshal(plain, &p); err != nil {
		return p, badToken(err)
	}

	if now.UnixMilli() > p.EndsMs {
		return p, badToken(nil)
	}

	return p, nil
}

func badToken(cause error) error {
	return fault.Forbidden("The view token is invalid or has expired. Open the page again.").Because(cause)
}
