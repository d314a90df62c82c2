package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
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
		{"--user", "a@example.com"},
		{"--user", "a@example.com", "--role", "viewer"},
		{"--user", "b@example.com"},
		{"--user", "b@example.com", "--workspace", "B"},
		{"--user", "b@example.com", "--workspace", "B", "--plan", "free"},
	} {
		out, err := command(t, env, append([]string{"keys", "create"}, args...)...)
		require.NoError(t, err, args)
		require.Regexp(t, `^reel_pk_[0-9A-Za-z]{32}\n$`, out)
	}

	pg, err := joinPostgres(t.Context(), settings.Config{Data: env["REELGRAPH_DATA"]}, nil)
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

// Which workspace a command uses: contract 1.2. A person cannot be moved to another's workspace by its name or by an
// invitation.
func TestWhichWorkspaceAKeyIsFor(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}
	create := func(args ...string) error {
		_, err := command(t, env, append([]string{"keys", "create"}, args...)...)

		return err
	}

	require.NoError(t, create("--user", "owner@example.com"))
	require.NoError(t, create("--user", "mallory@example.com", "--workspace", "Hers"))

	pg, err := joinPostgres(t.Context(), settings.Config{Data: env["REELGRAPH_DATA"]}, nil)
	require.NoError(t, err)

	defer pg.Stop()

	s, err := openStore(t.Context(), pg.DSN)
	require.NoError(t, err)

	defer s.Close()

	one := func(query string, args ...any) (v string) {
		require.NoError(t, s.DB.QueryRow(query, args...).Scan(&v))

		return v
	}
	places := func(email string) string {
		return one(`SELECT coalesce(string_agg(w.name || ' ' || m.role, ', ' ORDER BY w.name), '') FROM memberships m
			JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id WHERE u.email = $1`, email)
	}
	hers := one(`SELECT id FROM workspaces WHERE name = 'Hers'`)
	mallory := one(`SELECT id FROM users WHERE email = 'mallory@example.com'`)
	exec := func(query string, args ...any) {
		_, err := s.DB.Exec(query, args...)
		require.NoError(t, err)
	}

	// A name that only she chose: by creating a workspace, or by renaming one that a command created.
	exec(`INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ('ws_01h00000000000000000000000', 'Acme', now(), current_timestamp)`)
	exec(`UPDATE workspaces SET name = 'Corp' WHERE id = $1`, hers)

	for name, id := range map[string]string{"Acme": "ws_01h00000000000000000000000", "Corp": hers} {
		err := create("--user", "boss@example.com", "--workspace", name)
		require.ErrorContains(t, err, id, "the error names the id")
		require.ErrorContains(t, err, "a user chose the workspace name")
	}

	require.Empty(t, places("boss@example.com"))
	require.NoError(t, create("--user", "boss@example.com", "--workspace", "My workspace"), "the first")
	require.NoError(t, create("--user", "boss@example.com", "--workspace", "Hers"), "by the name that the command gave")
	require.Equal(t, "Corp member, My workspace member", places("boss@example.com"))

	err = create("--user", "boss@example.com")
	require.ErrorContains(t, err, hers)
	require.ErrorContains(t, err, `member of "My workspace"`)
	require.NoError(t, create("--user", "boss@example.com", "--workspace", "ws_01h00000000000000000000000"), "any id")
	require.ErrorContains(t, create("--user", "boss@example.com", "--workspace", "ws_01h00000000000000000000001"),
		"workspace ws_01h00000000000000000000001 not found")

	// A pending invitation is not a membership.
	exec(`INSERT INTO invitations (id, created_at, updated_at, email, address, role, expires_at, inviter_id, workspace_id)
		VALUES ('inv_1', now(), current_timestamp, 'new@example.com', 'new@example.com', 'admin', now() + interval '1 day', $1, $2)`, mallory, hers)
	require.NoError(t, create("--user", "new@example.com"))
	require.Equal(t, "My workspace member", places("new@example.com"))

	// Neither is that of an account made from a visible invitation link: the command verifies the address.
	exec(`INSERT INTO users (id, email, name, password_hash, unproved_in, created_at, updated_at)
		VALUES ('usr_1', 'taken@example.com', 'Taken', 'hers', $1, now(), current_timestamp)`, hers)
	exec(`INSERT INTO memberships (id, workspace_id, user_id, role, created_at, updated_at) VALUES ('mem_1', $1, 'usr_1', 'member', now(), current_timestamp)`, hers)
	exec(`INSERT INTO sessions (id, workspace_id, user_id, token_hash, expires_at, last_seen_at, created_at, updated_at)
		VALUES ('ses_1', $1, 'usr_1', 'x', now() + interval '1 day', now(), current_timestamp, statement_timestamp())`, hers)
	exec(`INSERT INTO api_keys (id, workspace_id, user_id, name, hash, last4, created_at, updated_at)
		VALUES ('key_1', $1, 'usr_1', 'hers', 'x', 'abcd', now(), current_timestamp)`, hers)
	require.NoError(t, create("--user", "Taken@example.com"))
	require.Equal(t, "My workspace member", places("taken@example.com"))
	require.Equal(t, "0 0 1 1", one(`SELECT concat_ws(' ', count(*) FILTER (WHERE password_hash <> ''), (SELECT count(*) FROM sessions),
		(SELECT count(*) FROM api_keys WHERE user_id = 'usr_1'), (SELECT count(*) FROM invitations WHERE email = 'taken@example.com'))
		FROM users WHERE id = 'usr_1'`))

	// With the workspace named, the operator decides, and the invitation sets the role.
	require.NoError(t, create("--user", "new@example.com", "--workspace", hers))
	require.Equal(t, "Corp admin, My workspace member", places("new@example.com"))
}
