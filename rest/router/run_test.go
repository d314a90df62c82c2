package router

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/rest/shape"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The shelf is a small API of books that has every trait of a row.
type corners string

func (corners) Values() []string { return []string{"none", "regular", "squircle"} }

type shelf struct {
	store *store.Store
	calls atomic.Int64
}

type bookPath struct {
	ID string `path:"id"`
}

type bookQuery struct {
	bookPath

	Limit    int       `check:"min=1,max=100"   default:"20" query:"limit"`
	Kinds    []corners `query:"kinds"`
	Cursor   *string   `check:"chars=1..50"     query:"cursor"`
	Response *string   `check:"oneof=json"      query:"response"`
}

type book struct {
	ID     string                  `json:"id"`
	Name   string                  `json:"name"`
	Limit  int                     `json:"limit"`
	Kinds  []corners               `json:"kinds"`
	Volume shape.Optional[float64] `json:"volume,omitzero"`
	Emoji  *string                 `json:"emoji,omitempty"`
	URL    string                  `json:"url"`
	rev    int64
	to     string
}

func (b book) Revision() int64  { return b.rev }
func (b book) Location() string { return b.to }

func (b book) Unsigned() any {
	b.URL, _, _ = strings.Cut(b.URL, "?")

	return b
}

type bookIn struct {
	bookPath

	Body bookBody `body:"json"`
}

type bookBody struct {
	Name string                     `check:"required,chars=1..10,notblank" json:"name"`
	Note graphql.Omittable[*string] `check:"nullable"                      json:"note"`
}

type textIn struct {
	bookPath

	Language string `default:"en"  query:"language"`
	Text     []byte `body:"raw"`
}

func readBook(_ context.Context, s *shelf, in bookQuery) (book, error) {
	b := book{ID: in.ID, Name: "<b> & \u2028", Limit: in.Limit, Kinds: shape.Each(in.Kinds, func(c corners) corners { return c }), rev: 7}

	switch in.ID {
	case "null":
		b.Volume = shape.Null[float64]()
	case "value":
		b.Volume = shape.Some(1.5)
	case "panic":
		panic("the secret cause")
	case "foreign":
		return book{}, errors.New("pq: the secret cause")
	case "gone":
		return book{}, fault.NotFound("book")
	case "media":
		if in.Response == nil {
			b.to = "https://files.example.org/x?token=1"
		}
	}

	b.URL = "https://files.example.org/y?a=1&token=" + string(rune('a'+s.calls.Add(1)))

	return b, nil
}

func writeBook(ctx context.Context, s *shelf, in bookIn) (book, error) {
	s.calls.Add(1)

	if !middleware.Holds(ctx, 7) {
		return book{}, fault.EditConflict()
	}

	err := s.store.InTx(ctx, func(ctx context.Context) error {
		v, _ := auth.From(ctx)

		return s.store.Client(ctx).Tag.Create().SetUserID(v.UserID).SetName(in.Body.Name).SetNameKey(ids.New(ids.Tag)).
			SetColor("#000000FF").Exec(ctx)
	})

	switch {
	case err != nil:
		return book{}, err
	case in.ID == "broken":
		return book{}, errors.New("after the write")
	default:
		return book{ID: in.ID, Name: in.Body.Name}, nil
	}
}

func writeText(_ context.Context, _ *shelf, in textIn) (book, error) {
	return book{ID: in.Language, Name: string(in.Text)}, nil
}

func removeBook(context.Context, *shelf, bookPath) (shape.Ok, error) { return shape.Done(), nil }

var (
	since  = time.Unix(1_800_000_000, 0).UTC()
	shelfs = []Route[*shelf]{
		Get("/v1/books/{id}", readBook, Tagged),
		Patch("/v1/books/{id}", writeBook),
		Post("/v1/books/{id}/secret", writeBook, Secret),
		Put("/v1/books/{id}/text", writeText, Accepting(2<<20, "text/vtt")),
		Del("/v1/books/{id}", removeBook, deprecated(since, since.AddDate(0, 0, 180), "https://example.org/docs/versioning")),
		Del("/v1/books/{id}/text", removeBook, deprecated(since, since.AddDate(1, 0, 0), "https://example.org/docs/other")),
	}
)

