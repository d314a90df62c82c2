package exhaustive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/openapi"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// sourceUse is a place where an operation takes the id of a source. In it $S is the source, $V and $C a video of the
// caller and its clip, $T and $D a video that uses the source and its clip.
type sourceUse struct {
	kind           values.SourceKind
	method, target string // empty for what only the graph can do
	body           string
	graph          string
	covers         []string // graph fields that take it
	// knows marks operations that only show what is known of a source.
	knows bool
	// own marks operations that only the creator of a source may do.
	own bool
	// unmade marks operations that this server cannot compute; allowed callers get that error.
	unmade bool
}

const (
	ofOwnClip   = "/v1/videos/$V/clips/$C/"
	inOwnClip   = `clipId: "$C"`
	ofTheirClip = "/v1/videos/$T/clips/$D/"
)

// sourceUses returns all of them by operation and place. A test compares them with the description and the graph.
func sourceUses() map[string]sourceUse {
	uses := map[string]sourceUse{
		"updateClip background.sourceId": {
			kind: values.SourceKindImage, method: "PATCH", target: "/v1/videos/$V/clips/$C", body: `{"background":{"type":"image","sourceId":"$S"}}`,
			graph:  `mutation { updateClip(id: "$C", input: {background: {type: IMAGE, sourceId: "$S"}}) { clip { id } } }`,
			covers: []string{"BackgroundInput.sourceId"},
		},
		"addOverlay sourceId": {
			kind: values.SourceKindVideo, method: "POST", target: ofOwnClip + "overlays", body: `{"sourceId":"$S","startTimeMs":0,"durationMs":500}`,
			graph:  `mutation { addEffect(` + inOwnClip + `, input: {mediaOverlay: {sourceId: "$S", startTimeMs: 0, durationMs: 500}}) { effect { __typename } } }`,
			covers: []string{"AddMediaOverlayInput.sourceId"},
		},
		"addSoundEffect sourceId": {
			kind: values.SourceKindAudio, method: "POST", target: ofOwnClip + "sound-effects", body: `{"sourceId":"$S","startTimeMs":0,"durationMs":500}`,
			graph:  `mutation { addEffect(` + inOwnClip + `, input: {soundEffect: {sourceId: "$S", startTimeMs: 0, durationMs: 500}}) { effect { __typename } } }`,
			covers: []string{"AddSoundEffectInput.sourceId"},
		},
		"addLayout media.sourceId": {
			kind: values.SourceKindImage, method: "POST", target: ofOwnClip + "layouts",
			body:   `{"media":{"type":"image","sourceId":"$S"},"startTimeMs":0,"durationMs":500}`,
			graph:  `mutation { addEffect(` + inOwnClip + `, input: {layout: {media: {type: IMAGE, sourceId: "$S"}, startTimeMs: 0, durationMs: 500}}) { effect { __typename } } }`,
			covers: []string{"ClipMediaInput.sourceId"},
		},
		"updateLayout media.sourceId": {
			kind: values.SourceKindImage, method: "PATCH", target: ofOwnClip + "layouts/$L", body: `{"layout":{"kind":"b-roll"},"media":{"type":"image","sourceId":"$S"}}`,
			graph: `mutation { updateEffect(id: "$L", input: {layout: {layout: {kind: B_ROLL}, media: {type: IMAGE, sourceId: "$S"}}}) { effect { __typename } } }`,
		},
		"applyVideoEdits operations.sourceId": {
			kind: values.SourceKindVideo, method: "POST", target: "/v1/videos/$V/edits",
			body: `{"operations":[{"type":"add_media_overlay","operationId":"a","clipId":"$C","sourceId":"$S","startTimeMs":0,"durationMs":500}]}`,
			graph: `mutation { applyVideoEdits(videoId: "$V", input: {operations: [{add: {operationId: "a", clipId: "$C",
				effect: {mediaOverlay: {sourceId: "$S", startTimeMs: 0, durationMs: 500}}}}]}) { revision } }`,
		},
		"applyVideoEdits operations.media.sourceId": {
			kind: values.SourceKindImage, method: "POST", target: "/v1/videos/$V/edits",
			body: `{"operations":[{"type":"update_layout","operationId":"a","clipId":"$C","layoutId":"$L","layout":{"kind":"b-roll"},"media":{"type":"image","sourceId":"$S"}}]}`,
			graph: `mutation { applyVideoEdits(videoId: "$V", input: {operations: [{update: {operationId: "a", id: "$L",
				effect: {layout: {layout: {kind: B_ROLL}, media: {type: IMAGE, sourceId: "$S"}}}}}]}) { revision } }`,
		},
		"setBackgroundMusic sourceId": {
			kind: values.SourceKindAudio, method: "PUT", target: "/v1/videos/$V/background-music", body: `{"sourceId":"$S"}`,
			graph:  `mutation { setBackgroundMusic(videoId: "$V", input: {sourceId: "$S"}) { video { id } } }`,
			covers: []string{"SetBackgroundMusicInput.sourceId"},
		},
		"setThumbnail sourceId": {
			kind:   values.SourceKindImage,
			graph:  `mutation { setThumbnail(videoId: "$V", input: {sourceId: "$S"}) { video { id } } }`,
			covers: []string{"SetThumbnailInput.sourceId"},
		},
		"updateUser avatarSourceId": {
			kind:   values.SourceKindImage,
			graph:  `mutation { updateUser(input: {avatarSourceId: "$S"}) { user { id } } }`,
			covers: []string{"UpdateUserInput.avatarSourceId"},
		},
		"addLibraryItem sourceId": {
			kind: values.SourceKindAudio, method: "POST", target: "/v1/library", body: `{"sourceId":"$S"}`,
			graph:  `mutation { addLibraryItem(input: {sourceId: "$S"}) { item { id } } }`,
			covers: []string{"AddLibraryItemInput.sourceId"},
		},
		"getSource {sourceId}": {method: "GET", target: "/v1/sources/$S", graph: `{ source(id: "$S") { id } }`, knows: true},
		"completeSource {sourceId}": {
			method: "POST", target: "/v1/sources/$S/complete", graph: `mutation { completeSource(id: "$S") { source { id } } }`, own: true,
		},
		"getSourceStoryboard {sourceId}": {
			method: "GET", target: "/v1/sources/$S/storyboard", graph: `{ source(id: "$S") { storyboard { url } } }`, unmade: true,
		},
		"getClipSourceThumbnail {sourceId}": {
			method: "GET", target: ofTheirClip + "sources/$S/thumbnail", unmade: true,
			graph:  `{ clip(id: "$D") { sourceStill(sourceId: "$S") } }`,
			covers: []string{"Clip.sourceStill.sourceId"},
		},
		"getSourceWaveform {sourceId}": {
			method: "GET", target: ofTheirClip + "sources/$S/waveform", unmade: true,
			graph:  `{ clip(id: "$D") { waveform(sourceId: "$S") { length } } }`,
			covers: []string{"Clip.waveform.sourceId"},
		},
	}

	for field, kind := range map[string]values.SourceKind{
		"sourceId": values.SourceKindVideo, "cameraSourceId": values.SourceKindVideo, "mouseSourceId": values.SourceKindMouse,
		"microphoneSourceId": values.SourceKindAudio,
	} {
		sources := `{"sourceId":"$OWN","` + field + `":"$S"}`
		inGraph := `{sourceId: "$OWN", ` + field + `: "$S"}`

		if field == "sourceId" {
			sources, inGraph = `{"sourceId":"$S"}`, `{sourceId: "$S"}`
		}

		uses["createVideo "+field] = sourceUse{
			kind: kind, method: "POST", target: "/v1/videos", body: sources,
			graph: `mutation { createVideo(input: ` + inGraph + `) { video { id } } }`, covers: []string{"CreateVideoInput." + field},
		}
		uses["addClip "+field] = sourceUse{
			kind: kind, method: "POST", target: "/v1/videos/$V/clips", body: sources,
			graph: `mutation { addClip(videoId: "$V", input: ` + inGraph + `) { clip { id } } }`, covers: []string{"AddClipInput." + field},
		}
	}

	return uses
}

