package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// words is the maximum number of words in a transcript.
const words = 100_000

// recordingSeconds is eleven hours.
const recordingSeconds = 39_600

// recording returns the path of a recording of eleven hours without sound.
func (b *bench) recording(ctx context.Context) (path string, err error) {
	path = filepath.Join(b.folder, "film.mp4")

	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		out, err := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "color=gray:s=128x72:r=1/10",
			"-t", strconv.Itoa(recordingSeconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("make a film: %w: %s", err, out)
		}
	}

	return path, nil
}

// upload uploads the film.
func (b *bench) upload(ctx context.Context) (id string, err error) {
	path, err := b.recording(ctx)
	if err != nil {
		return "", err
	}

	film, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the film: %w", err)
	}

	var source struct{ SourceID, UploadURL string }
	if err := b.into(&source)(b.call(ctx, http.MethodPost, "/v1/sources", "application/json", `{"name":"long.mp4"}`, "")); err != nil {
		return "", err
	}

	if _, err := b.call(ctx, http.MethodPut, source.UploadURL, "video/mp4", string(film), ""); err != nil {
		return "", err
	}

	return source.SourceID, nil
}

// film uploads a recording and creates a video of it.
func (b *bench) film(ctx context.Context, name string) (video, clip string, err error) {
	source, err := b.upload(ctx)
	if err != nil {
		return "", "", err
	}

	var made struct {
		Video struct {
			ID      string
			ClipIDs []string
		}
	}

	for try := 0; ; try++ {
		err := b.into(&made)(b.call(ctx, http.MethodPost, "/v1/videos", "application/json", fmt.Sprintf(`{"sourceId":%q,"name":%q}`, source, name), ""))
		if err == nil {
			return made.Video.ID, made.Video.ClipIDs[0], nil
		}

		if try == 60 {
			return "", "", err
		}

		select { // the probe is still running
		case <-time.After(time.Second):
		case <-ctx.Done():
			return "", "", ctx.Err() //nolint:wrapcheck // nothing to add
		}
	}
}

func (*bench) into(to any) func([]byte, error) error {
	return func(answer []byte, err error) error {
		if err != nil {
			return err
		}

		if err := json.Unmarshal(answer, to); err != nil {
			return fmt.Errorf("read an answer: %w", err)
		}

		return nil
	}
}

