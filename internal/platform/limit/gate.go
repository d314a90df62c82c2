// Package limit authenticates API requests and counts them against their budgets. A budget is a number of requests in
// a calendar minute. In each workspace a user has one budget for API keys and another for browser sessions. Requests
// without a valid credential share the budget of their IP address. The counts are rows of rate_windows in Postgres,
// so they are exact across all nodes, and a revoked key stops working on every node immediately.
//
// Start reading at Gate.Admit. It runs one statement, admitKeySQL or admitSessionSQL, that looks up the credential
// and counts the request. Options sets the sizes of the budgets. Handlers then call Refusal to learn whether to serve
// the request, Spend to charge its cost beyond one, and Event before each event of a stream.
package limit

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

const (
	window         = time.Minute
	defaultQuota   = 100
	defaultSession = 1200
	defaultEvents  = 600
	defaultTimeout = 3 * time.Second
	networkBits    = 64 // the prefix of an IPv6 address that identifies one client
)

// Gate admits requests. It is safe for concurrent use. Gates on different nodes share their budgets if they use the
// same database.
type Gate struct {
	o     Options
	turns turns

	mu            sync.Mutex
	subscriptions map[string]int // by user, on this node
}

// Options configure a Gate.
type Options struct {
	DB    *sql.DB // required; should be a pool of its own, so that other work cannot use up its connections
	Quota int     // requests per minute; 0 means 100
	// SessionQuota is requests per minute for browser sessions; 0 means 1,200.
	SessionQuota int
	// EventQuota is subscription events per minute; 0 means 600.
	EventQuota int
	// Wait is called when no events are left in this minute, and blocks until the next minute; nil means sleep.
	Wait    func(ctx context.Context, until time.Duration) error
	Timeout time.Duration // after which the counter counts as unreachable; 0 means 3 s
	Peers   middleware.Peers
	Log     *slog.Logger // required
}

// New makes a Gate.
func New(o Options) *Gate {
	o.Quota = cmp.Or(o.Quota, defaultQuota)
	o.SessionQuota = cmp.Or(o.SessionQuota, defaultSession)
	o.EventQuota = cmp.Or(o.EventQuota, defaultEvents)
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)

	if o.Wait == nil {
		o.Wait = wait
	}

	return &Gate{o: o, subscriptions: map[string]int{}}
}

// A Credential is what a request authenticates with: a key or a session. If both are set, only the key is used.
type Credential struct {
	Key     string // an API key
	Session string // the token of a browser session
	Lack    error  // the refusal if the credential has no owner; nil means fault.Unauthorized
}

// names reports whether there is a key or a session.
func (c Credential) names() bool { return c.Key != "" || c.Session != "" }

// budget is one of the request budgets, as the headers describe it.
type budget struct {
	policy string
	prefix string // of the subjects in rate_windows
	quota  int
}

// budgetFor returns the budget of browser sessions, or that of all other requests.
func (g *Gate) budgetFor(session bool) budget {
	if session {
		return budget{`"session"`, "session:", g.o.SessionQuota}
	}

	return budget{`"public-api"`, "", g.o.Quota}
}

// Bearer returns the API key of the Authorization header. A malformed header gives an empty key, so every invalid
// credential fails in the same lookup.
func Bearer(r *http.Request) Credential { return Credential{Key: bearer(r.Header)} }

// A Price returns the cost of a request beyond 1, as far as it is known before the credential is looked up. Spend
// charges the rest. A Price may read the request body, so it also returns the request to serve.
type Price func(*http.Request) (*http.Request, int)

// Handler admits every request by its API key before next runs, and writes the rate headers of every response. It
// does not refuse requests: next calls Refusal at the right point in its order of checks, so that an unknown route
// gives a 404 even without a valid key.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return g.HandlerOf(Bearer, func(r *http.Request) (*http.Request, int) { return r, 0 }, next)
}

