package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// keepBackup writes the backup of a release, which later versions must be able to read:
//
//	go test ./cmd/reelgraph -run TestBackupsOfReleasesStayReadable -args -keep-backup 0.2.0
var keepBackup = flag.String("keep-backup", "", "keep the backup of this release in docs/releases")

const (
	releases     = "../../docs/releases"
	backupBudget = 2 << 20
	releaseOwner = "owner@release.example"
)

// kept is what a server answered just before its backup, by request.
type kept struct {
	Answers map[string]any    `json:"answers"` // of GET requests, and of GraphQL documents
	Media   map[string]string `json:"media"`   // the SHA-256 of the file at an address in a response, by request and property
}

func TestBackupsOfReleasesStayReadable(t *testing.T) {
	t.Parallel()

	if *keepBackup != "" {
		writeBackup(t, filepath.Join(releases, *keepBackup))
	}

	folders, err := filepath.Glob(filepath.Join(releases, "*", "backup"))
	require.NoError(t, err)
	require.NotEmpty(t, folders)

	for _, folder := range folders {
		version := filepath.Base(filepath.Dir(folder))

		t.Run(version, func(t *testing.T) {
			t.Parallel()

			require.LessOrEqual(t, sizeOf(t, folder), int64(backupBudget))

			s := newHost(t)
			_, err := command(t, s.env, "restore", folder)
			require.NoError(t, err)

			s.start()

			key, err := command(t, s.env, "keys", "create", "--user", releaseOwner)
			require.NoError(t, err)

			s.key = strings.TrimSpace(key)

			content, err := os.ReadFile(filepath.Join(filepath.Dir(folder), "readable.json"))
			require.NoError(t, err)

			var was kept
			require.NoError(t, json.Unmarshal(content, &was))
			require.Greater(t, len(was.Answers), 40)

			for _, request := range slices.Sorted(maps.Keys(was.Answers)) {
				requireHolds(t, request, was.Answers[request], plain(s.read(request)))
			}

			for place, hash := range was.Media {
				require.Equal(t, hash, s.mediaAt(place), place)
			}

			// The restored server works: the next edit and the next export succeed.
			var export exported
			s.call("POST", strings.TrimPrefix(exportsOf(was), "GET "), `{}`, &export)
			require.NotEmpty(t, export.Export.ExportID)
		})
	}
}

// exportsOf returns the request that lists the exports of the first video.
func exportsOf(k kept) string {
	for _, request := range slices.Sorted(maps.Keys(k.Answers)) {
		if strings.HasSuffix(request, "/exports") {
			return request
		}
	}

	return ""
}

// requireHolds fails when something in the old response is missing now or has another value. New properties are allowed.
func requireHolds(t *testing.T, place string, was, is any) {
	t.Helper()

	switch was := was.(type) {
	case map[string]any:
		now, ok := is.(map[string]any)
		require.True(t, ok, "%s was an object, and is %v", place, is)

		for name, value := range was {
			require.Contains(t, now, name, place)
			requireHolds(t, place+" "+name, value, now[name])
		}
	case []any:
		now, ok := is.([]any)
		require.True(t, ok, "%s was a list, and is %v", place, is)
		require.Len(t, now, len(was), place)

		for i, value := range was {
			requireHolds(t, fmt.Sprintf("%s[%d]", place, i), value, now[i])
		}
	case string:
		require.Equal(t, versioned.ReplaceAllString(was, "$1"), versioned.ReplaceAllString(fmt.Sprint(is), "$1"), place)
	default:
		require.Equal(t, was, is, place)
	}
}

// versioned finds the version in the address of a thumbnail, whose form may change: the addresses expire.
var versioned = regexp.MustCompile(`(/stills/vid_[0-9a-z]+/)[^/]+`)

// read sends one request of kept and returns its JSON response.
func (s *host) read(request string) any {
	s.Helper()

	var answer any

	method, rest, _ := strings.Cut(request, " ")
	if method == "GET" {
		s.call("GET", rest, "", &answer)

		return answer
	}

	body, err := json.Marshal(map[string]string{"query": request})
	require.NoError(s, err)
	s.call("POST", "/graphql", string(body), &answer)
	require.NotContains(s, answer, "errors", request)

	return answer
}

// mediaAt returns the SHA-256 of the file at the address in a property of a response.
func (s *host) mediaAt(place string) string {
	s.Helper()

	request, property, _ := strings.Cut(place, " > ")

	at := s.read(request)
	for name := range strings.SplitSeq(property, ".") {
		at = at.(map[string]any)[name]
	}

	answer, err := http.Get(at.(string))
	require.NoError(s, err)

	defer answer.Body.Close()

	require.Equal(s, http.StatusOK, answer.StatusCode)

	hash := sha256.New()
	_, err = io.Copy(hash, answer.Body)
	require.NoError(s, err)

	return hex.EncodeToString(hash.Sum(nil))
}

