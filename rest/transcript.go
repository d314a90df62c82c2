package rest

import (
	"context"
	"mime"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/words"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// maxTranscript is the largest body of a transcript.
const maxTranscript = 5 << 20

// The content types of transcripts.
const (
	typeVTT = "text/vtt"
	typeSRT = "application/x-subrip"
)

func getTranscript(ctx context.Context, g Graph, in clipPath) (shape.WordsOut, error) {
	return readWords(ctx, g, in, model.WordSetAll)
}

func getTranscriptCut(ctx context.Context, g Graph, in clipPath) (shape.WordsOut, error) {
	return readWords(ctx, g, in, model.WordSetHeard)
}

func getTranscriptUncut(ctx context.Context, g Graph, in clipPath) (shape.WordsOut, error) {
	return readWords(ctx, g, in, model.WordSetRecorded)
}

func readWords(ctx context.Context, g Graph, in clipPath, set model.WordSet) (shape.WordsOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.WordsOut{}, err
	}

	return shape.WordsOutOf(ctx, g, c, set)
}

type putTranscriptIn struct {
	clipPath

	Language *string `query:"language" check:"chars=1..35"`
	Type     string  `header:"Content-Type"`
	Body     []byte  `body:"raw"`
}

func putTranscript(ctx context.Context, g Graph, in putTranscriptIn) (shape.PutTranscriptOut, error) {
	if len(in.Body) == 0 {
		return shape.PutTranscriptOut{}, fault.BadRequest(
			"The body must be a subtitle file with the content type " + typeVTT + " or " + typeSRT + ".")
	}

	text, err := words.Text(in.Body)
	if err != nil {
		return shape.PutTranscriptOut{}, fault.Invalid([]fault.Field{{Rule: err.Error()}})
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
		return shape.PutTranscriptOut{}, err
	}

	words, err := shape.WordsOutOf(ctx, g, put.Clip, model.WordSetAll)

	return shape.PutTranscriptOut{WordsOut: words, SkippedCount: put.SkippedCount, Skipped: put.Skipped}, err
}

type correctWordsIn struct {
	clipPath

	Body model.CorrectWordsInput `body:"json"`
}

func correctWords(ctx context.Context, g Graph, in correctWordsIn) (shape.CorrectWordsOut, error) {
	corrected, err := g.Mutation().CorrectWords(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return shape.CorrectWordsOut{}, err
	}

	return shape.CorrectWordsOut{Words: corrected.Words}, nil
}

type cutClipByTranscriptIn struct {
	clipPath

	Body model.CutClipByTranscriptInput `body:"json"`
}

func cutClipByTranscript(ctx context.Context, g Graph, in cutClipByTranscriptIn) (shape.ClipOut, error) {
	cut, err := g.Mutation().CutClipByTranscript(in.within(ctx), in.ClipID, in.Body, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, cut.Clip, cut.Video)
}

func removeFillers(ctx context.Context, g Graph, in clipPath) (shape.ClipOut, error) {
	cut, err := g.Mutation().RemoveFillers(in.within(ctx), in.ClipID, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, cut.Clip, cut.Video)
}

type removeSilencesIn struct {
	clipPath

	Body model.RemoveSilencesInput `body:"json"`
}

func removeSilences(ctx context.Context, g Graph, in removeSilencesIn) (shape.ClipOut, error) {
	cut, err := g.Mutation().RemoveSilences(in.within(ctx), in.ClipID, &in.Body, nil)
	if err != nil {
		return shape.ClipOut{}, err
	}

	return shape.ClipOutOf(ctx, g, cut.Clip, cut.Video)
}

type listSilencesIn struct {
	clipPath
	model.SilenceFilter
}

func listSilences(ctx context.Context, g Graph, in listSilencesIn) (shape.SilencesOut, error) {
	c, err := g.Query().Clip(in.within(ctx), in.ClipID)
	if err != nil {
		return shape.SilencesOut{}, err
	}

	all, err := g.Clip().Silences(ctx, c, in.MinDurationMs)

	return shape.SilencesOut{Silences: all}, err
}
