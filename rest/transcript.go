package rest

import (
	"context"
	"mime"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// maxTranscript is the largest body of a transcript.
const maxTranscript = 5 << 20

// The content types of transcripts.
const (
	typeVTT = "text/vtt"
	typeSRT = "application/x-subrip"
)

type wordsOut struct {
	Status   values.TranscriptStatus `json:"status"`
	Language string                  `json:"language"`
	Words    []*model.Word           `json:"words"`
}

func getTranscript(ctx context.Context, g Graph, in clipPath) (wordsOut, error) {
	return readWords(ctx, g, in, model.WordSetAll)
}

func getTranscriptCut(ctx context.Context, g Graph, in clipPath) (wordsOut, error) {
	return readWords(ctx, g, in, model.WordSetHeard)
}

func getTranscriptUncut(ctx context.Context, g Graph, in clipPath) (wordsOut, error) {
	return readWords(ctx, g, in, model.WordSetRecorded)
}

func readWords(ctx context.Context, g Graph, in clipPath, set model.WordSet) (wordsOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return wordsOut{}, err
	}

	return wordsOutOf(ctx, g, c, set)
}

func wordsOutOf(ctx context.Context, g Graph, c *model.Clip, set model.WordSet) (wordsOut, error) {
	heard, err := g.Clip().Transcript(ctx, c)
	if err != nil {
		return wordsOut{}, err
	}

	page, err := g.Clip().Words(ctx, c, set, everything, nil)
	if err != nil {
		return wordsOut{}, err
	}

	return wordsOut{Status: heard.Status, Language: heard.Language, Words: page.Nodes}, nil
}

type putTranscriptIn struct {
	clipPath

	Language *string `query:"language" check:"chars=1..35"`
	Type     string  `header:"Content-Type"`
	Body     []byte  `body:"raw"`
}

type putTranscriptOut struct {
	wordsOut

	SkippedCount int                   `json:"skippedCount,omitempty"`
	Skipped      []*words.SkippedBlock `json:"skipped,omitempty"`
}

func putTranscript(ctx context.Context, g Graph, in putTranscriptIn) (putTranscriptOut, error) {
	if len(in.Body) == 0 {
		return putTranscriptOut{}, fault.BadRequest("The body must be a subtitle file, sent as " + typeVTT + " or " + typeSRT + ".")
	}

	text, err := words.Text(in.Body)
	if err != nil {
		return putTranscriptOut{}, fault.Invalid([]fault.Field{{Rule: err.Error()}})
	}

	file := model.PutTranscriptInput{Format: model.SubtitleFormatVtt, Text: text}
	if kind, _, err := mime.ParseMediaType(in.Type); err == nil && kind == typeSRT {
		file.Format = model.SubtitleFormatSrt
	}

	if in.Language != nil {
		file.Language = graphql.OmittableOf(in.Language)
	}

	put, err := g.Mutation().PutTranscript(in.within(ctx), in.ClipID, file, nil)
	if err != nil {
		return putTranscriptOut{}, err
	}

	words, err := wordsOutOf(ctx, g, put.Clip, model.WordSetAll)

	return putTranscriptOut{words, put.SkippedCount, put.Skipped}, err
}

type correctWordsIn struct {
	clipPath

	Body model.CorrectWordsInput `body:"json"`
}

type correctWordsOut struct {
	Words []*model.Word `json:"words"`
}

func correctWords(ctx context.Context, g Graph, in correctWordsIn) (correctWordsOut, error) {
	corrected, err := g.Mutation().CorrectWords(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return correctWordsOut{}, err
	}

	return correctWordsOut{Words: corrected.Words}, nil
}

type cutClipByTranscriptIn struct {
	clipPath

	Body model.CutClipByTranscriptInput `body:"json"`
}

func cutClipByTranscript(ctx context.Context, g Graph, in cutClipByTranscriptIn) (clipOut, error) {
	cut, err := g.Mutation().CutClipByTranscript(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, cut.Clip, cut.Video)
}

func removeFillers(ctx context.Context, g Graph, in clipPath) (clipOut, error) {
	cut, err := g.Mutation().RemoveFillers(in.within(ctx), in.ClipID, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, cut.Clip, cut.Video)
}

type removeSilencesIn struct {
	clipPath

	Body model.RemoveSilencesInput `body:"json"`
}

func removeSilences(ctx context.Context, g Graph, in removeSilencesIn) (clipOut, error) {
	cut, err := g.Mutation().RemoveSilences(in.within(ctx), in.ClipID, &in.Body, nil)
	if err != nil {
		return clipOut{}, err
	}

	return clipOutOf(ctx, g, cut.Clip, cut.Video)
}

type listSilencesIn struct {
	clipPath
	model.SilenceFilter
}

type silencesOut struct {
	Silences []*model.Silence `json:"silences"`
}

func listSilences(ctx context.Context, g Graph, in listSilencesIn) (silencesOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return silencesOut{}, err
	}

	all, err := g.Clip().Silences(ctx, c, in.MinDurationMs)

	return silencesOut{Silences: all}, err
}
