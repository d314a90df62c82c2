package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Options define which failures to cause and where. All fields are required.
type Options struct {
	// Command returns a process of the product that runs a command such as serve, with settings of the form NAME=value.
	Command func(command string, settings ...string) *exec.Cmd
	// DSN names an empty database that outlives the product.
	DSN    string
	Folder string // for data
	Log    io.Writer
	Seed   uint64
}

// A world is the product, its users and its webhook receiver.
type world struct {
	Options

	ledger   *ledger
	receiver *receiver
	store    *store.Store
	client   *http.Client
	random   *rand.Rand // for choosing faults; the workload has others

	key   string // API key
	video string // the video that calls edit
	base  string // base URL of requests
}

// workers is the number of concurrent writers.
const workers = 6

// open prepares the world around a running product, which has created the tables.
func open(ctx context.Context, o Options, first *process) (*world, error) {
	w := &world{
		Options: o, ledger: newLedger(), base: "http://" + first.addr,
		random: rand.New(rand.NewPCG(o.Seed, o.Seed)), //nolint:gosec // a seed makes a run repeatable
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 2 * workers}},
	}

	var err error
	if w.store, err = store.Open(ctx, o.DSN, store.Options{MaxConns: 4}); err != nil {
		return nil, err
	}

	if err := w.people(ctx); err != nil {
		return nil, errors.Join(err, w.store.Close())
	}

	if w.receiver, err = listen(ctx, w); err != nil {
		return nil, errors.Join(err, w.store.Close())
	}

	return w, nil
}

func (w *world) close() error {
	w.client.CloseIdleConnections()

	return errors.Join(w.receiver.close(), w.store.Close())
}

// people creates a workspace, a user, a key and a video to edit.
func (w *world) people(ctx context.Context) error {
	key := auth.NewKey()
	w.key = key.Plain

	err := w.store.InTx(auth.AsSystem(ctx), func(ctx context.Context) error {
		c := w.store.Client(ctx)

		workspace, err := c.Workspace.Create().SetName("Chaos").SetPlan(auth.PlanPremium).Save(ctx)
		if err != nil {
			return fmt.Errorf("make a workspace: %w", err)
		}

		user, err := c.User.Create().SetEmail("chaos@example.test").SetName("Chaos").Save(ctx)
		if err != nil {
			return fmt.Errorf("make a user: %w", err)
		}

		err = errors.Join(
			c.Membership.Create().SetWorkspaceID(workspace.ID).SetUserID(user.ID).SetRole(auth.RoleOwner).Exec(ctx),
			c.APIKey.Create().SetWorkspaceID(workspace.ID).SetUserID(user.ID).SetName("chaos").
				SetHash(key.Hash).SetLast4(key.Last4).Exec(ctx),
		)
		if err != nil {
			return fmt.Errorf("make a key: %w", err)
		}

		return w.edited(ctx, c, workspace.ID, user.ID)
	})
	if err != nil {
		return fmt.Errorf("make people: %w", err)
	}

	return nil
}

func (w *world) edited(ctx context.Context, c *ent.Client, workspaceID, userID string) error {
	video, err := c.Video.Create().SetUserID(userID).SetWorkspaceID(workspaceID).SetName("Edited").
		SetWidth(1920).SetHeight(1080).SetSettings(values.DefaultVideoSettings()).SetEditing(values.Editing{}).Save(ctx)
	if err != nil {
		return fmt.Errorf("make a video: %w", err)
	}

	w.video = video.ID

	return nil
}

// count runs a query that returns one number.
func (w *world) count(ctx context.Context, query string, args ...any) (n int, err error) {
	if err := w.store.DB.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}

	return n, nil
}

func (w *world) sayf(format string, args ...any) { fmt.Fprintf(w.Log, format+"\n", args...) }

// sleep waits for d or until the context ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()

	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// freeAddr returns a free local address.
func freeAddr(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}

	return l.Addr().String(), l.Close()
}

// answerOf reads the whole answer.
func answerOf(resp *http.Response) (string, error) {
	defer resp.Body.Close() //nolint:errcheck // the body was read

	var text strings.Builder

	_, err := io.Copy(&text, resp.Body)

	return text.String(), err
}
