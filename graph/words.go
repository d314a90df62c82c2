package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/word"
	"github.com/reelgraph/reelgraph/graph/cursor"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/heard"
	"github.com/reelgraph/reelgraph/internal/spoken"
	"github.com/reelgraph/reelgraph/internal/subtitle"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// wordsName is the name under which a list of words was loaded with its clip.
func wordsName(size int, set model.WordSet) string { return listName("words", size) + string(set) }

// setOf is the set a list was narrowed to; the schema holds the default.
func setOf(node selection.Node) model.WordSet {
	set, _ := node.Text("of")

	return model.WordSet(set)
}

// inSet narrows words to those of a set. The database knows as the clock does which words are cut.
func inSet(set model.WordSet, q *ent.WordQuery) {
	if set != model.WordSetHeard {
		return
	}

	q.Where(func(s *sql.Selector) {
		start, end := s.C(word.FieldStartMs), s.C(word.FieldEndMs) // now: lists below many rows put another selector here
		cuts := sql.Dialect(s.Dialect()).Select(clip.FieldCuts).From(sql.Table(clip.Table)).
			Where(sql.ColumnsEQ(sql.Table(clip.Table).C(clip.FieldID), s.C(word.FieldClipID)))

		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("word_heard(cut_ranges(")
			b.Wrap(func(b *sql.Builder) { b.Join(cuts) })
			b.WriteString("), ").Ident(start).WriteString(", ").Ident(end).WriteString(")")
		}))
	})
}

// wordPage is a page of a clip's words. There are none before the transcript is ready.
func (r *Resolver) wordPage(ctx context.Context, c *ent.Clip, set model.WordSet, size int, after *string) (*model.WordConnection, error) {
	turn := r.turn("words|" + c.ID + "|" + string(set))
	page := func(rows []*ent.Word, count func(context.Context) (int, error)) *model.WordConnection {
		clock, words := clockOf(c), make([]*model.Word, len(rows))
		for i, row := range rows {
			words[i] = wordOf(clock, row, set)
		}

		return pageOf(turn, words, size, func(w *model.Word) cursor.Cursor { return cursor.Cursor{AtMs: int64(w.Index)} }, count)
	}

	if c.TranscriptStatus != domain.TranscriptStatusReady {
		return page(nil, func(context.Context) (int, error) { return 0, nil }), nil
	}

	if rows, known := listBelow[*ent.Word](c, wordsName(size, set)); known && after == nil {
		return page(rows, totalOf(rows)), nil
	}

	q := r.Store.Client(ctx).Word.Query().Where(word.ClipID(c.ID))
	inSet(set, q)

	count := q.Clone()

	if after != nil {
		begin, err := turn.open(ctx, *after)
		if err != nil {
			return nil, err
		}

		q.Where(word.PositionGT(int(begin.AtMs)))
	}

	rows, err := q.Order(ent.Asc(word.FieldPosition)).Limit(size + 1).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}

	return page(rows, count.Count), nil
}

// wordOf is a word as it is answered.
func wordOf(clock timeline.Clock, row *ent.Word, set model.WordSet) *model.Word {
	w := &model.Word{Index: row.Position, Text: said(row), Hidden: row.Hidden, Cut: isCut(clock, row)}

	switch {
	case set == model.WordSetRecorded:
		w.StartTimeMs, w.EndTimeMs = &row.StartMs, &row.EndMs
	case !w.Cut:
		start, end := clock.Play(row.StartMs), clock.Play(row.EndMs)
		w.StartTimeMs, w.EndTimeMs = &start, &end
	}

	return w
}

// said is a word as it was corrected.
func said(row *ent.Word) string {
	if row.Corrected != nil {
		return *row.Corrected
	}

	return row.Text
}

// isCut reports whether the cuts take all of a word.
func isCut(clock timeline.Clock, row *ent.Word) bool {
	if row.StartMs == row.EndMs {
		return clock.Cutout(row.StartMs)
	}

	_, seen := clock.Report(timeline.Span{StartMs: row.StartMs, EndMs: row.EndMs})

	return !seen
}

// wordsOf are all words of clips by clip, in their order, as loaded with the clips or read now.
func (r *Resolver) wordsOf(ctx context.Context, clips ...*ent.Clip) (map[string][]*ent.Word, error) {
	all, missing := map[string][]*ent.Word{}, []string{}

	for _, c := range clips {
		rows, err := c.Edges.WordsOrErr()
		if err != nil {
			missing = append(missing, c.ID)
		}

		all[c.ID] = rows
	}

	if len(missing) == 0 {
		return all, nil
	}

	rows, err := r.Store.Client(ctx).Word.Query().Where(word.ClipIDIn(missing...)).Order(ent.Asc(word.FieldPosition)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}

	for _, row := range rows {
		all[row.ClipID] = append(all[row.ClipID], row)
	}

	return all, nil
}

// transcriptOf is what was said in a video, in its playback time: corrected, without what is hidden or
// cut.
func (r *Resolver) transcriptOf(ctx context.Context, v *ent.Video) (*model.Transcript, error) {
	clips, err := r.clipsOf(ctx, v)
	if err != nil {
		return nil, err
	}

	h := heard.Of(clips)
	out := &model.Transcript{Status: h.Status, Language: h.Language, Sentences: []*model.Sentence{}}

	sel := selection.Of(ctx)

	if h.Status != domain.TranscriptStatusReady || len(sel.Nodes()) > 0 && !asksWords(sel) {
		return out, nil
	}

	rows, err := r.wordsOf(ctx, clips...)
	if err != nil {
		return nil, err
	}

	var text []string

	out.Words = spokenIn(clips, rows)

	for _, s := range spoken.Sentences(out.Words) {
		out.Sentences = append(out.Sentences, &model.Sentence{
			StartSeconds: model.Seconds(s.StartMs), EndSeconds: model.Seconds(s.EndMs), Text: s.Text,
		})
		text = append(text, s.Text)
	}

	out.Text = strings.Join(text, " ")

	return out, nil
}

// asksWords reports whether what is selected of a transcript is made of its words.
func asksWords(transcript selection.Tree) bool {
	return transcript.Has("sentences") || transcript.Has("text") || transcript.Has("captions")
}

// spokenIn are the words that are heard and shown, in the video's playback time. Captions are counted on from
// clip to clip, so that no two have one number.
func spokenIn(clips []*ent.Clip, rows map[string][]*ent.Word) []spoken.Word {
	var (
		words        []spoken.Word
		beginMs      int64
		before, cues int
	)

	for _, c := range clips {
		clock := clockOf(c)

		for _, row := range rows[c.ID] {
			if !row.Hidden && !isCut(clock, row) {
				w := spoken.Word{Text: said(row), StartMs: beginMs + clock.Play(row.StartMs), EndMs: beginMs + clock.Play(row.EndMs)}
				if row.Cue > 0 {
					w.Cue = before + row.Cue
					cues = max(cues, w.Cue)
				}

				words = append(words, w)
			}
		}

		before = cues
		beginMs += c.DurationMs
	}

	return words
}

// sameWords reports whether a clip's words are those of a file, none of them corrected.
func sameWords(rows []*ent.Word, words []subtitle.Word) bool {
	return slices.EqualFunc(rows, words, func(row *ent.Word, w subtitle.Word) bool {
		return row.Corrected == nil && !row.Hidden && row.Text == w.Text && row.StartMs == w.StartMs && row.EndMs == w.EndMs &&
			row.Cue == w.Cue
	})
}
