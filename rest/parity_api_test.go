package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/ids"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// read is one read of the slice: a path of REST, and the variables of the document of that name in
// testdata/graph.
type read struct {
	operation string
	path      string
	variables map[string]any
}

// REST and the graph say the same of everything, field by field.
func TestParity(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s := api.New(t, api.Options{Clock: func() time.Time { return now }})
	w := settle(t, s)

	reads := []read{
		{"listVideos", "/v1/videos", nil},
		{"listVideos", "/v1/videos?limit=1", map[string]any{"first": 1}},
	}

	for _, v := range w.videos {
		reads = append(reads,
			read{"getVideo", "/v1/videos/" + v.ID, map[string]any{"id": v.ID}},
			read{"listClips", "/v1/videos/" + v.ID + "/clips", map[string]any{"id": v.ID}},
			read{"listExports", "/v1/videos/" + v.ID + "/exports", map[string]any{"id": v.ID}})

		for _, c := range v.Edges.Clips {
			reads = append(reads, read{"getClip", "/v1/videos/" + v.ID + "/clips/" + c.ID, map[string]any{"videoId": v.ID, "id": c.ID}})
		}

		for _, e := range v.Edges.Exports {
			reads = append(reads, read{"getExport", "/v1/videos/" + v.ID + "/exports/" + e.ID, map[string]any{"videoId": v.ID, "id": e.ID}})
		}
	}

	for _, source := range w.sources {
		reads = append(reads, read{"getSource", "/v1/sources/" + source.ID, map[string]any{"id": source.ID}})
	}

	reads = append(reads, read{"getWebhookSecret", "/v1/webhooks/endpoints/" + w.endpoint + "/secret", map[string]any{"id": w.endpoint}})

	compared := map[string]int{}

	for _, r := range reads {
		for name, who := range map[string]testkit.Member{"owner": w.owner, "guest": w.guest} {
			if compare(t, s, who.Key, r) {
				compared[name+" "+r.operation]++
			}
		}
	}

	require.Len(t, compared, 15, "every read by both, but the secret, which is the owner's alone: %v", compared)
}

// compare fails unless both doors give the same answer. It reports whether that was more than an error.
func compare(t *testing.T, s *api.Server, key string, r read) bool {
	t.Helper()

	document, err := os.ReadFile("testdata/graph/" + r.operation + ".graphql")
	require.NoError(t, err)

	a := s.Call(t, key, http.MethodGet, r.path, "")
	g := s.Ask(t, key, string(document), r.variables)

	var said map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Body), &said))

	if a.Status != http.StatusOK {
		require.Equal(t, said["error"], g.Code(), r.path)
		require.Equal(t, said["message"], g.Errors[0].Message, r.path)

		return false
	}

	require.Empty(t, g.Errors, "%s %s", r.path, g.Body)
	require.Equal(t, unsealed(said), unsealed(inREST(r.operation, g.Data)), r.path)

	return true
}

// unsealed leaves out the one thing that is never the same twice.
func unsealed(answer map[string]any) map[string]any {
	if page, paged := answer["pagination"].(map[string]any); paged && page["nextCursor"] != nil {
		page["nextCursor"] = "a cursor"
	}

	return answer
}

// A walk begun by one door goes on by the other.
func TestCursorsOpenBothDoors(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for range 5 {
		testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	}

	document, err := os.ReadFile("testdata/graph/listVideos.graphql")
	require.NoError(t, err)

	var (
		seen   []string
		cursor string
	)

	for range 5 {
		var (
			page map[string]any
			path = "/v1/videos?limit=1"
			vars = map[string]any{"first": 1}
		)

		if cursor != "" {
			path, vars["after"] = path+"&cursor="+cursor, cursor
		}

		require.NoError(t, json.Unmarshal([]byte(s.Call(t, m.Key, http.MethodGet, path, "").Body), &page))
		other := inREST("listVideos", s.Ask(t, m.Key, string(document), vars).Data)
		require.Equal(t, page["videos"], other["videos"])

		if len(seen)%2 == 0 {
			page = other
		}

		cursor, _ = page["pagination"].(map[string]any)["nextCursor"].(string)
		seen = append(seen, page["videos"].([]any)[0].(map[string]any)["id"].(string))
	}

	require.Empty(t, cursor)
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), 5)
}

