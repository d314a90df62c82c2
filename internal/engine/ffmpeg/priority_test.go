package ffmpeg

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A workspace may use a second of processor time in one go, and a fifth of a processor all the time. After it used up
// its second its programs have a low priority until half a second has come back.
func TestCPUBudget(t *testing.T) {
	t.Parallel()

	began := time.Now()

	for name, c := range map[string]struct {
		uses  []time.Duration // one at the end of each second
		backs []bool
	}{
		"a fifth all the time": {
			uses:  []time.Duration{200e6, 200e6, 200e6, 200e6, 200e6, 200e6, 200e6, 200e6},
			backs: []bool{false, false, false, false, false, false, false, false},
		},
		"half a processor": { // 0.5, 0.8, 1, then 0.8 and 0.6 at low priority, 0.4
			uses:  []time.Duration{500e6, 500e6, 500e6, 0, 0, 0, 600e6},
			backs: []bool{false, false, true, true, true, false, false},
		},
		"a second in one go": { // 1, 0.8, 0.6, 0.4, 0.8
			uses:  []time.Duration{time.Second, 0, 0, 0, 600e6},
			backs: []bool{true, true, true, false, false},
		},
		"an hour counts as a second": {
			uses:  []time.Duration{time.Hour, 0, 0, 0},
			backs: []bool{true, true, true, false},
		},
	} {
		var spent cpuBudget

		for i, used := range c.uses {
			require.Equal(t, c.backs[i], spent.add(used, began.Add(time.Duration(i)*time.Second)), "%s, second %d", name, i)
		}
	}
}
