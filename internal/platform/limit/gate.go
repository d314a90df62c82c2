// Package limit is the gate of the API: one statement looks the key up and counts the request, so
// that a revoked key and a spent budget are known on every node at once.
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
	networkBits    = 64 // of an IPv6 address: what one client is given
)

// Gate admits requests. It is safe for concurrent use, and any number of gates over one database
// admit as one.
type Gate struct {
	o     Options
	turns turns

	mu            sync.Mutex
	subscriptions map[string]int // by user, on this node
}

// Options configure a Gate.
type Options struct {
	DB    *sql.DB // required; nothing else should be able to use up its connections
	Quota int     // requests per minute; 0 means 100
	// SessionQuota is how many requests a minute has for who comes with a session; 0 means 1,200.
	SessionQuota int
	// EventQuota is how many events of subscriptions a minute has; 0 means 600.
	EventQuota int
	// Wait is until the minute ends in which no events are left; nil takes as long as that.
	Wait    func(ctx context.Context, until time.Duration) error
	Timeout time.Duration // until the counter counts as unreachable; 0 means 3 s
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

// A Credential says whom a request acts as. At most one of the two counts: the key, if there is one.
type Credential struct {
	Key     string // an API key
	Session string // the token of a browser's session
	Lack    error  // why there is neither, for who is refused; nil is fault.Unauthorized
}

// names reports whether it is somebody's.
func (c Credential) names() bool { return c.Key != "" || c.Session != "" }

// budget is one of the budgets of requests, as the headers name it.
type budget struct {
	policy string
	prefix string // of the names of its windows
	quota  int
}

// budget is that of who comes with a session, or of everybody else.
func (g *Gate) budget(session bool) budget {
	if session {
		return budget{`"session"`, "session:", g.o.SessionQuota}
	}

	return budget{`"public-api"`, "", g.o.Quota}
}

// Bearer is the key of a request. Whatever is wrong with it ends in one and the same lookup that finds
// nobody.
func Bearer(r *http.Request) Credential { return Credential{Key: bearer(r.Header)} }

// A Price is what a request costs beyond the one that every request costs, as far as that can be said before
// anybody knows who asks; the rest is left to Spend. It may read the request, and returns the one to be served.
type Price func(*http.Request) (*http.Request, int)

// Handler admits every request by its key before next sees it and writes the rate headers of every
// answer. It refuses nothing: next asks Refusal when its turn in the order of checks comes, so that a
// route that does not exist is 404 for everybody.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return g.HandlerOf(Bearer, func(r *http.Request) (*http.Request, int) { return r, 0 }, next)
}

// HandlerOf is Handler for requests that may say otherwise whom they act as, and that have a price. Requests that
// name nobody are not asked for it.
func (g *Gate) HandlerOf(credential func(*http.Request) Credential, price Price, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var o *Outcome

		middleware.BeforeHeader(w, func(h http.Header) {
			if o == nil {
				o = g.unreachable(nil) // a panic on the way to the counter
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

// Admit counts one request of whoever the credential is of, or of the client's address if it is
// nobody's. What it costs beyond one is counted with it if there is room for all of that; Spend is asked for it
// in any case. The context it returns carries the outcome for Refusal and Spend and, if there is one, the
// viewer.
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

// clientSubject names the budget of an address.
func clientSubject(a netip.Addr) string {
	if a.Is6() {
		return "ip:" + netip.PrefixFrom(a, networkBits).Masked().String()
	}

	return "ip:" + a.String()
}

// The holder of a key, and of a session.
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

// admitKeySQL and admitSessionSQL are the one statement of a request: who asks, and one more in the minute of the database's
// clock, with what the request costs beyond that if there is room for all of it. A lost race waits for the row, so the count is
// exact on all nodes.
const (
	admitKeySQL     = admitHead + keyHolder + admitTail
	admitSessionSQL = admitHead + sessionHolder + admitTail

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

// holder is how the holder of a credential is found.
type holder struct {
	find, admit, touch string // statements
	hash               []byte // of the credential
	session            bool
}

func holderOf(c Credential) holder {
	if c.Key == "" && c.Session != "" {
		return holder{sessionHolder, admitSessionSQL, touchSessionSQL, auth.HashKey(c.Session), true}
	}

	return holder{keyHolder, admitKeySQL, touchKeySQL, auth.HashKey(c.Key), false}
}

// credential is where a viewer notes by what it was known.
func (h holder) credential(v *auth.Viewer) *string {
	if h.session {
		return &v.SessionID
	}

	return &v.KeyID
}

// admission is what the statement found out about a caller and what it counted for it.
type admission struct {
	viewer          auth.Viewer
	subject         string
	before, used    int  // the window before the request, and with it if it had room
	quota           int  // of the window
	paid            bool // it had room for what the request costs beyond one, too
	minuteMs, nowMs int64
	at              time.Time // when the answer came
}

func (g *Gate) admit(ctx context.Context, h holder, client string, extra int) (*Outcome, error) {
	a, err := g.count(ctx, h, client, extra)
	if err != nil {
		return nil, fmt.Errorf("admit: %w", err)
	}

	o := &Outcome{
		gate: g, holder: h, viewer: a.viewer, budget: g.budget(h.session && a.viewer.UserID != ""), subject: a.subject,
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

// count sends the statement. A request that is given up meanwhile is counted all the same.
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

// inTime is ask, or the error of the context once that ends. The driver waits for a database that takes
// what it is sent and says nothing; a request must not.
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

	own := g.budget(h.session)

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

// find is whose the credential is now; nobody has no UserID.
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

// These wait for nobody: whoever holds the row is writing the same, or ending the key or the session.
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

// touch notes that the key or the session was used: a statement more for one request in a minute.
func (g *Gate) touch(ctx context.Context, statement, id string) {
	if _, err := g.o.DB.ExecContext(ctx, statement, id); err != nil {
		g.o.Log.WarnContext(ctx, "last use not written", "of", id, "error", err)
	}
}

// spendSQL counts n more into the present minute, all or nothing.
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

// surcharge is what the statement counted.
type surcharge struct {
	room            bool
	used            int // with all that was asked for, if there was room
	minuteMs, nowMs int64
	at              time.Time
}

// spend counts n more into a budget. A request that is given up meanwhile is counted all the same.
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

// Sweep throws away the windows that are over. A periodic job calls it; nothing depends on when.
func Sweep(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `DELETE FROM rate_windows WHERE minute < now() - interval '5 minutes'`)
	if err != nil {
		return fmt.Errorf("sweep rate windows: %w", err)
	}

	return nil
}
