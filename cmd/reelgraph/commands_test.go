package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/doctor"
)

// A wrong command line prints one sentence, with a suggestion if one resembles it, and nothing else.
func TestWrongCommandLines(t *testing.T) {
	t.Parallel()

	for line, want := range map[string]string{
		"servve":                     `unknown command "servve": did you mean serve?`,
		"SERVE":                      `unknown command "SERVE": did you mean serve?`,
		"back":                       `unknown command "back": did you mean backup?`,
		"banana":                     `unknown command "banana"; the commands are serve, worker,`,
		"help servve":                `unknown command "servve": did you mean serve?`,
		"user password --user a@b.c": `unknown command "user": did you mean users?`,
		"users pasword":              `users: unknown command "pasword": did you mean password?`,
		"keys mint":                  `keys: unknown command "mint"; the commands are create, list, revoke`,
		"keys list --usr a@b.c":      `keys list: unknown flag --usr: did you mean --user?`,
		"keys create --banana":       `keys create: unknown flag --banana; reelgraph keys create --help lists the flags`,
		"keys create":                `keys create: missing --user; reelgraph keys create --help lists the flags`,
		"keys list --user":           `keys list: --user needs a value; reelgraph keys list --help lists the flags`,
		"listen --count many":        `listen: --count must be a whole number, not "many"; reelgraph listen --help lists the flags`,
		"listen --count 1.5":         `listen: --count must be a whole number, not "1.5"`,
		"render --workers":           `render: --workers needs a value`,
		"keys list --all=maybe":      `keys list: --all must be true or false, not "maybe"`,
		"serve --port 90":            `serve: unknown flag --port; settings are environment variables; reelgraph help lists them`,
		"serve now":                  `serve does not take "now"`,
		"version 2":                  `version does not take "2"`,
		"--versions":                 `unknown flag --versions: did you mean --version?`,
		"-x":                         `unknown flag -x`,
		"keys revoke":                "key missing: give its id",
		"backup":                     "no backup folder given: pass it as the argument",
	} {
		var out, errs bytes.Buffer

		a := app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }}
		err := a.run(t.Context(), append([]string{"reelgraph"}, strings.Fields(line)...))
		require.ErrorContains(t, err, want, line)
		require.NotContains(t, err.Error(), "\n", line)
		require.Empty(t, out.String(), line)
		require.Empty(t, errs.String(), "%s: main prints the error, once", line)
	}
}

// Every command takes --help and rejects unknown arguments and flags without printing the help text.
func TestCommandsRejectUnknownArguments(t *testing.T) {
	t.Parallel()

	var walk func(path []string, all []*cli.Command)

	seen := 0
	walk = func(path []string, all []*cli.Command) {
		for _, c := range all {
			line := append(append([]string{}, path...), c.Name)

			help, err := command(t, nil, append(line, "--help")...)
			require.NoError(t, err, line)
			require.Contains(t, help, c.Usage)

			for _, wrong := range []string{"--no-such-flag", "one two three four"} {
				var out, errs bytes.Buffer

				a := app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }}
				err := a.run(t.Context(), append(append([]string{"reelgraph"}, line...), strings.Fields(wrong)...))
				require.Error(t, err, "%s %s", line, wrong)
				require.Empty(t, out.String()+errs.String(), "%s %s", line, wrong)
			}

			seen++

			walk(line, c.Commands)
		}
	}

	walk(nil, commands(app{}))
	require.Greater(t, seen, 15)
}

func TestVersion(t *testing.T) {
	t.Parallel()

	out, err := command(t, nil, "version")
	require.NoError(t, err)

	newest, err := filepath.Glob("../../ent/migrate/migrations/*.sql")
	require.NoError(t, err)

	engine, err := os.ReadFile("../../internal/video/plan/doc.go")
	require.NoError(t, err)

	changelog, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)

	released := regexp.MustCompile(`(?m)^## \[([0-9.]+)\]`).FindStringSubmatch(string(changelog))
	require.Contains(t, out, "version  "+released[1]+"\n")
	require.DirExists(t, "../../docs/releases/"+released[1])

	require.Regexp(t, `(?m)^commit   \S+`, out)
	require.Contains(t, out, "\nengine   "+regexp.MustCompile(`Engine = (\d+)`).FindStringSubmatch(string(engine))[1]+"\n")
	require.Contains(t, out, "\nschema   "+strings.TrimSuffix(filepath.Base(newest[len(newest)-1]), ".sql")+"\n")
}