// sourceUses lists every place where an operation takes a source.
func TestSourceUsesAreComplete(t *testing.T) {
	t.Parallel()

	doc, described := rest.Describe(api.BaseURL), map[string]bool{}

	for _, path := range doc.Paths {
		for _, method := range path.Value {
			o := method.Value
			// Only its creator may change or delete a source; TestEveryOperationByEverybody tests that.
			if strings.Contains(path.Name, "{sourceId}") && o.OperationID != "updateSource" && o.OperationID != "deleteSource" {
				described[o.OperationID+" {sourceId}"] = true
			}

			if o.RequestBody != nil {
				for _, content := range o.RequestBody.Content {
					takesSource(doc, content.Value.Schema, o.OperationID+" ", described, 0)
				}
			}
		}
	}

	var covered, inREST []string

	for name, use := range sourceUses() {
		covered = append(covered, use.covers...)

		if use.method != "" {
			inREST = append(inREST, name)
		}
	}

	require.ElementsMatch(t, slices.Collect(maps.Keys(described)), inREST)

	var fields []string

	for name, definition := range graph.Schema().Types {
		for _, field := range definition.Fields {
			if definition.Kind == "INPUT_OBJECT" && isSourceID(field.Name) {
				fields = append(fields, name+"."+field.Name)
			}

			for _, argument := range field.Arguments {
				if isSourceID(argument.Name) {
					fields = append(fields, name+"."+field.Name+"."+argument.Name)
				}
			}
		}
	}

	require.ElementsMatch(t, fields, covered)
}

