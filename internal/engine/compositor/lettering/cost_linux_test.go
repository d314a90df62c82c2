package lettering_test

import (
	"image"
	"image/color"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// cost returns the processor time of a function, which does not depend on other load of the machine.
func cost(t *testing.T, do func()) time.Duration {
	t.Helper()

	runtime.LockOSThread()

	defer runtime.UnlockOSThread()

	var before, after unix.Rusage

	require.NoError(t, unix.Getrusage(unix.RUSAGE_THREAD, &before))
	do()
	require.NoError(t, unix.Getrusage(unix.RUSAGE_THREAD, &after))

	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}

func repeated(unit string, letters int) string {
	return string([]rune(strings.Repeat(unit, letters))[:letters])
}

// TestLayoutIsLinear sets two texts, one ten times as long. An algorithm that scans the whole text for each character
// would take a hundred times as long.
func TestLayoutIsLinear(t *testing.T) {
	t.Parallel()

	n := values.MaxTextLetters
	if race.Detector {
		n /= 10
	}

	for name, unit := range map[string]string{
		"one word": "A", "words": "word ", "Arabic": "مرحبا ", "joined Arabic": "ب", "both directions": "a אב 1 (ג) ",
		"Chinese": "我们，", "Thai": "สวัสดี", "Devanagari": "नमस्ते", "one letter with marks": "\u0301",
		"emoji": "👩‍💻🎉", "open isolates": "\u2068", "brackets": "(", "lines": "a\n",
	} {
		for _, width := range []float64{0, 300} {
			short, long := repeated(unit, n), repeated(unit, 10*n)
			set(t, fonts(t), short, inter, width) // reads the fonts

			one := cost(t, func() { set(t, fonts(t), short, inter, width) })
			ten := cost(t, func() { set(t, fonts(t), long, inter, width) })
			t.Logf("%s in a box of %v: %v, ten times as long %v", name, width, one, ten)
			require.Less(t, ten, 25*max(one, 8*time.Millisecond), "%s in a box of %v", name, width)
		}
	}
}

// TestLongestTextsAreDrawnSoon draws the longest texts so that all of each is visible.
func TestLongestTextsAreDrawnSoon(t *testing.T) {
	t.Parallel()

	var everyEmoji strings.Builder
	for r := rune(0x1F300); r < 0x1FB00; r++ {
		everyEmoji.WriteRune(r)
	}

	for name, unit := range map[string]string{"one emoji": "🎉", "every emoji": everyEmoji.String(), "Chinese": "我们，"} {
		letters := values.MaxTextLetters
		if race.Detector {
			letters /= 10
		}

		l := set(t, fonts(t), repeated(unit, letters), inter, 1900)
		dst := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
		took := cost(t, func() { l.Draw(dst, 0, 0, color.White, 0, values.MaxTextLetters) })
		t.Logf("%s: %v", name, took)

		if !race.Detector {
			require.Less(t, took, 4*time.Second, name)
		}
	}
}

// Letters of any size, and any number of them at one place, take as long as usual ones, and less memory than their size
// suggests.
func TestHugeLettersAreDrawnSoon(t *testing.T) {
	t.Parallel()

	dst := image.NewRGBA(image.Rect(0, 0, 1920, 1080))

	for name, unit := range map[string]string{"stacked marks": "\u0301", "emoji": "🎉", "Chinese": "我"} {
		for _, size := range []float64{1e-300, 0.3, 600, 8192, 1e300} {
			style := inter
			style.Size = size

			took := cost(t, func() {
				l := set(t, fonts(t), repeated(unit, 500), style, 500)
				l.Draw(dst, 0, 0, color.White, 0, 500)
			})
			t.Logf("%s of %g px: %v", name, size, took)

			if !race.Detector {
				require.Less(t, took, 2*time.Second, "%s of %g px", name, size)
			}
		}
	}
}
