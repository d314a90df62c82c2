package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// step is a request and a text that its answer must contain.
type step struct{ what, method, path, kind, body, wanted string }

func (b *bench) steps(ctx context.Context, all []step) error {
	for _, s := range all {
		if _, err := b.ask(ctx, s.what, s.method, s.path, s.kind, s.body, s.wanted); err != nil {
			return err
		}
	}

	return nil
}

// list returns a JSON list of n items.
func list(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}

	return "[" + strings.Join(items, ",") + "]"
}

// batches measures the largest batches and every read of what they create.
func (b *bench) batches(ctx context.Context) error {
	for _, part := range []func(context.Context) error{b.effects, b.cuts, b.chapters, b.events} {
		if err := part(ctx); err != nil {
			return err
		}
	}

	return nil
}

func (b *bench) effects(ctx context.Context) error {
	video, clip, err := b.film(ctx, "effects")
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video

	for _, kind := range []string{
		`"type":"add_zoom","zoomType":"manualZoom","scale":2,"focusPoint":{"xPct":10,"yPct":10}`,
		`"type":"add_blur","point":{"xPct":10,"yPct":20},"dimensions":{"widthPct":30,"heightPct":40}`,
		`"type":"add_text_overlay","text":"` + strings.Repeat("画", 1200) + `"`,
	} {
		batch := list(200, func(i int) string {
			return fmt.Sprintf(`{"operationId":"o%d","clipId":%q,"startTimeMs":%d,"durationMs":900,%s}`, i, clip, i*1000, kind)
		})

		name := "200 operations: " + strings.Trim(kind[8:strings.Index(kind, ",")], `"`)
		if _, err := b.ask(ctx, name, http.MethodPost, at+"/edits", asJSON, `{"operations":`+batch+`}`, `"results"`); err != nil {
			return err
		}
	}

	return b.steps(ctx, []step{
		{"600 effects: timeline", http.MethodGet, at + "/timeline?include=all", "", "", `"zooms"`},
		{"600 effects: text overlays", http.MethodGet, at + "/clips/" + clip + "/text-overlays", "", "", "画"},
		{"600 effects: duplicateClip", http.MethodPost, at + "/clips/" + clip + "/duplicate", "", "", `"clip"`},
		{"1,200 effects: duplicateVideo", http.MethodPost, at + "/duplicate", "", "", `"video"`},
		{"1,200 effects: startExport", http.MethodPost, at + "/exports", asJSON, `{}`, `"export"`},
		{"1,200 effects: the view page", http.MethodGet, "/video/" + video + "/view", "", "", "<html"},
	})
}

func (b *bench) cuts(ctx context.Context) error {
	const cuts = 10_000

	video, clip, err := b.film(ctx, "cuts")
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video
	path := at + "/clips/" + clip

	var captions strings.Builder
	for i := range words / 5 {
		fmt.Fprintf(&captions, "%s --> %s\n%s\n\n", subRip(i*1980), subRip(i*1980+1900), strings.Repeat("um say ", 2)+"so")
	}

	ranges := list(cuts, func(i int) string { return fmt.Sprintf(`{"fromWordIndex":%d,"toWordIndex":%d}`, i*6, i*6+1) })
	spread := list(cuts, func(i int) string { return fmt.Sprintf(`{"startTimeMs":%d,"durationMs":500}`, i*3900) })
	from := list(cuts, func(i int) string { return fmt.Sprintf(`{"fromMs":%d,"toMs":%d}`, i*3300, i*3300+100) })
	zooms := list(200, func(i int) string {
		return fmt.Sprintf(`{"operationId":"o%d","clipId":%q,"startTimeMs":%d,"durationMs":900,"type":"add_zoom","zoomType":"manualZoom","scale":2,`+
			`"focusPoint":{"xPct":1,"yPct":1}}`, i, clip, i*100_000)
	})

	return b.steps(ctx, []step{
		{"(words)", http.MethodPut, path + "/transcript", "application/x-subrip", captions.String(), `"words"`},
		{"10,000 cuts: updateClip", http.MethodPatch, path, asJSON, `{"cuts":` + spread + `}`, `"cuts"`},
		{"10,000 cuts: getClip", http.MethodGet, path, "", "", `"cuts"`},
		{"10,000 cuts: cutClip with 10,000 ranges", http.MethodPost, path + "/cut", asJSON, `{"cuts":` + from + `}`, `"cuts"`},
		{"20,000 cuts: 200 zooms", http.MethodPost, at + "/edits", asJSON, `{"operations":` + zooms + `}`, `"results"`},
		{"20,000 cuts: getTimeline with everything", http.MethodGet, at + "/timeline?include=all", "", "", `"cuts"`},
		{"20,000 cuts: getTranscriptCut", http.MethodGet, path + "/transcript/cut", "", "", `"words"`},
		{"20,000 cuts: getVideo", http.MethodGet, at, "", "", `"sentences"`},
		{"20,000 cuts: thirty lists of audible words", http.MethodPost, "/graphql", asJSON, graph(`{ clip(id: "` + clip + `") {` + many(30, func(i int) string {
			return fmt.Sprintf(" a%d: words(of: HEARD, first: %d) { totalCount nodes { text } }", i, i+1)
		}) + `} }`), `"totalCount"`},
		{"20,000 cuts: startExport with captions", http.MethodPost, at + "/exports", asJSON, `{"subtitles":true}`, `"export"`},
		{"20,000 cuts: the view page", http.MethodGet, "/video/" + video + "/view", "", "", "<html"},
		{"20,000 cuts: duplicateVideo", http.MethodPost, at + "/duplicate", asJSON, `{"trim":{"startTime":10,"endTime":20000}}`, `"video"`},
		{"10,000 runs of words: cutClipByTranscript", http.MethodPost, path + "/cut-by-transcript", asJSON, `{"wordRanges":` + ranges + `}`, `"cuts"`},
		{"(clear)", http.MethodPatch, path, asJSON, `{"cuts":[]}`, `"cuts":[]`},
		{"20,000 fillers: removeFillers", http.MethodPost, path + "/remove-fillers", "", "", `"cuts"`},
		{"20,000 fillers: getClip", http.MethodGet, path, "", "", `"cuts"`},
	})
}

