package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/schema"
	"github.com/reelgraph/reelgraph/ent/word"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/heard"
	"github.com/reelgraph/reelgraph/internal/spoken"
	"github.com/reelgraph/reelgraph/internal/subtitle"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// unknownLanguage is the tag of a language that nobody named.
const unknownLanguage = "und"

// putTranscript replaces the words of a clip by those of a subtitle file.
func (r *Resolver) putTranscript(
	ctx context.Context, videoID, id string, in model.PutTranscriptInput,
) (*model.PutTranscriptPayload, error) {
	if err := obey(&in); err != nil {
		return nil, err
	}

	file, err := parseSubtitles(in)
	if err != nil {
		return nil, err
	}

	changed, err := r.editClip(ctx, videoID, id, nil, func(ctx context.Context, v *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		words, err := file.Words(c.RecordingMs)
		if err != nil {
			return subtitleFault(err)
		}

		return r.replaceWords(ctx, v, c, m, words, languageOf(file, in, words))
	})
	if err != nil {
		return nil, err
	}

	out := &model.PutTranscriptPayload{Clip: changed, Video: changed.Edges.Video, SkippedCount: file.Skipped.Count}
	out.Skipped = make([]*subtitle.SkippedBlock, len(file.Skipped.Blocks))

	for i := range out.Skipped {
		out.Skipped[i] = &file.Skipped.Blocks[i]
	}

	return out, nil
}

// replaceWords gives a clip the words of a file. Those that it has already are no edit.
func (r *Resolver) replaceWords(
	ctx context.Context, v *ent.Video, c *ent.Clip, m *ent.ClipMutation, words []subtitle.Word, language string,
) error {
	was, err := r.wordsOf(ctx, c)
	if err != nil {
		return err
	}

	ready := c.TranscriptStatus == domain.TranscriptStatusReady
	if ready && c.TranscriptLanguage == language && sameWords(was[c.ID], words) {
		return nil
	}

	if err := heard.Replace(ctx, r.Store.Client(ctx), c, heardWords(words), r.now()); err != nil {
		return err
	}

	m.SetTranscriptStatus(domain.TranscriptStatusReady)
	m.SetTranscriptLanguage(language)
	m.SetTranscriptError("")

	return r.tellReplaced(ctx, v, c, language)
}

// languageOf is the language of the words of a file. Without words there is none: a video's is that of its
// first clip with words.
func languageOf(file subtitle.File, in model.PutTranscriptInput, words []subtitle.Word) string {
	if len(words) == 0 {
		return ""
	}

	language := unknownLanguage
	if file.Language != "" && model.IsLanguage(file.Language) {
		language = file.Language
	}

	give(&language, in.Language)

	return language
}

// heardWords are the words of a file as they are stored. A file knows no confidence.
func heardWords(words []subtitle.Word) []heard.Word {
	all := make([]heard.Word, len(words))
	for i, w := range words {
		all[i] = heard.Word{Text: w.Text, StartMs: w.StartMs, EndMs: w.EndMs, Cue: w.Cue}
	}

	return all
}

// tellReplaced tells what the video's transcript has become by a clip whose words are there now.
func (r *Resolver) tellReplaced(ctx context.Context, v *ent.Video, c *ent.Clip, language string) error {
	clips, err := r.clipsInOrder(ctx, v.ID)
	if err != nil {
		return err
	}

	before := heard.Of(clips)

	for _, other := range clips {
		if other.ID == c.ID {
			other.TranscriptStatus, other.TranscriptLanguage, other.TranscriptError = domain.TranscriptStatusReady, language, ""
		}
	}

	return heard.Tell(ctx, r.Jobs, v, before, heard.Of(clips))
}

func parseSubtitles(in model.PutTranscriptInput) (subtitle.File, error) {
	parse := subtitle.ParseVTT
	if in.Format == model.SubtitleFormatSrt {
		parse = subtitle.ParseSRT
	}

	file, err := parse([]byte(in.Text))

	return file, subtitleFault(err)
}

// subtitleFault says which line of a file is wrong, and why.
func subtitleFault(err error) error {
	if wrong, ok := errors.AsType[*subtitle.FaultError](err); ok {
		return fault.Invalid([]fault.Field{{Rule: wrong.Error()}})
	}

	return err
}

// correctWords changes captions. It returns the words that were named, as they are now.
func (r *Resolver) correctWords(ctx context.Context, videoID, id string, in model.CorrectWordsInput) (*ent.Clip, []*model.Word, error) {
	var named []*model.Word

	changed, err := r.editClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if err := refuseUnheard(c); err != nil {
			return err
		}

		rows, err := r.wordsNamed(ctx, c, in.Words)
		if err != nil {
			return err
		}

		var moved []*ent.Word

		clock := clockOf(c)
		named = make([]*model.Word, len(rows))

		for i, row := range rows {
			if correct(row, in.Words[i]) {
				moved = append(moved, row)
			}

			named[i] = wordOf(clock, row, model.WordSetAll)
		}

		if len(moved) == 0 {
			return nil
		}

		m.SetUpdatedAt(r.now())

		return r.writeCorrections(ctx, c, moved)
	})

	return changed, named, err
}

// refuseUnheard answers conflict unless the words of a clip are there.
func refuseUnheard(c *ent.Clip) error {
	if c.TranscriptStatus != domain.TranscriptStatusReady {
		return fault.Conflict("The transcript of the clip is not ready: it is " + string(c.TranscriptStatus) + ".")
	}

	return nil
}

