package speech

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"
)

// WhisperCPP is a Provider that uses the server of whisper.cpp. Create it with NewWhisperCPP.
type WhisperCPP struct {
	address *url.URL
	client  *http.Client
}

// NewWhisperCPP returns a provider for the server at an address such as http://127.0.0.1:8178.
func NewWhisperCPP(address *url.URL) *WhisperCPP {
	return &WhisperCPP{address: address.JoinPath("inference"), client: newClient()}
}

// Longest implements Provider.
func (*WhisperCPP) Longest() time.Duration { return httpLongest }

// Transcribe implements Provider.
func (w *WhisperCPP) Transcribe(ctx context.Context, sound Sound, language string) (Speech, error) {
	return post(ctx, w.client, w.address, "", sound, []field{
		{"response_format", "verbose_json"}, {"temperature", "0.0"}, {"language", cmp.Or(Base(language), "auto")},
	})
}