func (b *bench) chapters(ctx context.Context) error {
	video, _, err := b.film(ctx, "chapters")
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video
	all := list(1000, func(i int) string {
		return fmt.Sprintf(`{"timestampSeconds":%d,"title":%q,"description":%q}`, i*30, strings.Repeat("t", 200), strings.Repeat("d", 780))
	})

	return b.steps(ctx, []step{
		{"1,000 chapters: replaceChapters", http.MethodPut, at + "/chapters", asJSON, `{"chapters":` + all + `}`, `"chapters"`},
		{"1,000 chapters: getVideo", http.MethodGet, at, "", "", `"chapters"`},
		{"1,000 chapters: the view page", http.MethodGet, "/video/" + video + "/view", "", "", "<html"},
		{"1,000 chapters: duplicateVideo", http.MethodPost, at + "/duplicate", asJSON, `{"trim":{"startTime":10,"endTime":20000}}`, `"video"`},
	})
}

var viewToken = regexp.MustCompile(`"token":"([^"]+)"`)

// events measures the largest pointer recordings and view reports.
func (b *bench) events(ctx context.Context) error {
	video, _, err := b.film(ctx, "events")
	if err != nil {
		return err
	}

	source, err := b.upload(ctx)
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video
	moves := list(10_000, func(i int) string {
		return fmt.Sprintf(`{"timeMs":%d,"xPct":%d.25,"yPct":50,"type":"move"}`, i*3000, i%100)
	})

	made, err := b.ask(ctx, "10,000 mouse events: addClip", http.MethodPost, at+"/clips", asJSON,
		fmt.Sprintf(`{"sourceId":%q,"mouseEvents":%s}`, source, moves), `"clip"`)
	if err != nil {
		return err
	}

	var added struct {
		Clip struct {
			ID string `json:"id"`
		} `json:"clip"`
	}

	if err := json.Unmarshal(made, &added); err != nil {
		return fmt.Errorf("read a clip: %w", err)
	}

	page, err := b.ask(ctx, "(page)", http.MethodGet, "/video/"+video+"/view", "", "", "token")
	if err != nil {
		return err
	}

	token := viewToken.FindSubmatch(page)
	if token == nil {
		return fmt.Errorf("no token in the page: %.2000s", page)
	}

	played := list(600, func(i int) string {
		return fmt.Sprintf(`{"type":"progress","atMs":%d,"fromSeconds":%d.123,"toSeconds":%d.987,"rate":1.25}`, time.Now().UnixMilli()+int64(i), i*40, i*40)
	})

	return b.steps(ctx, []step{
		{"10,000 mouse events: listMouseEvents", http.MethodGet, at + "/clips/" + added.Clip.ID + "/mouse-events?intervalMs=0", "", "", `"mouseEvents"`},
		{"10,000 mouse events: autoZooms", http.MethodPost, at + "/clips/" + added.Clip.ID + "/zooms/auto", asJSON, `{}`, `"zooms"`},
		{"600 playback events: a report", http.MethodPost, "/playback/" + string(token[1]), asJSON, `{"seq":1,"events":` + played + `}`, `"viewToken"`},
	})
}