// inREST shapes an answer of the graph as REST would: connections are lists, enums are spelled as on
// the wire, what does not apply is absent.
func inREST(operation string, data map[string]any) map[string]any {
	shaped := shape("", data).(map[string]any)

	switch operation {
	case "getVideo":
		video := shaped["video"].(map[string]any)
		editing := video["editing"].(map[string]any)
		editing["visibility"], editing["dimensions"] = video["visibility"], video["dimensions"]
		delete(video, "visibility")

		clips := video["clipIds"].([]any)
		for i, clip := range clips {
			clips[i] = clip.(map[string]any)["id"]
		}

		return shaped
	case "listVideos":
		page := data["videos"].(map[string]any)["pageInfo"].(map[string]any)
		pagination := map[string]any{"hasMore": page["hasNextPage"], "nextCursor": nil}

		if page["hasNextPage"] == true {
			pagination["nextCursor"] = page["endCursor"]
		}

		shaped["pagination"] = pagination

		return shaped
	case "listClips":
		return map[string]any{"clips": shaped["video"].(map[string]any)["clips"]}
	case "getWebhookSecret":
		return shaped["webhookEndpoint"].(map[string]any)
	default:
		return shaped
	}
}

func shape(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		if nodes, paged := v["nodes"]; paged {
			return shape(name, nodes)
		}

		if own, isVolume := v["override"]; isVolume {
			return own
		}

		out := map[string]any{}

		for field, below := range v {
			if below != nil || field == "crop" {
				out[field] = shape(field, below)
			}
		}

		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = shape(name, item)
		}

		return out
	case string:
		return wire(name, v)
	default:
		return value
	}
}

var shouted = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// wire spells a value of an enum as REST does. The spellings are those of the types, turned as the
// contract says.
func wire(field, value string) string {
	if !shouted.MatchString(value) || slices.Contains([]string{"name", "description", "title", "text", "message"}, field) && value != "BACKDROP" {
		return value
	}

	if rate, isRate := strings.CutPrefix(value, "FPS_"); isRate {
		return rate
	}

	for _, spelled := range enums() {
		if shout(spelled) == value {
			return spelled
		}
	}

	return value
}

func enums() []string {
	return slices.Concat(
		domain.LinkScope("").Values(), domain.Visibility("").Values(), domain.TranscriptStatus("").Values(), domain.CaptionStyleName("").Values(),
		domain.BorderStyle("").Values(), domain.Corners("").Values(), domain.LayoutSceneType("").Values(), domain.BackgroundType("").Values(),
		domain.VideoTransition("").Values(), domain.ClipTransition("").Values(), domain.ExportStatus("").Values(), domain.Granularity("").Values(),
		domain.Resolution("").Values(), domain.Speed("").Values(),
		domain.SourceKind("").Values(), domain.SourceRole("").Values(), domain.SourceAudio("").Values(), domain.SourceStatus("").Values(),
	)
}

var humps = regexp.MustCompile(`([a-z])([A-Z])`)

// shout is how the graph spells a value of the wire.
func shout(spelled string) string {
	switch spelled {
	case "1080p":
		return "P1080"
	case "4k":
		return "UHD_4K"
	}

	if spelled[0] >= '0' && spelled[0] <= '9' {
		return "X" + strings.ReplaceAll(spelled, ".", "_")
	}

	return strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(humps.ReplaceAllString(spelled, "${1}_$2")))
}

// world is a workspace with something in every state that a read can tell apart.
type world struct {
	owner, guest testkit.Member
	videos       []*ent.Video
	sources      []*ent.Source
	endpoint     string
}

func settle(t *testing.T, s *api.Server) *world {
	t.Helper()

	w := &world{owner: testkit.NewMember(t, s.Store, testkit.MemberOpts{})}
	w.guest = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: w.owner.WorkspaceID, Role: auth.RoleViewer})

	for _, status := range domain.SourceStatus("").Values() {
		for _, kind := range domain.SourceKind("").Values() {
			w.sources = append(w.sources, testkit.NewSource(t, s.Store, w.owner, testkit.SourceOpts{
				Kind: domain.SourceKind(kind), Status: domain.SourceStatus(status), Name: status + " " + kind, HasAudio: kind == "audio",
			}))
		}
	}

	made := s.Call(t, w.owner.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)
	w.endpoint = strings.Split(made.Body, `"`)[3]

	w.owner.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		declared := db.Source.Create().SetUserID(w.owner.UserID).SetKind(domain.SourceKindVideo).SetFpsNum(30_000).SetFpsDen(1001).
			SetStatus(domain.SourceStatusFailed).SetErrorCode("unreadable").SetErrorMessage("No video was found.").SaveX(ctx)
		w.sources = append(w.sources, declared)

		for _, open := range []bool{false, true} {
			w.videos = append(w.videos, w.plain(ctx, db, open), w.rich(ctx, db, open))
		}
	})

	return w
}

