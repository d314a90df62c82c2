package exhaustive_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// bundle is a resolver with its own database and a member.
type bundle struct {
	*graph.Resolver

	store *store.Store
	owner testkit.Member
}

func setup(t *testing.T) *bundle {
	t.Helper()

	dsn := testkit.Database(t)
	s := testkit.OpenAt(t, dsn)
	secret := keyring.NewSecret()

	topics, err := store.Listen(dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, topics.Close()) })

	client, err := queue.NewInserter(s.DB, slog.New(slog.DiscardHandler))
	require.NoError(t, err)

	cursors, err := keyring.NewBox("cursor", secret)
	require.NoError(t, err)

	vault, err := webhook.NewVault(secret)
	require.NoError(t, err)

	signer, err := blob.NewSigner(secret, nil)
	require.NoError(t, err)

	blobs, err := blob.OpenDir(t.TempDir())
	require.NoError(t, err)

	return &bundle{
		Resolver: graph.New(graph.Dependencies{
			Fillers: words.DefaultFillers(), Media: api.NoMedia{},
			Blobs: blobs,
			Store: s, Topics: topics, Jobs: &jobs.Queue{Client: client, Store: s},
			Addresses: signedurl.Book{BaseURL: "https://reel.example", Signer: signer},
			Targets:   outbound.NewTargets(), Cursors: cursors, Vault: vault,
			ProbeWait: time.Second,
		}),
		store: s,
		owner: testkit.NewMember(t, s, testkit.MemberOpts{}),
	}
}
