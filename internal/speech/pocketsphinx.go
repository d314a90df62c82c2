package speech

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// SphinxProgram is the name of the PocketSphinx program.
const SphinxProgram = "pocketsphinx_continuous"

// sphinxLongest limits memory use, which grows with the sound.
const sphinxLongest = time.Minute

// PocketSphinx is a Provider that transcribes English on this machine, with the speech model that the operating
// system's package contains. It is small and works offline, but its results are inaccurate.
type PocketSphinx struct {
	Program string // the full path of the program
	Tools   ffmpeg.Tools
}

// Longest implements Provider.
func (*PocketSphinx) Longest() time.Duration { return sphinxLongest }

// Transcribe implements Provider.
func (p *PocketSphinx) Transcribe(ctx context.Context, sound Sound, language string) (Speech, error) {
	if base := Base(language); base != "" && base != "en" {
		return Speech{}, &Error{
			Message: "This server can transcribe only English, but the workspace's language is " + language + ".",
		}
	}

	var said bytes.Buffer

	// Its own silence removal is switched off, because it would shift the times.
	err := p.Tools.Run(ctx, ffmpeg.Command{
		Program: p.Program, Stdin: sound.raw(), Stdout: &said,
		Args:   []string{"-infile", "/dev/stdin", "-time", "yes", "-remove_silence", "no", "-logfn", "/dev/null"},
		Limits: ffmpeg.Limits{Memory: 2 << 30, CPU: 20 * time.Minute, FileSize: 1 << 20, Wall: 30 * time.Minute},
	})
	if err != nil {
		return Speech{}, fmt.Errorf("recognise speech: %w", err)
	}

	return Speech{Language: "en", Words: sphinxWords(said.String())}, nil
}

// Words that are implausibly slow, or that it is not sure of itself, are usually tones and noises.
const (
	sphinxSlowest  = 2000 // ms
	sphinxDoubtful = 0.05
)

// sphinxWords parses lines such as "hello(2) 0.31 0.74 0.9982". The number in round brackets is the pronunciation of
// the word. Entries in other brackets are not words. Other lines repeat the text.
func sphinxWords(said string) []Word {
	var words []Word

	for line := range strings.Lines(said) {
		parts := strings.Fields(line)
		if len(parts) != 4 || strings.ContainsAny(parts[0][:1], "<[+") {
			continue
		}

		start, err1 := strconv.ParseFloat(parts[1], 64)
		end, err2 := strconv.ParseFloat(parts[2], 64)
		probability, err3 := strconv.ParseFloat(parts[3], 64)

		if err1 != nil || err2 != nil || err3 != nil {
			continue
		}

		text, _, _ := strings.Cut(parts[0], "(")
		// The end is the last frame of the word; frames are 10 ms long.
		word := Word{Text: text, StartMs: ms(&start), EndMs: ms(&end) + 10, Confidence: math.Min(probability, 1)}

		if word.EndMs-word.StartMs <= sphinxSlowest && probability >= sphinxDoubtful {
			words = append(words, word)
		}
	}

	return words
}
