package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/auth"
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
	require.ErrorContains(t, err, "nobody has the address b@example.com")

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
	require.Equal(t, "The password of a@example.com is set. Sessions that have ended: 0.\n", out)

	pg, err := joinPostgres(t.Context(), config{Data: env["REELGRAPH_DATA"]}, nil)
	require.NoError(t, err)
	defer pg.Stop()
	s, err := openStore(t.Context(), pg.DSN)
	require.NoError(t, err)
	defer s.Close()

	var hash string
	require.NoError(t, s.DB.QueryRow(`SELECT password_hash FROM users`).Scan(&hash))
	require.True(t, auth.PasswordMatches(hash, "correct horse \u00e9"))
}
