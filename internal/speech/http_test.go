package speech_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/speech"
)

// silence returns a silent sound of the given length.
func silence(ms int) speech.Sound {
	return speech.NewSound(bytes.NewReader(make([]byte, 32*ms)), int64(32*ms))
}

// service answers every request with the same status and body, and keeps the last request.
type service struct {
	*httptest.Server

	status int
	answer string
	asked  *http.Request
	file   []byte
}

func serve(t *testing.T, answer string) *service {
	t.Helper()

	s := &service{status: http.StatusOK, answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)

			return
		}

		file, _, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)

			return
		}

		s.file, _ = io.ReadAll(file)
		s.asked = r
		w.WriteHeader(s.status)
		_, _ = io.WriteString(w, s.answer)
	}))
	t.Cleanup(s.Close)

	return s
}

func (s *service) at(t *testing.T, address string) *url.URL {
	t.Helper()

	u, err := url.Parse(strings.Replace(address, "HOST", strings.TrimPrefix(s.URL, "http://"), 1))
	require.NoError(t, err)

	return u
}

const openAIAnswer = `{"task":"transcribe","language":"english","duration":3.1,"text":"Well, it works. Don't panic!",
"words":[{"word":"Well","start":0.1,"end":0.42},{"word":"it","start":0.5,"end":0.6},{"word":"works","start":0.61,"end":1.2049},
{"word":"Don't","start":1.9,"end":2.2},{"word":"panic","start":2.2,"end":9.9}],"segments":[{"id":0,"text":" Well, it works."}]}`

func TestOpenAI(t *testing.T) {
	t.Parallel()

	s := serve(t, openAIAnswer)
	p := speech.NewOpenAI(s.at(t, "http://sk-secret@HOST/v1?model=tiny"))

	said, err := speech.All(t.Context(), p, silence(3100), "")
	require.NoError(t, err)
	require.Equal(t, speech.Speech{Language: "en", Words: []speech.Word{
		{"Well,", 100, 420, 0}, {"it", 500, 600, 0}, {"works.", 610, 1205, 0}, {"Don't", 1900, 2200, 0}, {"panic!", 2200, 3100, 0},
	}}, said)

	require.Equal(t, "/v1/audio/transcriptions", s.asked.URL.String())
	require.Equal(t, "Bearer sk-secret", s.asked.Header.Get("Authorization"))
	require.Equal(t, url.Values{
		"model": {"tiny"}, "response_format": {"verbose_json"}, "temperature": {"0"},
		"timestamp_granularities[]": {"word", "segment"},
	}, url.Values(s.asked.MultipartForm.Value))
	require.Len(t, s.file, 44+2*16*3100)
	require.Equal(t, "RIFF", string(s.file[:4]))
	require.EqualValues(t, 16000, binary.LittleEndian.Uint32(s.file[24:]))

	_, err = speech.All(t.Context(), speech.NewOpenAI(s.at(t, "http://HOST/v1/")), silence(100), "pt-BR")
	require.NoError(t, err)
	require.Equal(t, "/v1/audio/transcriptions", s.asked.URL.String())
	require.Equal(t, []string{"pt"}, s.asked.MultipartForm.Value["language"])
	require.Equal(t, []string{"whisper-1"}, s.asked.MultipartForm.Value["model"])
	require.Empty(t, s.asked.Header.Get("Authorization"))
}

// whisper.cpp returns tokens as words.
const whisperAnswer = `{"task":"transcribe","language":"german","duration":5,"text":" Guten Morgen, Welt.\n [Musik]",
"segments":[{"id":0,"text":" Guten Morgen,","start":0,"end":2,"words":[
{"word":" Gut","start":0.1,"end":0.3,"t_dtw":-1,"probability":0.9},{"word":"en","start":0.3,"end":0.4,"probability":0.8},
{"word":" Morgen","start":0.5,"end":1.0,"probability":0.99},{"word":",","start":1.0,"end":1.02,"probability":0.7}]},
{"id":1,"text":" Welt.","start":2,"end":3,"words":[{"word":" Welt","start":-0.01,"end":2.5,"probability":0.5},{"word":".","start":2.5,"end":2.5,"probability":0.4}]},
{"id":2,"text":" ♪","start":3,"end":4,"words":[{"word":" ♪","start":3,"end":4,"probability":0.5}]}]}`

