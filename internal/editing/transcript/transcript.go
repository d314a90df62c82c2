package transcript

import (
	"context"
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/editing/clip"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// unknownLanguage is the language tag used when no language was given.
const unknownLanguage = "und"

// PutTranscript replaces the words of a clip with those of a subtitle file.
func (s *Service) PutTranscript(
	ctx context.Context, videoID, id string, in model.PutTranscriptInput,
) (*model.PutTranscriptPayload, error) {
	file, err := parseSubtitles(in)
	if err != nil {
		return nil, err
	}

	var now *ent.Transcript

	changed, err := s.Videos.EditClip(ctx, videoID, id, nil, func(ctx context.Context, v *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if err := listing.RefuseArriving(c); err != nil {
			return err
		}

		words, err := file.Words(c.RecordingMs)
		if err != nil {
			return subtitleFault(err)
		}

		now, err = s.replaceWords(ctx, v, c, m, words, languageOf(file, in, words))

		return err
	})
	if err != nil {
		return nil, err
	}

	changed.Edges.Transcript = now // the words that were just written need not be read again

	out := &model.PutTranscriptPayload{Clip: changed, Video: changed.Edges.Video, SkippedCount: file.Skipped.Count}
	out.Skipped = make([]*words.SkippedBlock, len(file.Skipped.Blocks))

	for i := range out.Skipped {
		out.Skipped[i] = &file.Skipped.Blocks[i]
	}

	return out, nil
}

// replaceWords gives a clip the words of a file and returns them as stored. Words that the clip already has do not
// count as an edit.
func (s *Service) replaceWords(
	ctx context.Context, v *ent.Video, c *ent.Clip, m *ent.ClipMutation, words []words.Word, language string,
) (*ent.Transcript, error) {
	was, err := s.Listing.Words().WordsOf(ctx, c)
	if err != nil {
		return nil, err
	}

	ready := c.TranscriptStatus == values.TranscriptStatusReady
	if ready && c.TranscriptLanguage == language && listing.SameWords(was[c.ID], words) {
		return was[c.ID], nil
	}

	now, err := transcripts.Replace(ctx, s.Store.Client(ctx), c, heardWords(words), s.Store.Now())
	if err != nil {
		return nil, err
	}

	if err := s.Listing.Words().RefuseMoreWords(ctx, v.ID, now); err != nil {
		return nil, err
	}

	m.SetTranscriptStatus(values.TranscriptStatusReady)
	m.SetTranscriptLanguage(language)
	m.SetTranscriptError("")

	return now, s.tellReplaced(ctx, v, c, language)
}

// languageOf returns the language of the words of a file, or none if there are no words. A video's language is that of
// its first clip with words.
func languageOf(file words.File, in model.PutTranscriptInput, words []words.Word) string {
	if len(words) == 0 {
		return ""
	}

	language := unknownLanguage
	if file.Language != "" && model.IsLanguage(file.Language) {
		language = file.Language
	}

	optional.Give(&language, in.Language)

	return language
}

// heardWords returns the words of a file in stored form. A file has no confidence values.
func heardWords(words []words.Word) []transcripts.Word {
	all := make([]transcripts.Word, len(words))
	for i, w := range words {
		all[i] = transcripts.Word{Text: w.Text, StartMs: w.StartMs, EndMs: w.EndMs, Cue: w.Cue}
	}

	return all
}

// tellReplaced publishes the new state of the video's transcript after a clip got its words.
func (s *Service) tellReplaced(ctx context.Context, v *ent.Video, c *ent.Clip, language string) error {
	clips, err := s.Listing.ClipsInOrder(ctx, v.ID)
	if err != nil {
		return err
	}

	before := transcripts.Of(clips)

	for _, other := range clips {
		if other.ID == c.ID {
			other.TranscriptStatus, other.TranscriptLanguage, other.TranscriptError = values.TranscriptStatusReady, language, ""
		}
	}

	return transcripts.Tell(ctx, s.Jobs, v, before, transcripts.Of(clips))
}

func parseSubtitles(in model.PutTranscriptInput) (words.File, error) {
	parse := words.ParseVTT
	if in.Format == model.SubtitleFormatSrt {
		parse = words.ParseSRT
	}

	file, err := parse([]byte(in.Text))

	return file, subtitleFault(err)
}

// subtitleFault says which line of a file is wrong, and why.
func subtitleFault(err error) error {
	if wrong, ok := errors.AsType[*words.FaultError](err); ok {
		return fault.Invalid([]fault.Field{{Rule: wrong.Error()}})
	}

	return err
}

// CorrectWords corrects words in captions. It returns the clip and the words in their new state.
func (s *Service) CorrectWords(ctx context.Context, videoID, id string, in model.CorrectWordsInput) (*ent.Clip, []*model.Word, error) {
	var named []*model.Word

	changed, err := s.Videos.EditClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		if err := refuseUnheard(c); err != nil {
			return err
		}

		all, err := s.Listing.Words().WordsOf(ctx, c)
		if err != nil {
			return err
		}

		words := all[c.ID]
		if err := nameWords(words, in.Words); err != nil {
			return err
		}

		moved, places, corrected := false, make([]int, len(in.Words)), make([]transcripts.Word, len(in.Words))

		for i, one := range in.Words {
			was := transcripts.At(words, one.Index)
			places[i], corrected[i] = one.Index, correct(was, one)

			if corrected[i] != was {
				transcripts.Correct(words, one.Index, corrected[i])

				moved = true
			}
		}

		named = listing.WordsAnswered(listing.ClockOf(c), places, corrected, model.WordSetAll)

		if !moved {
			return nil
		}

		m.SetUpdatedAt(s.Store.Now())

		if err := transcripts.Save(ctx, s.Store.Client(ctx), words, s.Store.Now()); err != nil {
			return err
		}

		return s.Listing.Words().RefuseMoreWords(ctx, videoID, words)
	})

	return changed, named, err
}