type api struct {
	*httptest.Server

	t      *testing.T
	shelf  *shelf
	member testkit.Member
}

func setup(t *testing.T) *api {
	t.Helper()

	dsn := testkit.Database(t)
	s := testkit.OpenAt(t, dsn)
	log := slog.New(slog.DiscardHandler)
	gate := limit.New(limit.Options{DB: s.DB, Quota: 1000, Log: log})

	locks, err := sql.Open("postgres", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, locks.Close()) })

	box, err := keyring.NewBox("answers", []byte(strings.Repeat("s", 32)))
	require.NoError(t, err)

	a := &api{t: t, shelf: &shelf{store: s}, member: testkit.NewMember(t, s, testkit.MemberOpts{})}
	keys := idempotency.New(idempotency.Options{
		Begin: func(ctx context.Context) (context.Context, idempotency.Unit) { return s.Begin(ctx) },
		Store: s, Locks: locks, Box: box,
	})
	faults := Errors{BaseURL: "https://example.org", Log: log}
	a.Server = httptest.NewServer(middleware.Identify(middleware.Guard(log, faults.Write)(gate.Handler(New(shelfs, a.shelf, keys, faults)))))
	t.Cleanup(a.Close)

	return a
}

// reply is a response without its body.
type reply struct {
	StatusCode int
	Header     http.Header
}

// ask sends a request with the member's key; the given header lines override it.
func (a *api) ask(method, target, body string, header ...string) (reply, string) {
	a.t.Helper()

	r, err := http.NewRequest(method, a.URL+target, strings.NewReader(body))
	require.NoError(a.t, err)
	r.Header.Set("Authorization", "Bearer "+a.member.Key)

	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}

	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	resp, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	require.NoError(a.t, err)

	defer resp.Body.Close()

	text, err := io.ReadAll(resp.Body)
	require.NoError(a.t, err)

	for _, name := range []string{
		"RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id",
	} {
		require.NotEmpty(a.t, resp.Header.Get(name), name)
	}

	return reply{resp.StatusCode, resp.Header}, string(text)
}

func (a *api) tags() int {
	n := 0

	a.member.Do(a.t, a.shelf.store, func(ctx context.Context, c *ent.Client) { n = c.Tag.Query().CountX(ctx) })

	return n
}

func TestAnswerKeepsAbsentNullAndValueApart(t *testing.T) {
	t.Parallel()

	a := setup(t)

	for id, volume := range map[string]string{"x": "", "null": `"volume":null,`, "value": `"volume":1.5,`} {
		resp, body := a.ask(http.MethodGet, "/v1/books/"+id, "")
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		require.Contains(t, body, `{"id":"`+id+`","name":"<b> & \u2028","limit":20,"kinds":[],`+volume+`"url":`)
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()

	a := setup(t)

	for target, want := range map[string]string{
		"?limit=100&kinds=none,squircle": `"limit":100,"kinds":["none","squircle"]`,
		"?other=1&other=2&LIMIT=x":       `"limit":20,"kinds":[]`,
		"?l%69mit=5":                     `"limit":5,`,
	} {
		_, body := a.ask(http.MethodGet, "/v1/books/x"+target, "")
		require.Contains(t, body, want, target)
	}
}

func TestPathSegmentsAreDecodedOnce(t *testing.T) {
	t.Parallel()

	a := setup(t)

	for target, id := range map[string]string{
		"/v1/books/a%2Fb": "a/b", "/v1/books/a%252Fb": "a%2Fb", "/v1/b%6Foks/x%5Fy": "x_y", "/v1/books/%C3%A4": "\u00e4", "/v1/books/a+b": "a+b",
	} {
		resp, body := a.ask(http.MethodGet, target, "")
		require.Equal(t, http.StatusOK, resp.StatusCode, target)
		require.Contains(t, body, `{"id":"`+id+`"`, target)
	}

	resp, _ := a.ask(http.MethodPost, "/v1/b%6Foks/x", "")
	require.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode)
}

