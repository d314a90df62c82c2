package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// terminal opens a new terminal: write typed text to keyboard and read its output from there. The caller closes screen once
// nothing reads from it any more: its file descriptor may then be reused.
func terminal(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()

	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = keyboard.Close() })

	require.NoError(t, unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0))

	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)

	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)

	return keyboard, screen
}

// echoes reports whether a terminal shows typed text.
func echoes(t *testing.T, screen *os.File) bool {
	t.Helper()

	state, err := unix.IoctlGetTermios(int(screen.Fd()), unix.TCGETS)
	require.NoError(t, err)

	return state.Lflag&unix.ECHO != 0
}

// On a terminal the password is typed twice and never shown, and the terminal is restored afterwards.
func TestPasswordOnATerminal(t *testing.T) {
	t.Parallel()

	env := map[string]string{"REELGRAPH_DATA": filepath.Join(t.TempDir(), "data")}
	_, err := command(t, env, "keys", "create", "--user", "a@example.com")
	require.NoError(t, err)

	var (
		mu      sync.Mutex
		screens []*os.File
	)

	t.Cleanup(func() { // by now the keyboards are closed, which ends pending reads
		for _, s := range screens {
			_ = s.Close()
		}
	})

	for name, tc := range map[string]struct {
		typed []string // nil: the context ends instead
		fault string
	}{
		"twice the same": {typed: []string{"correct horse", "correct horse"}},
		"they differ":    {[]string{"correct horse", "correct house"}, "the two passwords differ; the password was not changed"},
		"too short":      {[]string{"short"}, "must have 8 to 255 characters"},
		"given up":       {nil, "no password given; the password was not changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			keyboard, screen := terminal(t)

			mu.Lock()

			screens = append(screens, screen)
			mu.Unlock()

			ctx, stop := context.WithCancel(t.Context())
			prompts := &safeBuffer{}

			var out bytes.Buffer

			a := app{stdin: screen, stdout: &out, stderr: prompts, getenv: func(name string) string { return env[name] }}
			ended := make(chan error, 1)

			go func() { ended <- a.run(ctx, []string{"reelgraph", "users", "password", "--user", "a@example.com"}) }()

			waits := func(asked int) {
				require.Eventually(t, func() bool {
					return strings.Count(prompts.String(), ": ") == asked && !echoes(t, screen)
				}, time.Minute, time.Millisecond)
			}

			waits(1)
			require.Equal(t, "New password for a@example.com: ", prompts.String())

			for i, line := range tc.typed {
				waits(i + 1)

				_, err := keyboard.WriteString(line + "\n")
				require.NoError(t, err)
			}

			if tc.typed == nil {
				stop()
			}

			err := <-ended

			stop()
			require.True(t, echoes(t, screen))

			if tc.fault != "" {
				require.ErrorContains(t, err, tc.fault)
				require.Empty(t, out.String())
			} else {
				require.NoError(t, err)
				require.Equal(t, "The password of a@example.com is set. Ended sessions: 0.\n", out.String())
			}

			_ = keyboard.SetReadDeadline(time.Now())
			shown := make([]byte, 1000)
			n, _ := keyboard.Read(shown)
			require.NotContains(t, string(shown[:n])+prompts.String(), "horse")
		})
	}
}