// wordsNamed are the words of a request, in its order.
func (r *Resolver) wordsNamed(ctx context.Context, c *ent.Clip, in []*model.CorrectWordInput) ([]*ent.Word, error) {
	indices := make([]int, len(in))
	for i, w := range in {
		indices[i] = w.Index
	}

	found, err := r.Store.Client(ctx).Word.Query().Where(word.ClipID(c.ID), word.PositionIn(indices...)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}

	var faults []fault.Field

	rows := make([]*ent.Word, len(in))

	for i, index := range indices {
		at := slices.IndexFunc(found, func(w *ent.Word) bool { return w.Position == index })
		if at < 0 {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("words[%d].index", i), Rule: "must name a word of the clip"})

			continue
		}

		rows[i] = found[at]
	}

	if err := fault.Invalid(faults); err != nil {
		return nil, err
	}

	return rows, nil
}

// correct changes a word as it is asked for, and says whether that is a change. A text shows the word again.
func correct(w *ent.Word, in *model.CorrectWordInput) bool {
	hidden, text := w.Hidden, said(w)

	if in.Text.IsSet() {
		hidden = false
	}

	give(&text, in.Text)
	give(&hidden, in.Hidden)

	if hidden == w.Hidden && text == said(w) {
		return false
	}

	w.Hidden, w.Corrected = hidden, nil
	if text != w.Text {
		w.Corrected = &text
	}

	return true
}

// writeCorrections writes what users make of words of a clip, in one statement however many they are. They are there: the
// video is locked, so that nothing but these columns is ever written.
func (r *Resolver) writeCorrections(ctx context.Context, of *ent.Clip, rows []*ent.Word) error {
	ctx, err := schema.Proven(ctx, r.Store.Client(ctx), of.ID)
	if err != nil {
		return fmt.Errorf("write corrections: %w", err)
	}

	c := r.Store.Client(ctx).Word
	creates := make([]*ent.WordCreate, len(rows))

	for i, row := range rows {
		creates[i] = c.Create().SetID(row.ID).SetCreatedAt(row.CreatedAt).SetClipID(of.ID).SetPosition(row.Position).
			SetText(row.Text).SetStartMs(row.StartMs).SetEndMs(row.EndMs).SetHidden(row.Hidden).SetNillableCorrected(row.Corrected)
	}

	if err := c.CreateBulk(creates...).OnConflictColumns(word.FieldID).UpdateHidden().UpdateCorrected().Exec(ctx); err != nil {
		return fmt.Errorf("write corrections: %w", err)
	}

	return nil
}

// cutClipByTranscript cuts runs of words, from where the first begins to where the last ends.
func (r *Resolver) cutClipByTranscript(ctx context.Context, videoID, id string, in model.CutByTranscriptInput) (*ent.Clip, error) {
	return r.editClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		rows, err := r.readyWords(ctx, c)
		if err != nil {
			return err
		}

		var faults []fault.Field

		spans := make([]timeline.Span, len(in.WordRanges))

		for i, run := range in.WordRanges {
			if run.ToWordIndex >= len(rows) {
				faults = append(faults, fault.Field{Path: fmt.Sprintf("wordRanges[%d].toWordIndex", i), Rule: fmt.Sprintf(
					"must name one of the clip's %d words, counted from 0", len(rows))})

				continue
			}

			spans[i] = runSpan(rows[run.FromWordIndex : run.ToWordIndex+1])
		}

		if err := fault.Invalid(faults); err != nil {
			return err
		}

		return cutRecorded(c, spans, m, "wordRanges")
	})
}

// readyWords are all words of a clip whose transcript is ready.
func (r *Resolver) readyWords(ctx context.Context, c *ent.Clip) ([]*ent.Word, error) {
	if err := refuseUnheard(c); err != nil {
		return nil, err
	}

	all, err := r.wordsOf(ctx, c)

	return all[c.ID], err
}

// runSpan is the recording time of a run of words.
func runSpan(run []*ent.Word) timeline.Span {
	span := timeline.Span{StartMs: run[0].StartMs, EndMs: run[0].EndMs}

	for _, w := range run {
		span.StartMs, span.EndMs = min(span.StartMs, w.StartMs), max(span.EndMs, w.EndMs)
	}

	return span
}

// cutRecorded cuts ranges of recording time out of a clip.
func cutRecorded(c *ent.Clip, ranges []timeline.Span, m *ent.ClipMutation, path string) error {
	cuts, err := clockOf(c).CutRecorded(ranges)

	if short, ok := errors.AsType[*timeline.TooShortError](err); ok {
		return fault.Invalid([]fault.Field{{Path: path, Rule: fmt.Sprintf(
			"must leave at least %d ms of the clip and would leave %d", timeline.MinLeftMs, short.LeftMs)}})
	}

	setCuts(c, cuts, m)

	return err
}

// removeFillers cuts the filler words, as they were heard and not as they were corrected.
func (r *Resolver) removeFillers(ctx context.Context, videoID, id string) (*ent.Clip, error) {
	return r.editClip(ctx, videoID, id, nil, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		rows, err := r.readyWords(ctx, c)
		if err != nil {
			return err
		}

		words := make([]spoken.Word, len(rows))
		for i, row := range rows {
			words[i] = spoken.Word{Text: row.Text, StartMs: row.StartMs, EndMs: row.EndMs}
		}

		var spans []timeline.Span
		for _, run := range spoken.FillersOf(r.Fillers, c.TranscriptLanguage).Find(words) {
			spans = append(spans, runSpan(rows[run.From:run.To+1]))
		}

		return cutRecorded(c, spans, m, "the fillers")
	})
}
