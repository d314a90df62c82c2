package main

import (
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// report returns the results as Markdown.
func report(rows []row, m map[string][]sample) string {
	var b strings.Builder

	fmt.Fprintf(&b, `%d rounds, one run of each in turn, every other round backwards. A ratio is the median of the rounds' ratios,
its spread the distance between their quartiles. Memory is that of all processes together.

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

// medians returns the figures behind the ratios.
func medians(rows []row, m map[string][]sample) string {
	var b strings.Builder

	b.WriteString("\nMedians behind them:\n\n| | wall time | processor time | memory |\n| --- | --- | --- | --- |\n")

	for _, name := range cellNames(rows) {
		fmt.Fprintf(&b, "| %s | %.1f s | %.1f s | %.0f MB |\n", name,
			measure.Median(each(m[name], wall)), measure.Median(each(m[name], cpu)), measure.Median(each(m[name], memory)))
	}

	return b.String()
}

// goal returns the two columns of a goal: its value, and whether it is met.
func goal(value, most float64, format string) string {
	if most == 0 {
		return " | "
	}

	return "≤ " + fmt.Sprintf(format, most) + " | " + measure.Verdict(value <= most)
}

const how = `
How:

- The recordings are generated, each 66 s long: a busy 1080p screen at 30 frames per second with a running clock (FFmpeg's
  testsrc2), a page that scrolls by whole pixels beside a window with a film, a calm screen on which a page stays for
  five seconds while a window moves and a clock runs, and a 720p camera with a voice.
- The plain transcode is one FFmpeg that decodes 60 s of the screen and encodes them with the export's settings
  (libx264 veryfast crf 20, AAC 160 kbit/s, one file with the index in front) and FFmpeg's choice of threads.
- The transcode of its own film decodes and encodes the finished reference timeline in the same way. It shows what the
  pictures cost, no matter which program renders them. A page that moves by whole pixels is cheap to encode until it is
  scaled, so its row says more about the encoder than about the export (docs/decisions/0041).
- The reference timeline is 60 s with two cuts, a gradient with a shadow, an inset screen with round corners, a camera
  with squircle corners, a zoom of 6 s to twice the size, a blur of 10 s, a text of 5 s, captions that mark each word,
  microphone and system sound.
- An export is one process: the plan, and one call of the engine with as many workers as processors, from an empty
  cache (unless the row says otherwise) to the file on disk.
- The picture in picture is the first 20 s without cuts, corners and shadow, over black. The other programs use the same
  encoder settings. Encoding is most of the work there and the same for all, so the more moves, the less the rest counts.
`