func (w *world) video(db *ent.Client, open bool) *ent.VideoCreate {
	settings := domain.DefaultVideoSettings()
	settings.DownloadsEnabled = open

	return db.Video.Create().SetUserID(w.owner.UserID).SetName("A video").SetWidth(1920).SetHeight(1080).
		SetSettings(settings).SetEditing(domain.DefaultEditing())
}

// plain is as bare as a video can be.
func (w *world) plain(ctx context.Context, db *ent.Client, open bool) *ent.Video {
	v := w.video(db, open).SetDurationMs(1001).SaveX(ctx)
	v.Edges.Clips = []*ent.Clip{
		db.Clip.Create().SetVideo(v).SetName("SCREEN").SetPosition(0).SetScreenSource(w.sources[0]).SetRecordingMs(1001).
			SetDurationMs(1001).SetCuts(timeline.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetTranscriptStatus(domain.TranscriptStatusFailed).SetBackground(domain.DefaultBackground()).SaveX(ctx),
	}

	return v
}

// rich has something everywhere.
func (w *world) rich(ctx context.Context, db *ent.Client, open bool) *ent.Video {
	half, two, border, corners := 0.5, 2.0, domain.BorderStyleSolidShadowLeft, domain.CornersSquircle
	settings := domain.DefaultVideoSettings()
	settings.LinkScope, settings.CustomThumbnailURL, settings.DownloadsEnabled = domain.LinkScopePassword, "https://img.example/a.png", open
	settings.AllowedEmbedDomains = []string{"a.example", "b.example"}

	editing := domain.DefaultEditing()
	editing.StudioSound, editing.ClipTransition, editing.MicrophoneVolume = true, domain.VideoTransitionSmooth, 1.25

	v := w.video(db, open).SetName("RICH <&> \u2028").SetDescription("READY").SetWidth(1080).SetHeight(1920).SetRevision(7).SetViews(3).
		SetSettings(settings).SetEditing(editing).SetPasswordHash("x").
		SetBackgroundMusic(&domain.BackgroundMusic{SourceID: w.sources[1].ID, Name: "Song", Volume: 0.2}).SaveX(ctx)

	clip := func(position int, cuts timeline.Cuts) *ent.ClipCreate {
		length := timeline.NewClock(10_000, cuts).DurationMs()

		return db.Clip.Create().SetVideo(v).SetName(fmt.Sprint("Clip ", position+1)).SetPosition(position).SetRecordingMs(10_000).
			SetDurationMs(length).SetCuts(cuts).SetBackground(domain.DefaultBackground()).SetTranscriptStatus(domain.TranscriptStatusReady)
	}

	cut := timeline.Cuts{{StartMs: 1000, EndMs: 2000}, {StartMs: 3000, EndMs: 3001}}
	v.Edges.Clips = []*ent.Clip{
		clip(0, cut).SetScreenSource(w.sources[0]).SetCameraSource(w.sources[0]).SetHasMicrophone(true).SetHasSystemAudio(true).
			SetMicrophoneVolume(half).SetBorderStyle(border).SetCorners(corners).SetAnimatedCursor(true).SetTranscriptLanguage("en").
			SetCrop(&domain.CropBox{XPct: 1, YPct: 2.5, WidthPct: 50, HeightPct: 60}).SetTransition(domain.ClipTransitionHardCut).
			SetBackground(domain.Background{Type: domain.BackgroundTypeGradient, GradientAngle: 45, GradientColor1: "#00000000", GradientColor2: "#FFFFFFFF"}).
			SaveX(ctx),
		clip(1, nil).SetCameraSource(w.sources[0]).SetHasMicrophone(true).SetHasSystemAudio(false).SetStudioSoundOff(true).
			SetBackground(domain.Background{Type: domain.BackgroundTypeImage, SourceID: w.sources[2].ID}).SaveX(ctx),
		clip(2, nil).SetScreenSource(w.sources[0]).SetHasMicrophone(false).SetHasSystemAudio(true).SetSystemAudioVolume(two).
			SetBackground(domain.Background{Type: domain.BackgroundTypeVideo, SourceID: w.sources[0].ID, VideoDurationMs: 1234}).SaveX(ctx),
		clip(3, nil).SetScreenSource(w.sources[0]).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetBackground(domain.Background{Type: domain.BackgroundTypeShaderGradient, GradientColor1: "#00000000", GradientColor2: "#FFFFFFFF"}).SaveX(ctx),
	}

	for i, at := range []int64{0, 1500, 1999, 5000} { // two of them at one join
		for n, c := range v.Edges.Clips[:2] {
			db.Chapter.Create().SetVideo(v).SetClipID(c.ID).SetAtMs(at).SetTitle(fmt.Sprint("PART ", n, ".", i)).SetDescription("").ExecX(ctx)
		}
	}

	w.exports(ctx, db, v)

	for _, visibility := range []domain.Visibility{domain.VisibilityOrg, domain.VisibilityPersonal} {
		list := db.Playlist.Create().SetUserID(w.owner.UserID).SetName("P").SetVisibility(visibility).SaveX(ctx)
		db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(v).SetPosition(0).ExecX(ctx)
	}

	return v
}

// exports are one in each state, and one of each choice.
func (w *world) exports(ctx context.Context, db *ent.Client, v *ent.Video) {
	statuses, speeds := domain.ExportStatus("").Values(), domain.Speed("").Values()
	granularities := slices.Sorted(maps.Keys(map[string]bool{"story": true, "scenes": true, "raw": true}))

	for i, speed := range speeds {
		status := domain.ExportStatus(statuses[i%len(statuses)])
		create := db.Export.Create().SetVideo(v).SetUserID(w.owner.UserID).SetStatus(status).SetSpeed(domain.Speed(speed)).
			SetGranularity(domain.Granularity(granularities[i%3])).SetResolution([]domain.Resolution{domain.ResolutionP1080, domain.Resolution4K}[i%2]).
			SetFps([]domain.FPS{domain.FPS30, domain.FPS60}[i%2]).SetSubtitles(i%2 == 0).SetRevision(int64(i)).SetPlan(json.RawMessage(`{}`)).
			SetPlanHash(ids.New(ids.Export)).SetProgress(i * 10)

		if status == domain.ExportStatusFailed {
			create.SetErrorCode("source_gone").SetErrorMessage("The source is gone.")
		}

		v.Edges.Exports = append(v.Edges.Exports, create.SaveX(ctx))
	}
}

// Every enum of the graph has the values of the wire, spelled its own way, and no others.
func TestEnumsOfTheGraph(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for name, values := range map[string][]string{
		"LinkScope": domain.LinkScope("").Values(), "Visibility": domain.Visibility("").Values(), "Corners": domain.Corners("").Values(),
		"TranscriptStatus": domain.TranscriptStatus("").Values(), "CaptionStyleName": domain.CaptionStyleName("").Values(),
		"BorderStyle": domain.BorderStyle("").Values(), "LayoutSceneType": domain.LayoutSceneType("").Values(),
		"BackgroundType": domain.BackgroundType("").Values(), "VideoTransition": domain.VideoTransition("").Values(),
		"ClipTransition": domain.ClipTransition("").Values(), "ExportStatus": domain.ExportStatus("").Values(),
		"Granularity": domain.Granularity("").Values(), "Resolution": domain.Resolution("").Values(), "Speed": domain.Speed("").Values(),
		"SourceKind": domain.SourceKind("").Values(), "SourceRole": domain.SourceRole("").Values(), "SourceAudio": domain.SourceAudio("").Values(),
		"SourceStatus": domain.SourceStatus("").Values(), "EventType": domain.EventType("").Values(),
	} {
		g := s.Ask(t, m.Key, `query ($name: String!) { __type(name: $name) { enumValues { name } } }`, map[string]any{"name": name})

		var spelled, wanted []string

		for _, value := range g.Data["__type"].(map[string]any)["enumValues"].([]any) {
			spelled = append(spelled, value.(map[string]any)["name"].(string))
		}

		for _, value := range values {
			wanted = append(wanted, shout(value))
		}

		require.ElementsMatch(t, wanted, spelled, name)
	}
}
