package workers_test

import (
	"context"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	ours "github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/workers/notify"
)

// mailing is a server that sends mail, with a mail server that accepts it.
type mailing struct {
	*testing.T
	*api.Server

	deps  notify.Deps
	taken <-chan string
	told  map[string]bool // jobs that have run
}

func newMailing(t *testing.T) *mailing {
	t.Helper()

	at, taken := postbox(t)
	server, err := ours.ServerAt(at, "reel.example")
	require.NoError(t, err)

	s := api.New(t, api.Options{})
	s.Resolver.Mail = true
	s.Resolver.Remake()

	return &mailing{
		T: t, Server: s, taken: taken, told: map[string]bool{},
		deps: notify.Deps{Addresses: s.Resolver.Addresses, Server: server, Store: s.Store},
	}
}

// work runs every new job and returns the mails that were sent.
func (m *mailing) work() (sent []string) {
	m.Helper()

	rows, err := m.Store.DB.Query(`SELECT id::text, kind, coalesce(args->>'invitationId', args->>'resetId'), args::text FROM river_job
		WHERE kind IN ('tell_of_invitation', 'tell_of_reset') ORDER BY id`)
	require.NoError(m, err)

	defer rows.Close()

	for rows.Next() {
		var id, kind, of, args string
		require.NoError(m, rows.Scan(&id, &kind, &of, &args))
		require.NotContains(m, args, "reel_", "no link in a job")
		require.NotContains(m, args, "@", "nor an address")

		if !m.told[id] {
			m.told[id] = true
			require.NoError(m, m.tell(kind, of))
		}

		for len(m.taken) > 0 {
			sent = append(sent, <-m.taken)
		}
	}

	require.NoError(m, rows.Err())

	return sent
}

func (m *mailing) tell(kind, id string) error {
	if kind == "tell_of_reset" {
		return (&notify.TellOfReset{Deps: m.deps}).Work(context.Background(),
			&river.Job[jobs.TellOfReset]{JobRow: &rivertype.JobRow{}, Args: jobs.TellOfReset{ResetID: id}})
	}

	return (&notify.TellOfInvitation{Deps: m.deps}).Work(context.Background(),
		&river.Job[jobs.TellOfInvitation]{JobRow: &rivertype.JobRow{}, Args: jobs.TellOfInvitation{InvitationID: id}})
}

var link = regexp.MustCompile(`https://reel\.example/(invite|reset)#(reel_(iv|rs)_[\w-]{43})\n`)