func isSourceID(name string) bool { return strings.HasSuffix(strings.ToLower(name), "sourceid") }

// takesSource finds the ids of sources in a schema, below the names of properties.
func takesSource(doc *openapi.Document, s *openapi.Schema, at string, found map[string]bool, depth int) {
	if s == nil || depth > 12 {
		return
	}

	if s.Ref != "" {
		s = doc.Components.Schemas.Get(strings.TrimPrefix(s.Ref, "#/components/schemas/"))
	}

	for _, p := range s.Properties {
		if isSourceID(p.Name) {
			found[at+p.Name] = true
		}

		takesSource(doc, p.Value, at+p.Name+".", found, depth+1)
	}

	takesSource(doc, s.Items, at, found, depth+1)

	for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
		takesSource(doc, one, at, found, depth+1)
	}
}

// relation is the caller's relation to a source: who uploaded it, and which video uses it.
type relation struct {
	name string
	role auth.Role // of the caller; empty means member

	mine, workspaces  bool // whose it is; neither means another member's
	stranger, unused  bool // of another workspace; in no video
	library           values.LibraryScope
	personal          bool
	downloads, raw    bool
	collaborator      values.CollaboratorRole
	knows, uses, owns bool // what is allowed
}

func relations() []relation {
	return []relation{
		{name: "one's own, in no video", mine: true, unused: true, knows: true, uses: true, owns: true},
		{name: "one's own in a video that others made", mine: true, personal: true, knows: true, uses: true, owns: true},
		{name: "the workspace's", workspaces: true, unused: true, knows: true, uses: true},
		{name: "in the workspace's library", library: values.LibraryScopeWorkspace, unused: true, knows: true, uses: true},
		{name: "in another's own library", library: values.LibraryScopePrivate, unused: true},
		{name: "another's, in no video", unused: true},
		{name: "another's, in no video, for an owner", role: auth.RoleOwner, unused: true},
		{name: "of another workspace", stranger: true, role: auth.RoleOwner},
		{name: "in a video of the workspace", knows: true},
		{name: "with downloads", downloads: true, knows: true},
		{name: "with the switch of raw downloads alone", raw: true, knows: true},
		{name: "with raw downloads", downloads: true, raw: true, knows: true, uses: true},
		{name: "with raw downloads, personal", downloads: true, raw: true, personal: true},
		{name: "in a personal video, for an owner", role: auth.RoleOwner, personal: true},
		{name: "in a video of the workspace, for an admin", role: auth.RoleAdmin, knows: true, uses: true},
		{name: "for a collaborator who views", personal: true, collaborator: values.CollaboratorRoleViewer, knows: true},
		{
			name: "for a collaborator who views, with raw downloads", personal: true, downloads: true, raw: true,
			collaborator: values.CollaboratorRoleViewer, knows: true, uses: true,
		},
		{name: "for a collaborator who edits", personal: true, collaborator: values.CollaboratorRoleEditor, knows: true, uses: true},
	}
}

