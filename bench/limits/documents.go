package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// graph returns the JSON body of a GraphQL request.
func graph(document string) string {
	body, _ := json.Marshal(map[string]string{"query": document})

	return string(body)
}

func many(n int, one func(i int) string) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(one(i))
	}

	return text.String()
}

// documents measures the largest documents and bodies, over 100 videos with the longest transcripts.
func (b *bench) documents(ctx context.Context) error {
	video, clip, err := b.film(ctx, "documents")
	if err != nil {
		return err
	}

	put := "/v1/videos/" + video + "/clips/" + clip + "/transcript"
	if _, err := b.call(ctx, http.MethodPut, put, "application/x-subrip", files()["speech"], ""); err != nil {
		return err
	}

	copies := make([]string, 100)

	for i := range copies {
		var made struct {
			Data struct {
				DuplicateVideo struct{ Video struct{ ID string } }
			}
		}

		err := b.into(&made)(b.call(ctx, http.MethodPost, "/graphql", asJSON,
			graph(`mutation { duplicateVideo(id: "`+video+`") { video { id } } }`), `"id"`))
		if err != nil {
			return err
		}

		copies[i] = made.Data.DuplicateVideo.Video.ID
	}

	padded := strings.Repeat(" ", 60<<10)
	long, _ := json.Marshal(map[string]any{
		"query":     `mutation ($d: String!) { updateVideo(id: "` + video + `", input: {description: $d}) { video { id } } }`,
		"variables": map[string]string{"d": strings.Repeat("x", 5000)}, "extensions": map[string]string{"pad": strings.Repeat("p", 1<<20-8000)},
	})
	levels := many(30, func(i int) string {
		return fmt.Sprintf(" v%d: video(id: %q) {%s }", i, copies[i], many(30, func(k int) string { return fmt.Sprintf(" n%d: name", k) }))
	})

	return b.steps(ctx, []step{
		{"a document of 3,000 tokens", http.MethodPost, "/graphql", asJSON, graph(`{` + levels + ` }`), `"data"`},
		{"a document of 60 KiB of white space", http.MethodPost, "/graphql", asJSON, graph(`{ video(id: "` + video + `") { ` + padded + ` id } }`), `"data"`},
		{"a body of 1 MiB in the graph", http.MethodPost, "/graphql", asJSON, string(long), `"data"`},
		{
			"100 videos with everything in them", http.MethodPost, "/graphql", asJSON,
			graph(`{ videos(first: 100) { totalCount nodes { id name description durationMs revision tags(first: 1) { nodes { name } }
				clips(first: 10) { nodes { id name durationSeconds layoutSceneType } } } } }`), `"data"`,
		},

		{"100 transcripts, refused", http.MethodPost, "/graphql", asJSON, graph(`{ videos(first: 100) { nodes { transcript { text } } } }`), `words of transcripts`},
		{
			"two transcripts of 100,000 words", http.MethodPost, "/graphql", asJSON,
			graph(`{ a: video(id: "` + copies[0] + `") { transcript { text } } b: video(id: "` + copies[1] + `") { transcript { captions } } }`), `WEBVTT`,
		},
		{
			"100 first pages of 100,000 words", http.MethodPost, "/graphql", asJSON,
			graph(`{ videos(first: 100) { nodes { clips(first: 1) { nodes { words(first: 10) { nodes { text } } } } } } }`), `"text"`,
		},

		{"listVideos", http.MethodGet, "/v1/videos?limit=100", "", "", `"videos"`},
		{"search in 101 transcripts", http.MethodGet, "/v1/videos/search?searchIn=transcript&limit=100&query=thing2998", "", "", video},
		{"schema", http.MethodPost, "/graphql", asJSON, graph(introspection), `"__schema"`},
	})
}

const introspection = `{ __schema { types { kind name description fields(includeDeprecated: true) { name description
	args { name description type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } defaultValue }
	type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } isDeprecated deprecationReason }
	inputFields { name description type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } defaultValue }
	interfaces { name } enumValues(includeDeprecated: true) { name description } possibleTypes { name } }
	directives { name description locations args { name } } } }`
