// Package cursor writes the position of the next page of a list as an encrypted text, so that a client can neither
// read nor change it.
package cursor

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// Age is how long a cursor is valid. The touch log, which stores the earlier positions of edited rows, is kept for the
// same time.
const Age = 24 * time.Hour

const version = 1

// Cursor is the content of a list's cursor: where the next page begins, and the database snapshot of the first page.
type Cursor struct {
	Version int    `json:"v"`
	MadeMs  int64  `json:"m"`           // when the first page was read
	AtMs    int64  `json:"t"`           // the position of the last item: a time or an order
	Key     string `json:"k,omitempty"` // the last item's order where that is a text
	Z       int64  `json:"z,omitempty"` // breaks ties among effects that begin at the same time
	ID      string `json:"i"`           // the id of the last item
	Walk    string `json:"s,omitempty"` // the database snapshot of the first page
	Class   int    `json:"c,omitempty"` // the class of the last item, for lists that sort by class first
}

// Behind returns a cursor for the position after a row of a list. id is the id of the row. column is the value of the
// row in the column by which the list is sorted. It must be an int64, a string or a time.
func Behind(column any, id string) Cursor {
	c := Cursor{ID: id}

	switch v := column.(type) {
	case int64:
		c.AtMs = v
	case string:
		c.Key = v
	case time.Time:
		c.AtMs = v.UnixMilli()
	}

	return c
}

// Column returns the value that the last row before the cursor has in the sort column of the list.
func (c Cursor) Column() any {
	if c.Key != "" {
		return c.Key
	}

	return c.AtMs
}

// Seal encrypts a cursor and binds it to its list. The parameter of identifies the list by its name and its filters.
// Equal cursors give equal results.
func (c Cursor) Seal(box keyring.Box, of string) string {
	c.Version = version

	plain, err := json.Marshal(c)
	if err != nil {
		panic(err) // a struct of numbers and strings always encodes
	}

	return base64.RawURLEncoding.EncodeToString(box.SealSteady(plain, []byte(of)))
}

// Open decrypts a cursor that Seal made. It returns false if the cursor belongs to another list or is older than Age.
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