func TestDoctorNamesMisspeltSettings(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data"), "REELGRAPH_ADDR": "127.0.0.1:0"}
	a := app{stdout: &out, stderr: io.Discard, getenv: func(name string) string { return env[name] }, environ: func() []string {
		return []string{"REELGRAPH_RATELIMIT=7", "REELGRAPH_BANANA=1"}
	}}

	require.ErrorIs(t, a.run(t.Context(), []string{"reelgraph", "doctor"}), doctor.ErrUnwell)
	require.Regexp(t, `FAILS +settings +REELGRAPH_BANANA, REELGRAPH_RATELIMIT`, out.String())
	require.Contains(t, out.String(), "REELGRAPH_RATELIMIT: did you mean REELGRAPH_RATE_LIMIT?")
	require.Contains(t, out.String(), "unset REELGRAPH_BANANA")
}

// The doctor uses each service as the server does, and reports the error of one that fails.
func TestDoctorTriesServices(t *testing.T) {
	t.Parallel()

	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	gone := nobody.Addr().String()
	require.NoError(t, nobody.Close())

	speaks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right" && strings.HasPrefix(r.URL.Path, "/v1/") {
			http.Error(w, `{"error":{"message":"Incorrect API key provided"}}`, http.StatusUnauthorized)

			return
		}

		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"language":"english","duration":0.5,"text":"","words":[],"segments":[],"result":{"language":"en"},"transcription":[]}`)
	}))
	t.Cleanup(speaks.Close)

	heard := strings.TrimPrefix(speaks.URL, "http://")
	mailer, storage := mailbox(t), objectStore(t)

	for name, tc := range map[string]struct {
		setting, value string
		well           bool
		says           []string
	}{
		"reachable storage":             {"REELGRAPH_BLOB", "s3://key:sesame@reel/here?endpoint=" + storage, true, []string{"media storage"}},
		"a missing bucket":              {"REELGRAPH_BLOB", "s3://key:sesame@none?endpoint=" + storage, false, []string{"media storage", "REELGRAPH_BLOB"}},
		"unreachable storage":           {"REELGRAPH_BLOB", "s3://key:sesame@bucket?endpoint=http://" + gone, false, []string{"media storage", "REELGRAPH_BLOB"}},
		"a reachable mail server":       {"REELGRAPH_SMTP_URL", "smtp://" + mailer, true, []string{"mail server"}},
		"a wrong password":              {"REELGRAPH_SMTP_URL", "smtp://me:sesame@" + mailer, false, []string{"mail server", "535", "REELGRAPH_SMTP_URL"}},
		"an unreachable mail server":    {"REELGRAPH_SMTP_URL", "smtp://" + gone, false, []string{"mail server", "refused", "REELGRAPH_SMTP_URL"}},
		"a speech service":              {"REELGRAPH_SPEECH", "openai+http://right@" + heard + "/v1?model=m", true, []string{"speech"}},
		"a wrong key":                   {"REELGRAPH_SPEECH", "openai+http://sesame@" + heard + "/v1?model=m", false, []string{"speech", "REELGRAPH_SPEECH"}},
		"an unreachable speech service": {"REELGRAPH_SPEECH", "whispercpp+http://" + gone, false, []string{"speech", "refused", "REELGRAPH_SPEECH"}},
		"whisper.cpp":                   {"REELGRAPH_SPEECH", "whispercpp+http://" + heard, true, []string{"speech"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			out, err := command(t, map[string]string{
				"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data"), "REELGRAPH_ADDR": "127.0.0.1:0", tc.setting: tc.value,
			}, "doctor")

			if tc.well {
				require.NoError(t, err, out)
				require.NotContains(t, out, "FAILS")
			} else {
				require.ErrorIs(t, err, doctor.ErrUnwell)
				require.Regexp(t, `(?m)^FAILS +`+tc.says[0], out)
			}

			for _, word := range tc.says {
				require.Contains(t, out, word)
			}

			require.NotContains(t, out, "sesame", "a secret")
		})
	}
}

// The commands use the address of the running server, even if their own settings name another.
func TestAddressOfRunningServer(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	s.env["REELGRAPH_RATELIMIT"] = "7"

	var log safeBuffer

	_, stop := s.startLogged(&log)
	require.Contains(t, log.String(), `"setting":"REELGRAPH_RATELIMIT","did_you_mean":"REELGRAPH_RATE_LIMIT"`)

	other := map[string]string{"REELGRAPH_DATA": s.env["REELGRAPH_DATA"]}
	out, err := command(t, other, "address")
	require.NoError(t, err)
	require.Equal(t, s.base+"\n", out)

	_, err = command(t, other, "ready")
	require.NoError(t, err)
	require.NoError(t, stop())

	out, err = command(t, other, "address")
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8080\n", out, "from the settings")

	// A killed server leaves its address file behind.
	require.NoError(t, os.WriteFile(filepath.Join(other["REELGRAPH_DATA"], addressName), []byte(`{"baseUrl":"`+s.base+`","listens":"`+s.base[7:]+`"}`), 0o600))
	out, err = command(t, other, "address")
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8080\n", out)
}

func TestKeysListAndRevoke(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}
	_, err := command(t, env, "keys", "list")
	require.ErrorIs(t, err, errNoData)

	var made []string

	for _, who := range []string{"a@example.com", "b@example.com", "b@example.com"} {
		out, err := command(t, env, "keys", "create", "--user", who)
		require.NoError(t, err)

		made = append(made, strings.TrimSpace(out))
	}

	out, err := command(t, env, "keys", "list")
	require.NoError(t, err)

	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 4)

	for i, key := range made {
		require.Contains(t, lines[i+1], "…"+key[len(key)-4:])
		require.NotContains(t, out, key[:len(key)-5], "never the key")
		require.Contains(t, lines[i+1], "works")
	}

	out, err = command(t, env, "keys", "list", "--user", "A@example.com")
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out, "\n"))
	require.Contains(t, out, "a@example.com")

	_, err = command(t, env, "keys", "list", "--user", "c@example.com")
	require.ErrorContains(t, err, "no person has the e-mail address c@example.com")

	id := strings.Fields(lines[1])[0]
	out, err = command(t, env, "keys", "revoke", id)
	require.NoError(t, err)
	require.Contains(t, out, id)
	require.Contains(t, out, "is revoked")

	out, err = command(t, env, "keys", "revoke", made[1])
	require.NoError(t, err, "by the key itself")
	require.Contains(t, out, "is revoked")
	require.NotContains(t, out, made[1])

	out, err = command(t, env, "keys", "revoke", id)
	require.NoError(t, err)
	require.Contains(t, out, "already")

	for _, wrong := range []string{"key_nonsense", "reel_pk_nonsense"} {
		_, err = command(t, env, "keys", "revoke", wrong)
		require.ErrorContains(t, err, "reelgraph keys list")
	}

	out, err = command(t, env, "keys", "list")
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out, "\n"), out)

	out, err = command(t, env, "keys", "list", "--all")
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out, "revoked "+time.Now().UTC().Format(time.DateOnly)), out)
}

// Only the owner can read a backup, also in an existing folder that others may read.
func TestBackupsArePrivate(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}
	_, err := command(t, env, "keys", "create", "--user", "a@example.com")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(env["REELGRAPH_DATA"], "blobs", "ab"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(env["REELGRAPH_DATA"], "blobs", "ab", "cd.mp4"), []byte("film"), 0o644))

	to := t.TempDir()
	require.NoError(t, os.Chmod(to, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(to, dumpName), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(to, dumpName+".new"), []byte("of an interrupted backup"), 0o644))

	for range 2 { // the second run reuses the folder of the first
		_, err = command(t, env, "backup", to)
		require.NoError(t, err)

		require.NoError(t, filepath.WalkDir(to, func(path string, entry os.DirEntry, err error) error {
			require.NoError(t, err)

			if path == to {
				return nil
			}

			info, err := entry.Info()
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077, path)

			return nil
		}))
	}

	st, err := os.Stat(filepath.Join(to, dumpName))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), st.Mode().Perm())
	require.NoFileExists(t, filepath.Join(to, dumpName+".new"))
}

// mailbox is a mail server that refuses every password.
func mailbox(t *testing.T) (address string) {
	t.Helper()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })

	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}

			_, _ = io.WriteString(conn, "220 here\r\n")

			for lines := bufio.NewScanner(conn); lines.Scan(); {
				switch verb, _, _ := strings.Cut(lines.Text(), " "); strings.ToUpper(verb) {
				case "EHLO":
					_, _ = io.WriteString(conn, "250-here\r\n250 AUTH PLAIN\r\n")
				case "AUTH":
					_, _ = io.WriteString(conn, "535 5.7.8 authentication failed\r\n")
				default:
					_, _ = io.WriteString(conn, "250 well\r\n")
				}
			}

			_ = conn.Close()
		}
	}()

	return l.Addr().String()
}

// objectStore starts a real S3-compatible server with the bucket reel, and returns its endpoint.
func objectStore(t *testing.T) (endpoint string) {
	t.Helper()

	build := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools/s3/go.mod", "-n", "versitygw")
	build.Dir = filepath.Join("..", "..")
	program, err := build.Output()
	require.NoError(t, err)

	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	address := free.Addr().String()
	require.NoError(t, free.Close())

	data := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(data, "reel"), 0o700))

	server := exec.Command(strings.TrimSpace(string(program)),
		"--access", "key", "--secret", "sesame", "--port", address, "--quiet", "posix", "--sidecar", t.TempDir(), data)
	server.Stdout, server.Stderr = t.Output(), t.Output()
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	require.Eventually(t, func() bool {
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = c.Close()
		}

		return err == nil
	}, time.Minute, 10*time.Millisecond)

	return "http://" + address
}
