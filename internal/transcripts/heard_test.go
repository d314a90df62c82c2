package transcripts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// clips makes a clip of each letter: p pending, h being transcribed, r transcribed without a word, w transcribed with
// words, g a silent one that was given words, s a silent one, f failed, u unavailable.
func clips(of string) (all []*ent.Clip) {
	for _, kind := range of {
		c := &ent.Clip{TranscriptStatus: values.TranscriptStatusReady, HasSystemAudio: true}

		switch kind {
		case 'p':
			c.TranscriptStatus = values.TranscriptStatusPending
		case 'h':
			c.TranscriptStatus = values.TranscriptStatusProcessing
		case 'w':
			c.HasSystemAudio, c.HasMicrophone, c.TranscriptLanguage = false, true, "de"
		case 'g':
			c.HasSystemAudio, c.TranscriptLanguage = false, "en"
		case 's':
			c.HasSystemAudio = false
		case 'f':
			c.TranscriptStatus, c.TranscriptError = values.TranscriptStatusFailed, "why"
		case 'u':
			c.TranscriptStatus = values.TranscriptStatusUnavailable
		}

		all = append(all, c)
	}

	return all
}

// Of determines the state of a video's transcript from its clips.
func TestTranscriptOfClips(t *testing.T) {
	t.Parallel()

	for of, want := range map[string]transcripts.Transcript{
		"":     {Status: values.TranscriptStatusReady},
		"s":    {Status: values.TranscriptStatusReady},
		"ss":   {Status: values.TranscriptStatusReady},
		"r":    {Status: values.TranscriptStatusReady},
		"rwg":  {Status: values.TranscriptStatusReady, Language: "de"},
		"sgw":  {Status: values.TranscriptStatusReady, Language: "en"},
		"rf":   {Status: values.TranscriptStatusReady},
		"fw":   {Status: values.TranscriptStatusReady, Language: "de"},
		"fg":   {Status: values.TranscriptStatusReady, Language: "en"},
		"ur":   {Status: values.TranscriptStatusReady},
		"ufg":  {Status: values.TranscriptStatusReady, Language: "en"},
		"f":    {Status: values.TranscriptStatusFailed, Problem: "why"},
		"fs":   {Status: values.TranscriptStatusFailed, Problem: "why"},
		"sfu":  {Status: values.TranscriptStatusFailed, Problem: "why"},
		"u":    {Status: values.TranscriptStatusUnavailable},
		"us":   {Status: values.TranscriptStatusUnavailable},
		"suu":  {Status: values.TranscriptStatusUnavailable},
		"p":    {Status: values.TranscriptStatusPending},
		"wp":   {Status: values.TranscriptStatusPending},
		"fpu":  {Status: values.TranscriptStatusPending},
		"ph":   {Status: values.TranscriptStatusProcessing},
		"wfhu": {Status: values.TranscriptStatusProcessing},
	} {
		require.Equal(t, want, transcripts.Of(clips(of)), of)
	}
}