// subRip formats a recording time as SubRip does.
func subRip(ms int) string {
	return fmt.Sprintf("%02d:%02d:%02d,%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
}

// files returns the largest transcripts, by name.
func files() map[string]string {
	one := "1\n" + subRip(0) + " --> " + subRip(recordingSeconds*1000) + "\n" + strings.Repeat("w ", words) + "\n"

	long := func(of func(i int) string) string {
		const cues = 20_000

		var file strings.Builder

		for cue := range cues {
			fmt.Fprintf(&file, "%s --> %s\n", subRip(cue*1980), subRip(cue*1980+1900))

			for i := range words / cues {
				file.WriteString(of(cue*words/cues+i) + " ")
			}

			file.WriteString("\n\n")
		}

		return file.String()
	}

	const room = 5<<20/words - 10 // bytes for each word, without the times

	return map[string]string{
		"one cue of letters": one,
		"long words":         long(func(i int) string { return strings.Repeat(fmt.Sprintf("word%d", i), 9)[:room] }),
		"long words in Greek": long(func(i int) string {
			return string([]rune(strings.Repeat("λόγος", 9))[:(room-len(strconv.Itoa(i)))/2]) + strconv.Itoa(i)
		}),
		"speech": long(func(i int) string {
			return []string{"So", "this", "is", "how", "we", "say", fmt.Sprint("thing", i%3000, "."), "Well,"}[i%8]
		}),
	}
}

// transcripts measures each write and each read of the largest transcripts.
func (b *bench) transcripts(ctx context.Context) error {
	all := files()

	for _, name := range slices.Sorted(maps.Keys(all)) {
		file := all[name]

		if of, _, one := strings.Cut(b.only, ": "); one && of != name {
			continue
		}

		if err := b.transcript(ctx, name, file); err != nil {
			return err
		}
	}

	return nil
}

func (b *bench) transcript(ctx context.Context, name, file string) error {
	video, clip, err := b.film(ctx, name)
	if err != nil {
		return err
	}

	at := "/v1/videos/" + video
	path := at + "/clips/" + clip
	in := fmt.Sprintf("id: %q", clip)
	found := map[string]string{"one cue of letters": "w", "long words": "word777", "long words in Greek": "λογος", "speech": "thing2998"}[name]

	var heard [30]string
	for i := range heard {
		heard[i] = fmt.Sprintf("a%d: words(of: HEARD, first: 100) { totalCount }", i)
	}

	var corrections [100]string
	for i := range corrections {
		corrections[i] = fmt.Sprintf(`{"index":%d,"text":"corrected"}`, i*999)
	}

	for _, one := range []struct{ what, method, path, kind, body, wanted string }{
		{"put", http.MethodPut, path + "/transcript", "application/x-subrip", file, `"index":99999`},
		{"put again", http.MethodPut, path + "/transcript", "application/x-subrip", file, `"index":99999`},
		{"getTranscript", http.MethodGet, path + "/transcript", "", "", `"index":99999`},
		{"getTranscriptCut", http.MethodGet, path + "/transcript/cut", "", "", `"index":99999`},
		{"getTranscriptUncut", http.MethodGet, path + "/transcript/uncut", "", "", `"index":99999`},
		{"getTimeline with words", http.MethodGet, at + "/timeline?include=words", "", "", `"index":99999`},
		{"getVideo", http.MethodGet, at, "", "", `"sentences":[{`},
		{"search", http.MethodGet, "/v1/videos/search?searchIn=transcript&query=" + found, "", "", video},
		{"graph: captions", http.MethodPost, "/graphql", asJSON, graph(`{ video(id: "` + video + `") { transcript { captions } } }`), "WEBVTT"},
		{
			"graph: SubRip, sentences and text", http.MethodPost, "/graphql", asJSON,
			graph(`{ video(id: "` + video + `") { transcript { captions(format: SRT) text sentences { text startSeconds } } } }`), "-->",
		},
		{
			"graph: a page of words", http.MethodPost, "/graphql", asJSON,
			graph(`{ clip(` + in + `) { words(first: 100) { totalCount nodes { index text } } } }`), `"totalCount":100000`,
		},
		{
			"graph: thirty counts of audible words", http.MethodPost, "/graphql", asJSON,
			graph(`{ clip(` + in + `) { ` + strings.Join(heard[:], " ") + ` } }`), `"totalCount":100000`,
		},
		{"correctWords", http.MethodPatch, path + "/transcript/words", asJSON, `{"words":[` + strings.Join(corrections[:], ",") + `]}`, `"corrected"`},
		{"cutClip", http.MethodPost, path + "/cut", asJSON, `{"fromMs":1000,"toMs":60000}`, `"cuts"`},
		{"cutClipByTranscript", http.MethodPost, path + "/cut-by-transcript", asJSON, `{"wordRanges":[{"fromWordIndex":500,"toWordIndex":99000}]}`, `"cuts"`},
		{"clear the cuts", http.MethodPatch, path, asJSON, `{"cuts":[]}`, `"cuts":[]`},
		{"getTimeline with everything", http.MethodGet, at + "/timeline?include=all", "", "", `"index":99999`},
		{"removeFillers", http.MethodPost, path + "/remove-fillers", "", "", `"cuts"`},
		{"duplicateClip, refused", http.MethodPost, path + "/duplicate", "", "", refusal},
		{"duplicateVideo", http.MethodPost, at + "/duplicate", "", "", `"video"`},
		{"duplicateVideo, trimmed", http.MethodPost, at + "/duplicate", asJSON, `{"trim":{"startTime":10,"endTime":20000}}`, `"video"`},
		{"updateVideo", http.MethodPatch, at, asJSON, `{"subtitlesEnabled":true}`, `"video"`},
	} {
		if _, err := b.ask(ctx, name+": "+one.what, one.method, one.path, one.kind, one.body, one.wanted); err != nil {
			return err
		}
	}

	return b.pages(ctx, name, video)
}

var captionsAt = regexp.MustCompile(`[^"' ]*(captions\.vtt|transcript\.json)[^"'\\ ]*`)

// pages measures what a page of the video loads.
func (b *bench) pages(ctx context.Context, name, video string) error {
	page, err := b.ask(ctx, name+": the view page", http.MethodGet, "/video/"+video+"/view", "", "", "<html")
	if err != nil {
		return err
	}

	seen := map[string]bool{}

	for _, m := range captionsAt.FindAllSubmatch(page, -1) {
		address := strings.ReplaceAll(strings.ReplaceAll(string(m[0]), "&amp;", "&"), `\u0026`, "&")
		if seen[string(m[1])] {
			continue
		}

		seen[string(m[1])] = true

		if _, err := b.ask(ctx, name+": "+string(m[1])+" of the page", http.MethodGet, address, "", "", ""); err != nil {
			return err
		}
	}

	return nil
}
