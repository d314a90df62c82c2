// Package ids makes and recognises the identifiers of every resource: a short type prefix, an
// underscore and a ULID in lower case, so that ids sort by creation within a type.
package ids

import (
	"crypto/rand"
	"strings"

	"github.com/oklog/ulid/v2"
)

// Kind is the prefix of an identifier and thereby its type.
type Kind string

// The kinds, one a table. The prefix is part of the public contract: it never changes.
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
	ViewSession    Kind = "vs"
	PlaybackEvent  Kind = "pev"
	ViewRollup     Kind = "rol"
)

// ulidLength is the number of characters behind the underscore.
const ulidLength = 26

// New returns a fresh identifier of the kind. Two calls never return the same one.
func New(kind Kind) string {
	id := ulid.MustNew(ulid.Now(), rand.Reader)

	return string(kind) + "_" + strings.ToLower(id.String())
}

// Is reports whether the identifier has the shape of the kind. It says nothing about existence:
// callers answer a malformed id exactly as an unknown one.
func Is(kind Kind, id string) bool {
	tail, found := strings.CutPrefix(id, string(kind)+"_")

	return found && isULID(tail)
}

// KindOf returns the kind an identifier claims to be, and false when it has no identifier's shape.
func KindOf(id string) (Kind, bool) {
	prefix, tail, found := strings.Cut(id, "_")
	if !found || prefix == "" || !isULID(tail) {
		return "", false
	}

	return Kind(prefix), true
}

// isULID is stricter than the library: lower case only, so that one row has one spelling.
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