func TestEntityTag(t *testing.T) {
	t.Parallel()

	a := setup(t)
	resp, first := a.ask(http.MethodGet, "/v1/books/x", "")
	tag := resp.Header.Get("ETag")
	require.Regexp(t, `^"7-[0-9a-f]{16}"$`, tag)

	resp, second := a.ask(http.MethodGet, "/v1/books/x", "")
	require.NotEqual(t, first, second, "the address has a new signature")
	require.Equal(t, tag, resp.Header.Get("ETag"))

	for given, status := range map[string]int{
		tag: 304, "W/" + tag: 304, `"a", ` + tag: 304, "*": 304, `"7-0000000000000000"`: 200, strings.Trim(tag, `"`): 200,
	} {
		resp, body := a.ask(http.MethodGet, "/v1/books/x", "", "If-None-Match", given)
		require.Equal(t, status, resp.StatusCode, given)
		require.Equal(t, tag, resp.Header.Get("ETag"))
		require.Equal(t, status == 304, body == "")
	}

	resp, _ = a.ask(http.MethodGet, "/v1/books/x?limit=9", "")
	require.NotEqual(t, tag, resp.Header.Get("ETag"))

	resp, body := a.ask(http.MethodHead, "/v1/books/x", "")
	require.Equal(t, tag, resp.Header.Get("ETag"))
	require.Empty(t, body)

	for given, status := range map[string]int{tag: 200, `"7-whatever"`: 200, "*": 200, `"8-x"`: 409} {
		resp, _ := a.ask(http.MethodPatch, "/v1/books/x", `{"name":"n"}`, "If-Match", given)
		require.Equal(t, status, resp.StatusCode, given)
	}
}

func TestRedirect(t *testing.T) {
	t.Parallel()

	a := setup(t)

	resp, body := a.ask(http.MethodGet, "/v1/books/media", "")
	require.Equal(t, http.StatusFound, resp.StatusCode)
	require.Equal(t, "https://files.example.org/x?token=1", resp.Header.Get("Location"))
	require.Empty(t, body)

	resp, _ = a.ask(http.MethodGet, "/v1/books/media?response=json", "")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	resp, _ = a.ask(http.MethodGet, "/v1/books/media?response=xml", "")
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)
}

func TestWritesAreOneUnit(t *testing.T) {
	t.Parallel()

	a := setup(t)

	resp, _ := a.ask(http.MethodPatch, "/v1/books/broken", `{"name":"n"}`)
	require.Equal(t, http.StatusInternalServerError, resp.StatusCode)
	require.Zero(t, a.tags())

	resp, _ = a.ask(http.MethodPatch, "/v1/books/x", `{"name":"n","note":null}`)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, 1, a.tags())
}

func TestIdempotencyKeyReplays(t *testing.T) {
	t.Parallel()

	a := setup(t)
	key := []string{"Idempotency-Key", `"one"`}

	resp, first := a.ask(http.MethodPost, "/v1/books/x/secret", `{"name":"n"}`, key...)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Empty(t, resp.Header.Get("Idempotency-Replayed"))

	resp, again := a.ask(http.MethodPost, "/v1/books/x/secret", `{"name":"n"}`, "Idempotency-Key", "one")
	require.Equal(t, "true", resp.Header.Get("Idempotency-Replayed"))
	require.Equal(t, first, again)
	require.Equal(t, 1, a.tags())

	resp, _ = a.ask(http.MethodPost, "/v1/books/x/secret", `{"name":"m"}`, key...)
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)

	resp, _ = a.ask(http.MethodPost, "/v1/books/y/secret", `{"name":`, key...)
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)
	resp, _ = a.ask(http.MethodPost, "/v1/books/y/secret", `{"name":"n"}`, key...)
	require.Equal(t, http.StatusOK, resp.StatusCode, "a refused request leaves the key free")

	var encrypted bool
	require.NoError(t, a.shelf.store.DB.QueryRow(`SELECT bool_and(encrypted) FROM idempotency_keys`).Scan(&encrypted))
	require.True(t, encrypted)

	resp, _ = a.ask(http.MethodGet, "/v1/books/x", "", "Idempotency-Key", `"broken`)
	require.Equal(t, http.StatusOK, resp.StatusCode, "reads have no use for a key")
}

