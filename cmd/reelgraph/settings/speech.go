package settings

import (
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/speech"
)

// Speech selects a speech provider. The zero value selects none: every transcription then fails, and the error says
// that there is no provider.
type Speech struct {
	Provider string   // "", pocketsphinx, openai or whispercpp
	URL      *url.URL // for openai and whispercpp
}

// String describes the provider. The server shows this text to the operator when it starts.
func (s Speech) String() string {
	switch s.Provider {
	case "":
		return "Speech is not transcribed. Choose a recognizer with REELGRAPH_SPEECH."
	case "pocketsphinx":
		return "PocketSphinx transcribes speech: offline, English only, inaccurate. Choose another with REELGRAPH_SPEECH."
	default:
		return "Speech is transcribed by " + s.URL.Host + "."
	}
}

// Open opens the provider, or returns nil if none is selected. It is called before the server starts and returns an
// error if a required program is missing.
func (s Speech) Open(tools ffmpeg.Tools, lookup func(string) (string, error)) (speech.Provider, error) {
	switch s.Provider {
	case "openai":
		return speech.NewOpenAI(s.URL), nil
	case "whispercpp":
		return speech.NewWhisperCPP(s.URL), nil
	case "pocketsphinx":
		path, err := lookup(speech.SphinxProgram)
		if err == nil {
			path, err = filepath.Abs(path)
		}

		if err != nil {
			return nil, fmt.Errorf("REELGRAPH_SPEECH: %s not found: install PocketSphinx and its English model "+
				"(Debian, Ubuntu: apt-get install pocketsphinx pocketsphinx-en-us), or choose another", speech.SphinxProgram)
		}

		return &speech.PocketSphinx{Program: path, Tools: tools}, nil
	default:
		return nil, nil //nolint:nilnil // no provider is a valid choice
	}
}
