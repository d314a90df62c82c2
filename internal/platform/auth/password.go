package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// These are OWASP's recommended argon2id parameters for interactive use: 19 MiB, two passes, one lane.
const (
	argonMemory  = 19 * 1024
	argonPasses  = 2
	argonLanes   = 1
	argonSalt    = 16
	argonSummary = 32
)

// Decoy is a hash that matches no known password and takes as long to check as any other. A sign-in to an unknown
// account checks the password against Decoy, so its refusal takes as long as that of a known account.
const Decoy = "$argon2id$v=19$m=19456,t=2,p=1$fiupzZwWXKt7lUZK/2xMDg$t6HN+Ylb7GJsFlRipNzvICUQjB2xtr0Vuo8rTolV0cw"

// HashPassword returns the argon2id hash of a password as it is stored. The hash text contains the parameters and the
// salt in the usual encoding, so that the parameters can be raised later.
func HashPassword(plain string) string {
	salt := make([]byte, argonSalt)
	rand.Read(salt) // never fails: crypto/rand aborts the program instead

	sum := derive(plain, salt, argonPasses, argonMemory, argonLanes, argonSummary)
	enc := base64.RawStdEncoding

	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonLanes,
		enc.EncodeToString(salt), enc.EncodeToString(sum))
}

// PasswordMatches reports whether the hash is that of the password. An empty or malformed hash matches no password.
func PasswordMatches(hash, plain string) bool {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false
	}

	var (
		version int
		memory  uint32
		passes  uint32
		lanes   uint8
	)

	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false
	}

	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &lanes); err != nil {
		return false
	}

	if memory > 4*argonMemory || passes < 1 || passes > 4*argonPasses || lanes < 1 || lanes > 4*argonLanes {
		return false // its parameters exceed those of every hash we ever made
	}

	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false
	}

	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) != argonSummary {
		return false
	}

	got := derive(plain, salt, passes, memory, lanes, uint32(len(want)))

	return subtle.ConstantTimeCompare(got, want) == 1
}

// derive runs argon2id. It waits for a free turn first.
func derive(plain string, salt []byte, passes, memory uint32, lanes uint8, length uint32) (sum []byte) {
	hashing.take(func() { sum = argon2.IDKey([]byte(plain), salt, passes, memory, lanes, length) })

	return sum
}