// HandlerOf is like Handler, but the caller supplies the functions that find the credential and the price of a
// request. HandlerOf calls price only for requests with a credential.
func (g *Gate) HandlerOf(credential func(*http.Request) Credential, price Price, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var o *Outcome

		middleware.BeforeHeader(w, func(h http.Header) {
			if o == nil {
				o = g.unreachable(nil) // a panic before the request was counted
			}

			o.write(h)
		})

		who, extra := credential(r), 0
		if who.names() {
			r, extra = price(r)
		}

		ctx := g.Admit(r.Context(), who, g.o.Peers.Of(r), extra)
		o = outcomeOf(ctx)

		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Admit looks up the credential and counts one request. It counts against the owner of the credential or, if the
// credential is not valid, against the client's address. extra is the cost of the request beyond one. If the budget
// has room for extra, the same statement counts it too; the caller must call Spend with extra in either case. The
// returned context contains the outcome for Refusal and Spend and, if the credential is valid, the viewer.
func (g *Gate) Admit(ctx context.Context, c Credential, client netip.Addr, extra int) context.Context {
	o, err := g.admit(ctx, holderOf(c), clientSubject(client), extra)
	if err != nil {
		g.o.Log.WarnContext(ctx, "rate counter unreachable", "requestId", middleware.RequestID(ctx), "error", err)

		o = g.unreachable(err)
	}

	switch {
	case o.viewer.UserID != "":
		ctx = auth.Follow(ctx, o.who)
	case o.refusal == nil:
		o.refusal = cmp.Or(c.Lack, error(fault.Unauthorized()))
	}

	return context.WithValue(ctx, outcomeKey{}, o)
}

func bearer(h http.Header) string {
	values := h["Authorization"]
	if len(values) != 1 {
		return ""
	}

	scheme, key, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}

	return strings.TrimLeft(key, " ")
}

// clientSubject returns the subject under which the requests of an address are counted.
func clientSubject(a netip.Addr) string {
	if a.Is6() {
		return "ip:" + netip.PrefixFrom(a, networkBits).Masked().String()
	}

	return "ip:" + a.String()
}

// keyHolder and sessionHolder find the owner of a key and of a session.
const (
	keyHolder = `
  SELECT k.id, k.user_id, k.workspace_id, m.role, w.plan,
    k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS stale
  FROM api_keys k
  JOIN memberships m ON m.workspace_id = k.workspace_id AND m.user_id = k.user_id
  JOIN workspaces w ON w.id = k.workspace_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
`

	sessionHolder = `
  SELECT s.id, s.user_id, s.workspace_id, m.role, w.plan, s.last_seen_at < now() - interval '1 minute' AS stale
  FROM sessions s
  JOIN memberships m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
  JOIN workspaces w ON w.id = s.workspace_id
  WHERE s.token_hash = $1 AND s.expires_at > now()
`
)

// admitKeySQL and admitSessionSQL look the credential up and count the request, in one statement. They add 1 to the
// current minute of the database's clock, or 1 plus the extra cost if there is room for all of it. Concurrent
// requests wait for the row lock, so the count is exact across nodes.
const (
	admitKeySQL     = admitHead + keyHolder + admitTail
	admitSessionSQL = admitHead + sessionHolder + admitTail

	// $1 is the hash of the credential, $2 the subject of an anonymous client, $3 its quota, $4 the extra cost, $5 the prefix
	// of the caller's subject, $6 the caller's quota.
	admitHead = `
WITH caller AS (`
	admitTail = `), subject AS (
  SELECT coalesce((SELECT $5::text || user_id || ':' || workspace_id FROM caller), $2::text) AS name,
    1 + CASE WHEN EXISTS (SELECT FROM caller) THEN $4::int ELSE 0 END AS total,
    CASE WHEN EXISTS (SELECT FROM caller) THEN $6::int ELSE $3::int END AS quota
), counted AS (
  INSERT INTO rate_windows AS r (subject, minute, used)
  SELECT name, date_trunc('minute', now()), CASE WHEN total <= quota THEN total ELSE 1 END FROM subject
  ON CONFLICT (subject, minute) DO UPDATE SET before = r.used,
    used = CASE WHEN r.used + (SELECT total FROM subject) <= (SELECT quota FROM subject) THEN r.used + (SELECT total FROM subject)
      ELSE r.used + 1 END
    WHERE r.used < (SELECT quota FROM subject)
  RETURNING before, used
)
SELECT s.name, coalesce(c.id, ''), coalesce(c.user_id, ''), coalesce(c.workspace_id, ''),
  coalesce(c.role, ''), coalesce(c.plan, ''), coalesce(c.stale, false),
  coalesce(n.before, s.quota), coalesce(n.used, s.quota), s.quota,
  (extract(epoch FROM date_trunc('minute', now())) * 1000)::bigint,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM subject s LEFT JOIN caller c ON true LEFT JOIN counted n ON true`
)