// plain removes from a response what differs by server or request: hosts, and the signatures of addresses.
func plain(answer any) any {
	switch v := answer.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = plain(value)
		}
	case []any:
		for i, value := range v {
			v[i] = plain(value)
		}
	case string:
		return withoutHosts(v)
	}

	return answer
}

func sizeOf(t *testing.T, folder string) (bytes int64) {
	t.Helper()

	require.NoError(t, filepath.Walk(folder, func(_ string, file os.FileInfo, err error) error {
		if err == nil && !file.IsDir() {
			bytes += file.Size()
		}

		return err
	}))

	return bytes
}

// writeBackup fills a server with something of every kind, reads all of it, and keeps the responses and the backup.
func writeBackup(t *testing.T, folder string) {
	t.Helper()

	s := newHost(t)
	s.start()

	key, err := command(t, s.env, "keys", "create", "--user", releaseOwner, "--workspace", "Release")
	require.NoError(t, err)

	_, err = command(t, s.env, "keys", "create", "--user", "ada@release.example", "--workspace", "Release", "--role", "member")
	require.NoError(t, err)

	s.key = strings.TrimSpace(key)
	reads := s.fill()

	c, err := settings.Load(func(name string) string { return s.env[name] })
	require.NoError(t, err)
	n, err := openNode(t.Context(), c, slog.New(slog.DiscardHandler), joinPostgres)
	require.NoError(t, err)
	guide, err := n.guide(workshop{})
	require.NoError(t, err)
	who, err := n.ownerOf(t.Context(), s.key)
	require.NoError(t, err)
	require.NoError(t, guide.Watch(auth.With(t.Context(), who)))
	require.NoError(t, n.roll(t.Context()))
	require.NoError(t, n.close())

	was := kept{Answers: map[string]any{}, Media: map[string]string{}}
	for _, request := range reads {
		was.Answers[request] = plain(s.read(request))

		if strings.Contains(request, "/exports/") {
			place := request + " > export.downloadUrl"
			was.Media[place] = s.mediaAt(place)
		}
	}

	content, err := json.MarshalIndent(was, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "readable.json"), append(content, '\n'), 0o644))

	require.NoError(t, os.RemoveAll(filepath.Join(folder, "backup")))
	_, err = command(t, s.env, "backup", filepath.Join(folder, "backup"))
	require.NoError(t, err)
}

