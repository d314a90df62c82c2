package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/webhookdelivery"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// hooks is a user with webhook endpoints and a clock.
type hooks struct {
	*api.Server
	testing.TB

	owner testkit.Member
	late  atomic.Int64
	begun time.Time
}

func newHooks(t *testing.T) *hooks {
	t.Helper()

	h := &hooks{TB: t, begun: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)}
	h.Server = api.New(t, api.Options{Clock: func() time.Time { return h.begun.Add(time.Duration(h.late.Load())) }})
	h.owner = testkit.NewMember(t, h.Store, testkit.MemberOpts{})

	return h
}

// call expects a status and returns the value of a key in the answer.
func (h *hooks) call(status int, method, path, body, key string) string {
	h.Helper()

	answer := h.Call(h.TB, h.owner.Key, method, "/v1/webhooks/"+path, body)
	require.Equal(h, status, answer.Status, "%s %s: %s", method, path, answer.Body)

	var said map[string]json.RawMessage

	require.NoError(h, json.Unmarshal([]byte(answer.Body), &said), answer.Body)

	var text string
	if json.Unmarshal(said[key], &text) != nil {
		text = string(said[key])
	}

	return text
}

func (h *hooks) endpoint() string {
	h.Helper()

	return h.call(200, http.MethodPost, "endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`, "id")
}

// signing returns the secrets that sign now, the current one first.
func (h *hooks) signing(id string) []string {
	h.Helper()

	row := h.Store.Client(context.Background()).WebhookEndpoint.GetX(auth.AsSystem(context.Background()), id)
	sealed := [][]byte{row.SecretSealed}

	for _, s := range webhook.Earlier(row.EarlierSecrets, nil, h.begun.Add(time.Duration(h.late.Load()))) {
		sealed = append(sealed, s.Sealed)
	}

	if len(sealed) > 1 {
		require.Equal(h, sealed[1], row.PreviousSecretSealed, "for nodes of the previous version")
	}

	all := make([]string, len(sealed))

	for i := range sealed {
		var err error

		all[i], err = h.Resolver.Vault.Open(id, sealed[i])
		require.NoError(h, err)
	}

	return all
}

// Every secret signs until 24 hours after its rotation. A sixth rotation within 24 hours is refused.
func TestRotateWebhookSecretOften(t *testing.T) {
	t.Parallel()

	h := newHooks(t)
	id := h.endpoint()
	secrets := []string{h.call(200, http.MethodGet, "endpoints/"+id+"/secret", "", "key")}

	for n := range 5 { // at 0, 1, 2, 3 and 4 h
		secrets = slices.Insert(secrets, 0, h.call(200, http.MethodPost, "endpoints/"+id+"/secret/rotate", "", "key"))
		require.Equal(t, secrets, h.signing(id))

		if n < 4 {
			h.late.Add(int64(time.Hour))
		}
	}

	require.Equal(t, "The secret was rotated 5 times within 24 hours. It can be rotated again at 2026-05-07T07:08:09Z.",
		h.call(409, http.MethodPost, "endpoints/"+id+"/secret/rotate", "", "message"))
	require.Equal(t, secrets[0], h.call(200, http.MethodGet, "endpoints/"+id+"/secret", "", "key"), "nothing has changed")
	require.Len(t, h.signing(id), 6)

	answer := h.Ask(t, h.owner.Key, fmt.Sprintf(`mutation { rotateWebhookSecret(endpointId: %q) { secret } }`, id), nil)
	require.Equal(t, "conflict", answer.Code())

	h.late.Store(int64(24*time.Hour - time.Millisecond))
	h.call(409, http.MethodPost, "endpoints/"+id+"/secret/rotate", "", "message")
	require.Len(t, h.signing(id), 6)

	h.late.Store(int64(24 * time.Hour)) // 24 hours after the first rotation
	require.Equal(t, secrets[:5], h.signing(id))

	secrets = slices.Insert(secrets, 0, h.call(200, http.MethodPost, "endpoints/"+id+"/secret/rotate", "", "key"))
	require.Equal(t, secrets[:6], h.signing(id))

	h.late.Store(int64(25 * time.Hour))
	require.Equal(t, secrets[:5], h.signing(id))
	h.late.Store(int64(48 * time.Hour))
	require.Equal(t, secrets[:1], h.signing(id))
}

// A message outlives its endpoint. It is listed and read with its attempts, and resent only to existing, enabled
// endpoints.
func TestMessagesOutliveTheirEndpoint(t *testing.T) {
	t.Parallel()

	h := newHooks(t)
	going, staying := h.endpoint(), h.endpoint()

	var message string

	h.owner.Do(t, h.Store, func(ctx context.Context, c *ent.Client) {
		sent, err := h.Resolver.Jobs.Send(ctx, event.Sample(values.EventTypeVideoCreated),
			c.WebhookEndpoint.GetX(ctx, going), c.WebhookEndpoint.GetX(ctx, staying))
		require.NoError(t, err)

		message = sent.ID

		for _, d := range c.WebhookDelivery.Query().AllX(ctx) {
			c.WebhookAttempt.Create().SetDelivery(d).SetAttempt(1).SetStatus(values.AttemptStatusSucceeded).SetDurationMs(1).
				SetSentAt(h.begun).ExecX(ctx)
		}
	})

	states := func() (all []string) {
		for _, id := range []string{going, staying} {
			d := h.Store.Client(context.Background()).WebhookDelivery.Query().Where(webhookdelivery.EndpointID(id)).
				OnlyX(auth.AsSystem(context.Background()))
			all = append(all, string(d.Status))
		}

		return all
	}

	before := h.call(200, http.MethodGet, "messages", "", "messages")
	attempts := h.call(200, http.MethodGet, "messages/"+message+"/attempts", "", "attempts")
	require.Contains(t, attempts, going)
	require.Equal(t, []string{"pending", "pending"}, states())

	require.Equal(t, going, h.call(200, http.MethodDelete, "endpoints/"+going, "", "id"))
	require.Equal(t, []string{"canceled", "pending"}, states())

	row := h.Store.Client(context.Background()).WebhookEndpoint.GetX(auth.AsSystem(context.Background()), going)
	require.Empty(t, row.SecretSealed, "its secrets are deleted")
	require.True(t, row.Disabled, "for nodes of the previous version")

	for _, gone := range [][3]string{
		{http.MethodGet, ""},
		{http.MethodDelete, ""},
		{http.MethodPatch, "", `{"disabled":false}`},
		{http.MethodGet, "/secret"},
		{http.MethodPost, "/secret/rotate"},
		{http.MethodPost, "/test", `{"type":"video.created"}`},
	} {
		h.call(404, gone[0], "endpoints/"+going+gone[1], gone[2], "message")
	}

	require.NotContains(t, h.call(200, http.MethodGet, "endpoints", "", "endpoints"), going)
	require.JSONEq(t, before, h.call(200, http.MethodGet, "messages", "", "messages"))
	require.JSONEq(t, attempts, h.call(200, http.MethodGet, "messages/"+message+"/attempts", "", "attempts"))
	require.Equal(t, message, h.call(200, http.MethodGet, "messages/"+message, "", "id"))
	require.Contains(t, h.Ask(t, h.owner.Key, fmt.Sprintf(
		`{ webhookMessage(id: %q) { id attempts { totalCount } } }`, message), nil).Body, `"totalCount":2`)
	require.Equal(t, "not_found", h.Ask(t, h.owner.Key, fmt.Sprintf(`{ node(id: %q) { id } }`, going), nil).Code())

	// A resend goes only to the remaining endpoint, not to deleted or disabled ones.
	h.call(200, http.MethodPost, "messages/"+message+"/resend", "", "message")
	require.Equal(t, []string{"canceled", "pending"}, states())
	h.call(404, http.MethodPost, "messages/"+message+"/resend", `{"endpointId":"`+going+`"}`, "message")
	h.call(200, http.MethodPost, "messages/"+message+"/resend", `{"endpointId":"`+staying+`"}`, "message")
	h.call(404, http.MethodPost, "messages/"+message+"/resend", `{"endpointId":"`+h.endpoint()+`"}`, "message")

	h.call(200, http.MethodPatch, "endpoints/"+staying, `{"disabled":true}`, "endpoint")
	require.Equal(t, "The endpoint is disabled.", h.call(409, http.MethodPost, "messages/"+message+"/resend", "", "message"))
	h.call(200, http.MethodDelete, "endpoints/"+staying, "", "id")
	require.Equal(t, "Every endpoint that the message was sent to has been deleted.",
		h.call(409, http.MethodPost, "messages/"+message+"/resend", "", "message"))
	require.Equal(t, []string{"canceled", "canceled"}, states())
	require.JSONEq(t, before, h.call(200, http.MethodGet, "messages", "", "messages"))
}

// filterTypes null means every type. A list narrows it again.
func TestUpdateWebhookEndpointFilterTypes(t *testing.T) {
	t.Parallel()

	h := newHooks(t)
	id := h.endpoint()

	for _, c := range [][2]string{
		{`{"filterTypes":null}`, `null`},
		{`{"disabled":false}`, `null`},
		{`{"filterTypes":["video.viewed","video.created"]}`, `["video.created","video.viewed"]`},
		{`{"url":"https://other.example/"}`, `["video.created","video.viewed"]`},
		{`{"filterTypes":null,"disabled":true}`, `null`},
	} {
		for _, answer := range []string{
			h.call(200, http.MethodPatch, "endpoints/"+id, c[0], "endpoint"), h.call(200, http.MethodGet, "endpoints/"+id, "", "endpoint"),
		} {
			require.Contains(t, answer, `"filterTypes":`+c[1], c[0])
			require.NotContains(t, answer, "whsec_")
		}
	}

	for _, wrong := range []string{`{"filterTypes":[]}`, `{"filterTypes":["video.none"]}`, `{"filterTypes":"video.created"}`, `{}`, `{"disabled":null}`, `{"url":null}`} {
		h.call(400, http.MethodPatch, "endpoints/"+id, wrong, "message")
	}
}
