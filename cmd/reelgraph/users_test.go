package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

func TestUsersPassword(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}
	set := func(stdin string, args ...string) (string, error) {
		var out bytes.Buffer

		a := app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &out, getenv: func(name string) string { return env[name] }}
		err := a.run(t.Context(), append([]string{"reelgraph", "users", "password"}, args...))

		return out.String(), err
	}

	_, err := set("correct horse\n", "--user", "a@example.com")
	require.ErrorIs(t, err, errNoData)

	_, err = command(t, env, "keys", "create", "--user", "a@example.com")
	require.NoError(t, err)
	_, err = set("correct horse\n", "--user", "b@example.com")
	require.ErrorContains(t, err, "no person has the e-mail address b@example.com")

	for _, stdin := range []string{"", "1234567\n", strings.Repeat("x", 256), "\xff\xff\xff\xff\xff\xff\xff\xff\n"} {
		_, err := set(stdin, "--user", "a@example.com")
		require.ErrorContains(t, err, "must have 8 to 255 characters")
	}

	_, err = set("correct horse", "--user", "a")
	require.Error(t, err)
	_, err = set("correct horse")
	require.Error(t, err)

	out, err := set("correct horse e\u0301\r\nmore\n", "--user", "A@example.com")
	require.NoError(t, err)
	require.Equal(t, "The password of a@example.com is set. Ended sessions: 0.\n", out)

	pg, err := joinPostgres(t.Context(), settings.Config{Data: env["REELGRAPH_DATA"]}, nil)
	require.NoError(t, err)

	defer pg.Stop()

	s, err := openStore(t.Context(), pg.DSN)
	require.NoError(t, err)

	defer s.Close()

	var hash string
	require.NoError(t, s.DB.QueryRow(`SELECT password_hash FROM users`).Scan(&hash))
	require.True(t, auth.PasswordMatches(hash, "correct horse \u00e9"))
}

// A reset link of the operator sets a password once, through the graph, and verifies the address.
func TestUsersReset(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	s.start()

	for _, args := range [][]string{{}, {"--user", "nobody"}, {"--user", "nobody@example.com"}} {
		_, err := command(t, s.env, append([]string{"users", "reset"}, args...)...)
		require.Error(t, err, args)
	}

	_, err := command(t, s.env, "keys", "create", "--user", "a@example.com")
	require.NoError(t, err)

	old, err := command(t, s.env, "users", "reset", "--user", "a@example.com")
	require.NoError(t, err)
	out, err := command(t, s.env, "users", "reset", "--user", "A@example.com")
	require.NoError(t, err)
	require.Regexp(t, "^"+regexp.QuoteMeta(s.base)+`/reset#reel_rs_[\w-]{43}\n$`, out)

	set := func(link, password string) string {
		_, token, _ := strings.Cut(strings.TrimSpace(link), "#")
		document, err := json.Marshal(map[string]any{
			"query":     `mutation ($in: ResetPasswordInput!) { resetPassword(input: $in) { user { email } } }`,
			"variables": map[string]any{"in": map[string]any{"token": token, "password": password}},
		})
		require.NoError(t, err)

		_, _, body := s.say(http.MethodPost, s.base+"/graphql", string(document), "Content-Type", "application/json")

		return body
	}

	require.Contains(t, set(out, "short"), "bad_request")
	require.Contains(t, set(out, "correct horse"), `"email":"a@example.com"`)
	require.Contains(t, set(out, "correct horse"), "not_found", "once")
	require.Contains(t, set(old, "correct horse"), "not_found", "setting the password ends all reset links")
}
