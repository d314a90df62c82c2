package auth

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPasswordHash uses arbitrary text as a stored hash: none matches a password, and none costs more than the
// allowed maximum.
func FuzzPasswordHash(f *testing.F) {
	for _, seed := range []string{
		"", Decoy, "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=4294967295,t=4294967295,p=255$AAAA$AAAA",
		"$argon2id$v=19$m=0,t=0,p=0$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$$", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA",
	} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, hash string) {
		require.False(t, PasswordMatches(hash, "a password that nobody hashed"))
	})
}
