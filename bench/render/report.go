package main

import (
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// report is what was measured, as Markdown.
func report(rows []row, m map[string][]sample) string {
	var b strings.Builder

	fmt.Fprintf(&b, `%d rounds, one run of each after the other, every other round backwards. A ratio is the median of the
rounds' ratios, its spread the distance between their quartiles; memory is that of all processes together.

| | wall time | goal | | processor time | goal | | spread | memory | goal | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`, len(m[rows[0].of]))

	for _, r := range rows {
		walls, cpus := r.ratios(m, wall), r.ratios(m, cpu)
		most := measure.Median(each(m[r.of], memory))

		if r.by == "" {
			fmt.Fprintf(&b, "| %s | **%.2f s** | %s | | | | | | | |\n", r.what, measure.Median(walls), goal(measure.Median(walls), r.wall, "%.0f s"))

			continue
		}

		fmt.Fprintf(&b, "| %s | **%.2f** | %s | **%.2f** | %s | %.0f %% | %.0f MB | %s |\n", r.what,
			measure.Median(walls), goal(measure.Median(walls), r.wall, "%.2f"),
			measure.Median(cpus), goal(measure.Median(cpus), r.cpu, "%.2f"), 100*measure.Spread(cpus),
			most, goal(most, r.memory, "%.0f MB"))
	}

	return b.String()
}

// medians are the figures behind the ratios.
func medians(rows []row, m map[string][]sample) string {
	var b strings.Builder

	b.WriteString("\nMedians behind them:\n\n| | wall time | processor time | memory |\n| --- | --- | --- | --- |\n")

	for _, name := range cellNames(rows) {
		fmt.Fprintf(&b, "| %s | %.1f s | %.1f s | %.0f MB |\n", name,
			measure.Median(each(m[name], wall)), measure.Median(each(m[name], cpu)), measure.Median(each(m[name], memory)))
	}

	return b.String()
}

// goal is the two columns of a goal: what it is, and whether it is met.
func goal(value, most float64, format string) string {
	if most == 0 {
		return " | "
	}

	return "≤ " + fmt.Sprintf(format, most) + " | " + measure.Verdict(value <= most)
}

const how = `
How:

- The recordings are generated: 66 s of a 1080p screen at 30 frames per second on which much moves and a clock counts
  (FFmpeg's testsrc2), of another one on which a page scrolls by whole pixels beside a window with a film, of a calm one on
  which a page stands for five seconds while a window moves and a clock counts, and of a 720p camera with a voice.
- The plain transcode is one FFmpeg that decodes 60 s of the screen and encodes them with the export's settings
  (libx264 veryfast crf 20, AAC 160 kbit/s, one file with the index in front) and as many threads as it likes.
- The transcode of its own film decodes and encodes what the reference timeline has become, in the same way. It is what
  the pictures themselves cost, whoever draws them. A page that moves by whole pixels is cheap to encode until it is
  scaled, so that its row tells more of the encoder than of the export (docs/decisions/0041).
- The reference timeline is 60 s with two cuts, a gradient with a shadow, an inset screen with round corners, a camera
  with squircle corners, a zoom of 6 s to twice the size, a blur of 10 s, a text of 5 s, captions that mark each word,
  microphone and system sound.
- An export is one process: the plan, and one call of the engine with as many workers as there are processors, from
  an empty cache (but for the rows that say otherwise) to the file on the disk.
- The picture in a picture is the first 20 s with neither cuts, corners nor shadow, over black. The other programs
  use the same encoder settings. The encoder is most of what the product does there, and the same for all: the more moves, the
  less the rest counts.
`
