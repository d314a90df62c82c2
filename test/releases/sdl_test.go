package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const released = `
directive @nullClears on INPUT_FIELD_DEFINITION
interface Node { id: ID! }
type Query {
	video(id: ID!, first: Int = 20): Video
	pages: [Page!]!
	old: String @deprecated(reason: "Use video. Deprecated 2026-01-01, works until 2026-06-30.")
	thing: Node
}
type Video implements Node { id: ID!, name: String!, note: String, kind: Kind! }
type Clip implements Node { id: ID! }
type Page { number: Int! }
union Effect = Video | Clip
enum Kind { A B }
input Change { name: String, size: Int! = 1, kind: Kind, clear: String @nullClears }
input Choice @oneOf { a: String, b: String }
`

// Every breaking change is found, and no addition is reported.
func TestCompare(t *testing.T) {
	t.Parallel()

	before := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	after := time.Date(2026, time.August, 1, 0, 0, 0, 0, time.UTC)

	for _, c := range []struct {
		name, was, is string
		today         time.Time
		breaks        string // empty for none
	}{
		{"nothing", "", "", before, ""},
		{"a new field", "note: String,", "note: String, more: [Int],", before, ""},
		{"a new type and query", "thing: Node", "thing: Node, other: Other } type Other { x: Int", before, ""},
		{"a new optional argument", "first: Int = 20", "first: Int = 20, after: String", before, ""},
		{"a new optional field of a request", "size: Int! = 1", "size: Int! = 1, more: Int", before, ""},
		{"a new value", "{ A B }", "{ A B C }", before, ""},
		{"a new member", "Video | Clip", "Video | Clip | Page", before, ""},
		{"no longer nullable", "note: String,", "note: String!,", before, ""},
		{"a more specific type", "thing: Node", "thing: Clip", before, ""},
		{"no longer required", "size: Int! = 1", "size: Int = 1", before, ""},
		{"a proper deprecation", "note: String,", `note: String @deprecated(reason: "Use name. Deprecated 2026-01-01, works until 2026-06-30."),`, before, ""},
		{"removed after its notice", `old: String @deprecated(reason: "Use video. Deprecated 2026-01-01, works until 2026-06-30.")`, "", after, ""},

		{"a removed field", "note: String,", "", before, "Video.note was removed"},
		{"removed too early", `old: String @deprecated(reason: "Use video. Deprecated 2026-01-01, works until 2026-06-30.")`, "", before, "Query.old was removed"},
		{"a removed type", "Page", "Sheet", before, "type Page was removed"},
		{"null now", "name: String!,", "name: String,", before, "Video.name was String! and is String"},
		{"another type", "note: String,", "note: Int,", before, "Video.note was String and is Int"},
		{"no longer a list", "[Page!]!", "Page!", before, "Query.pages was [Page!]! and is Page!"},
		{"a removed argument", "(id: ID!, first: Int = 20)", "(id: ID!)", before, "Query.video(first:) was removed"},
		{"a new required argument", "first: Int = 20", "first: Int = 20, size: Int!", before, "Query.video(size:) is new and required"},
		{"another default", "first: Int = 20", "first: Int = 10", before, "Query.video(first:) was 20 when absent and is 10"},
		{"required now", "{ name: String,", "{ name: String!,", before, "Change.name was String and is String!"},
		{"a new required field of a request", "size: Int! = 1", "size: Int! = 1, more: Int!", before, "Change.more is new and required"},
		{"a removed field of a request", "kind: Kind, clear", "clear", before, "Change.kind was removed"},
		{"another meaning of null", " @nullClears }", " }", before, "Change.clear gained or lost @nullClears"},
		{"a removed value", "{ A B }", "{ A }", before, "Kind.B was removed"},
		{"a removed member", "Video | Clip", "Video", before, "Clip is no longer a member of Effect"},
		{"a removed interface", "Clip implements Node", "Clip", before, "Clip no longer implements Node"},
		{"several at once", "@oneOf {", "{", before, "Choice gained or lost @oneOf"},
		{"a deprecation without days", "note: String,", `note: String @deprecated(reason: "Use name."),`, before, "Video.note: the reason of @deprecated must end in"},
		{"a short notice", "note: String,", `note: String @deprecated(reason: "Deprecated 2026-01-01, works until 2026-02-01."),`, before, "Video.note works for less than 180 days"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, released, c.was)

			breaks, err := compare(released, strings.ReplaceAll(released, c.was, c.is), c.today)
			require.NoError(t, err)

			if c.breaks == "" {
				require.Empty(t, breaks)

				return
			}

			require.Contains(t, strings.Join(breaks, "\n"), c.breaks)
		})
	}
}
