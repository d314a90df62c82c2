package webhook

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/platform/keyring"
)

// Vault encrypts signing secrets for storage. A secret that was encrypted for one endpoint cannot be decrypted for
// another.
type Vault struct{ box keyring.Box }

// NewVault creates a Vault from the server's secrets. The first secret encrypts. All of them can decrypt.
func NewVault(secrets ...[]byte) (Vault, error) {
	box, err := keyring.NewBox("webhook signing secrets", secrets...)
	if err != nil {
		return Vault{}, fmt.Errorf("create webhook secret vault: %w", err)
	}

	return Vault{box: box}, nil
}

// Seal encrypts an endpoint's signing secret.
func (v Vault) Seal(endpointID, secret string) []byte {
	return v.box.Seal([]byte(secret), []byte(endpointID))
}

// Open decrypts a secret that Seal encrypted. It returns keyring.ErrOpen if the secret cannot be decrypted.
func (v Vault) Open(endpointID string, sealed []byte) (string, error) {
	secret, err := v.box.Open(sealed, []byte(endpointID))
	if err != nil {
		return "", fmt.Errorf("open the signing secret of %s: %w", endpointID, err)
	}

	return string(secret), nil
}