// read returns the subject and text of a mail, and the token of its link.
func (m *mailing) read(raw string) (text, token string) {
	m.Helper()

	got, err := mail.ReadMessage(strings.NewReader(raw))
	require.NoError(m, err)
	body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	require.NoError(m, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	require.NoError(m, err)

	text = subject + "\n" + strings.ReplaceAll(string(body), "\r\n", "\n")
	found := link.FindStringSubmatch(text)
	require.NotNil(m, found, text)

	return text, found[2]
}

func (m *mailing) invite(key, email string) api.Graph {
	return m.Ask(m, key, `mutation ($e: String!) { inviteMember(input: {email: $e}) { invitation { id url mailed } } }`, map[string]any{"e": email})
}

func (m *mailing) askReset(email string) api.Graph {
	return m.Ask(m, "", `mutation ($e: String!) { requestPasswordReset(input: {email: $e}) { sendsMail } }`, map[string]any{"e": email})
}

// TestTellOfInvitation: the link of an invitation is only sent by mail, so using it proves the address.
func TestTellOfInvitation(t *testing.T) {
	t.Parallel()

	m := newMailing(t)
	owner := testkit.NewMember(t, m.Store, testkit.MemberOpts{})
	_, err := m.Store.DB.Exec(`UPDATE workspaces SET name = $1`, "Win at http://evil.example\r\nBcc: all@evil.example "+strings.Repeat("x", 99))
	require.NoError(t, err)
	_, err = m.Store.DB.Exec(`UPDATE users SET name = $1`, "Ann <ann@evil.example>")
	require.NoError(t, err)

	made := m.invite(owner.Key, "New@example.test")
	require.Contains(t, made.Body, `"url":null,"mailed":true`)

	sent := m.work()
	require.Len(t, sent, 1)
	require.Contains(t, sent[0], "To: <New@example.test>")
	require.NotContains(t, sent[0], "\nBcc")

	text, token := m.read(sent[0])
	require.NotContains(t, link.ReplaceAllString(text, ""), "://")
	require.NotContains(t, text, "evil.example")
	require.NotContains(t, text, "@")
	require.NotContains(t, text, strings.Repeat("x", 60), "cut")

	// A repeated mail has another link, and the former link is invalid.
	invitation, _ := made.Data["inviteMember"].(map[string]any)["invitation"].(map[string]any)
	require.NoError(t, m.tell("tell_of_invitation", invitation["id"].(string)))
	_, later := m.read(<-m.taken)
	accept := func(token string) api.Graph {
		return m.Ask(t, "", `mutation ($t: String!) { acceptInvitation(input: {token: $t, name: "New", password: "correct horse"}) { session { id } } }`,
			map[string]any{"t": token})
	}
	require.Equal(t, "not_found", accept(token).Code())

	in := accept(later)
	require.Empty(t, in.Errors, in.Body)

	cookie, _, _ := strings.Cut(in.Header.Get("Set-Cookie"), ";")
	own := m.Ask(t, "", `mutation { createWorkspace(input: {name: "Own"}) { workspace { id } } }`, nil, "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
	require.Empty(t, own.Errors, "the address is verified")

	// An invitation that has ended is not mailed.
	require.Empty(t, m.invite(owner.Key, "gone@example.test").Errors)
	_, err = m.Store.DB.Exec(`DELETE FROM invitations`)
	require.NoError(t, err)
	require.Empty(t, m.work())
}

// TestTellOfReset: the response to a reset request is always the same; only existing accounts get a mail.
func TestTellOfReset(t *testing.T) {
	t.Parallel()

	m := newMailing(t)
	known := testkit.NewMember(t, m.Store, testkit.MemberOpts{Email: "known@example.test"})
	answers := map[string]bool{}

	for _, email := range []string{"Known@example.test", "unknown@example.test", "nonsense", strings.Repeat("x", 320)} {
		a := m.askReset(email)
		body := regexp.MustCompile(`"extensions".*`).ReplaceAllString(a.Body, "")
		answers[fmt.Sprint(a.Status, body)] = true
	}

	require.Equal(t, map[string]bool{`200{"data":{"requestPasswordReset":{"sendsMail":true}},`: true}, answers)

	sent := m.work()
	require.Len(t, sent, 1)
	require.Contains(t, sent[0], "To: <known@example.test>")

	_, token := m.read(sent[0])
	set := func() api.Graph {
		return m.Ask(t, "", `mutation ($t: String!) { resetPassword(input: {token: $t, password: "battery staple"}) { user { id } } }`, map[string]any{"t": token})
	}

	done := set()
	require.Empty(t, done.Errors, done.Body)
	require.Empty(t, done.Header.Get("Set-Cookie"), "it does not sign in")
	require.Equal(t, "not_found", set().Code())
	require.Empty(t, m.Ask(t, known.Key, `{ viewer { role } }`, nil).Errors, "a verified person keeps their keys")

	m.Resolver.Mail = false
	m.Resolver.Remake()
	require.Contains(t, m.askReset("known@example.test").Body, `"sendsMail":false`)
	require.Empty(t, m.work())

	// A link is valid for an hour.
	m.Resolver.Mail = true
	m.Resolver.Remake()
	m.askReset("known@example.test")
	_, token = m.read(m.work()[0])
	_, err := m.Store.DB.Exec(`UPDATE password_resets SET expires_at = now()`)
	require.NoError(t, err)
	require.Equal(t, "not_found", set().Code())
}

// TestMailsAreLimited: invitations, renewals and resets together are limited to three mails per hour for an address
// and thirty for a workspace. The limit does not reveal whether an account exists.
func TestMailsAreLimited(t *testing.T) {
	t.Parallel()

	m := newMailing(t)
	owner := testkit.NewMember(t, m.Store, testkit.MemberOpts{Email: "owner@example.test"})
	other := testkit.NewMember(t, m.Store, testkit.MemberOpts{})
	_ = testkit.NewMember(t, m.Store, testkit.MemberOpts{WorkspaceID: other.WorkspaceID, Email: "theirs@example.test"})

	for _, email := range []string{"theirs@example.test", "known-to-nobody@example.test"} {
		made := m.invite(owner.Key, email)
		invitation, _ := made.Data["inviteMember"].(map[string]any)["invitation"].(map[string]any)
		renewed := m.Ask(t, owner.Key, `mutation ($id: ID!) { renewInvitation(id: $id) { invitation { id } } }`, map[string]any{"id": invitation["id"]})
		require.Empty(t, renewed.Errors, renewed.Body)
		require.Empty(t, m.askReset(email).Errors)

		fourth := m.invite(owner.Key, strings.ToUpper(email))
		require.Equal(t, "rate_limited", fourth.Code(), fourth.Body)
		require.NotEmpty(t, fourth.Header.Get("Retry-After"))
		require.Contains(t, m.askReset(email).Body, `"sendsMail":true`, "the limit is not revealed")
	}

	require.Equal(t, "rate_limited", m.invite(other.Key, "known-to-nobody@example.test").Code(), "the limit holds for every inviter")

	m.work()

	for i := 4; i < account.MailsPerWorkspace; i++ { // four were sent above
		require.Empty(t, m.invite(owner.Key, fmt.Sprintf("%d@example.test", i)).Errors, i)
	}

	require.Equal(t, "rate_limited", m.invite(owner.Key, "last@example.test").Code())
	require.Empty(t, m.invite(other.Key, "last@example.test").Errors, "another workspace has its own limit")
	m.work()

	require.Contains(t, m.askReset("owner@example.test").Body, `"sendsMail":true`)
	require.Empty(t, m.work(), "the reset counts for the workspace's limit too")

	_, err := m.Store.DB.Exec(`UPDATE link_mails SET sent_at = sent_at - interval '1 hour'`)
	require.NoError(t, err)
	require.Empty(t, m.invite(owner.Key, "last@example.test").Errors)
	require.NoError(t, m.Store.InTx(auth.AsSystem(t.Context()), func(ctx context.Context) error {
		return account.CountMailTo(ctx, m.Store.Client(ctx), "last@example.test")
	}))
}
