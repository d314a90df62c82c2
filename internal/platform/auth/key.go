package auth

import (
	"crypto/rand"
	"crypto/sha256"
)

// KeyPrefix starts every API key.
const KeyPrefix = "reel_pk_"

const (
	keyRandom   = 32
	keyAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// Key is a new API key. Its owner sees it only once.
type Key struct {
	Plain string // shown once, never stored
	Hash  []byte // SHA-256 of Plain: what is stored and looked up
	Last4 string // kept for display
}

// NewKey creates a key with 190 random bits.
func NewKey() Key {
	plain := make([]byte, 0, len(KeyPrefix)+keyRandom)
	plain = append(plain, KeyPrefix...)

	for len(plain) < cap(plain) {
		var b [1]byte

		rand.Read(b[:]) // never fails: crypto/rand aborts the program instead

		// Discard bytes beyond the last whole alphabet; otherwise the first letters would be more likely.
		if int(b[0]) < 256-256%len(keyAlphabet) {
			plain = append(plain, keyAlphabet[int(b[0])%len(keyAlphabet)])
		}
	}

	return Key{Plain: string(plain), Hash: HashKey(string(plain)), Last4: string(plain[len(plain)-4:])}
}

// HashKey returns the hash under which a key is stored. A key has 190 random bits, so a slow hash would not make it
// safer.
func HashKey(plain string) []byte {
	sum := sha256.Sum256([]byte(plain))

	return sum[:]
}
