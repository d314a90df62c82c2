package auth

import (
	"crypto/rand"
	"crypto/sha256"
)

// KeyPrefix starts every API key: the service, then the key's type.
const KeyPrefix = "reel_pk_"

const (
	keyRandom   = 32
	keyAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// Key is an API key as its owner sees it, once.
type Key struct {
	Plain string // shown once, never stored
	Hash  []byte // SHA-256 of Plain: what is stored and looked up
	Last4 string // kept for display
}

// NewKey makes a key of 190 random bits.
func NewKey() Key {
	plain := make([]byte, 0, len(KeyPrefix)+keyRandom)
	plain = append(plain, KeyPrefix...)

	for len(plain) < cap(plain) {
		var b [1]byte

		rand.Read(b[:]) // never fails: the runtime aborts instead

		// Bytes past the last whole alphabet are thrown away, or the first letters would be likelier.
		if int(b[0]) < 256-256%len(keyAlphabet) {
			plain = append(plain, keyAlphabet[int(b[0])%len(keyAlphabet)])
		}
	}

	return Key{Plain: string(plain), Hash: HashKey(string(plain)), Last4: string(plain[len(plain)-4:])}
}

// HashKey returns what a key is stored under. A slow hash would add nothing to 190 random bits.
func HashKey(plain string) []byte {
	sum := sha256.Sum256([]byte(plain))

	return sum[:]
}
