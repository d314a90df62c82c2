package testkit

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/store"
)

// Unlocked is a blob store that fails the test when it is used inside an open transaction. A call to the blob store
// may be slow, and while it runs, other transactions would wait for the locks of the open transaction.
type Unlocked struct {
	blob.Store

	TB   testing.TB
	Over *store.Store
}

func (u Unlocked) look(ctx context.Context, what string) {
	assert.False(u.TB, u.Over.Writing(ctx), "%s in a transaction", what)
}

// Put implements blob.Store.
func (u Unlocked) Put(ctx context.Context, key string, r io.Reader) (blob.Stat, error) {
	u.look(ctx, "Put")

	return u.Store.Put(ctx, key, r)
}

// PutFile implements blob.Store.
func (u Unlocked) PutFile(ctx context.Context, key, path string) (blob.Stat, error) {
	u.look(ctx, "PutFile")

	return u.Store.PutFile(ctx, key, path)
}

// Open implements blob.Store.
func (u Unlocked) Open(ctx context.Context, key string) (blob.Object, error) {
	u.look(ctx, "Open")

	return u.Store.Open(ctx, key)
}

// Stat implements blob.Store.
func (u Unlocked) Stat(ctx context.Context, key string) (blob.Stat, error) {
	u.look(ctx, "Stat")

	return u.Store.Stat(ctx, key)
}

// Delete implements blob.Store.
func (u Unlocked) Delete(ctx context.Context, key string) error {
	u.look(ctx, "Delete")

	return u.Store.Delete(ctx, key)
}
