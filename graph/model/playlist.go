package model

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/rivo/uniseg"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// CreatePlaylistInput creates a playlist.
type CreatePlaylistInput struct {
	Name                        string                                `json:"name" check:"required,chars=1..255,notblank"`
	Description                 graphql.Omittable[*string]            `json:"description" check:"chars=..5000"`
	Emoji                       graphql.Omittable[*string]            `json:"emoji" check:"chars=1..10"`
	LinkScope                   graphql.Omittable[*values.LinkScope]  `json:"linkScope"`
	Password                    graphql.Omittable[*string]            `json:"password"`
	SearchEngineIndexingEnabled graphql.Omittable[*bool]              `json:"searchEngineIndexingEnabled"`
	Visibility                  graphql.Omittable[*values.Visibility] `json:"visibility"`
}

// Check implements input.Checker: the rules that tags cannot express.
func (in *CreatePlaylistInput) Check() []fault.Field {
	return append(emojiRule(in.Emoji), passwordRule(in.LinkScope, in.Password)...)
}

// UpdatePlaylistInput changes a playlist. At least one field must be given.
type UpdatePlaylistInput struct {
	_ struct{} `check:"some"`

	Name                        graphql.Omittable[*string]           `json:"name" check:"chars=1..255,notblank"`
	Description                 graphql.Omittable[*string]           `json:"description" check:"chars=..5000"`
	Emoji                       graphql.Omittable[*string]           `json:"emoji" check:"nullable,chars=1..10"`
	LinkScope                   graphql.Omittable[*values.LinkScope] `json:"linkScope"`
	Password                    graphql.Omittable[*string]           `json:"password"`
	SearchEngineIndexingEnabled graphql.Omittable[*bool]             `json:"searchEngineIndexingEnabled"`
	GroupID                     graphql.Omittable[*string]           `json:"groupId" check:"nullable,chars=1.."`
	Position                    graphql.Omittable[*int]              `json:"position" check:"min=0"`
}

// Check implements input.Checker: the rules that tags cannot express.
func (in *UpdatePlaylistInput) Check() []fault.Field {
	return append(emojiRule(in.Emoji), passwordRule(in.LinkScope, in.Password)...)
}

// CreatePlaylistGroupInput creates a group of playlists.
type CreatePlaylistGroupInput struct {
	Name       string                                `json:"name" check:"required,chars=1..255,notblank"`
	Emoji      graphql.Omittable[*string]            `json:"emoji" check:"chars=1..10"`
	Visibility graphql.Omittable[*values.Visibility] `json:"visibility"`
}

// Check implements input.Checker: the rules that tags cannot express.
func (in *CreatePlaylistGroupInput) Check() []fault.Field { return emojiRule(in.Emoji) }

// UpdatePlaylistGroupInput changes a group of playlists. At least one field must be given.
type UpdatePlaylistGroupInput struct {
	_ struct{} `check:"some"`

	Name     graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
	Emoji    graphql.Omittable[*string] `json:"emoji" check:"nullable,chars=1..10"`
	Position graphql.Omittable[*int]    `json:"position" check:"min=0"`
}

// Check implements input.Checker: the rules that tags cannot express.
func (in *UpdatePlaylistGroupInput) Check() []fault.Field { return emojiRule(in.Emoji) }

// emojiRule requires an emoji to be one visible character, however many code points it has.
func emojiRule(in graphql.Omittable[*string]) []fault.Field {
	emoji := in.Value()
	if emoji == nil || uniseg.GraphemeClusterCount(*emoji) == 1 && pictorial(*emoji) {
		return nil
	}

	return []fault.Field{{Path: "emoji", Rule: "must be one emoji", Of: []string{"emoji"}}}
}

// pictorial reports whether a character is an emoji: a symbol, including the Unicode blocks that get new emoji; a
// keycap; or a character with the emoji variation selector.
func pictorial(character string) bool {
	const (
		asEmoji, joiner, keycap = "\uFE0F", "\u200D", "\u20E3"
		firstBlock, lastBlock   = 0x1F000, 0x1FAFF
	)

	first, size := utf8.DecodeRuneInString(character)
	rest := character[size:]
	bare := strings.TrimSuffix(rest, asEmoji)

	switch {
	case strings.HasSuffix(bare, joiner):
		return false
	case unicode.Is(unicode.Regional_Indicator, first):
		second, whole := utf8.DecodeRuneInString(bare) // a flag consists of two letters

		return unicode.Is(unicode.Regional_Indicator, second) && len(bare) == whole
	case first >= firstBlock && first <= lastBlock, unicode.Is(unicode.So, first):
		return true
	case strings.ContainsRune("0123456789#*", first):
		return strings.HasSuffix(rest, keycap)
	default:
		return rest == asEmoji && (unicode.IsPunct(first) || unicode.IsSymbol(first) || first == 'ℹ')
	}
}

// passwordRule requires a password for the link scope password. With any other scope the password is ignored, because
// forms send an empty one.
func passwordRule(scope graphql.Omittable[*values.LinkScope], password graphql.Omittable[*string]) []fault.Field {
	if s := scope.Value(); s == nil || *s != values.LinkScopePassword {
		return nil
	}

	if password.Value() != nil {
		return PasswordFaults(*password.Value())
	}

	return []fault.Field{{Path: "password", Rule: "is required when linkScope is password", Of: []string{"linkScope", "password"}}}
}

// PlaylistLinks holds the addresses of a playlist's page.
type PlaylistLinks struct {
	ViewPage string
}

// maxPassword is the largest number of characters in the password of a page.
const maxPassword = 255

// PasswordFaults checks a new password for a page and returns its faults.
func PasswordFaults(password string) []fault.Field {
	if n := utf8.RuneCountInString(password); n < 1 || n > maxPassword {
		return []fault.Field{{Path: "password", Rule: fmt.Sprintf("must have 1 to %d characters", maxPassword)}}
	}

	return nil
}
