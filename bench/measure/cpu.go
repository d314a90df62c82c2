package measure

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is what Linux counts processor time in: 100 in a second on every system that Go runs on.
const tick = 10 * time.Millisecond

// CPU is the processor time that processes have used so far. What has ended counts no more. Systems
// without Linux's /proc answer zero.
func CPU(pids ...int) (time.Duration, error) {
	var total time.Duration

	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended, or there is no /proc
		}

		// The second field is a name in parentheses, which may hold anything; user and system time are
		// the 14th and the 15th.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 13 {
			return 0, fmt.Errorf("processor time of %d: not as expected: %.200s", pid, stat)
		}

		for _, field := range fields[11:13] {
			ticks, err := strconv.ParseInt(string(field), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("processor time of %d: %w", pid, err)
			}

			total += time.Duration(ticks) * tick
		}
	}

	return total, nil
}
