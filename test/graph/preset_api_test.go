package graph_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// mixer is a video whose music and sounds are changed through REST.
type mixer struct {
	*testing.T
	*api.Server

	owner  testkit.Member
	video  *ent.Video
	target string // the video's address
	sounds string // the address of its clip's sounds
}

// newMixer comes with a catalog of two loops, calm and brisk, and two sounds, ding and dong. The test fails if storage
// is used inside a transaction.
func newMixer(t *testing.T) *mixer {
	t.Helper()

	m := &mixer{T: t, Server: api.New(t, api.Options{})}
	m.owner = testkit.NewMember(t, m.Store, testkit.MemberOpts{})
	m.video = testkit.NewVideo(t, m.Store, m.owner, testkit.VideoOpts{})
	m.target = "/v1/videos/" + m.video.ID
	m.sounds = m.target + "/clips/" + m.video.Edges.Clips[0].ID + "/sound-effects"

	for id, kind := range map[string]values.CatalogType{
		"calm": values.CatalogTypeMusic, "brisk": values.CatalogTypeMusic,
		"ding": values.CatalogTypeSoundEffect, "dong": values.CatalogTypeSoundEffect,
	} {
		key := "catalog/aa/" + id + ".m4a"
		_, err := m.Resolver.Blobs.Put(t.Context(), key, strings.NewReader(id))
		require.NoError(t, err)

		_, err = m.Store.DB.Exec(`INSERT INTO catalog_items (id, updated_at, type, name, recipe_hash, blob_key, preview_key, width, height, duration_ms, position)
			VALUES ($1, now(), $2, $3, 'h', $4, '', 0, 0, 8000, 0)`, id, string(kind), strings.ToUpper(id), key)
		require.NoError(t, err)
	}

	m.Resolver.Blobs = testkit.Unlocked{Store: m.Resolver.Blobs, TB: t, Over: m.Store}
	m.Resolver.Remake()

	return m
}

// do sends a request and returns the named object of the answer.
func (m *mixer) do(method, target, body, object string) map[string]any {
	m.Helper()

	a := m.Call(m.T, m.owner.Key, method, target, body)
	require.Equal(m, http.StatusOK, a.Status, a.Body)

	var answer map[string]any

	require.NoError(m, json.Unmarshal([]byte(a.Body), &answer))

	found, _ := answer[object].(map[string]any)

	return found
}

// play sets the video's music and returns its source.
func (m *mixer) play(body string) string {
	m.Helper()

	return m.do(http.MethodPut, m.target+"/background-music", body, "backgroundMusic")["sourceId"].(string)
}

// add adds a sound to the clip and returns the ids of its source and effect.
func (m *mixer) add(body string) (source, effect string) {
	m.Helper()

	made := m.do(http.MethodPost, m.sounds, body, "soundEffect")

	return made["sourceId"].(string), made["id"].(string)
}

// kept returns the number of source files in storage.
func (m *mixer) kept() (files int) {
	m.Helper()

	one, _ := m.Resolver.Blobs.Path("sources/one")
	err := filepath.WalkDir(filepath.Dir(one), func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
		}

		return err
	})
	require.True(m, err == nil || errors.Is(err, fs.ErrNotExist), err)

	return files
}

// discarded returns the sources scheduled for removal, in order.
func (m *mixer) discarded() []string {
	m.Helper()

	all := []string{}

	rows, err := m.Store.DB.Query(`SELECT s.id FROM river_job, jsonb_array_elements_text(args->'sourceIds') s(id) WHERE kind = 'discard' ORDER BY river_job.id`)
	require.NoError(m, err)

	defer rows.Close()

	for rows.Next() {
		var id string

		require.NoError(m, rows.Scan(&id))
		all = append(all, id)
	}

	require.NoError(m, rows.Err())

	return all
}

// A preset becomes a source of the workspace once.
func TestMusicOfTheCatalogue(t *testing.T) {
	t.Parallel()

	m := newMixer(t)
	member := testkit.NewMember(t, m.Store, testkit.MemberOpts{WorkspaceID: m.owner.WorkspaceID})

	placed := m.play(`{"presetId":"calm"}`)
	require.Equal(t, placed, m.play(`{"presetId":"calm","volume":0.5,"name":"Mine"}`), "the source already exists")

	shown := m.Call(t, member.Key, http.MethodGet, "/v1/sources/"+placed, "")
	require.Equal(t, http.StatusOK, shown.Status)
	require.Contains(t, shown.Body, `"kind":"audio","status":"ready"`)

	detail := m.Call(t, m.owner.Key, http.MethodGet, m.target, "")
	require.Contains(t, detail.Body, `"backgroundMusic":{"sourceId":"`+placed+`","name":"Mine","volume":0.5,"presetId":"calm"}`)
}

