package heard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/heard"
)

// Clips as letters: p pending, h being heard, r heard without a word, w heard with words, g a silent one that was given
// words, s a silent one, f failed, u unavailable.
func clips(of string) (all []*ent.Clip) {
	for _, kind := range of {
		c := &ent.Clip{TranscriptStatus: domain.TranscriptStatusReady, HasSystemAudio: true}

		switch kind {
		case 'p':
			c.TranscriptStatus = domain.TranscriptStatusPending
		case 'h':
			c.TranscriptStatus = domain.TranscriptStatusProcessing
		case 'w':
			c.HasSystemAudio, c.HasMicrophone, c.TranscriptLanguage = false, true, "de"
		case 'g':
			c.HasSystemAudio, c.TranscriptLanguage = false, "en"
		case 's':
			c.HasSystemAudio = false
		case 'f':
			c.TranscriptStatus, c.TranscriptError = domain.TranscriptStatusFailed, "why"
		case 'u':
			c.TranscriptStatus = domain.TranscriptStatusUnavailable
		}

		all = append(all, c)
	}

	return all
}

// A video's transcript, by its clips.
func TestTranscriptOfClips(t *testing.T) {
	t.Parallel()

	for of, want := range map[string]heard.Transcript{
		"":     {Status: domain.TranscriptStatusReady},
		"s":    {Status: domain.TranscriptStatusReady},
		"ss":   {Status: domain.TranscriptStatusReady},
		"r":    {Status: domain.TranscriptStatusReady},
		"rwg":  {Status: domain.TranscriptStatusReady, Language: "de"},
		"sgw":  {Status: domain.TranscriptStatusReady, Language: "en"},
		"rf":   {Status: domain.TranscriptStatusReady},
		"fw":   {Status: domain.TranscriptStatusReady, Language: "de"},
		"fg":   {Status: domain.TranscriptStatusReady, Language: "en"},
		"ur":   {Status: domain.TranscriptStatusReady},
		"ufg":  {Status: domain.TranscriptStatusReady, Language: "en"},
		"f":    {Status: domain.TranscriptStatusFailed, Problem: "why"},
		"fs":   {Status: domain.TranscriptStatusFailed, Problem: "why"},
		"sfu":  {Status: domain.TranscriptStatusFailed, Problem: "why"},
		"u":    {Status: domain.TranscriptStatusUnavailable},
		"us":   {Status: domain.TranscriptStatusUnavailable},
		"suu":  {Status: domain.TranscriptStatusUnavailable},
		"p":    {Status: domain.TranscriptStatusPending},
		"wp":   {Status: domain.TranscriptStatusPending},
		"fpu":  {Status: domain.TranscriptStatusPending},
		"ph":   {Status: domain.TranscriptStatusProcessing},
		"wfhu": {Status: domain.TranscriptStatusProcessing},
	} {
		require.Equal(t, want, heard.Of(clips(of)), of)
	}
}
