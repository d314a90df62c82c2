package pages

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

const (
	// knownFor is how long a given password is remembered.
	knownFor = 12 * time.Hour
	// mostKnown is how many passwords are remembered.
	mostKnown = 30

	knownCookie = "reelgraph_opened"
)

// known is the content of a visitor's cookie: which passwords were given, and until when each counts.
type known struct {
	Opened  map[string]string `json:"o"`
	UntilMs int64             `json:"u"`
}

// visitors remembers in an encrypted cookie which passwords a visitor has given.
type visitors struct {
	box     keyring.Box
	clock   func() time.Time
	cookies account.Cookies
}

func (s *Server) visitors() visitors { return visitors{box: s.Box, clock: s.Clock, cookies: s.Cookies} }

// of returns the visitor of a page.
func (v visitors) of(r *http.Request, embed bool) model.Visitor {
	return model.Visitor{Knows: v.knows(r), Embedded: embed && embedded(r), Session: v.cookies.Reading(r)}
}

// embedded reports whether another page embeds this one, according to the browser's headers.
func embedded(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document":
		return false
	default:
		return true
	}
}

func (v visitors) cookieName() string {
	if v.cookies.Base.Scheme == "https" {
		return "__Host-" + knownCookie
	}

	return knownCookie
}

// knows returns the passwords that a visitor has given before.
func (v visitors) knows(r *http.Request) map[string]string {
	cookie, err := r.Cookie(v.cookieName())
	if err != nil {
		return nil
	}

	sealed, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return nil
	}

	plain, err := v.box.Open(sealed, nil)
	if err != nil {
		return nil
	}

	var k known
	if json.Unmarshal(plain, &k) != nil || v.clock().UnixMilli() > k.UntilMs {
		return nil
	}

	return k.Opened
}

// learn adds a password to those that the visitor has given, and updates the cookie, also for other pages.
func (v visitors) learn(w http.ResponseWriter, knows map[string]string, id, fingerprint string) (map[string]string, error) {
	now := maps.Clone(knows)
	if now == nil {
		now = map[string]string{}
	}

	for _, other := range slices.Sorted(maps.Keys(now)) {
		if len(now) >= mostKnown {
			delete(now, other)
		}
	}

	now[id] = fingerprint

	plain, err := json.Marshal(known{now, v.clock().Add(knownFor).UnixMilli()})
	if err != nil {
		return nil, fault.ServerError(err)
	}

	cookie := &http.Cookie{
		Name: v.cookieName(), Value: base64.RawURLEncoding.EncodeToString(v.box.Seal(plain, nil)), Path: "/",
		MaxAge: int(knownFor / time.Second), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}

	if v.cookies.Base.Scheme == "https" {
		cookie.Secure, cookie.Partitioned, cookie.SameSite = true, true, http.SameSiteNoneMode
	}

	http.SetCookie(w, cookie)

	return now, nil
}
