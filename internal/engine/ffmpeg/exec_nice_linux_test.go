package ffmpeg_test

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// A program that uses much processor time gets a low priority. A LowPriority program has it from the start. An idle
// program keeps its priority, however long it runs.
func TestBusyProgramsGetLowPriority(t *testing.T) {
	t.Parallel()

	const busy = "while :; do :; done"

	for script, want := range map[string]string{busy: "10", "sleep 30": "0", "sleep 31": "10", "sleep 32": "0"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()

			ctx, cancel := context.WithCancel(t.Context())

			switch script {
			case "sleep 31":
				ctx = ffmpeg.LowPriority(ctx)
			case "sleep 32":
				ctx = new(ffmpeg.CPUBudgets).For(ctx, "ws_1")
			}

			said, says, err := os.Pipe()
			require.NoError(t, err)

			ended := make(chan error, 1)
			go func() {
				ended <- ffmpeg.Tools{}.Run(ctx, ffmpeg.Command{Program: "/bin/sh", Args: []string{"-c", "echo $$; " + script}, Stdout: says})
			}()

			line := make([]byte, 20)
			n, err := said.Read(line)
			require.NoError(t, err)

			pid, err := strconv.Atoi(strings.TrimSpace(string(line[:n])))
			require.NoError(t, err)

			nice := func() string {
				stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
				require.NoError(t, err)

				return string(bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])[16])
			}

			if want == "0" {
				require.Never(t, func() bool { return nice() != want }, 2*time.Second, 50*time.Millisecond)
			} else {
				require.Eventually(t, func() bool { return nice() == want }, 30*time.Second, 50*time.Millisecond)
			}

			cancel()
			require.Error(t, <-ended)
		})
	}
}