// holder is a hashed credential and the statements that find its owner.
type holder struct {
	find, admit, touch string // SQL statements
	hash               []byte // of the credential
	session            bool
}

func holderOf(c Credential) holder {
	if c.Key == "" && c.Session != "" {
		return holder{sessionHolder, admitSessionSQL, touchSessionSQL, auth.HashKey(c.Session), true}
	}

	return holder{keyHolder, admitKeySQL, touchKeySQL, auth.HashKey(c.Key), false}
}

// credential returns the field of the viewer that names the key or session.
func (h holder) credential(v *auth.Viewer) *string {
	if h.session {
		return &v.SessionID
	}

	return &v.KeyID
}

// admission is the result of the admit statement.
type admission struct {
	viewer          auth.Viewer
	subject         string
	before, used    int  // the window's count before and after the request; equal if there was no room
	quota           int  // size of the window
	paid            bool // the extra cost was counted too
	minuteMs, nowMs int64
	at              time.Time // when the result arrived, by our clock
}

func (g *Gate) admit(ctx context.Context, h holder, client string, extra int) (*Outcome, error) {
	a, err := g.count(ctx, h, client, extra)
	if err != nil {
		return nil, fmt.Errorf("admit: %w", err)
	}

	o := &Outcome{
		gate: g, holder: h, viewer: a.viewer, budget: g.budgetFor(h.session && a.viewer.UserID != ""), subject: a.subject,
		minuteMs: a.minuteMs, nowMs: a.nowMs, at: a.at,
	}

	if a.paid {
		o.settle(true, a.used, 1+extra)
		o.prepaid = extra
	} else {
		o.settle(a.before < a.used, a.used, 1)
	}

	return o, nil
}

// count runs the admit statement. A request that is canceled meanwhile is still counted.
func (g *Gate) count(ctx context.Context, h holder, client string, extra int) (admission, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.o.Timeout)
	defer cancel()

	end, err := g.turns.take(ctx, h.admit+string(h.hash)+client)
	if err != nil {
		return admission{}, fmt.Errorf("wait for earlier requests: %w", err)
	}
	defer end()

	return inTime(ctx, func() (admission, error) { return g.counted(ctx, h, client, extra) })
}

// inTime calls ask, and returns the context's error if the context ends before ask returns. The driver may wait
// forever for a database that accepts a statement and does not reply.
func inTime[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	type answer struct {
		got T
		err error
	}

	answered := make(chan answer, 1)

	go func() {
		got, err := ask()
		answered <- answer{got, err}
	}()

	select {
	case a := <-answered:
		return a.got, a.err
	case <-ctx.Done():
		var none T

		return none, ctx.Err()
	}
}

func (g *Gate) counted(ctx context.Context, h holder, client string, extra int) (admission, error) {
	var (
		a     admission
		v     = &a.viewer
		id    = h.credential(v)
		stale bool
	)

	own := g.budgetFor(h.session)

	err := g.o.DB.QueryRowContext(ctx, h.admit, h.hash, client, g.o.Quota, extra, own.prefix, own.quota).Scan(
		&a.subject, id, &v.UserID, &v.WorkspaceID, &v.Role, &v.Plan, &stale, &a.before, &a.used, &a.quota, &a.minuteMs, &a.nowMs)
	if err != nil {
		return a, err
	}

	a.at, a.paid = time.Now(), a.used-a.before == 1+extra

	if stale && a.used > a.before {
		g.touch(ctx, h.touch, *id)
	}

	return a, nil
}

