package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeysCreate(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}

	for _, args := range [][]string{
		{"--user", "nobody"}, {"--user", "a@example.com", "--role", "god"}, {"--user", "a@example.com", "--plan", "gold"}, {},
	} {
		_, err := command(t, env, append([]string{"keys", "create"}, args...)...)
		require.Error(t, err, args)
	}

	for _, args := range [][]string{
		{"--user", "a@example.com"}, {"--user", "a@example.com", "--role", "viewer"}, {"--user", "b@example.com"},
		{"--user", "b@example.com", "--workspace", "B"}, {"--user", "b@example.com", "--workspace", "B", "--plan", "free"},
	} {
		out, err := command(t, env, append([]string{"keys", "create"}, args...)...)
		require.NoError(t, err, args)
		require.Regexp(t, `^reel_pk_[0-9A-Za-z]{32}\n$`, out)
	}

	pg, err := joinPostgres(t.Context(), config{Data: env["REELGRAPH_DATA"]}, nil)
	require.NoError(t, err)
	defer pg.Stop()
	s, err := openStore(t.Context(), pg.DSN)
	require.NoError(t, err)
	defer s.Close()

	rows, err := s.DB.Query(`SELECT concat_ws(' ', w.name, w.plan, u.email, m.role, count(*)) FROM memberships m
		JOIN workspaces w ON w.id = m.workspace_id JOIN users u ON u.id = m.user_id
		JOIN api_keys k ON k.workspace_id = w.id AND k.user_id = u.id
		GROUP BY w.name, w.plan, u.email, m.role ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()

	var got []string

	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		got = append(got, line)
	}

	require.NoError(t, rows.Err())

	require.Equal(t, []string{
		"B free b@example.com owner 2", "My workspace premium a@example.com viewer 2", "My workspace premium b@example.com member 1",
	}, got)

	out, err := command(t, env, "migrate")
	require.NoError(t, err)
	require.Contains(t, out, "up to date")
}
