package plan

import (
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// captionSize is the font size in units; captionShare is the share of the frame's width that a line may take.
const (
	captionSize  = 48
	captionShare = 0.84
)

// cue is one caption, in playback time of its clip.
type cue struct {
	values.Span

	words  []string
	joined []bool // true when no space stands before the word
	starts []int64
}

// cuesOf groups the words of a clip that remain after the cuts.
func cuesOf(spoken []values.SpokenWord, clock timeline.Clock) []cue {
	var cues []cue

	for _, said := range words.Captions(words.Divide(heardOf(spoken, clock)), words.LineLetters) {
		c := cue{Span: values.Span{StartMs: said.Words[0].StartMs, EndMs: min(said.EndMs, clock.DurationMs())}}

		for _, w := range said.Words {
			c.words, c.joined, c.starts = append(c.words, w.Text), append(c.joined, w.Joined), append(c.starts, w.StartMs)
		}

		cues = append(cues, c)
	}

	return cues
}

// heardOf returns the words that remain after the cuts, in playback time.
func heardOf(spoken []values.SpokenWord, clock timeline.Clock) []words.Word {
	var all []words.Word

	for _, w := range spoken {
		play, heard := hearing(w, clock)
		if heard && strings.TrimSpace(w.Text) != "" {
			all = append(all, words.Word{Text: w.Text, StartMs: play.StartMs, EndMs: play.EndMs, Cue: w.Cue})
		}
	}

	return all
}

// hearing returns when a word is heard, in playback time; false when a cut removes it. Some recognizers and caption
// files have words of zero length: such a word is heard at its start.
func hearing(w values.SpokenWord, clock timeline.Clock) (values.Span, bool) {
	if w.StartMs == w.EndMs {
		return values.SpanOf(clock.Play(w.StartMs), 0), !clock.Cutout(w.StartMs)
	}

	return clock.ToPlayback(values.Span{StartMs: w.StartMs, EndMs: w.EndMs})
}

// active is the index of the word being said. A word stays active until the next one begins.
func (c cue) active(playUs int64) int {
	active := -1

	for i, ms := range c.starts {
		if ms*1000 <= playUs {
			active = i
		}
	}

	return active
}

// caption returns the cue as drawn at a playback time of its clip.
func (c cue) caption(look values.CaptionLook, frame Size, playUs int64) *Caption {
	drawn := &Caption{
		Words: c.words, Joined: c.joined, Active: -1, Style: look.Style,
		X: look.Position.X * float64(frame.Width), Y: look.Position.Y * float64(frame.Height),
		FontSize: captionSize * unit(frame), MaxWidth: captionShare * float64(frame.Width),
	}
	if look.Style.WordLevelHighlights {
		drawn.Active = c.active(playUs)
	}

	return drawn
}
