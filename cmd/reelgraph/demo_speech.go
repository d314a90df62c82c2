package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// A line is what is said in a recording from a time on.
type line struct {
	atMs int
	text string
}

// letterMs is about how long FFmpeg's voice takes for a letter.
const letterMs = 70

// speech is the sound of what is said, in FFmpeg's words.
func (s shot) speech() string {
	var chains, mix strings.Builder

	for i, l := range s.says {
		fmt.Fprintf(&chains, "flite=voice=slt:text='%s',adelay=%d:all=1[line%d];", l.text, l.atMs, i)
		fmt.Fprintf(&mix, "[line%d]", i)
	}

	return fmt.Sprintf("%s%samix=inputs=%d:normalize=0,aresample=48000,apad", chains.String(), mix.String(), len(s.says))
}

// subtitles are the words of what is said, as a WebVTT file.
func (s shot) subtitles() string {
	at := func(ms int) string { return fmt.Sprintf("00:%02d.%03d", ms/1000, ms%1000) }

	var text strings.Builder

	text.WriteString("WEBVTT\n")

	for _, l := range s.says {
		fmt.Fprintf(&text, "\n%s --> %s\n%s\n", at(l.atMs), at(l.atMs+letterMs*len(l.text)), l.text)
	}

	return text.String()
}

// speaks reports whether an FFmpeg has a voice.
func speaks(ctx context.Context, ffmpeg string) bool {
	return exec.CommandContext(ctx, ffmpeg, "-v", "quiet", "-f", "lavfi", "-i", "flite=voice=slt:text=a", "-f", "null", "-").Run() == nil
}

// transcribe writes down what a clip says. Speech recognition would hear words in tones, and others in a voice that no
// person has.
func (g *guide) transcribe(ctx context.Context, clip string, said shot) error {
	if !g.speaks {
		said.says = nil
	}

	const put = `mutation ($clip: ID!, $text: String!) {
  putTranscript(clipId: $clip, input: {format: VTT, language: "en", text: $text}) { clip { id } }
}`

	var made struct{}

	return g.graph(ctx, put, fields{"clip": clip, "text": said.subtitles()}, &made)
}