// refuseUnheard returns a conflict unless the words of a clip are ready.
func refuseUnheard(c *ent.Clip) error {
	if c.TranscriptStatus != values.TranscriptStatusReady {
		return fault.Conflict("The transcript of the clip is not ready: it is " + string(c.TranscriptStatus) + ".")
	}

	return nil
}

// nameWords returns faults for the indices of a request that name no word.
func nameWords(words *ent.Transcript, in []*model.CorrectWordInput) error {
	var faults []fault.Field

	for i, w := range in {
		if w.Index >= transcripts.Count(words) {
			faults = append(faults, fault.Field{Path: fmt.Sprintf("words[%d].index", i), Rule: "must name a word of the clip"})
		}
	}

	if err := fault.Invalid(faults); err != nil {
		return err
	}

	return nil
}

// correct applies a requested change to a word. A new text also shows a hidden word.
func correct(w transcripts.Word, in *model.CorrectWordInput) transcripts.Word {
	said := w.Said()

	if in.Text.IsSet() {
		w.Hidden = false
	}

	optional.Give(&said, in.Text)
	optional.Give(&w.Hidden, in.Hidden)

	if w.Corrected = said; said == w.Text {
		w.Corrected = ""
	}

	return w
}

// CutClipByTranscript cuts ranges of words out of a clip. Each cut lasts from the start of the first word in the
// range to the end of the last word.
func (s *Service) CutClipByTranscript(ctx context.Context, videoID, id string, in model.CutClipByTranscriptInput) (*ent.Clip, error) {
	return s.Videos.EditClip(ctx, videoID, id, &in, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		words, err := s.readyWords(ctx, c)
		if err != nil {
			return err
		}

		var faults []fault.Field

		spans := make([]values.Span, len(in.WordRanges))

		for i, run := range in.WordRanges {
			if run.ToWordIndex >= transcripts.Count(words) {
				faults = append(faults, fault.Field{Path: fmt.Sprintf("wordRanges[%d].toWordIndex", i), Rule: fmt.Sprintf(
					"must name one of the clip's %d words, counted from 0", transcripts.Count(words))})

				continue
			}

			spans[i] = runSpan(words, run.FromWordIndex, run.ToWordIndex)
		}

		if err := fault.Invalid(faults); err != nil {
			return err
		}

		return cutRecorded(c, spans, m, "wordRanges")
	})
}

// readyWords returns all words of a clip, or a conflict unless its transcript is ready.
func (s *Service) readyWords(ctx context.Context, c *ent.Clip) (*ent.Transcript, error) {
	if err := refuseUnheard(c); err != nil {
		return nil, err
	}

	all, err := s.Listing.Words().WordsOf(ctx, c)

	return all[c.ID], err
}

// runSpan returns the recording time of a run of words, including both ends. Words are sorted by their start.
func runSpan(words *ent.Transcript, from, to int) values.Span {
	span := values.Span{StartMs: words.Starts[from], EndMs: words.Ends[from]}

	for i := from; i <= to; i++ {
		span.StartMs, span.EndMs = min(span.StartMs, words.Starts[i]), max(span.EndMs, words.Ends[i])
	}

	return span
}

// cutRecorded cuts ranges of recording time out of a clip.
func cutRecorded(c *ent.Clip, ranges []values.Span, m *ent.ClipMutation, path string) error {
	cuts, err := listing.ClockOf(c).CutRecorded(ranges)

	if short, ok := errors.AsType[*timeline.TooShortError](err); ok {
		return fault.Invalid([]fault.Field{{Path: path, Rule: fmt.Sprintf(
			"must leave at least %d ms of the clip but would leave %d", timeline.MinLeftMs, short.LeftMs)}})
	}

	clip.SetCuts(c, cuts, m)

	return err
}

// RemoveFillers cuts the filler words. It uses the recognized words and ignores their corrections.
func (s *Service) RemoveFillers(ctx context.Context, videoID, id string) (*ent.Clip, error) {
	return s.Videos.EditClip(ctx, videoID, id, nil, func(ctx context.Context, _ *ent.Video, c *ent.Clip, m *ent.ClipMutation) error {
		all, err := s.readyWords(ctx, c)
		if err != nil {
			return err
		}

		spoken := make([]words.Word, transcripts.Count(all))
		for i, w := range transcripts.All(all) {
			spoken[i] = words.Word{Text: w.Text, StartMs: w.StartMs, EndMs: w.EndMs}
		}

		var spans []values.Span
		for _, run := range words.FillersOf(s.Fillers, c.TranscriptLanguage).Find(spoken) {
			spans = append(spans, runSpan(all, run.From, run.To))
		}

		return cutRecorded(c, spans, m, "the fillers")
	})
}