// find looks up the current owner of the credential. If the credential is not valid, the viewer has no UserID.
func (g *Gate) find(ctx context.Context, h holder) (auth.Viewer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.o.Timeout)
	defer cancel()

	return inTime(ctx, func() (auth.Viewer, error) {
		var (
			v     auth.Viewer
			stale bool
		)

		err := g.o.DB.QueryRowContext(ctx, h.find, h.hash).Scan(h.credential(&v), &v.UserID, &v.WorkspaceID, &v.Role, &v.Plan, &stale)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}

		return v, err
	})
}

// Both statements skip a locked row, because the transaction that holds the lock either writes the same value or ends
// the key or session.
const (
	touchKeySQL = `
UPDATE api_keys SET last_used_at = date_trunc('milliseconds', now()) WHERE id = (
  SELECT id FROM api_keys
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
  FOR NO KEY UPDATE SKIP LOCKED)`

	touchSessionSQL = `
UPDATE sessions SET last_seen_at = date_trunc('milliseconds', now()) WHERE id = (
  SELECT id FROM sessions WHERE id = $1 AND last_seen_at < now() - interval '1 minute'
  FOR NO KEY UPDATE SKIP LOCKED)`
)

// touch records that the key or session was used, at most once a minute.
func (g *Gate) touch(ctx context.Context, statement, id string) {
	if _, err := g.o.DB.ExecContext(ctx, statement, id); err != nil {
		g.o.Log.WarnContext(ctx, "cannot record the last use of a credential", "id", id, "error", err)
	}
}

// spendSQL adds n to the current minute, all or nothing.
const spendSQL = `
WITH counted AS (
  INSERT INTO rate_windows AS r (subject, minute, used)
  SELECT $1::text, date_trunc('minute', now()), $2::int WHERE $2::int <= $3::int
  ON CONFLICT (subject, minute) DO UPDATE SET used = r.used + $2::int WHERE r.used + $2::int <= $3::int
  RETURNING used
)
SELECT (SELECT used FROM counted),
  (extract(epoch FROM date_trunc('minute', now())) * 1000)::bigint,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint`

// surcharge is the result of spendSQL.
type surcharge struct {
	room            bool
	used            int // the window's count, if there was room
	minuteMs, nowMs int64
	at              time.Time
}

// spend adds n to a budget. A request that is canceled meanwhile is still counted.
func (g *Gate) spend(ctx context.Context, subject string, quota, n int) (surcharge, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.o.Timeout)
	defer cancel()

	end, err := g.turns.take(ctx, subject)
	if err != nil {
		return surcharge{}, fmt.Errorf("wait for earlier requests: %w", err)
	}
	defer end()

	return inTime(ctx, func() (surcharge, error) { return g.spent(ctx, subject, quota, n) })
}

func (g *Gate) spent(ctx context.Context, subject string, quota, n int) (surcharge, error) {
	var (
		s    surcharge
		used sql.NullInt64
	)

	if err := g.o.DB.QueryRowContext(ctx, spendSQL, subject, n, quota).Scan(&used, &s.minuteMs, &s.nowMs); err != nil {
		return s, fmt.Errorf("spend: %w", err)
	}

	s.room, s.used, s.at = used.Valid, int(used.Int64), time.Now()

	return s, nil
}

const refundSQL = `
UPDATE rate_windows SET used = used - $3::int
WHERE subject = $1::text AND minute = to_timestamp($2::bigint / 1000)`

// Sweep deletes the counts of minutes that have ended. A periodic job calls it; any interval between calls is fine.
func Sweep(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `DELETE FROM rate_windows WHERE minute < now() - interval '5 minutes'`)
	if err != nil {
		return fmt.Errorf("sweep rate windows: %w", err)
	}

	return nil
}
