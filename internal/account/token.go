package account

import (
	"crypto/rand"
	"encoding/base64"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// How long links can be used.
const (
	InvitationLasts = 7 * 24 * time.Hour
	ResetLasts      = time.Hour
)

// The prefixes tell the log what to redact, and people what kind of token they have.
const (
	invitationPrefix = "reel_iv_"
	resetPrefix      = "reel_rs_"
	welcomePrefix    = "reel_wl_"
	tokenBytes       = 32
)

// Token is the secret in a link that can be used once. Only its hash is stored.
type Token struct {
	Plain string
	Hash  []byte
}

// NewInvitationToken creates the token of an invitation's link.
func NewInvitationToken() Token { return newToken(invitationPrefix) }

func newToken(prefix string) Token {
	random := make([]byte, tokenBytes)
	rand.Read(random) // cannot fail: the runtime aborts instead

	plain := prefix + base64.RawURLEncoding.EncodeToString(random)

	return Token{Plain: plain, Hash: auth.HashKey(plain)}
}

// now returns the present time with the precision that is stored.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
