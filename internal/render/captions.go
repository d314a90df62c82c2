package render

import (
	"strings"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// How words become captions.
const (
	cueLetters  = 42             // the most letters of a caption
	fileLetters = 2 * cueLetters // the most of one that a file divided: two lines
	cueGapMs    = 700            // a longer pause ends it
	cueHoldMs   = 300            // how long it stays when nothing follows
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
	lastMs int64 // when the last word has been said
	file   int   // which caption of a file it is, from 1; 0 when nobody divided the words
}

// cuesOf groups the words of a clip that are heard. The captions of a file stay as they are, and end when they did.
func cuesOf(words []domain.SpokenWord, clock timeline.Clock) []cue {
	var (
		cues    []cue
		letters int
	)

	for _, w := range words {
		play, heard := hearing(w, clock)
		if !heard || strings.TrimSpace(w.Text) == "" {
			continue
		}

		n := utf8.RuneCountInString(w.Text)
		last := len(cues) - 1

		if last < 0 || cues[last].endsBefore(w, play, letters+1+n) {
			cues = append(cues, cue{Span: play, file: w.Cue})
			letters = -1
			last++
		}

		c := &cues[last]
		c.words, c.starts = append(c.words, w.Text), append(c.starts, play.StartMs)
		c.lastMs = max(c.lastMs, play.EndMs)
		letters += 1 + n
	}

	for i := range cues {
		cues[i].EndMs = cues[i].lastMs + cueHoldMs
		if cues[i].file > 0 {
			cues[i].EndMs = cues[i].lastMs
		} else if i+1 < len(cues) && cues[i+1].StartMs-cues[i].lastMs <= cueGapMs {
			cues[i].EndMs = cues[i+1].StartMs
		}

		cues[i].EndMs = min(cues[i].EndMs, clock.DurationMs())
	}

	return cues
}

// endsBefore reports whether a caption ends before a word, with which it would have so many letters.
func (c cue) endsBefore(w domain.SpokenWord, play timeline.Span, letters int) bool {
	if c.file > 0 || w.Cue > 0 {
		return w.Cue != c.file || letters > fileLetters
	}

	return letters > cueLetters || play.StartMs-c.lastMs > cueGapMs || sentenceEnds(c)
}

// hearing is when a word is heard, in playback time; false when the cuts take it. A word without a length, as
// some recognisers and files of captions have them, is heard where it stands.
func hearing(w domain.SpokenWord, clock timeline.Clock) (timeline.Span, bool) {
	if w.StartMs == w.EndMs {
		return timeline.SpanOf(clock.Play(w.StartMs), 0), !clock.Cutout(w.StartMs)
	}

	return clock.Report(timeline.Span{StartMs: w.StartMs, EndMs: w.EndMs})
}

// sentenceEnds reports whether a caption ends a sentence that is long enough to stand alone.
func sentenceEnds(c cue) bool {
	return len(c.words) > 2 && strings.ContainsAny(c.words[len(c.words)-1], ".!?…。！？")
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
