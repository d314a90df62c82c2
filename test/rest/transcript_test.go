package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// told is what an answer reports about words.
type told struct {
	Status, Language string
	Words            []struct {
		Index                  int
		Text                   string
		StartTimeMs, EndTimeMs *int64
		Hidden, Cut            bool
	}
	SkippedCount *int
	Skipped      []struct {
		Line   int
		Reason string
	}
}

func (w told) said() string {
	words := make([]string, len(w.Words))
	for i, word := range w.Words {
		words[i] = word.Text
	}

	return strings.Join(words, " ")
}

// Files that players accept are accepted in both APIs, and skipped cues are reported.
func TestFilesAreReadLeniently(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	path := "/v1/videos/" + video.ID + "/clips/" + video.Edges.Clips[0].ID + "/transcript"

	for name, tc := range map[string]struct {
		srt     bool
		file    string
		said    string
		skipped string // line and reason of each skipped cue
	}{
		"a line of white space in a cue": {file: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n \nhello\n", said: "hello"},
		"no empty line between cues":     {srt: true, file: "1\n00:00:01,000 --> 00:00:02,000\nfirst\n2\n00:00:03,000 --> 00:00:04,000\nsecond\n", said: "first second"},
		"a stray block, and no length": {
			file: "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nstray\n\n00:02.000 --> 00:02.000\nb\n\n00:03.000 --> 00:04.000\nc\n", said: "a c",
			skipped: "6 the cue has no times, such as 00:00:01.000 --> 00:00:02.000, 8 the cue must end after it starts",
		},
		"beyond the recording": {
			srt: true, file: "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n01:00:03,000 --> 01:00:04,000\nb\n", said: "a",
			skipped: "6 the cue starts at 3603000 ms, but the recording ends at 10000 ms",
		},
		"nothing said": {file: "WEBVTT\n\n00:01.000 --> 00:02.000\n\n"},
	} {
		kind, format := "text/vtt", "VTT"
		if tc.srt {
			kind, format = "application/x-subrip", "SRT"
		}

		a := s.Call(t, owner.Key, http.MethodPut, path, tc.file, "Content-Type", kind)
		require.Equal(t, http.StatusOK, a.Status, "%s: %s", name, a.Body)

		var put told

		require.NoError(t, json.Unmarshal([]byte(a.Body), &put))
		require.Equal(t, "ready", put.Status, name)
		require.Equal(t, tc.said, put.said(), name)

		var skipped []string
		for _, b := range put.Skipped {
			skipped = append(skipped, fmt.Sprint(b.Line, " ", b.Reason))
		}

		require.Equal(t, tc.skipped, strings.Join(skipped, ", "), name)
		require.Equal(t, tc.skipped != "", put.SkippedCount != nil, "%s: absent when nothing was skipped", name)

		g := s.Ask(t, owner.Key, `mutation ($text: String!) { putTranscript(clipId: "`+video.Edges.Clips[0].ID+`",
			input: {format: `+format+`, text: $text}) { skippedCount skipped { line reason } clip { words { nodes { text } } } } }`,
			map[string]any{"text": tc.file})
		require.Empty(t, g.Errors, g.Body)

		payload := g.Data["putTranscript"].(map[string]any)
		require.EqualValues(t, len(put.Skipped), payload["skippedCount"], name)
		require.Len(t, payload["skipped"], len(put.Skipped), name)
	}
}

// Encodings are detected. Oversized files and files without cues are refused with the reason.
func TestBadSubtitlesAreRefused(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	video := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	path := "/v1/videos/" + video.ID + "/clips/" + video.Edges.Clips[0].ID + "/transcript"

	put := func(file string) api.Answer {
		t.Helper()

		return s.Call(t, owner.Key, http.MethodPut, path, file, "Content-Type", "text/vtt")
	}

	var wide strings.Builder
	for _, unit := range utf16.Encode([]rune("\ufeffWEBVTT\n\n00:01.000 --> 00:02.000\nzażółć 🎬\n")) {
		wide.Write([]byte{byte(unit), byte(unit >> 8)})
	}

	a := put(wide.String())
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Contains(t, a.Body, `"text":"zażółć"`)

	const cue = "WEBVTT\n\n00:01.000 --> 00:02.000\n"

	for wrong, file := range map[string]string{
		"line 1: the file has no cue":                                                    "WEBVTT\n",
		"line 3: the cue times are malformed; the file has no usable cue":                "WEBVTT\n\n00:01,000 --> 00:02,000\nx\n",
		"line 1: a WebVTT file must start with WEBVTT":                                   "1\n00:00:01,000 --> 00:00:02,000\nx\n",
		"line 4: the text is neither UTF-8":                                              cue + "caf\xe9\n",
		"line 3: a transcript may have at most 100000 words":                             cue + strings.Repeat("w ", 2_600_000),
		"line 3: a word may have at most 255 characters":                                 cue + strings.Repeat("é", 256),
		"the file has no cue that starts within the recording":                           "WEBVTT\n\n00:10.000 --> 00:12.000\nx\n",
		"The body must be a subtitle file with the content type text/vtt or application": "",
	} {
		a := put(file)
		require.Equal(t, http.StatusBadRequest, a.Status, "%s: %.300s", wrong, a.Body)
		require.Contains(t, a.Body, wrong)
	}

	require.Contains(t, s.Call(t, owner.Key, http.MethodGet, path, "").Body, `"text":"zażółć"`, "nothing has changed")
}

// Cut words are blank for users who may not use the recording, wherever words are read. Their times are shown.
func TestCutWordsAreBlank(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	reader := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: creator.WorkspaceID})
	source := testkit.NewSource(t, s.Store, creator, testkit.SourceOpts{HasAudio: true})
	video := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{Source: source, Visibility: values.VisibilityOrg})
	clip := video.Edges.Clips[0].ID
	at := "/v1/videos/" + video.ID
	path := at + "/clips/" + clip

	a := s.Call(t, creator.Key, http.MethodPut, path+"/transcript", "1\n00:00:00,000 --> 00:00:04,000\npublic secret confidential end\n",
		"Content-Type", "application/x-subrip")
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	a = s.Call(t, creator.Key, http.MethodPatch, path+"/transcript/words", `{"words":[{"index":2,"text":"classified"}]}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	a = s.Call(t, creator.Key, http.MethodPost, path+"/cut-by-transcript", `{"wordRanges":[{"fromWordIndex":1,"toWordIndex":2}]}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	graph := `{ video(id: "` + video.ID + `") { transcript { text captions sentences { text } } clips { nodes { words { nodes { text cut startTimeMs } } } }
		timeline { clips { words { text } } } }
		clip(id: "` + clip + `") { words { nodes { text } } heard: words(of: HEARD) { totalCount nodes { text } } }
		searchVideos(query: "public") { nodes { snippet } } }`

	// read returns everything a member reads of the words except the recording.
	read := func(m testkit.Member) string {
		t.Helper()

		var all strings.Builder

		for _, target := range []string{
			path + "/transcript", path + "/transcript/cut", at + "/timeline?include=words", at, "/v1/videos/search?query=public",
		} {
			a := s.Call(t, m.Key, http.MethodGet, target, "")
			require.Equal(t, http.StatusOK, a.Status, a.Body)
			all.WriteString(a.Body)
		}

		g := s.Ask(t, m.Key, graph, nil)
		require.Empty(t, g.Errors, g.Body)

		return all.String() + g.Body
	}

	words := func(m testkit.Member) (w told) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(s.Call(t, m.Key, http.MethodGet, path+"/transcript", "").Body), &w))

		return w
	}

	shown := read(creator)
	require.Contains(t, shown, "secret")
	require.Contains(t, shown, "classified")
	require.Contains(t, s.Call(t, creator.Key, http.MethodGet, path+"/transcript/uncut", "").Body, "secret")

	hidden := read(reader)
	for _, word := range []string{"secret", "confidential", "classified"} {
		require.NotContains(t, hidden, word)
	}

	said := words(reader)
	require.Equal(t, "public   end", said.said())
	require.True(t, said.Words[1].Cut)
	require.Nil(t, said.Words[1].StartTimeMs)
	require.Equal(t, 2, said.Words[2].Index)
	require.EqualValues(t, 1000, *said.Words[3].StartTimeMs)

	a = s.Call(t, reader.Key, http.MethodGet, path+"/transcript/uncut", "")
	require.Equal(t, http.StatusForbidden, a.Status, a.Body)

	recorded := `{ clip(id: "` + clip + `") { words(of: RECORDED) { nodes { text } } } }`
	require.Equal(t, "forbidden", s.Ask(t, reader.Key, recorded, nil).Code())

	for _, word := range []string{"secret", "confidential", "classified"} {
		require.Contains(t, s.Call(t, reader.Key, http.MethodGet, "/v1/videos/search?query="+word, "").Body, `"results":[]`)
	}

	// Users who may have the raw recording may read cut words.
	a = s.Call(t, creator.Key, http.MethodPatch, at, `{"downloadsEnabled":true,"rawDownloadsEnabled":true}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)
	require.Equal(t, "public secret classified end", words(reader).said())
	require.Equal(t, http.StatusOK, s.Call(t, reader.Key, http.MethodGet, path+"/transcript/uncut", "").Status)
}
