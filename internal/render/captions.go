package render

import (
	"strings"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/spoken"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// How words become captions, where no file divides them.
const (
	cueLetters = 42  // the most letters of a caption
	cueGapMs   = 700 // a longer pause ends it
	cueHoldMs  = 300 // how long it stays when nothing follows
)

// captionSize is the size of its letters in units, captionShare how much of the frame's width a line
// may take.
const (
	captionSize  = 48
	captionShare = 0.84
)

// cue is one caption, in playback time of its clip.
type cue struct {
	timeline.Span

	words  []string
	starts []int64
}

// cuesOf groups the words of a clip that are heard. Those of a file's caption stay together, and are shown from the
// first to the end of the last that is heard.
func cuesOf(words []domain.SpokenWord, clock timeline.Clock) []cue {
	var (
		cues []cue
		said = heardOf(words, clock)
	)

	for len(said) > 0 {
		n := captionOf(said)
		c := cue{Span: timeline.Span{StartMs: said[0].StartMs, EndMs: lastMs(said[:n])}}

		for _, w := range said[:n] {
			c.words, c.starts = append(c.words, w.Text), append(c.starts, w.StartMs)
		}

		switch rest := said[n:]; {
		case said[0].Cue > 0:
		case len(rest) > 0 && rest[0].StartMs-c.EndMs <= cueGapMs:
			c.EndMs = rest[0].StartMs
		default:
			c.EndMs += cueHoldMs
		}

		c.EndMs = min(c.EndMs, clock.DurationMs())
		cues, said = append(cues, c), said[n:]
	}

	return cues
}

// heardOf are the words that the cuts leave, in playback time.
func heardOf(words []domain.SpokenWord, clock timeline.Clock) []spoken.Word {
	var all []spoken.Word

	for _, w := range words {
		play, heard := hearing(w, clock)
		if heard && strings.TrimSpace(w.Text) != "" {
			all = append(all, spoken.Word{Text: w.Text, StartMs: play.StartMs, EndMs: play.EndMs, Cue: w.Cue})
		}
	}

	return all
}

// captionOf is how many of the words, at least one, stand in one caption.
func captionOf(words []spoken.Word) int {
	if words[0].Cue > 0 {
		return spoken.Cue(words)
	}

	letters := -1

	for i, w := range words {
		letters += 1 + utf8.RuneCountInString(w.Text)

		if i > 0 && (w.Cue > 0 || letters > cueLetters || w.StartMs-lastMs(words[:i]) > cueGapMs || sentenceEnds(words[:i])) {
			return i
		}
	}

	return len(words)
}

// lastMs is when the last of words has been said.
func lastMs(words []spoken.Word) int64 {
	var last int64
	for _, w := range words {
		last = max(last, w.EndMs)
	}

	return last
}

// hearing is when a word is heard, in playback time; false when the cuts take it. A word without a length, as
// some recognisers and files of captions have them, is heard where it stands.
func hearing(w domain.SpokenWord, clock timeline.Clock) (timeline.Span, bool) {
	if w.StartMs == w.EndMs {
		return timeline.SpanOf(clock.Play(w.StartMs), 0), !clock.Cutout(w.StartMs)
	}

	return clock.Report(timeline.Span{StartMs: w.StartMs, EndMs: w.EndMs})
}

// sentenceEnds reports whether words end a sentence that is long enough to stand alone.
func sentenceEnds(words []spoken.Word) bool {
	return len(words) > 2 && strings.ContainsAny(words[len(words)-1].Text, ".!?…。！？")
}

// active is the index of the word that is being said: it stays so until the next one begins.
func (c cue) active(playUs int64) int {
	active := -1

	for i, ms := range c.starts {
		if ms*1000 <= playUs {
			active = i
		}
	}

	return active
}

// caption is the cue as it is drawn at a playback time of its clip.
func (c cue) caption(look domain.CaptionLook, frame Size, playUs int64) *Caption {
	drawn := &Caption{
		Words: c.words, Active: -1, Style: look.Style,
		X: look.Position.X * float64(frame.Width), Y: look.Position.Y * float64(frame.Height),
		FontSize: captionSize * unit(frame), MaxWidth: captionShare * float64(frame.Width),
	}
	if look.Style.WordLevelHighlights {
		drawn.Active = c.active(playUs)
	}

	return drawn
}
