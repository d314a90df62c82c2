package speech

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"
)

// defaultModel is the OpenAI model that returns word times.
const defaultModel = "whisper-1"

// OpenAI is a Provider that uses any service with the same API as OpenAI. Create it with NewOpenAI.
type OpenAI struct {
	address    *url.URL
	key, model string
	client     *http.Client
}

// NewOpenAI returns a provider for the service at an address such as https://key@host/v1?model=name. The address
// contains the API key. The model may be left out if it is OpenAI's default model.
func NewOpenAI(address *url.URL) *OpenAI {
	to := address.JoinPath("audio", "transcriptions")
	o := &OpenAI{address: to, model: cmp.Or(address.Query().Get("model"), defaultModel), client: newClient()}
	to.RawQuery = ""

	if user := to.User; user != nil {
		password, _ := user.Password()
		o.key = cmp.Or(password, user.Username())
		to.User = nil
	}

	return o
}

// Longest implements Provider.
func (*OpenAI) Longest() time.Duration { return httpLongest }

// Transcribe implements Provider.
func (o *OpenAI) Transcribe(ctx context.Context, sound Sound, language string) (Speech, error) {
	fields := []field{
		{"model", o.model},
		{"response_format", "verbose_json"},
		{"temperature", "0"},
		{"timestamp_granularities[]", "word"},
		{"timestamp_granularities[]", "segment"},
	}
	if language != "" {
		fields = append(fields, field{"language", Base(language)})
	}

	return post(ctx, o.client, o.address, o.key, sound, fields)
}