// A user who can only read a video sees that it uses a source, but cannot use the source in any operation.
func TestUsesOfSources(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	for name, use := range sourceUses() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			for _, r := range relations() {
				status := r.expected(use)

				for _, inGraph := range []bool{false, true} {
					if !inGraph && use.method == "" {
						continue
					}

					names := r.stage(t, s, use)
					fill := func(text string) string {
						for placeholder, id := range names {
							text = strings.ReplaceAll(text, placeholder, id)
						}

						return text
					}

					if !inGraph {
						a := s.Call(t, names["$KEY"], use.method, fill(use.target), fill(use.body))
						require.Equal(t, status, a.Status, "%s\n%s", r.name, a.Body)

						continue
					}

					codes := map[int]string{200: "", 403: "forbidden", 404: "not_found", 501: "not_implemented"}
					g := s.Ask(t, names["$KEY"], fill(use.graph), nil)
					require.Equal(t, codes[status], g.Code(), "%s\n%s", r.name, g.Body)
				}
			}
		})
	}
}

func (r relation) expected(use sourceUse) int {
	shown := strings.Contains(use.target, "$T") // below a video that the caller must be able to read

	switch {
	case !r.knows, shown && r.mine && r.personal:
		return http.StatusNotFound
	case use.knows, use.own && r.owns:
		return http.StatusOK
	case use.own, !r.uses:
		return http.StatusForbidden
	case use.unmade:
		return http.StatusNotImplemented
	default:
		return http.StatusOK
	}
}

// stage creates a source with this relation, and everything else the operation needs.
func (r relation) stage(t *testing.T, s *api.Server, use sourceUse) map[string]string {
	t.Helper()

	role := r.role
	if role == "" {
		role = auth.RoleMember
	}

	maker := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	me := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: maker.WorkspaceID, Role: role})

	if r.stranger {
		me = testkit.NewMember(t, s.Store, testkit.MemberOpts{Role: role})
	}

	by := maker
	if r.mine {
		by = me
	}

	kind := use.kind
	if kind == "" {
		kind = values.SourceKindVideo
	}

	src := testkit.NewSource(t, s.Store, by, testkit.SourceOpts{Kind: kind, HasAudio: true})
	own := testkit.NewVideo(t, s.Store, me, testkit.VideoOpts{})
	names := map[string]string{
		"$KEY": me.Key, "$S": src.ID, "$V": own.ID, "$C": own.Edges.Clips[0].ID,
		"$OWN": testkit.NewSource(t, s.Store, me, testkit.SourceOpts{}).ID,
	}

	if strings.Contains(use.target+use.body, "$L") {
		a := s.Call(t, me.Key, http.MethodPost, "/v1/videos/"+own.ID+"/clips/"+own.Edges.Clips[0].ID+"/layouts",
			`{"layout":{"kind":"middle"},"startTimeMs":0,"durationMs":1000}`)
		require.Equal(t, http.StatusOK, a.Status, a.Body)

		var made struct{ Layout struct{ ID string } }
		require.NoError(t, json.Unmarshal([]byte(a.Body), &made))
		names["$L"] = made.Layout.ID
	}

	r.place(t, s, maker, me, src, names, strings.Contains(use.target, "$T"))

	if r.workspaces {
		_, err := s.Store.DB.Exec(`UPDATE sources SET user_id = NULL WHERE id = $1`, src.ID)
		require.NoError(t, err)
	}

	if r.library != "" {
		maker.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
			db.LibraryItem.Create().SetUserID(maker.UserID).SetSource(src).SetScope(r.library).SetType(values.LibraryTypeVideo).
				SetName("kept").ExecX(ctx)
		})
	}

	return names
}