// fill creates something of every kind through the API, and returns the requests that read it.
func (s *host) fill() []string {
	s.Helper()

	screen := s.upload(footage.Film{Frames: 90, Width: 320, Height: 180, Tone: 300})
	sound := s.sendFile("bell.wav", "audio", wave())
	logo := s.sendFile("logo.png", "image", picture(s.T))
	video := s.made(`/v1/videos`, `{"sourceId":%q,"name":"Release"}`, "video.id", screen)
	path := "/v1/videos/" + video
	clip := s.made(path+"/clips", `{"sourceId":%q}`, "clip.id", screen)
	at := path + "/clips/" + clip

	s.say200("PUT", at+"/transcript", "1\n00:00:00,000 --> 00:00:02,000\nHello and welcome\n", "application/x-subrip")

	effects := map[string]string{
		"layouts":       `{"layout":{"kind":"fullscreen"},"startTimeMs":0,"durationMs":500}`,
		"zooms":         `{"type":"manualZoom","startTimeMs":100,"durationMs":800,"scale":2,"focusPoint":{"xPct":50,"yPct":50}}`,
		"blurs":         `{"startTimeMs":0,"durationMs":900,"point":{"xPct":10,"yPct":10},"dimensions":{"widthPct":30,"heightPct":20}}`,
		"highlights":    `{"startTimeMs":1000,"durationMs":900,"point":{"xPct":10,"yPct":10},"dimensions":{"widthPct":30,"heightPct":20}}`,
		"overlays":      `{"startTimeMs":0,"durationMs":900,"sourceId":"` + logo + `"}`,
		"text-overlays": `{"startTimeMs":0,"durationMs":900,"text":"Hello and welcome."}`,
		"sound-effects": `{"sourceId":"` + sound + `","startTimeMs":0,"durationMs":900,"volume":0.5}`,
	}
	reads := []string{"GET " + at + "/transcript", "GET " + at + "/transcript/uncut", "GET " + at + "/sources"}

	for _, family := range slices.Sorted(maps.Keys(effects)) {
		s.say200("POST", at+"/"+family, effects[family], "application/json")
		reads = append(reads, "GET "+at+"/"+family)
	}

	s.say200("POST", at+"/cut", `{"fromMs":1500,"toMs":1800}`, "application/json")
	s.say200("PUT", path+"/chapters", `{"chapters":[{"title":"Introduction","timestampSeconds":0}]}`, "application/json")
	s.say200("PUT", path+"/background-music", `{"sourceId":"`+sound+`","volume":0.2}`, "application/json")
	s.say200("PUT", path+"/subtitle-preset", `{"presetId":"classic"}`, "application/json")
	s.say200("POST", path+"/collaborators", `{"email":"ada@release.example","role":"editor"}`, "application/json")

	tag := s.made("/v1/tags", `{"name":"Launch"}`, "tag.id")
	s.say200("POST", path+"/tags", `{"tagId":"`+tag+`"}`, "application/json")
	playlist := s.made("/v1/playlists", `{"name":"Onboarding"}`, "playlist.id")
	s.say200("POST", "/v1/playlists/"+playlist+"/videos", `{"videoId":"`+video+`"}`, "application/json")
	group := s.made("/v1/playlist-groups", `{"name":"Sales"}`, "playlistGroup.id")
	s.say200("POST", "/v1/library", `{"sourceId":"`+logo+`"}`, "application/json")
	endpoint := s.made("/v1/webhooks/endpoints", `{"url":%q,"filterTypes":["video.created"]}`, "id", s.base+"/nowhere")
	s.say200("POST", "/v1/webhooks/endpoints/"+endpoint+"/test", `{"type":"video.created"}`, "application/json")
	s.mutate(`mutation { addComment(videoId: "` + video + `", input: {body: "Well done.", atSeconds: 1}) { comment { id } } }`)
	s.mutate(`mutation { inviteMember(input: {email: "grace@release.example", role: MEMBER}) { invitation { id } } }`)

	export := s.made(path+"/exports", `{}`, "export.exportId")
	require.Eventually(s, func() bool { return s.exported(video, export).Export.Status == "completed" }, 2*time.Minute, 100*time.Millisecond)

	for _, one := range []string{
		"/v1/videos", "/v1/videos/search?query=welcome", path, path + "/chapters", path + "/exports", path + "/exports/" + export, path + "/analytics",
		path + "/clips", at, path + "/timeline", path + "/collaborators", path + "/tags", "/v1/analytics", "/v1/sources", "/v1/sources/" + screen,
		"/v1/sources/" + logo, "/v1/sources/" + sound, "/v1/playlists", "/v1/playlists/" + playlist, "/v1/playlist-groups",
		"/v1/playlist-groups/" + group, "/v1/library", "/v1/tags", "/v1/tags/" + tag, "/v1/webhooks/endpoints",
		"/v1/webhooks/endpoints/" + endpoint, "/v1/webhooks/endpoints/" + endpoint + "/secret", "/v1/text-presets", "/v1/subtitle-presets",
	} {
		reads = append(reads, "GET "+one)
	}

	return append(reads,
		`{ comments(videoId: "`+video+`") { nodes { body atSeconds author } } video(id: "`+video+`") { transcript { text } } }`,
		`{ viewer { role user { email } memberships { nodes { role workspace { name } } } } }`,
		`{ workspace { name plan members { nodes { role user { email } } } } invitations { nodes { email role } } }`,
		`{ videos(first: 3) { nodes { name revision clips(first: 3) { nodes { cuts { startTimeMs durationMs } effects { nodes { __typename ... on Node { id } } } } } } } }`,
	)
}

// made posts a body and returns the value at a path of names in the response.
func (s *host) made(path, body, property string, values ...any) string {
	s.Helper()

	var at any

	s.call("POST", path, fmt.Sprintf(body, values...), &at)

	for name := range strings.SplitSeq(property, ".") {
		at = at.(map[string]any)[name]
	}

	return at.(string)
}

func (s *host) say200(method, path, body, contentType string) {
	s.Helper()

	status, _, answer := s.say(method, s.base+path, body, "Authorization", "Bearer "+s.key, "Content-Type", contentType)
	require.Equal(s, http.StatusOK, status, answer)
}

func (s *host) mutate(document string) {
	s.Helper()

	s.read(document)
}

// wave is a second of silence with a click in it.
func wave() []byte {
	const rate = 8000

	var b bytes.Buffer

	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, uint32(36+2*rate))
	b.WriteString("WAVEfmt ")
	_ = binary.Write(&b, binary.LittleEndian, []uint32{16, 1 | 1<<16, rate, 2 * rate, 2 | 16<<16})
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, uint32(2*rate))
	samples := make([]int16, rate)
	samples[rate/2] = 20000
	_ = binary.Write(&b, binary.LittleEndian, samples)

	return b.Bytes()
}

func picture(t *testing.T) []byte {
	t.Helper()

	p := image.NewRGBA(image.Rect(0, 0, 32, 32))
	for i := range 32 {
		p.Set(i, i, color.RGBA{R: 200, A: 255})
	}

	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, p))

	return b.Bytes()
}