func TestWhisperCPP(t *testing.T) {
	t.Parallel()

	s := serve(t, whisperAnswer)
	p := speech.NewWhisperCPP(s.at(t, "http://HOST"))

	said, err := speech.All(t.Context(), p, silence(5000), "")
	require.NoError(t, err)
	require.Equal(t, speech.Speech{Language: "de", Words: []speech.Word{
		{"Guten", 100, 400, 0.8}, {"Morgen,", 500, 1020, 0.7}, {"Welt.", 2000, 2500, 0.4},
	}}, said)
	require.Equal(t, "/inference", s.asked.URL.Path)
	require.Equal(t, []string{"auto"}, s.asked.MultipartForm.Value["language"])

	s.answer = `{"language":"japanese","segments":[{"text":" x","start":0,"end":2,"words":[
		{"word":"\u6771\u4eac","start":0.1,"end":0.9},{"word":"\u3067\u3059","start":1,"end":1.5},{"word":"\u3002","start":1.5,"end":1.6}]}]}`
	said, err = speech.All(t.Context(), p, silence(5000), "ja")
	require.NoError(t, err)
	require.Equal(t, "ja", said.Language)
	require.Equal(t, []string{"ja"}, s.asked.MultipartForm.Value["language"])
	require.Equal(t, []speech.Word{{"\u6771\u4eac", 100, 900, 0}, {"\u3067\u3059", 1000, 1500, 0}}, said.Words)

	s.answer = `{"language":"xx","segments":[{"text":" no times of words","start":1,"end":3}]}`
	said, err = speech.All(t.Context(), p, silence(5000), "")
	require.NoError(t, err)
	require.Equal(t, []speech.Word{{"no", 1000, 1500, 0}, {"times", 1500, 2000, 0}, {"of", 2000, 2500, 0}, {"words", 2500, 3000, 0}}, said.Words)
}

func TestProviderErrors(t *testing.T) {
	t.Parallel()

	s := serve(t, "")
	address := s.at(t, "http://sk-secret@HOST/v1")

	for name, row := range map[string]struct {
		status  int
		answer  string
		message string
		passing bool
	}{
		"overloaded":   {http.StatusTooManyRequests, "slow down", "The speech service answered with status 429.", true},
		"broken":       {http.StatusBadGateway, "", "The speech service answered with status 502.", true},
		"wrong key":    {http.StatusUnauthorized, `{"error":{}}`, "The speech service answered with status 401.", false},
		"sent away":    {http.StatusFound, "", "The speech service answered with status 302.", false},
		"no JSON":      {http.StatusOK, "<html>", "The answer of the speech service cannot be read.", false},
		"its own word": {http.StatusOK, `{"error":"failed to read WAV file"}`, "The speech service could not read the sound.", false},
		"no times":     {http.StatusOK, `{"text":"hello world"}`, "The speech service returned text without the times of its words.", false},
		"no time of a segment": {
			http.StatusOK, `{"segments":[{"text":"hello world"}]}`, "The speech service returned text without the times of its words.", false,
		},
		"too long": {http.StatusOK, `{"text":"` + strings.Repeat("x", 17<<20), "The answer of the speech service is too long.", false},
	} {
		s.status, s.answer = row.status, row.answer

		_, err := speech.All(t.Context(), speech.NewOpenAI(address), silence(10), "")

		var wrong *speech.Error

		require.ErrorAs(t, err, &wrong, name)
		require.Equal(t, row.message, wrong.Message, name)
		require.Equal(t, row.passing, wrong.Passing, name)
		require.NotContains(t, err.Error(), "sk-secret", name)
	}

	s.status, s.answer = http.StatusOK, `{"text":" ♪ ","segments":[]}`
	said, err := speech.All(t.Context(), speech.NewOpenAI(address), silence(10), "")
	require.NoError(t, err, "nothing was said")
	require.Empty(t, said.Words)

	s.Close()

	_, err = speech.All(t.Context(), speech.NewOpenAI(address), silence(10), "")
	require.ErrorContains(t, err, "cannot be reached")
	require.NotContains(t, err.Error(), "sk-secret")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err = speech.All(ctx, speech.NewOpenAI(address), silence(10), "")
	require.ErrorIs(t, err, context.Canceled)
}

// spy returns the same words for each piece, and records its length and language.
type spy struct {
	longest   time.Duration
	lengthsMs []int64
	languages []string
	calls     atomic.Int32
}

func (s *spy) Longest() time.Duration { return s.longest }

func (s *spy) Transcribe(_ context.Context, sound speech.Sound, language string) (speech.Speech, error) {
	s.lengthsMs, s.languages = append(s.lengthsMs, sound.LengthMs()), append(s.languages, language)
	n := s.calls.Add(1)

	return speech.Speech{Language: "FRENCH", Words: []speech.Word{{fmt.Sprint("w", n), 10, 20, 2}, {" \x00", 30, 40, 0}, {"late", 1 << 40, 1 << 41, 0}}}, nil
}