// Preset files are copied before the video is locked, and removed if the request fails.
func TestPresetsAreCopiedOutsideTheTransaction(t *testing.T) {
	t.Parallel()

	m := newMixer(t)
	clip := m.video.Edges.Clips[0].ID
	sound := func(operation, preset string, at string) string {
		return `{"type":"add_sound_effect","operationId":"` + operation + `","clipId":"` + clip + `","presetId":"` + preset +
			`","startTimeMs":` + at + `,"durationMs":500}`
	}

	m.play(`{"presetId":"calm"}`)
	m.add(`{"presetId":"ding","startTimeMs":0,"durationMs":500}`)
	m.do(http.MethodPost, m.target+"/edits", `{"operations":[`+sound("a", "ding", "0")+`,`+sound("b", "ding", "1000")+`,`+sound("c", "dong", "0")+`]}`, "")
	require.Equal(t, 4, m.kept(), "one file for each named preset")

	late := m.Call(t, m.owner.Key, http.MethodPost, m.target+"/edits", `{"operations":[`+sound("a", "ding", "0")+`,`+sound("b", "ding", "99000")+`]}`)
	require.Equal(t, http.StatusBadRequest, late.Status, late.Body)

	undone := m.Ask(t, m.owner.Key, `mutation { setBackgroundMusic(videoId: "`+m.video.ID+`", input: {presetId: "brisk"}) { video { id } }
		deleteVideo(id: "vid_none") { deletedId } }`, nil)
	require.Equal(t, "not_found", undone.Code(), undone.Body)

	stranger := testkit.NewMember(t, m.Store, testkit.MemberOpts{WorkspaceID: m.owner.WorkspaceID})
	for _, refused := range []api.Answer{
		m.Call(t, stranger.Key, http.MethodPut, m.target+"/background-music", `{"presetId":"brisk"}`),
		m.Call(t, stranger.Key, http.MethodPost, m.sounds, `{"presetId":"ding","startTimeMs":0,"durationMs":500}`),
	} {
		require.Equal(t, http.StatusForbidden, refused.Status, refused.Body)
	}

	require.Equal(t, 4, m.kept())
}

// Music removed while the same preset is requested again does not leave the video with a deleted source.
func TestMusicRemovedConcurrently(t *testing.T) {
	t.Parallel()

	m := newMixer(t)
	m.play(`{"presetId":"calm"}`)

	tx, err := m.Store.DB.Begin()
	require.NoError(t, err)
	_, err = tx.Exec(`UPDATE videos SET background_music = NULL WHERE id = $1`, m.video.ID)
	require.NoError(t, err)

	answered := make(chan api.Answer, 1)

	go func() {
		answered <- m.Call(t, m.owner.Key, http.MethodPut, m.target+"/background-music", `{"presetId":"calm","volume":0.5}`)
	}()

	testkit.AwaitLock(t, m.Store)
	require.NoError(t, tx.Commit())

	late := <-answered
	require.Equal(t, http.StatusConflict, late.Status, late.Body)
	require.Equal(t, "1", late.Header.Get("Retry-After"))

	m.play(`{"presetId":"calm","volume":0.5}`)
}

// The copy of a preset is removed once the video no longer plays it. Uploads stay.
func TestUnusedPresetCopiesAreRemoved(t *testing.T) {
	t.Parallel()

	m := newMixer(t)
	song := testkit.NewSource(t, m.Store, m.owner, testkit.SourceOpts{Kind: values.SourceKindAudio, HasAudio: true}).ID

	calm := m.play(`{"presetId":"calm"}`)
	m.play(`{"presetId":"calm","volume":0.5}`)
	require.Empty(t, m.discarded(), "still in use")

	brisk := m.play(`{"presetId":"brisk"}`)
	require.Equal(t, []string{calm}, m.discarded())

	m.play(`{"sourceId":"` + song + `"}`)
	require.Equal(t, []string{calm, brisk}, m.discarded())

	again := m.play(`{"presetId":"calm"}`)
	m.do(http.MethodDelete, m.target+"/background-music", "", "")

	gone := []string{calm, brisk, again}
	require.Equal(t, gone, m.discarded())

	ding, first := m.add(`{"presetId":"ding","startTimeMs":0,"durationMs":500}`)
	_, second := m.add(`{"sourceId":"` + ding + `","startTimeMs":0,"durationMs":500}`)
	_, uploaded := m.add(`{"sourceId":"` + song + `","startTimeMs":0,"durationMs":500}`)

	m.do(http.MethodDelete, m.sounds+"/"+first, "", "")
	m.do(http.MethodDelete, m.sounds+"/"+uploaded, "", "")
	require.Equal(t, gone, m.discarded(), "another effect still plays it")

	m.do(http.MethodDelete, m.sounds+"/"+second, "", "")

	gone = append(gone, ding)
	require.Equal(t, gone, m.discarded())

	clip, _ := strings.CutSuffix(m.sounds, "/sound-effects")
	m.do(http.MethodPost, clip+"/duplicate", "", "")

	ding, _ = m.add(`{"presetId":"ding","startTimeMs":0,"durationMs":500}`)
	m.do(http.MethodDelete, clip, "", "")
	require.Equal(t, append(gone, ding), m.discarded(), "removed with the clip")
}

// The file of inline pointer data is removed when creating the clip fails.
func TestFailedClipLeavesNoPointerFile(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := &mixer{T: t, Server: s, owner: testkit.NewMember(t, s.Store, testkit.MemberOpts{})}
	source := testkit.NewSource(t, s.Store, m.owner, testkit.SourceOpts{}).ID
	create := `createVideo(input: {sourceId: "` + source + `", mouseEvents: [{timeMs: 0, xPct: 1, yPct: 2, type: MOVE}]}) { video { id } }`

	undone := s.Ask(t, m.owner.Key, `mutation { `+create+` deleteVideo(id: "vid_none") { deletedId } }`, nil)
	require.Equal(t, "not_found", undone.Code(), undone.Body)
	require.Zero(t, m.kept())

	made := s.Ask(t, m.owner.Key, `mutation { `+create+` }`, nil)
	require.Empty(t, made.Errors, made.Body)
	require.Equal(t, 1, m.kept())
}
