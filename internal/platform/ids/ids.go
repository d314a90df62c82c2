// Package ids creates and checks resource ids: a short type prefix, an underscore and a lower-case ULID. Ids
// of one type sort by creation time.
package ids

import (
	"crypto/rand"
	"strings"

	"github.com/oklog/ulid/v2"
)

// Kind is the type of an id, written as the id's prefix.
type Kind string

// The kinds, one for each table. The prefix is part of the public contract and never changes.
const (
	Workspace      Kind = "ws"
	User           Kind = "usr"
	Membership     Kind = "mem"
	Invitation     Kind = "inv"
	PasswordReset  Kind = "prs"
	APIKey         Kind = "key"
	Session        Kind = "ses"
	Preferences    Kind = "prf"
	Video          Kind = "vid"
	Clip           Kind = "cl"
	Effect         Kind = "fx"
	Source         Kind = "su"
	Word           Kind = "wd"
	Transcript     Kind = "tr"
	Chapter        Kind = "ch"
	Export         Kind = "exp"
	ExportChunk    Kind = "chk"
	Extract        Kind = "st"
	Playlist       Kind = "pl"
	PlaylistVideo  Kind = "plv"
	PlaylistGroup  Kind = "pg"
	Tag            Kind = "tag"
	VideoTag       Kind = "vtg"
	Collaborator   Kind = "col"
	Comment        Kind = "cmt"
	LibraryItem    Kind = "lib"
	Endpoint       Kind = "ep"
	Message        Kind = "msg"
	Delivery       Kind = "dlv"
	Attempt        Kind = "att"
	IdempotencyKey Kind = "idk"
	ServerSecret   Kind = "sec"
	Certificate    Kind = "crt"
	ViewSession    Kind = "vs"
	PlaybackEvent  Kind = "pev"
	ViewRollup     Kind = "rol"
	DemoRun        Kind = "dmo"
)

// ulidLength is the number of characters after the underscore.
const ulidLength = 26

// New returns a new id of the kind. It never returns the same id twice.
func New(kind Kind) string {
	id := ulid.MustNew(ulid.Now(), rand.Reader)

	return string(kind) + "_" + strings.ToLower(id.String())
}

// Is reports whether the id has the format of the kind. It does not check that the id exists: a malformed id and an
// unknown id lead to the same response.
func Is(kind Kind, id string) bool {
	tail, found := strings.CutPrefix(id, string(kind)+"_")

	return found && isULID(tail)
}

// KindOf returns the kind of an id, and false when the string is not an id.
func KindOf(id string) (Kind, bool) {
	prefix, tail, found := strings.Cut(id, "_")
	if !found || prefix == "" || !isULID(tail) {
		return "", false
	}

	return Kind(prefix), true
}

// isULID is stricter than the library: it accepts only lower case, so that each row has one spelling of its
// id.
func isULID(s string) bool {
	if len(s) != ulidLength || s[0] > '7' {
		return false
	}

	for _, c := range []byte(s) {
		digit := c >= '0' && c <= '9'
		letter := c >= 'a' && c <= 'z' && c != 'i' && c != 'l' && c != 'o' && c != 'u'

		if !digit && !letter {
			return false
		}
	}

	return true
}