// A long sound is divided where it is quietest, and word times are relative to the whole sound.
func TestLongSoundsAreDivided(t *testing.T) {
	t.Parallel()

	raw := make([]byte, 32*10_000)
	for i := range len(raw) / 2 {
		ms := i / 16
		if loud := (ms < 3600 || ms >= 3900) && (ms < 6800 || ms >= 7000); loud {
			binary.LittleEndian.PutUint16(raw[2*i:], uint16(int16(1000-2000*(i%2))))
		}
	}

	s := &spy{longest: 4 * time.Second}
	said, err := speech.All(t.Context(), s, speech.NewSound(bytes.NewReader(raw), int64(len(raw))), "")
	require.NoError(t, err)

	// The first division is in the gap from 3.6 s to 3.9 s, the second in that from 6.8 s to 7 s.
	require.Len(t, s.lengthsMs, 3)
	require.InDelta(t, 3750, s.lengthsMs[0], 60)
	require.InDelta(t, 6900, s.lengthsMs[0]+s.lengthsMs[1], 20)
	require.EqualValues(t, 10_000, s.lengthsMs[0]+s.lengthsMs[1]+s.lengthsMs[2])
	require.Equal(t, []string{"", "fr", "fr"}, s.languages)
	require.Equal(t, speech.Speech{Language: "fr", Words: []speech.Word{
		{"w1", 10, 20, 1},
		{"w2", s.lengthsMs[0] + 10, s.lengthsMs[0] + 20, 1},
		{"w3", s.lengthsMs[0] + s.lengthsMs[1] + 10, s.lengthsMs[0] + s.lengthsMs[1] + 20, 1},
	}}, said)
}

// A sound whose transcription was interrupted is divided and transcribed as if in one go.
func TestListenContinuesAfterGivingWay(t *testing.T) {
	t.Parallel()

	raw := make([]byte, 32*10_000)
	for i := range raw {
		raw[i] = byte(i * i % 251)
	}

	sound := speech.NewSound(bytes.NewReader(raw), int64(len(raw)))
	whole := &spy{longest: 2 * time.Second}
	want, err := speech.All(t.Context(), whole, sound, "")
	require.NoError(t, err)
	require.Greater(t, len(whole.lengthsMs), 4)

	var heard speech.Heard

	turns, inTurns := 0, &spy{longest: 2 * time.Second}
	for ; heard.UntilMs < sound.LengthMs(); turns++ {
		heard, err = speech.Listen(t.Context(), inTurns, sound, heard, func(context.Context) bool { return turns%2 == 0 })
		require.NoError(t, err)
	}

	require.Greater(t, turns, 1)
	require.Equal(t, whole.lengthsMs, inTurns.lengthsMs)
	require.Equal(t, whole.languages, inTurns.languages)
	require.Equal(t, want, heard.Speech)
}

func TestTags(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"english": "en", "English": "en", "de": "de", "pt-br": "pt-BR", "mandarin": "zh", "chinese": "zh", "norwegian": "no",
		"castilian": "es", "ukrainian": "uk", "": "", "no language at all": "", "und": "",
	} {
		require.Equal(t, want, speech.Tag(name), name)
	}
}

// Music without speech gives no words, however a service reports it.
func TestNoSpeech(t *testing.T) {
	t.Parallel()

	for name, answer := range map[string]string{
		"nothing":             "",
		"white space":         " \n",
		"an empty object":     `{}`,
		"an empty text":       `{"text":"","segments":[],"words":[]}`,
		"a note sign":         `{"text":" ♪ ♪","segments":[{"text":" ♪","start":0,"end":3}]}`,
		"what it is":          `{"text":"[Music]"}`,
		"what it is, for how": `{"text":" (upbeat music)","segments":[{"text":" (upbeat music)","start":0,"end":3}]}`,
		"as one word":         `{"text":" [Musik]","segments":[{"start":0,"end":3,"words":[{"word":" [Musik]","start":0,"end":3}]}]}`,
		"laughter":            `{"text":"*laughs* [applause]","segments":[]}`,
	} {
		s := serve(t, answer)

		said, err := speech.All(t.Context(), speech.NewOpenAI(s.at(t, "http://HOST/v1")), silence(3000), "")
		require.NoError(t, err, name)
		require.Empty(t, said.Words, name)
		require.Empty(t, said.Language, name)
	}

	s := serve(t, `{"text":"[Music] Hello (there)","segments":[{"text":"[Music] Hello (there)","start":1,"end":3}]}`)

	said, err := speech.All(t.Context(), speech.NewOpenAI(s.at(t, "http://HOST/v1")), silence(3000), "")
	require.NoError(t, err)
	require.Equal(t, []speech.Word{{"Hello", 1000, 2000, 0}, {"(there)", 2000, 3000, 0}}, said.Words)
}
