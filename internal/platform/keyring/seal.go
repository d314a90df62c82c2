// Package keyring encrypts small values with the server's secret: stored webhook secrets, stored responses
// and cursors. Each purpose has its own key, so that a value of one purpose cannot be opened for another.
package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrOpen means that Open got a value that the box did not seal, or that was changed after it was sealed.
var ErrOpen = errors.New("seal: the value was not sealed by this server for this purpose, or was changed")

// Box encrypts values with its newest secret and decrypts them with any of its secrets. The zero value cannot
// encrypt.
type Box struct {
	aeads []cipher.AEAD

	steady cipher.AEAD // derived from the newest secret, for nonces of our own
	nonces []byte      // the key of those nonces
}

// NewBox returns the Box for one purpose. The first secret is the newest.
func NewBox(purpose string, secrets ...[]byte) (Box, error) {
	if len(secrets) == 0 {
		return Box{}, errors.New("seal: the list of secrets is empty")
	}

	box := Box{aeads: make([]cipher.AEAD, len(secrets))}

	for i, secret := range secrets {
		key, err := Key(purpose, secret)
		if err != nil {
			return Box{}, err
		}

		block, err := aes.NewCipher(key)
		if err != nil {
			return Box{}, fmt.Errorf("seal %s: %w", purpose, err)
		}

		if box.aeads[i], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return Box{}, fmt.Errorf("seal %s: %w", purpose, err)
		}

		if i > 0 {
			continue
		}

		if box.steady, err = cipher.NewGCM(block); err != nil {
			return Box{}, fmt.Errorf("seal %s: %w", purpose, err)
		}

		if box.nonces, err = Key(purpose+" nonces", secret); err != nil {
			return Box{}, err
		}
	}

	return box, nil
}

// Key derives the 32-byte key of a purpose from a secret.
func Key(purpose string, secret []byte) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "reelgraph "+purpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", purpose, err)
	}

	return key, nil
}

// NewSecret returns a secret of 256 random bits.
func NewSecret() []byte {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails: crypto/rand aborts the program instead

	return secret
}

// Seal encrypts plain and binds the result to about. Open must get the same about to decrypt the result.
func (b Box) Seal(plain, about []byte) []byte {
	return b.aeads[0].Seal(nil, nil, plain, about) //nolint:gosec // the nonce is random, and part of the result
}

// SealSteady is like Seal, but gives equal results for equal input, so an observer of two results learns whether
// their contents are equal, and nothing else. The nonce is derived from the content, so different contents have
// different nonces.
func (b Box) SealSteady(plain, about []byte) []byte {
	mac := hmac.New(sha256.New, b.nonces)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(about))))
	mac.Write(about)
	mac.Write(plain)

	nonce := mac.Sum(nil)[:b.steady.NonceSize()]

	return b.steady.Seal(nonce, nonce, plain, about)
}

// Open decrypts a value that Seal or SealSteady returned for the same about. For any other value it returns ErrOpen.
func (b Box) Open(sealed, about []byte) ([]byte, error) {
	for _, aead := range b.aeads {
		if plain, err := aead.Open(nil, nil, sealed, about); err == nil {
			return plain, nil
		}
	}

	return nil, ErrOpen
}