func TestRawBody(t *testing.T) {
	t.Parallel()

	a := setup(t)
	long := strings.Repeat("x", 2<<20)

	resp, body := a.ask(http.MethodPut, "/v1/books/x/text?language=de", long, "Content-Type", "text/vtt")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Contains(t, body, `{"id":"de","name":"`+long+`"`)

	resp, _ = a.ask(http.MethodPut, "/v1/books/x/text", long+"x", "Content-Type", "text/vtt")
	require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode)
	resp, _ = a.ask(http.MethodPut, "/v1/books/x/text", "{}")
	require.Equal(t, http.StatusUnsupportedMediaType, resp.StatusCode)
}

func TestDeprecatedRowsSaySo(t *testing.T) {
	t.Parallel()

	a := setup(t)

	for _, key := range []string{a.member.Key, "none"} {
		resp, _ := a.ask(http.MethodDelete, "/v1/books/x", "", "Authorization", "Bearer "+key)
		require.Equal(t, "@1800000000", resp.Header.Get("Deprecation"))
		require.Equal(t, since.AddDate(0, 0, 180).UTC().Format(http.TimeFormat), resp.Header.Get("Sunset"))
		require.Equal(t, `<https://example.org/docs/versioning>; rel="deprecation"`, resp.Header.Get("Link"))
	}

	resp, body := a.ask(http.MethodDelete, "/v1/books/x/text", "")
	require.Equal(t, `{"status":"ok"}`, body) //nolint:testifylint // to the byte
	require.Equal(t, "@1800000000", resp.Header.Get("Deprecation"))
	require.Equal(t, since.AddDate(1, 0, 0).Format(http.TimeFormat), resp.Header.Get("Sunset"))
	require.Equal(t, `<https://example.org/docs/other>; rel="deprecation"`, resp.Header.Get("Link"))
}

// TestDeprecationIsComplete: a deprecated operation works for 180 days and says until when and why.
func TestDeprecationIsComplete(t *testing.T) {
	t.Parallel()

	const notice = "https://example.org/docs/versioning"

	for _, wrong := range []func(){
		func() { deprecated(since, time.Time{}, notice) },
		func() { deprecated(since, since, notice) },
		func() { deprecated(since, since.AddDate(0, 0, 180).Add(-time.Second), notice) },
		func() { deprecated(since, since.AddDate(0, 0, 180), "") },
	} {
		require.Panics(t, wrong)
	}

	require.NotPanics(t, func() { deprecated(since, since.AddDate(0, 0, 180), notice) })
}

func TestRowsKnowTheirNames(t *testing.T) {
	t.Parallel()

	require.Equal(t, "readBook", shelfs[0].Operation)
	require.Equal(t, "removeBook", shelfs[5].Operation)
}

func TestRowPanicsOnFaultsOfTheProgram(t *testing.T) {
	t.Parallel()

	require.Panics(t, func() { Get("/v1/books", readBook) }, "a path without the input's segment")
	require.Panics(t, func() { Get("/v1/books/{id}/{other}", readBook) }, "an unused path segment")
	require.Panics(t, func() { Get("/v1/books/{id}", removeBook, Tagged) }, "no revision")
	require.Panics(t, func() {
		Get("/v1/books", func(context.Context, *shelf, input.NoBody) ([]string, error) { return nil, nil })
	}, "no object")
}

func TestDatetime(t *testing.T) {
	t.Parallel()

	at := time.Date(2026, 1, 2, 3, 4, 5, 670_999_999, time.FixedZone("", 3600))
	require.Equal(t, shape.Datetime("2026-01-02T02:04:05.670Z"), shape.DatetimeOf(at))
}
