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

// CreatePlaylistInput makes a playlist.
type CreatePlaylistInput struct {
	Name                        string                                `json:"name" check:"required,chars=1..255,notblank"`
	Description                 graphql.Omittable[*string]            `json:"description" check:"chars=..5000"`
	Emoji                       graphql.Omittable[*string]            `json:"emoji" check:"chars=1..10"`
	LinkScope                   graphql.Omittable[*values.LinkScope]  `json:"linkScope"`
	Password                    graphql.Omittable[*string]            `json:"password"`
	SearchEngineIndexingEnabled graphql.Omittable[*bool]              `json:"searchEngineIndexingEnabled"`
	Visibility                  graphql.Omittable[*values.Visibility] `json:"visibility"`
}

// Check implements input.Checker: the rules no tag can say.
func (in *CreatePlaylistInput) Check() []fault.Field {
	return append(emojiRule(in.Emoji), passwordRule(in.LinkScope, in.Password)...)
}

// UpdatePlaylistInput changes a playlist. At least one field is given.
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

// Check implements input.Checker: the rules no tag can say.
func (in *UpdatePlaylistInput) Check() []fault.Field {
	return append(emojiRule(in.Emoji), passwordRule(in.LinkScope, in.Password)...)
}

// CreatePlaylistGroupInput makes a group of playlists.
type CreatePlaylistGroupInput struct {
	Name       string                                `json:"name" check:"required,chars=1..255,notblank"`
	Emoji      graphql.Omittable[*string]            `json:"emoji" check:"chars=1..10"`
	Visibility graphql.Omittable[*values.Visibility] `json:"visibility"`
}

// Check implements input.Checker: the rules no tag can say.
func (in *CreatePlaylistGroupInput) Check() []fault.Field { return emojiRule(in.Emoji) }

// UpdatePlaylistGroupInput changes a group of playlists. At least one field is given.
type UpdatePlaylistGroupInput struct {
	_ struct{} `check:"some"`

	Name     graphql.Omittable[*string] `json:"name" check:"chars=1..255,notblank"`
	Emoji    graphql.Omittable[*string] `json:"emoji" check:"nullable,chars=1..10"`
	Position graphql.Omittable[*int]    `json:"position" check:"min=0"`
}

// Check implements input.Checker: the rules no tag can say.
func (in *UpdatePlaylistGroupInput) Check() []fault.Field { return emojiRule(in.Emoji) }

// emojiRule holds an emoji to one character as people see it, however many code points that takes.
func emojiRule(in graphql.Omittable[*string]) []fault.Field {
	emoji := in.Value()
	if emoji == nil || uniseg.GraphemeClusterCount(*emoji) == 1 && pictorial(*emoji) {
		return nil
	}

	return []fault.Field{{Path: "emoji", Rule: "must be one emoji", Of: []string{"emoji"}}}
}

// pictorial tells emoji from other characters: symbols, with the blocks that each version of Unicode adds emoji to, the
// keycaps, and signs that are asked to be shown as emoji.
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
		second, whole := utf8.DecodeRuneInString(bare) // a flag is spelled with two letters

		return unicode.Is(unicode.Regional_Indicator, second) && len(bare) == whole
	case first >= firstBlock && first <= lastBlock, unicode.Is(unicode.So, first):
		return true
	case strings.ContainsRune("0123456789#*", first):
		return strings.HasSuffix(rest, keycap)
	default:
		return rest == asEmoji && (unicode.IsPunct(first) || unicode.IsSymbol(first) || first == 'ℹ')
	}
}

// passwordRule demands the password of a link scope that is nothing without one. Beside another scope it is not read: forms
// send it empty.
func passwordRule(scope graphql.Omittable[*values.LinkScope], password graphql.Omittable[*string]) []fault.Field {
	if s := scope.Value(); s == nil || *s != values.LinkScopePassword {
		return nil
	}

	if password.Value() != nil {
		return PasswordFaults(*password.Value())
	}

	return []fault.Field{{Path: "password", Rule: "is required where a password opens the link", Of: []string{"linkScope", "password"}}}
}

// PlaylistLinks are where people watch a playlist.
type PlaylistLinks struct {
	ViewPage string
}

// maxPassword is how many characters the password of a page has at most.
const maxPassword = 255

// PasswordFaults say what is wrong with the password of a page that is to be in force.
func PasswordFaults(password string) []fault.Field {
	if n := utf8.RuneCountInString(password); n < 1 || n > maxPassword {
		return []fault.Field{{Path: "password", Rule: fmt.Sprintf("must have 1 to %d characters", maxPassword)}}
	}

	return nil
}
