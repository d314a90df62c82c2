package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/demo/story"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/values"
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
	tools, err := ffmpeg.Find(exec.LookPath)
	require.NoError(t, err)

	voice := story.Speaks(t.Context(), tools)

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

// fillDemo makes the same videos in a running server. It says why it failed, goes on after that and after a restart, and
// announces nothing.
func TestFillDemoOfAServer(t *testing.T) {
	t.Parallel()

	var announced atomic.Int64

	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { announced.Add(1) }))
	t.Cleanup(endpoint.Close)

	s := newHost(t)
	s.env["REELGRAPH_WORKERS"] = strings.Replace(s.env["REELGRAPH_WORKERS"], "render=1,", "", 1) // the export stays unfinished
	s.env["REELGRAPH_WORKSPACE_BYTES"] = "64KiB"
	_, stop := s.start()
	s.newOwner()

	all, err := json.Marshal(map[string]any{"url": endpoint.URL, "filterTypes": values.EventType("").Values()})
	require.NoError(t, err)
	s.call("POST", "/v1/webhooks/endpoints", string(all), new(map[string]any))

	begin := func() {
		answer := s.ask("POST", "/graphql", `{"query": "mutation { fillDemo { demo { status } } }"}`)
		require.Contains(t, answer.Body, `"status":"PENDING"`)
	}

	begin()

	failed := s.follow(func(d demoState) bool { return d.FinishedAt != nil })
	require.Equal(t, "FAILED", failed.Status)
	require.Equal(t, "no_space", failed.Error.Code)
	require.Contains(t, failed.Error.Message, "REELGRAPH_WORKSPACE_BYTES")
	require.NoError(t, stop())

	delete(s.env, "REELGRAPH_WORKSPACE_BYTES")

	_, stop = s.start()

	begin()

	least := s.follow(func(d demoState) bool { return d.Progress >= 20 })
	require.Equal(t, "RUNNING", least.Status)
	require.NoError(t, stop())
	s.start()

	made := s.follow(func(d demoState) bool { return d.FinishedAt != nil })
	require.Equal(t, "COMPLETED", made.Status)
	require.Equal(t, 100, made.Progress)

	var seen struct {
		Data struct {
			Videos struct {
				TotalCount int
				Nodes      []struct {
					Name                 string
					Clips, Exports, Tags struct{ Nodes []any }
					Chapters             []any
				}
			}
			Playlists struct {
				Nodes []struct{ Videos struct{ TotalCount int } }
			}
			Sources struct{ TotalCount int }
		}
	}

	s.call("POST", "/graphql", `{"query": "{ videos(first: 9) { totalCount nodes { name clips { nodes { id } } exports { nodes { id } } tags { nodes { id } } chapters { id } } } playlists(visibility: ORG) { nodes { videos { totalCount } } } sources { totalCount } }"}`, &seen)

	counts := [4]int{}

	var names, want []string

	for _, v := range seen.Data.Videos.Nodes {
		names = append(names, v.Name)
		counts[0] += len(v.Clips.Nodes)
		counts[1] += len(v.Exports.Nodes)
		counts[2] += len(v.Chapters)
		counts[3] += len(v.Tags.Nodes)
	}

	for _, told := range story.Stories() {
		want = append(want, told.Name)
	}

	require.ElementsMatch(t, want, names)
	require.Equal(t, [4]int{4, 1, 11, 5}, counts)
	require.Len(t, seen.Data.Playlists.Nodes, 1)
	require.Equal(t, len(want), seen.Data.Playlists.Nodes[0].Videos.TotalCount)
	require.Equal(t, 6+3, seen.Data.Sources.TotalCount, "recordings and mouse data, and nothing of what was interrupted")

	require.Eventually(t, func() bool { // the figures come with the next rollup
		answer := s.ask("POST", "/graphql", `{"query": "{ workspaceAnalytics { summary { uniqueSessions } } }"}`)

		return strings.Contains(answer.Body, fmt.Sprintf(`"uniqueSessions":%d`, len(want)*story.Viewers))
	}, time.Minute, 50*time.Millisecond)

	var messages struct{ Messages []any }

	s.call("GET", "/v1/webhooks/messages", "", &messages)
	require.Empty(t, messages.Messages)
	require.Zero(t, announced.Load())

	answer := s.ask("POST", "/graphql", `{"query": "mutation { fillDemo { demo { status } } }"}`)
	require.Contains(t, answer.Body, `"code":"conflict"`, "it has videos now")
}

// demoState is a filling as the graph shows it.
type demoState struct {
	Status     string
	Progress   int
	Error      *struct{ Code, Message string }
	FinishedAt *string
}

// follow subscribes to the filling of the workspace until a state of it satisfies the condition, and returns that state.
// Until it has ended, the progress is below 100.
func (s *host) follow(enough func(demoState) bool) demoState {
	s.Helper()

	ctx, cancel := context.WithTimeout(s.Context(), 5*time.Minute)
	defer cancel()

	body := `{"query": "subscription { demoProgress { status progress error { code message } finishedAt } }"}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/graphql", strings.NewReader(body))
	require.NoError(s, err)
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")

	answer, err := http.DefaultClient.Do(r)
	require.NoError(s, err)

	defer answer.Body.Close()

	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		text, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData || text == "" {
			continue
		}

		var event struct {
			Data struct{ DemoProgress *demoState }
		}

		require.NoError(s, json.Unmarshal([]byte(text), &event))
		require.NotNil(s, event.Data.DemoProgress, text)

		now := *event.Data.DemoProgress
		require.Equal(s, now.Status == "COMPLETED", now.Progress == 100, text)

		if enough(now) {
			return now
		}
	}

	require.FailNow(s, "the stream has ended")

	return demoState{}
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