// place puts the source into a video of maker, as the clip's recording or as an overlay. If maker has no video, the
// clip is in a video of the caller.
func (r relation) place(t *testing.T, s *api.Server, maker, me testkit.Member, src *ent.Source, names map[string]string, recorded bool) {
	t.Helper()

	settings := values.DefaultVideoSettings()
	settings.DownloadsEnabled, settings.RawDownloadsEnabled = r.downloads, r.raw

	opts := testkit.VideoOpts{Visibility: values.VisibilityOrg, Settings: &settings}
	if r.personal {
		opts.Visibility = values.VisibilityPersonal
	}

	if r.unused {
		if recorded && r.knows { // a video of the caller shows it
			v := testkit.NewVideo(t, s.Store, me, testkit.VideoOpts{Source: src})
			names["$T"], names["$D"] = v.ID, v.Edges.Clips[0].ID
		} else {
			names["$T"], names["$D"] = names["$V"], names["$C"]
		}

		return
	}

	if recorded {
		opts.Source = src
	}

	v := testkit.NewVideo(t, s.Store, maker, opts)
	names["$T"], names["$D"] = v.ID, v.Edges.Clips[0].ID

	maker.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		if r.collaborator != "" {
			db.Collaborator.Create().SetVideoID(v.ID).SetUserID(me.UserID).SetRole(r.collaborator).ExecX(ctx)
		}

		if !recorded {
			db.Effect.Create().SetClipID(v.Edges.Clips[0].ID).SetKind(values.EffectKindSoundEffect).SetStartMs(0).SetEndMs(100).
				SetSourceID(src.ID).SetParams(values.EffectParams{Sound: &values.SoundParams{Volume: 1}}).ExecX(ctx)
		}
	})
}

// Access to a source does not depend on how the video uses it.
func TestWaysToUseASource(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	maker := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	reader := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: maker.WorkspaceID})

	ways := map[string]func(ctx context.Context, db *ent.Client, v *ent.Video, source string){
		"screen": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			addClipOf(db, v).SetScreenSourceID(source).ExecX(ctx)
		},
		"camera": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			addClipOf(db, v).SetCameraSourceID(source).ExecX(ctx)
		},
		"mouse": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			addClipOf(db, v).SetMouseSourceID(source).ExecX(ctx)
		},
		"effect": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			db.Effect.Create().SetClipID(v.Edges.Clips[0].ID).SetKind(values.EffectKindMediaOverlay).SetStartMs(0).SetEndMs(100).
				SetSourceID(source).SetParams(values.EffectParams{Overlay: &values.OverlayParams{}}).ExecX(ctx)
		},
		"background": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			db.Clip.UpdateOne(v.Edges.Clips[0]).SetBackground(values.Background{Type: values.BackgroundTypeVideo, SourceID: source}).ExecX(ctx)
		},
		"thumbnail": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			db.Video.UpdateOne(v).SetThumbnail(&values.ChosenThumbnail{SourceID: source}).ExecX(ctx)
		},
		"music": func(ctx context.Context, db *ent.Client, v *ent.Video, source string) {
			db.Video.UpdateOne(v).SetBackgroundMusic(&values.BackgroundMusic{SourceID: source, Name: "Song"}).ExecX(ctx)
		},
	}

	for way, place := range ways {
		for _, raw := range []bool{false, true} {
			settings := values.DefaultVideoSettings()
			settings.DownloadsEnabled, settings.RawDownloadsEnabled = true, raw

			src := testkit.NewSource(t, s.Store, maker, testkit.SourceOpts{})
			v := testkit.NewVideo(t, s.Store, maker, testkit.VideoOpts{Settings: &settings})
			body := fmt.Sprintf(`{"sourceId":%q}`, src.ID)

			a := s.Call(t, reader.Key, http.MethodPost, "/v1/library", body)
			require.Equal(t, http.StatusNotFound, a.Status, way)
			require.Contains(t, a.Body, "sourceId")

			maker.Do(t, s.Store, func(ctx context.Context, db *ent.Client) { place(ctx, db, v, src.ID) })

			a = s.Call(t, reader.Key, http.MethodGet, "/v1/sources/"+src.ID, "")
			require.Equal(t, http.StatusOK, a.Status, way)

			a = s.Call(t, reader.Key, http.MethodPost, "/v1/library", body)
			require.Equal(t, map[bool]int{false: http.StatusForbidden, true: http.StatusOK}[raw], a.Status, "%s\n%s", way, a.Body)
		}
	}
}

func addClipOf(db *ent.Client, v *ent.Video) *ent.ClipCreate {
	return db.Clip.Create().SetVideo(v).SetName("Another").SetPosition(9).SetRecordingMs(1000).SetDurationMs(1000).SetCuts(nil).
		SetHasMicrophone(false).SetHasSystemAudio(false).SetTranscriptStatus(values.TranscriptStatusReady).
		SetBackground(values.DefaultBackground())
}

