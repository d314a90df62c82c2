package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/story"
)

// computed are the operations whose result is computed from recordings. Only this test runs all of them against a started
// server.
var computed = []string{
	"GET $VIDEO/thumbnail?response=json", "GET $VIDEO/storyboard?response=json",
	"GET $CLIP/thumbnail?response=json", "GET $CLIP/storyboard?response=json", "GET $CLIP/silences",
	"GET $CLIP/sources/$SOURCE/thumbnail?response=json", "GET $CLIP/sources/$SOURCE/waveform",
	"GET /v1/sources/$SOURCE/storyboard?response=json",
	"POST $CLIP/auto-crop", "POST $CLIP/layouts/auto", "POST $CLIP/remove-silences",
}

// The demo runs twice, and its queries work against a server.
func TestDemo(t *testing.T) {
	t.Parallel()

	s := newHost(t)
	s.env["REELGRAPH_WORKERS"] = strings.Replace(s.env["REELGRAPH_WORKERS"], "render=1,", "", 1) // the export stays unfinished
	key := regexp.MustCompile(`reel_pk_[0-9A-Za-z]{32}`)
	out, err := command(t, s.env, "demo")
	require.NoError(t, err)
	require.Regexp(t, key, out)
	require.Contains(t, out, s.base+"/graphiql")

	again, err := command(t, s.env, "demo")
	require.NoError(t, err)
	require.NotEqual(t, key.FindString(out), key.FindString(again))

	s.start()
	s.key = key.FindString(out)

	beside, err := command(t, s.env, "demo")
	require.NoError(t, err, "next to a running server")
	require.Regexp(t, key, beside)

	for _, asked := range computed {
		method, path, _ := strings.Cut(s.ofTheFirst(asked), " ")
		s.computed(method, path)
	}

	var answers []string

	for _, query := range demoQueries {
		require.Contains(t, out, query)

		var answer struct {
			Data   json.RawMessage
			Errors []any
		}

		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		s.call("POST", "/graphql", string(body), &answer)
		require.Empty(t, answer.Errors)

		answers = append(answers, string(answer.Data))
	}

	for _, told := range story.Stories() {
		require.Regexp(t, `"name":"`+told.Name+`"`, answers[0])
	}

	var seen struct {
		Videos struct {
			Nodes []struct {
				Clips, Exports, Tags struct{ Nodes []any }
				Chapters             []any
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(answers[0]), &seen))
	require.Len(t, seen.Videos.Nodes, len(story.Stories()), "made once")

	counts := [4]int{}
	for _, v := range seen.Videos.Nodes {
		counts[0] += len(v.Clips.Nodes)
		counts[1] += len(v.Exports.Nodes)
		counts[2] += len(v.Chapters)
		counts[3] += len(v.Tags.Nodes)
	}

	require.Equal(t, [4]int{4, 1, 11, 5}, counts)
	require.Contains(t, answers[1], `"email":"colleague@localhost"`)
	require.Contains(t, answers[1], `"name":"Start here"`)

	for _, kind := range []string{"Layout", "Zoom", "TextOverlay"} {
		require.Contains(t, answers[2], `"__typename":"`+kind+`"`)
	}

	var figures struct {
		WorkspaceAnalytics struct {
			Summary                                        struct{ UniqueSessions, TotalViews int }
			ViewsOverTime, Retention, Geography, Referrers []any
			TopVideos                                      struct{ Nodes []struct{ Views int } }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(answers[3]), &figures))

	seenBy := figures.WorkspaceAnalytics
	require.Equal(t, len(story.Stories())*story.Viewers, seenBy.Summary.UniqueSessions, "played once")
	require.Greater(t, len(seenBy.ViewsOverTime), story.Days/2)
	require.Greater(t, len(seenBy.Retention), 90)
	require.Greater(t, len(seenBy.Geography), 5)
	require.Len(t, seenBy.Referrers, 4)
	require.Len(t, seenBy.TopVideos.Nodes, len(story.Stories()))

	// Spoken lines get their transcript from the script: speech recognition would hear other words. An FFmpeg without a
	// voice says nothing.
	voice := story.Speaks(t.Context(), "ffmpeg")

	var said struct {
		Data struct {
			Videos struct {
				Nodes []struct {
					Transcript struct{ Status, Text string }
				}
			}
		}
	}

	s.call("POST", "/graphql", `{"query": "{ videos(first: 9) { nodes { transcript { status text } } } }"}`, &said)

	for i, words := range []string{"stays between us.", "Ship it!", "half a minute. Here is your whole week."} {
		transcript := said.Data.Videos.Nodes[i].Transcript

		if voice {
			require.Equal(t, "READY", transcript.Status)
			require.Contains(t, transcript.Text, words)
		}

		require.NotContains(t, transcript.Text, "start again", "it was cut")
	}
}

// ofTheFirst inserts the ids of the first video, its first clip and that clip's first source.
func (s *host) ofTheFirst(asked string) string {
	var seen struct {
		Data struct {
			Videos struct {
				Nodes []struct {
					ID    string
					Clips struct {
						Nodes []struct {
							ID      string
							Sources []struct{ ID string }
						}
					}
				}
			}
		}
	}

	s.call("POST", "/graphql", `{"query": "{ videos(first: 1) { nodes { id clips(first: 1) { nodes { id sources { id } } } } } }"}`, &seen)

	video := seen.Data.Videos.Nodes[0]
	clip := video.Clips.Nodes[0]

	return strings.NewReplacer("$VIDEO", "/v1/videos/"+video.ID, "$CLIP", "/v1/videos/"+video.ID+"/clips/"+clip.ID,
		"$SOURCE", clip.Sources[0].ID).Replace(asked)
}
