package server_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/server"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/idempotency"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// resolvers are a small graph whose fields behave according to their id.
type resolvers struct {
	exec.ResolverRoot

	deleted func(ctx context.Context, id string) error

	mu      sync.Mutex
	watched map[string]int // subscriptions that have not ended
}

func (r *resolvers) Query() exec.QueryResolver               { return queries{} }
func (r *resolvers) Mutation() exec.MutationResolver         { return mutations{deleted: r.deleted} }
func (r *resolvers) Subscription() exec.SubscriptionResolver { return subscriptions{resolvers: r} }
func (r *resolvers) Export() exec.ExportResolver             { return exports{} }

func (r *resolvers) watching() int {
	r.mu.Lock()
	defer r.mu.Unlock()

	return len(r.watched)
}

type queries struct{ exec.QueryResolver }

func (queries) Viewer(ctx context.Context) (*model.Viewer, error) {
	v, _ := auth.From(ctx)

	return &model.Viewer{User: &ent.User{ID: v.UserID, Name: "Ann <ann>", Email: "ann@example.test"}, Workspace: &ent.Workspace{}, Role: auth.RoleOwner}, nil
}

func (queries) Video(_ context.Context, id string) (*ent.Video, error) { return video(id) }

func video(id string) (*ent.Video, error) {
	switch id {
	case "panic":
		panic("kaboom")
	case "missing":
		return nil, fault.NotFound("video")
	case "broken":
		return nil, errors.New("the password is hunter2")
	default:
		return &ent.Video{ID: id, Name: "A video"}, nil
	}
}

func (queries) Videos(_ context.Context, _ int, _ *string, _ *string, _ []string, _ *model.VideoFilter, _ *model.VideoSort) (*model.Connection[*ent.Video], error) {
	return &model.Connection[*ent.Video]{Nodes: []*ent.Video{nil}}, nil
}

type mutations struct {
	exec.MutationResolver

	deleted func(ctx context.Context, id string) error
}

func (m mutations) DeleteVideo(ctx context.Context, id string) (*model.DeleteVideoPayload, error) {
	if m.deleted != nil {
		if err := m.deleted(ctx, id); err != nil {
			return nil, err
		}
	}

	if _, err := video(id); err != nil {
		return nil, err
	}

	return &model.DeleteVideoPayload{DeletedID: id}, nil
}

func (m mutations) CreateWebhookEndpoint(context.Context, model.CreateWebhookEndpointInput) (*model.CreateWebhookEndpointPayload, error) {
	panic("not reached")
}

type subscriptions struct {
	exec.SubscriptionResolver
	*resolvers
}

// ExportProgress sends exports until its context ends: "two" ends by itself, "quiet" sends nothing.
func (s subscriptions) ExportProgress(ctx context.Context, id string) (<-chan *ent.Export, error) {
	if _, err := video(id); err != nil {
		return nil, err
	}

	s.mu.Lock()
	s.watched[id]++
	s.mu.Unlock()

	sent := make(chan *ent.Export)

	go func() {
		defer func() {
			s.mu.Lock()
			delete(s.watched, id)
			s.mu.Unlock()
		}()
		defer close(sent)

		for n := 0; id != "two" || n < 2; n++ {
			if id == "quiet" {
				<-ctx.Done()

				return
			}

			select {
			case sent <- &ent.Export{ID: id, Progress: n}:
			case <-ctx.Done():
				return
			}
		}
	}()

	return sent, nil
}

type exports struct{ exec.ExportResolver }

func (exports) Error(context.Context, *ent.Export) (*model.ExportError, error) { panic("kaboom") }

// straight runs mutations without a database.
type straight struct{}

func (straight) Run(ctx context.Context, _ *idempotency.Request, produce func(context.Context) (idempotency.Answer, error)) (idempotency.Answer, error) {
	return produce(ctx)
}

// gate admits every request with "Bearer good" and counts.
type gate struct {
	mu      sync.Mutex
	spent   int
	admits  int
	refusal error // of everybody
	budget  error // returned by Spend
}

type admitted struct{}

func (g *gate) options() server.Gate {
	return server.Gate{
		Refusal: func(ctx context.Context) error {
			if g.refusal != nil {
				return g.refusal
			}

			if key, _ := ctx.Value(admitted{}).(string); key != "good" {
				return fault.Unauthorized()
			}

			return nil
		},
		Spend: func(_ context.Context, n int) error {
			g.mu.Lock()
			defer g.mu.Unlock()

			g.spent += n

			return g.budget
		},
		Admit: func(ctx context.Context, opened *http.Request, _ int) context.Context {
			g.mu.Lock()
			defer g.mu.Unlock()

			g.admits++

			return context.WithValue(ctx, admitted{}, strings.TrimPrefix(opened.Header.Get("Authorization"), "Bearer "))
		},
	}
}

// trial is a running server.
type trial struct {
	*httptest.Server

	resolvers *resolvers
	gate      *gate
	log       *strings.Builder
}

type change func(*server.Options, *trial)

func start(t *testing.T, changes ...change) *trial {
	t.Helper()

	s := &trial{resolvers: &resolvers{watched: map[string]int{}}, gate: &gate{}, log: &strings.Builder{}}
	o := server.Options{
		Classify:  fault.ServerError,
		Mutations: straight{}, Gate: s.gate.options(), BaseURL: "http://reelgraph.test",
		Opens: func(origin string, r *http.Request) bool {
			return origin == "http://reelgraph.test" || origin == "http://"+r.Host
		},
		Log: slog.New(slog.NewTextHandler(s.log, nil)),
	}

	for _, c := range changes {
		c(&o, s)
	}

	h := server.New(exec.NewExecutableSchema(exec.Config{Resolvers: s.resolvers}), o)
	s.Server = httptest.NewServer(middleware.Identify(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), admitted{}, key)))
	})))
	t.Cleanup(s.Close)

	return s
}

const (
	plain    = "application/json"
	response = "application/graphql-response+json"
	stream   = "text/event-stream"
)

// reply is a response without its body.
type reply struct {
	StatusCode int
	Header     http.Header
}

// ask sends a request with a valid key and returns the response and its body.
func (s *trial) ask(t *testing.T, method, target, accept, body string, header ...string) (reply, string) {
	t.Helper()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	r, err := http.NewRequestWithContext(ctx, method, s.URL+target, strings.NewReader(body))
	require.NoError(t, err)

	r.Header.Set("Authorization", "Bearer good")
	r.Header.Set("Content-Type", plain)
	r.Header.Set("X-Request-Id", "req1")

	if accept != "" {
		r.Header.Set("Accept", accept)
	}

	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	answer, err := s.Client().Do(r)
	require.NoError(t, err)

	defer answer.Body.Close()

	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)

	return reply{answer.StatusCode, answer.Header}, string(text)
}

// told returns the body of the response to a POST.
func (s *trial) told(t *testing.T, body string) string {
	t.Helper()

	_, text := s.ask(t, http.MethodPost, "/", plain, body)

	return text
}

func failing(code, message string) string {
	return `"message":"` + message + `","extensions":{"code":"` + code + `","docsUrl":"http://reelgraph.test/docs/errors#` + code + `","requestId":"req1"}`
}