// Addresses of the files of overlays, B-roll, backgrounds and uploads are shown only to users who may use them.
func TestAddressesOfSources(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	maker := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	join := func(role auth.Role) testkit.Member {
		return testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: maker.WorkspaceID, Role: role})
	}
	reader, viewer, admin := join(auth.RoleMember), join(auth.RoleViewer), join(auth.RoleAdmin)
	film := testkit.NewSource(t, s.Store, maker, testkit.SourceOpts{})
	arriving := testkit.NewSource(t, s.Store, maker, testkit.SourceOpts{Status: values.SourceStatusUploading})

	settings := values.DefaultVideoSettings()
	settings.DownloadsEnabled = true
	v := testkit.NewVideo(t, s.Store, maker, testkit.VideoOpts{Source: arriving, Settings: &settings})
	clip := v.Edges.Clips[0].ID
	at := "/v1/videos/" + v.ID + "/clips/" + clip

	maker.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Clip.UpdateOneID(clip).SetBackground(values.Background{Type: values.BackgroundTypeVideo, SourceID: film.ID}).ExecX(ctx)
		db.Effect.Create().SetClipID(clip).SetKind(values.EffectKindMediaOverlay).SetStartMs(0).SetEndMs(100).SetSourceID(film.ID).
			SetParams(values.EffectParams{Overlay: &values.OverlayParams{}}).ExecX(ctx)
		db.Effect.Create().SetClipID(clip).SetKind(values.EffectKindLayout).SetStartMs(0).SetEndMs(500).SetSourceID(film.ID).
			SetParams(values.EffectParams{Layout: &values.LayoutParams{
				Shape: values.LayoutShape{Kind: values.LayoutKindBRoll}, Intro: values.LayoutTransitionSpring, Outro: values.LayoutTransitionSpring,
			}}).ExecX(ctx)
	})

	const (
		media  = "/media/"
		upload = "/uploads/"
	)

	told := func(who testkit.Member) (files, uploads bool) {
		t.Helper()

		var bodies []string

		for _, target := range []string{
			at, "/v1/videos/" + v.ID + "/clips", at + "/overlays", at + "/layouts", "/v1/videos/" + v.ID + "/timeline?include=all",
		} {
			a := s.Call(t, who.Key, http.MethodGet, target, "")
			require.Equal(t, http.StatusOK, a.Status, a.Body)
			bodies = append(bodies, a.Body)
		}

		for _, document := range []string{
			`{ clip(id: "` + clip + `") { background { type videoUrl } } }`,
			`{ videos { nodes { clips { nodes { background { type videoUrl } } } } } }`,
			`{ video(id: "` + v.ID + `") { clips { nodes { effects { nodes { ... on MediaOverlay { url } ... on Layout { media { url } } } } } } } }`,
		} {
			g := s.Ask(t, who.Key, document, nil)
			require.Empty(t, g.Errors, g.Body)
			bodies = append(bodies, g.Body)
		}

		files = strings.Contains(bodies[0], media)
		for _, body := range bodies {
			require.Equal(t, files, strings.Contains(body, media), body)
		}

		rest := s.Call(t, who.Key, http.MethodGet, "/v1/sources/"+arriving.ID, "")
		g := s.Ask(t, who.Key, `{ clip(id: "`+clip+`") { sources { uploadUrl expiresAt } } }`, nil)
		uploads = strings.Contains(rest.Body, upload)
		require.Equal(t, http.StatusOK, rest.Status)
		require.Equal(t, uploads, strings.Contains(rest.Body, "expiresAt"))
		require.Equal(t, uploads, strings.Contains(g.Body, upload), g.Body)
		require.Equal(t, uploads, !strings.Contains(g.Body, `"expiresAt":null`), g.Body)

		return files, uploads
	}

	for _, c := range []struct {
		who            testkit.Member
		files, uploads bool
	}{{maker, true, true}, {admin, true, false}, {reader, false, false}, {viewer, false, false}} {
		files, uploads := told(c.who)
		require.Equal(t, c.files, files)
		require.Equal(t, c.uploads, uploads)
	}

	a := s.Call(t, maker.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"rawDownloadsEnabled":true}`)
	require.Equal(t, http.StatusOK, a.Status, a.Body)

	for _, who := range []testkit.Member{reader, viewer} {
		files, uploads := told(who)
		require.True(t, files, "raw downloads are enabled")
		require.False(t, uploads)
	}
}
