// Command ingest measures how many playback events a server accepts per second. The server, its Postgres and the load
// generator share one machine. The command kills the server under that load and then checks that every acknowledged
// event is stored. Run it from the root of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/lib/pq"

	"github.com/reelgraph/reelgraph/bench/measure"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	secret  = "a secret of the bench, of many characters"
	videoID = "vid_00000000000000000000000001"
	owner   = "bench@example.com"
	goal    = 5000 // events a second
)

func main() { os.Exit(measure.Run("ingest", run)) }

// bench is the product as shipped, with its private Postgres.
type bench struct {
	folder, binary string
	tokens         analytics.Tokens
	product        *measure.Process
	db             *sql.DB
}

func run(ctx context.Context) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/ingest")

	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	box, err := keyring.NewBox("view tokens", []byte(secret))
	if err != nil {
		return fmt.Errorf("make the box of tokens: %w", err)
	}

	b := &bench{folder: folder, binary: filepath.Join(folder, "reelgraph"), tokens: analytics.Tokens{Box: box, Host: "127.0.0.1"}}

	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", b.binary, "./cmd/reelgraph").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the product: %w: %s", err, out)
	}

	if err := b.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.db.Close(), b.product.Stop()) }()

	if err := b.film(ctx); err != nil {
		return err
	}

	rows, err := b.loads(ctx)
	if err != nil {
		return err
	}

	lost, err := b.crashes(ctx)
	if err != nil {
		return err
	}

	return measure.Publish("Playback events", began+"\n"+rows+"\n"+lost, how)
}

func (b *bench) settings(addr string) []string {
	return []string{
		"REELGRAPH_ADDR=" + addr, "REELGRAPH_DATA=" + filepath.Join(b.folder, "data"), "REELGRAPH_SECRET=" + secret,
		"REELGRAPH_WORKERS=media=2,figures=2,webhook=2",
	}
}

// start starts the product on the existing data.
func (b *bench) start(ctx context.Context) error {
	addr, err := measure.FreeAddr(ctx)
	if err != nil {
		return err
	}

	cmd := exec.Command(b.binary, "serve") //nolint:noctx // Stop ends it
	cmd.Env = append(cmd.Environ(), b.settings(addr)...)

	ready, err := measure.Ask(ctx, addr, "/readyz", "", "")
	if err != nil {
		return err
	}

	product, err := measure.Start(ctx, "the product", addr, cmd, ready)
	if err != nil {
		return err
	}

	b.product = product

	dsn := "user=reelgraph dbname=reelgraph sslmode=disable host=" + filepath.Join(b.folder, "data", "postgres", "run")

	if b.db, err = sql.Open("postgres", dsn); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}

	return nil
}

// film creates the video that all sessions watch.
func (b *bench) film(ctx context.Context) error {
	keys := exec.CommandContext(ctx, b.binary, "keys", "create", "--user", owner)
	keys.Env = append(keys.Environ(), b.settings(b.product.Addr)...)

	if out, err := keys.CombinedOutput(); err != nil {
		return fmt.Errorf("make a workspace: %w: %s", err, out)
	}

	settings, err := json.Marshal(values.DefaultVideoSettings())
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}

	editing, err := json.Marshal(values.DefaultEditing())
	if err != nil {
		return fmt.Errorf("encode editing: %w", err)
	}

	_, err = b.db.ExecContext(ctx, `INSERT INTO videos (id, created_at, updated_at, workspace_id, user_id, name, width, height,
			duration_ms, settings, editing)
		SELECT $1, now(), CURRENT_TIMESTAMP, m.workspace_id, u.id, 'Video', 1920, 1080, 600000, $2, $3
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $4`,
		videoID, string(settings), string(editing), owner)
	if err != nil {
		return fmt.Errorf("make a video: %w", err)
	}

	return nil
}

// report returns a request with the given number of events.
func (b *bench) report(token string, seq, events int, now time.Time) []byte {
	all := make([]string, events)
	for i := range all {
		at := seq*events + i
		all[i] = fmt.Sprintf(`{"type":"progress","atMs":%d,"fromSeconds":%d,"toSeconds":%d}`, now.UnixMilli(), at, at+1)
	}

	if seq == 0 {
		all[0] = fmt.Sprintf(`{"type":"play","atMs":%d}`, now.UnixMilli())
	}

	return measure.Post("/playback/"+token, fmt.Sprintf(`{"seq":%d,"events":[%s]}`, seq, strings.Join(all, ",")),
		"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
}

const how = `
How:

- The product as shipped, with workers that compute figures meanwhile, its private Postgres that writes through to the
  disk, and the load generator, all on this machine. Reports are complete HTTP requests over connections that stay open.
- A session reports fifteen times. The first report opens it and counts the view, which sends an event. Events a second
  are those of acknowledged reports that are in the database.
- Killed means SIGKILL to the server, which also ends its Postgres.
`
