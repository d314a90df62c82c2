package bidi

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/bidi"

	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// conformance opens a file of Unicode's conformance tests, which is part of the shaping library's source.
func conformance(t *testing.T, name string) *bufio.Scanner {
	t.Helper()

	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-text/typesetting").Output()
	require.NoError(t, err)

	f, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "bidi", "test", name))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })

	return bufio.NewScanner(f)
}

// lineLevels applies rule L1 to a text that is one line.
func lineLevels(p *paragraph) []Level {
	reset := true

	for i := len(p.classes) - 1; i >= 0; i-- {
		switch c := p.classes[i]; {
		case c == bidi.S || c == bidi.B:
			reset, p.levels[i] = true, p.base
		case c == bidi.WS || isolates(c) || c == bidi.PDI || removed(c):
			if reset {
				p.levels[i] = p.base
			}
		default:
			reset = false
		}
	}

	return p.levels
}

// compare fails if a paragraph's levels or order differ from those in a conformance file.
func compare(t *testing.T, line string, p *paragraph, levels, order []string) {
	t.Helper()

	var (
		kept []Level
		at   []int
	)

	for i, l := range lineLevels(p) {
		if levels[i] == "x" {
			continue
		}

		if want, err := strconv.Atoi(levels[i]); err != nil || Level(want) != l {
			t.Fatalf("level %d of %s is %d", i, line, l)
		}

		kept, at = append(kept, l), append(at, i)
	}

	for k, i := range Reorder(kept) {
		if want, err := strconv.Atoi(order[k]); err != nil || want != at[i] {
			t.Fatalf("place %d of %s holds %d", k, line, at[i])
		}
	}
}

// classNames maps the names of classes in BidiTest.txt.
var classNames = map[string]bidi.Class{
	"L": bidi.L, "R": bidi.R, "EN": bidi.EN, "ES": bidi.ES, "ET": bidi.ET, "AN": bidi.AN, "CS": bidi.CS, "B": bidi.B,
	"S": bidi.S, "WS": bidi.WS, "ON": bidi.ON, "BN": bidi.BN, "NSM": bidi.NSM, "AL": bidi.AL, "LRO": bidi.LRO, "RLO": bidi.RLO,
	"LRE": bidi.LRE, "RLE": bidi.RLE, "PDF": bidi.PDF, "LRI": bidi.LRI, "RLI": bidi.RLI, "FSI": bidi.FSI, "PDI": bidi.PDI,
}

// TestEveryClassCombination runs Unicode's BidiTest.txt: all combinations of up to four classes, and others.
func TestEveryClassCombination(t *testing.T) {
	t.Parallel()

	var (
		levels, order []string
		cases         int
	)

	for scan := conformance(t, "BidiTest.txt"); scan.Scan(); {
		line, _, _ := strings.Cut(scan.Text(), "#")

		switch name, rest, _ := strings.Cut(line, ":"); {
		case name == "@Levels":
			levels = strings.Fields(rest)
		case name == "@Reorder":
			order = strings.Fields(rest)
		case strings.HasPrefix(line, "@") || strings.TrimSpace(line) == "":
		default:
			input, set, _ := strings.Cut(line, ";")
			bits, err := strconv.ParseUint(strings.TrimSpace(set), 16, 8)
			require.NoError(t, err)

			names := strings.Fields(input)

			for bit, base := range []Level{implicit, 0, 1} {
				if bits&(1<<bit) == 0 || race.Detector && len(names) > 3 {
					continue
				}

				p := paragraph{classes: make([]bidi.Class, len(names)), brackets: make([]bracket, len(names)), base: base}
				for i, n := range names {
					p.classes[i] = classNames[n]
				}

				p.resolve()
				compare(t, line, &p, levels, order)

				cases++
			}
		}
	}

	if race.Detector {
		require.Greater(t, cases, 20_000)
	} else {
		require.Greater(t, cases, 700_000)
	}
}

// TestEveryCharacterCase runs Unicode's BidiCharacterTest.txt, which has brackets, marks and deep embeddings.
func TestEveryCharacterCase(t *testing.T) {
	t.Parallel()

	lines, cases := 0, 0

	for scan := conformance(t, "BidiCharacterTest.txt"); scan.Scan(); {
		fields := strings.Split(scan.Text(), ";")
		if lines++; len(fields) != 5 || race.Detector && lines%10 > 0 {
			continue
		}

		var text []rune

		for code := range strings.FieldsSeq(fields[0]) {
			r, err := strconv.ParseInt(code, 16, 32)
			require.NoError(t, err)

			text = append(text, rune(r))
		}

		base := map[string]Level{"0": 0, "1": 1, "2": implicit}[fields[1]]

		got, paragraphLevel := levels(text, base)
		if fields[2] != strconv.Itoa(int(paragraphLevel)) {
			t.Fatalf("the paragraph of %s has level %d", scan.Text(), paragraphLevel)
		}

		p := paragraph{levels: got, base: paragraphLevel}

		for _, r := range text {
			props, _ := bidi.LookupRune(r)
			p.classes = append(p.classes, props.Class())
		}

		compare(t, scan.Text(), &p, strings.Fields(fields[3]), strings.Fields(fields[4]))

		cases++
	}

	require.Greater(t, cases, 9_000)
}

// TestLongTextsAreLinear uses texts that would take seconds if any rule scanned everything before a character.
func TestLongTextsAreLinear(t *testing.T) {
	t.Parallel()

	n := 100_000
	if race.Detector {
		n /= 10
	}

	for _, unit := range []string{"\u2068", "\u2067\u2069", "(", "a(א", "\u202b\u202c", "֑", "\u2068(א\u2069)"} {
		began := time.Now()

		Levels([]rune(strings.Repeat(unit, n))[:n])
		require.Less(t, time.Since(began), 2*time.Second, "%q", unit)
	}
}
