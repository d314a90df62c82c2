// Package cursor seals where the next page of a list begins, so that a client can neither read nor alter it.
package cursor

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// Age is how long a walk may take: the touch log is kept as long.
const Age = 24 * time.Hour

const version = 1

// Cursor is what a list's cursor seals: where the next page begins, and of which walk.
type Cursor struct {
	Version int    `json:"v"`
	MadeMs  int64  `json:"m"`           // when the walk began
	AtMs    int64  `json:"t"`           // the time of the last item's position, or its order
	Key     string `json:"k,omitempty"` // the last item's order, where that is a text
	Z       int64  `json:"z,omitempty"` // of effects that begin at one time
	ID      string `json:"i"`           // the last item
	Walk    string `json:"s,omitempty"` // the database snapshot of the first page
	Class   int    `json:"c,omitempty"` // of the last item, where classes go before its position
}

// Behind is a cursor behind a row of a list in the order of a column of numbers or texts.
func Behind(column any, id string) Cursor {
	c := Cursor{ID: id}

	switch v := column.(type) {
	case int64:
		c.AtMs = v
	case string:
		c.Key = v
	}

	return c
}

// Column is the value of the column behind which the list goes on.
func (c Cursor) Column() any {
	if c.Key != "" {
		return c.Key
	}

	return c.AtMs
}

// Seal makes a cursor opaque and bound to its list: of names the list and its filters. Equal cursors look the same.
func (c Cursor) Seal(box keyring.Box, of string) string {
	c.Version = version

	plain, err := json.Marshal(c)
	if err != nil {
		panic(err) // a struct of numbers and strings
	}

	return base64.RawURLEncoding.EncodeToString(box.SealSteady(plain, []byte(of)))
}

// Open reads a cursor of the list, if it was sealed for it and is not older than Age.
func Open(box keyring.Box, text, of string, now time.Time) (Cursor, bool) {
	c, ok := open(box, text, of)
	if !ok || now.Sub(time.UnixMilli(c.MadeMs)) > Age {
		return Cursor{}, false
	}

	return c, true
}

func open(box keyring.Box, text, of string) (c Cursor, ok bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return Cursor{}, false
	}

	plain, err := box.Open(sealed, []byte(of))
	if err != nil {
		return Cursor{}, false
	}

	ok = json.Unmarshal(plain, &c) == nil && c.Version == version

	return c, ok
}
