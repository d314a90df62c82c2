package workers_test

import (
	"bufio"
	"context"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/membership"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	ours "github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/workers/notify"
)

// postbox returns a mail server that accepts mail for every address except nobody@.
func postbox(t *testing.T) (at *url.URL, taken <-chan string) {
	t.Helper()

	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })

	mails := make(chan string, 8)

	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}

			converse(conn, mails)
		}
	}()

	return &url.URL{Scheme: "smtp", Host: l.Addr().String()}, mails
}

func converse(conn net.Conn, mails chan<- string) {
	defer conn.Close()

	lines := bufio.NewReader(conn)
	say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }

	say("220 postbox")

	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}

		switch verb := strings.ToUpper(strings.TrimSpace(line)); {
		case strings.HasPrefix(verb, "RCPT TO:<NOBODY@"):
			say("550 nobody of that name")
		case verb == "DATA":
			say("354 go on")

			var b strings.Builder

			for line, err = lines.ReadString('\n'); err == nil && line != ".\r\n"; line, err = lines.ReadString('\n') {
				b.WriteString(line)
			}

			mails <- b.String()

			say("250 taken")

			if strings.Contains(b.String(), "To: <hasty@") {
				return // hangs up before QUIT
			}
		case verb == "QUIT":
			say("221 bye")

			return
		default:
			say("250 well")
		}
	}
}

// TestTellOfComment: the creator of a video is mailed a comment after its commit, unless they wrote it, have turned
// comment mails off or have left the workspace. A mail that the server refuses is not sent again.
func TestTellOfComment(t *testing.T) {
	t.Parallel()

	at, taken := postbox(t)
	server, err := ours.ServerAt(at, "reel.example")
	require.NoError(t, err)

	s := api.New(t, api.Options{})
	s.Resolver.Mail = true
	s.Resolver.Remake()
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{Email: "creator@example.test"})
	other := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID})
	settings := values.DefaultVideoSettings()
	v := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{Name: "Föhn\r\nBcc: all@example.test", Settings: &settings})

	add := func(key, body string) string {
		answer := s.Ask(t, key, `mutation($v: ID!, $b: String!) { addComment(videoId: $v, input: {body: $b, atSeconds: 3.5}) { comment { id } } }`,
			map[string]any{"v": v.ID, "b": body})
		require.Empty(t, answer.Errors)

		payload, _ := answer.Data["addComment"].(map[string]any)
		comment, _ := payload["comment"].(map[string]any)
		id, _ := comment["id"].(string)

		return id
	}
	asked := func() (n int) {
		require.NoError(t, s.Store.DB.QueryRowContext(t.Context(), `SELECT count(*) FROM river_job WHERE kind = 'tell_of_comment'`).Scan(&n))

		return n
	}
	tell := func(id string) error {
		return (&notify.TellOfComment{Deps: notify.Deps{Addresses: s.Resolver.Addresses, Server: server, Store: s.Store}}).
			Work(t.Context(), &river.Job[jobs.TellOfComment]{JobRow: &rivertype.JobRow{}, Args: jobs.TellOfComment{CommentID: id}})
	}

	own := add(creator.Key, "Mine")
	require.NotEmpty(t, own)
	require.Zero(t, asked())

	id := add(other.Key, "A long line about it. "+strings.Repeat("ü", 90)+"\n.\nThe end")

	require.Equal(t, 1, asked())
	require.NoError(t, tell(id))

	got, err := mail.ReadMessage(strings.NewReader(<-taken))
	require.NoError(t, err)
	require.Equal(t, "<creator@example.test>", got.Header.Get("To"))
	require.Empty(t, got.Header.Get("Bcc"))

	text, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	require.NoError(t, err)
	require.Contains(t, string(text), "at 0:03")
	require.Contains(t, string(text), strings.Repeat("ü", 90))
	require.Contains(t, string(text), s.Resolver.Addresses.ViewPage(v.ID)+"#comments")

	answered := s.Ask(t, other.Key, `mutation($v: ID!, $to: ID!) { addComment(videoId: $v, input: {body: "You are welcome", replyToId: $to}) { comment { id } } }`,
		map[string]any{"v": v.ID, "to": own})
	require.Empty(t, answered.Errors, answered.Body)
	require.Equal(t, 2, asked())
	require.NoError(t, tell(api.Dig(answered.Data, "addComment", "comment", "id").(string)))

	got, err = mail.ReadMessage(strings.NewReader(<-taken))
	require.NoError(t, err)

	text, err = io.ReadAll(quotedprintable.NewReader(got.Body))
	require.NoError(t, err)
	require.Contains(t, string(text), "Someone replied to Someone under your video")
	require.Contains(t, string(text), "You are welcome")

	creator.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		settings.CommentEmailsEnabled = false
		c.Video.UpdateOneID(v.ID).SetSettings(settings).ExecX(ctx)
	})
	require.NoError(t, tell(id))
	require.Empty(t, taken)
	add(other.Key, "Quietly")
	require.Equal(t, 2, asked())

	settings.CommentEmailsEnabled = true

	require.NoError(t, s.Store.InTx(auth.AsSystem(t.Context()), func(ctx context.Context) error {
		s.Store.Client(ctx).Video.UpdateOneID(v.ID).SetSettings(settings).ExecX(ctx)

		return s.Store.Client(ctx).User.UpdateOneID(creator.UserID).SetEmail("nobody@example.test").Exec(ctx)
	}))
	require.ErrorContains(t, tell(id), "nobody of that name")

	require.NoError(t, s.Store.InTx(auth.AsSystem(t.Context()), func(ctx context.Context) error {
		s.Store.Client(ctx).User.UpdateOneID(creator.UserID).SetEmail(creator.Email).ExecX(ctx)
		_, err := s.Store.Client(ctx).Membership.Delete().Where(membership.UserID(creator.UserID)).Exec(ctx)

		return err
	}))
	require.NoError(t, tell(id))
	require.Empty(t, taken)
}

// TestMailIsNotResentAfterHangUp: if the mail server hangs up right after accepting a message, the message is
// not sent again.
func TestMailIsNotResentAfterHangUp(t *testing.T) {
	t.Parallel()

	at, taken := postbox(t)
	server, err := ours.ServerAt(at, "reel.example")
	require.NoError(t, err)
	require.NoError(t, server.Send(t.Context(), ours.Message{To: "hasty@example.test", Subject: "Once", Text: "Once"}))
	require.Contains(t, <-taken, "Once")
	require.Empty(t, taken)
}
