package transcripts

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/transcript"
)

// Word is a word of a clip with its time, in recording time.
type Word struct {
	Text           string
	Corrected      string // the user's correction; empty without one
	StartMs, EndMs int64
	Hidden         bool    // left out of captions
	Cue            int     // the caption of the file that it belongs to, from 1; 0 is none
	Confidence     float64 // 0 to 1; 0 when unknown
}

// Said returns the corrected text of the word, or its original text if it has no correction.
func (w Word) Said() string {
	if w.Corrected != "" {
		return w.Corrected
	}

	return w.Text
}

// Count returns the number of words. A clip without a transcript has none.
func Count(t *ent.Transcript) int {
	if t == nil {
		return 0
	}

	return len(t.Texts)
}

// At returns the word with a stable index i, which must be less than Count.
func At(t *ent.Transcript, i int) Word {
	return Word{
		Text: t.Texts[i], StartMs: t.Starts[i], EndMs: t.Ends[i], Corrected: entry(t.Corrected, i), Hidden: entry(t.Hidden, i),
		Cue: int(entry(t.Cues, i)), Confidence: entry(t.Confidence, i),
	}
}

// entry returns an element of a list that may be shorter than the number of words.
func entry[T any](list []T, i int) (zero T) {
	if i < len(list) {
		return list[i]
	}

	return zero
}

// All returns the words with their stable indices, in the order in which they are spoken.
func All(t *ent.Transcript) iter.Seq2[int, Word] {
	return func(yield func(int, Word) bool) {
		for i := range Count(t) {
			if !yield(i, At(t, i)) {
				return
			}
		}
	}
}

// TranscriptOf returns words in the form in which they are stored. Lists with only empty values are left empty.
func TranscriptOf(words []Word) *ent.Transcript {
	t := &ent.Transcript{
		Texts: make(pq.StringArray, len(words)), Starts: make(pq.Int64Array, len(words)), Ends: make(pq.Int64Array, len(words)),
		Corrected: pq.StringArray{}, Hidden: pq.BoolArray{}, Cues: pq.Int64Array{}, Confidence: pq.Float64Array{},
	}

	for i, w := range words {
		t.Texts[i], t.Starts[i], t.Ends[i] = w.Text, w.StartMs, w.EndMs
		Correct(t, i, w)

		if w.Cue != 0 {
			t.Cues = grown(t.Cues, i)
			t.Cues[i] = int64(w.Cue)
		}

		if w.Confidence != 0 {
			t.Confidence = grown(t.Confidence, i)
			t.Confidence[i] = w.Confidence
		}
	}

	return t
}

// Correct copies the correction and the hidden flag of the word "as" to the word with index i.
func Correct(t *ent.Transcript, i int, as Word) {
	if as.Corrected != entry(t.Corrected, i) {
		t.Corrected = grown(t.Corrected, i)
		t.Corrected[i] = as.Corrected
	}

	if as.Hidden != entry(t.Hidden, i) {
		t.Hidden = grown(t.Hidden, i)
		t.Hidden[i] = as.Hidden
	}
}

// grown returns a list that is extended to reach an index.
func grown[L ~[]T, T any](list L, i int) L {
	if missing := i + 1 - len(list); missing > 0 {
		return append(list, make(L, missing)...)
	}

	return list
}

// Replace replaces all words of a clip, and returns them in stored form. All words are written in a single row,
// however many there are. The client must be in a transaction that has locked the clip's video.
func Replace(ctx context.Context, client *ent.Client, c *ent.Clip, words []Word, now time.Time) (*ent.Transcript, error) {
	t := TranscriptOf(words)
	t.ClipID = c.ID

	err := client.Transcript.Create().SetClipID(c.ID).SetWorkspaceID(c.WorkspaceID).SetCreatedAt(now).SetUpdatedAt(now).
		SetTexts(t.Texts).SetStarts(t.Starts).SetEnds(t.Ends).SetCorrected(t.Corrected).SetHidden(t.Hidden).SetCues(t.Cues).
		SetConfidence(t.Confidence).OnConflictColumns(transcript.FieldClipID).UpdateNewValues().Exec(ctx)
	if err != nil {
		return nil, fmt.Errorf("write words: %w", err)
	}

	return t, nil
}

// Save stores the users' corrections and the hidden flags of a clip's words.
func Save(ctx context.Context, client *ent.Client, t *ent.Transcript, now time.Time) error {
	err := client.Transcript.UpdateOneID(t.ID).SetCorrected(t.Corrected).SetHidden(t.Hidden).SetUpdatedAt(now).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write corrections: %w", err)
	}

	return nil
}
