package analytics

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// tokenLife is how long a page may be open without a word before it has to be opened anew.
const tokenLife = 6 * time.Hour

// pass is what a view token says: one page, opened by one viewer on one video.
type pass struct {
	Session  string `json:"s"`
	Video    string `json:"v"`
	OpenedMs int64  `json:"o"`
	EndsMs   int64  `json:"e"`
	Referrer string `json:"r,omitempty"` // the registrable domain that led there
	First    int64  `json:"f,omitempty"` // the number of a report that opened the session anew
}

// Tokens makes the view tokens of pages. The box is of a purpose of its own.
type Tokens struct {
	Box  keyring.Box
	Host string // of our own pages, which refer to nobody
}

// Open makes the token of a page on the video that is opened now. referrer is the Referer header of
// the page's request, which may be empty.
func (t Tokens) Open(videoID, referrer string, now time.Time) string {
	return t.write(pass{
		Session: ids.New(ids.ViewSession), Video: videoID, OpenedMs: now.UnixMilli(), Referrer: registrable(referrer, t.Host),
	}, now)
}

// write seals a pass for another while.
func (t Tokens) write(p pass, now time.Time) string {
	p.EndsMs = now.Add(tokenLife).UnixMilli()

	plain, err := json.Marshal(p)
	if err != nil {
		panic(err) // a struct of numbers and strings
	}

	return base64.RawURLEncoding.EncodeToString(t.Box.Seal(plain, nil))
}

// read opens a token, or refuses it in one wording.
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
