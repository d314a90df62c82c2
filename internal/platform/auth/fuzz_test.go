package auth

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzWellFormed reads anything as a key: what it takes for one has the shape of one.
func FuzzWellFormed(f *testing.F) {
	for _, seed := range []string{"", KeyPrefix, NewKey().Plain, NewKey().Plain + "x", "reel_pk_" + strings.Repeat("é", 16)} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, plain string) {
		require.Equal(t, len(plain) == len(KeyPrefix)+keyRandom && strings.HasPrefix(plain, KeyPrefix) &&
			strings.Trim(plain[len(KeyPrefix):], keyAlphabet) == "", WellFormed(plain))
		require.Len(t, HashKey(plain), 32)
	})
}

// FuzzPasswordHash reads anything as a stored hash: none opens a door, and none costs more than a hash may.
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
