package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

const everything = `subscription { workspaceUpdated {
	videos { changed gone } playlists { changed gone } tags { changed gone } members { changed gone }
	sources { changed gone } exports { changed gone } comments { changed gone }
} }`

// update is one event of workspaceUpdated, by kind.
type update map[string]struct{ Changed, Gone []string }

// ear listens to a workspace. It remembers everything that it was told, as "videos changed ID".
type ear struct {
	t    *testing.T
	next func() string
	told map[string]int
}

// listenTo subscribes and waits for the first event, which is empty.
func listenTo(t *testing.T, s *api.Server, m testkit.Member) *ear {
	t.Helper()

	e := &ear{t, subscribe(t, s, m.Key, everything).next, map[string]int{}}
	require.Empty(t, e.event(), "the first event")

	return e
}

// event returns what the next event tells.
func (e *ear) event() (all []string) {
	e.t.Helper()

	var said struct {
		Data struct{ WorkspaceUpdated update }
	}

	text := e.next()
	require.NoError(e.t, json.Unmarshal([]byte(text), &said), text)
	require.Len(e.t, said.Data.WorkspaceUpdated, 7, text)

	for kind, ids := range said.Data.WorkspaceUpdated {
		require.NotNil(e.t, ids.Changed)
		require.NotNil(e.t, ids.Gone)

		for _, id := range ids.Changed {
			all = append(all, kind+" changed "+id)
		}

		for _, id := range ids.Gone {
			all = append(all, kind+" gone "+id)
		}
	}

	for _, one := range all {
		e.told[one]++
	}

	return all
}

// hears reads events until everything of this was told, and forgets what was told before.
func (e *ear) hears(all ...string) {
	e.t.Helper()

	for _, one := range all {
		for e.told[one] == 0 {
			require.NotEmpty(e.t, e.event(), "only the first event is empty; still waiting for %s", one)
		}
	}
}

// only reads events until the last of this was told, and checks that nothing else was told since the last call of only
// but what is listed.
func (e *ear) only(all ...string) {
	e.t.Helper()
	e.hears(all...)

	allowed := map[string]bool{}
	for _, one := range all {
		allowed[one] = true
	}

	for one := range e.told {
		require.True(e.t, allowed[one], "told %s", one)
	}

	clear(e.told)
}

// company is a workspace on two servers over one database, and a stranger in another one.
type company struct {
	*testing.T

	here, there                      *api.Server
	creator, other, viewer, stranger testkit.Member
}

func newCompany(t *testing.T) *company {
	t.Helper()

	dsn := testkit.Database(t)
	c := &company{T: t, here: api.New(t, api.Options{DSN: dsn}), there: api.New(t, api.Options{DSN: dsn})}
	hear(t, c.here)
	hear(t, c.there)

	c.creator = testkit.NewMember(t, c.here.Store, testkit.MemberOpts{})
	in := c.creator.WorkspaceID
	c.other = testkit.NewMember(t, c.here.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleMember})
	c.viewer = testkit.NewMember(t, c.here.Store, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleViewer})
	c.stranger = testkit.NewMember(t, c.here.Store, testkit.MemberOpts{})

	return c
}

// ask runs a mutation on the first server and returns the value at a path of its data.
func (c *company) ask(by testkit.Member, document string, path ...string) string {
	c.Helper()

	g := c.here.Ask(c.T, by.Key, document, nil)
	require.Empty(c, g.Errors, g.Body)

	if len(path) == 0 {
		return ""
	}

	return api.Dig(g.Data, path...).(string)
}

func (c *company) tag(by testkit.Member, name, scope string) string {
	c.Helper()

	return c.ask(by, `mutation { createTag(input: {name: "`+name+`", scope: `+scope+`}) { tag { id } } }`, "createTag", "tag", "id")
}

// mark makes a change that everybody in the workspace is told of, and returns what they are told.
func (c *company) mark() string {
	c.Helper()

	return "tags changed " + c.tag(c.creator, fmt.Sprint("mark ", time.Now().UnixNano()), "WORKSPACE")
}

// Everything that changes is told to those who may read it, on every server, and to nobody else.
func TestWorkspaceUpdated(t *testing.T) {
	t.Parallel()

	c := newCompany(t)
	source := testkit.NewSource(t, c.here.Store, c.creator, testkit.SourceOpts{HasAudio: true})
	foreign := listenTo(t, c.there, c.stranger)
	creator, other := listenTo(t, c.there, c.creator), listenTo(t, c.there, c.other)

	v := c.ask(c.creator, `mutation { createVideo(input: {sourceId: "`+source.ID+`"}) { video { id } } }`, "createVideo", "video", "id")
	creator.hears("videos changed " + v)
	other.hears("videos changed " + v)

	for name, step := range map[string]struct {
		do   func() string // what the creator is told
		also bool          // whether the other member is told too
	}{
		"a name": {func() string {
			c.ask(c.creator, `mutation { updateVideo(id: "`+v+`", input: {name: "New"}) { video { id } } }`)

			return "videos changed " + v
		}, true},
		"a private tag": {func() string { return "tags changed " + c.tag(c.creator, "mine", "PRIVATE") }, false},
		"a tag on a video": {func() string {
			tag := c.tag(c.creator, "ours", "WORKSPACE")
			creator.hears("tags changed " + tag)
			clear(creator.told)
			c.ask(c.creator, `mutation { tagVideo(videoId: "`+v+`", tagId: "`+tag+`") { video { id } } }`)

			return "videos changed " + v
		}, true},
		"a personal playlist": {func() string {
			return "playlists changed " + c.ask(c.creator, `mutation { createPlaylist(input: {name: "Mine"}) { playlist { id } } }`, "createPlaylist", "playlist", "id")
		}, false},
		"a video in a playlist of the workspace": {func() string {
			p := c.ask(c.creator, `mutation { createPlaylist(input: {name: "Ours", visibility: ORG}) { playlist { id } } }`, "createPlaylist", "playlist", "id")
			creator.hears("playlists changed " + p)
			clear(creator.told)
			c.ask(c.creator, `mutation { addPlaylistVideo(playlistId: "`+p+`", videoId: "`+v+`") { playlist { id } } }`)

			return "playlists changed " + p
		}, true},
		"a comment": {func() string {
			return "comments changed " + c.ask(c.creator, `mutation { addComment(videoId: "`+v+`", input: {body: "x"}) { comment { id } } }`, "addComment", "comment", "id")
		}, true},
		"an export of a video without downloads": {func() string {
			return "exports changed " + c.ask(c.creator, `mutation { startExport(videoId: "`+v+`") { export { id } } }`, "startExport", "export", "id")
		}, false},
		"a source that nobody else may know": {func() string {
			return "sources changed " + c.ask(c.creator, `mutation { createSource(input: {kind: VIDEO}) { source { id } } }`, "createSource", "source", "id")
		}, false},
		"a source that others see in a video": {func() string {
			c.ask(c.creator, `mutation { updateSource(id: "`+source.ID+`", input: {name: "Renamed"}) { source { id } } }`)

			return "sources changed " + source.ID
		}, true},
		"the name of a member": {func() string {
			c.ask(c.creator, `mutation { updateUser(input: {name: "Renamed"}) { user { id } } }`)

			var id string
			require.NoError(t, c.here.Store.DB.QueryRow(`SELECT id FROM memberships WHERE user_id = $1`, c.creator.UserID).Scan(&id))

			return "members changed " + id
		}, true},
	} {
		clear(creator.told)
		clear(other.told)

		said := step.do()
		mark := c.mark()
		creator.hears(said, mark)
		other.hears(mark)
		require.Equal(t, step.also, other.told[said] > 0, name)
	}

	own := c.here.Ask(t, c.stranger.Key, `mutation { createTag(input: {name: "elsewhere"}) { tag { id } } }`, nil)
	require.Empty(t, own.Errors, own.Body)
	foreign.only("tags changed " + api.Dig(own.Data, "createTag", "tag", "id").(string))
}

// What goes is told to those who could read it before, with what belongs to it, and to nobody else.
func TestWhatGoesFromAWorkspace(t *testing.T) {
	t.Parallel()

	c := newCompany(t)
	source := testkit.NewSource(t, c.here.Store, c.creator, testkit.SourceOpts{HasAudio: true})
	foreign := listenTo(t, c.there, c.stranger)
	v := c.ask(c.creator, `mutation { createVideo(input: {sourceId: "`+source.ID+`"}) { video { id } } }`, "createVideo", "video", "id")
	comment := c.ask(c.creator, `mutation { addComment(videoId: "`+v+`", input: {body: "x"}) { comment { id } } }`, "addComment", "comment", "id")
	export := c.ask(c.creator, `mutation { startExport(videoId: "`+v+`") { export { id } } }`, "startExport", "export", "id")
	c.ask(c.creator, `mutation { updateVideo(id: "`+v+`", input: {downloadsEnabled: true}) { video { id } } }`)
	creator, other, viewer := listenTo(t, c.there, c.creator), listenTo(t, c.there, c.other), listenTo(t, c.there, c.viewer)
	show := func(to string) {
		c.ask(c.creator, `mutation { updateVideo(id: "`+v+`", input: {visibility: `+to+`}) { video { id } } }`)
	}
	set := func(verb string) []string {
		return []string{"videos " + verb + " " + v, "comments " + verb + " " + comment, "exports " + verb + " " + export, "sources " + verb + " " + source.ID}
	}

	show("PERSONAL")
	creator.only(set("changed")...)
	other.only(set("gone")...)
	viewer.only(set("gone")...)

	// What happens to it now is nothing to the others.
	secret := c.ask(c.creator, `mutation { addComment(videoId: "`+v+`", input: {body: "y"}) { comment { id } } }`, "addComment", "comment", "id")
	c.ask(c.creator, `mutation { deleteComment(id: "`+secret+`") { deletedId } }`)
	c.ask(c.creator, `mutation { updateVideo(id: "`+v+`", input: {name: "Secret"}) { video { id } } }`)

	mine := c.tag(c.creator, "mine", "PRIVATE")
	c.ask(c.creator, `mutation { deleteTag(id: "`+mine+`") { deletedId } }`)

	mark := c.mark()
	creator.hears("comments gone "+secret, "videos changed "+v, "tags gone "+mine, mark)
	other.only(mark)
	viewer.only(mark)
	clear(creator.told)

	c.ask(c.creator, `mutation { addCollaborator(videoId: "`+v+`", input: {email: "`+c.other.Email+`", role: VIEWER}) { collaborator { role } } }`)
	other.only(set("changed")...)
	c.ask(c.creator, `mutation { removeCollaborator(videoId: "`+v+`", userId: "`+c.other.UserID+`") { deletedId } }`)
	other.only(set("gone")...)

	mark = c.mark()
	viewer.only(mark)
	other.only(mark)

	show("ORG")
	other.only(set("changed")...)
	viewer.only(set("changed")...)

	// Exports are for editors once downloads are off.
	c.ask(c.creator, `mutation { updateVideo(id: "`+v+`", input: {downloadsEnabled: false}) { video { id } } }`)
	other.only("videos changed "+v, "exports gone "+export)
	viewer.only("videos changed "+v, "exports gone "+export)
	clear(creator.told)

	mark = c.mark()

	creator.hears(mark)
	require.NotContains(t, creator.told, "exports gone "+export)

	other.hears(mark)
	viewer.hears(mark)
	clear(other.told)
	clear(viewer.told)
	clear(creator.told)

	c.ask(c.creator, `mutation { deleteVideo(id: "`+v+`") { deletedId } }`)
	creator.hears("videos gone "+v, "comments gone "+comment, "exports gone "+export)
	other.hears("videos gone "+v, "comments gone "+comment)
	viewer.hears("videos gone "+v, "comments gone "+comment)

	mark = c.mark()

	other.hears(mark)
	require.NotContains(t, other.told, "exports gone "+export, "they lost it before")

	own := c.here.Ask(t, c.stranger.Key, `mutation { createTag(input: {name: "elsewhere"}) { tag { id } } }`, nil)
	require.Empty(t, own.Errors, own.Body)
	foreign.only("tags changed " + api.Dig(own.Data, "createTag", "tag", "id").(string))
}

// Nothing that commits after the first event is missed, whatever the order in which transactions began, and nothing is
// told twice.
func TestNothingIsMissedInAWorkspace(t *testing.T) {
	t.Parallel()

	c := newCompany(t)

	var (
		made  []string
		ended = make(chan struct{})
		begun = make(chan struct{})
		stop  atomic.Bool
	)

	early := c.tag(c.creator, "early", "WORKSPACE")

	slow, err := c.here.Store.DB.Begin() // begins before everything else, and commits last
	require.NoError(t, err)
	t.Cleanup(func() { _ = slow.Rollback() })

	_, err = slow.Exec(`UPDATE tags SET description = 'slow' WHERE id = $1`, early)
	require.NoError(t, err)

	go func() {
		defer close(ended)

		for i := 0; !stop.Load(); i++ {
			made = append(made, c.tag(c.creator, fmt.Sprint("tag ", i), "WORKSPACE"))

			if i == 5 {
				close(begun)
			}
		}
	}()

	<-begun

	e := listenTo(t, c.there, c.other)
	list := c.there.Ask(t, c.other.Key, `{ tags(first: 100) { nodes { id } } }`, nil)
	require.Empty(t, list.Errors, list.Body)
	require.NotEmpty(t, e.event())
	stop.Store(true)
	<-ended

	missing := 0

	for _, id := range made {
		if !strings.Contains(list.Body, id) {
			missing++

			e.hears("tags changed " + id)
			require.Equal(t, 1, e.told["tags changed "+id])
		}
	}

	require.Positive(t, missing)
	require.Zero(t, e.told["tags changed "+early])
	require.NoError(t, slow.Commit())
	e.hears("tags changed " + early)

	mark := c.mark()
	e.hears(mark)

	for one, times := range e.told {
		require.Equal(t, 1, times, one)
	}
}

// A listener gets at most one event a second, with everything that changed since the one before, and pays for each.
func TestEventsOfAWorkspaceAreFew(t *testing.T) {
	t.Parallel()

	c := newCompany(t)
	used := func(of string) (n int) {
		require.NoError(t, c.here.Store.DB.QueryRow(`SELECT coalesce(sum(used), 0) FROM rate_windows WHERE subject LIKE $1`,
			of+c.other.UserID+":%").Scan(&n))

		return n
	}
	e := listenTo(t, c.there, c.other)

	require.Equal(t, 1, used(""), "a subscription costs one request")
	require.Zero(t, used("events:"), "its first event is paid with it")

	var (
		last   = time.Now()
		events int
	)

	for round := range 3 {
		made := make([]string, 10)
		for i := range made {
			made[i] = "tags changed " + c.tag(c.creator, fmt.Sprint(round, " ", i), "WORKSPACE")
		}

		for e.told[made[9]] == 0 {
			e.event()

			events++

			require.GreaterOrEqual(t, time.Since(last), 900*time.Millisecond, "events come at least a second apart")

			last = time.Now()
		}

		e.only(made...)
	}

	require.GreaterOrEqual(t, events, 3)
	require.Equal(t, events, used("events:"))
	require.Equal(t, 1, used(""))
}

// More changes than fit into one event come in several; none is left out and none comes twice.
func TestManyChangesAtOnce(t *testing.T) {
	t.Parallel()

	const many = 2100

	c := newCompany(t)
	v := testkit.NewVideo(t, c.here.Store, c.creator, testkit.VideoOpts{})
	e := listenTo(t, c.there, c.other)

	c.creator.Do(t, c.here.Store, func(ctx context.Context, db *ent.Client) {
		for range many / 100 {
			db.Comment.MapCreateBulk(make([]int, 100), func(made *ent.CommentCreate, _ int) {
				made.SetVideo(v).SetAuthor("Ada").SetBody("x")
			}).ExecX(ctx)
		}
	})

	for len(e.told) < many {
		require.LessOrEqual(t, len(e.event()), 1000)
	}

	mark := c.mark()
	e.hears(mark)
	require.Len(t, e.told, many+1)

	for one, times := range e.told {
		require.Equal(t, 1, times, one)
	}
}

// Who may no longer read a workspace is told nothing more of it, and the stream ends at once.
func TestAWorkspaceStreamEndsWithItsRights(t *testing.T) {
	t.Parallel()

	c := newCompany(t)
	removed := listenTo(t, c.there, c.other)

	c.ask(c.creator, `mutation { removeMember(userId: "`+c.other.UserID+`") { deletedId } }`)
	require.Contains(t, removed.next(), `"code":"unauthorized"`)
	require.Empty(t, removed.next())

	// A browser that has gone to another workspace no longer listens to this one.
	moving := person(t, c.here, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID})
	elsewhere := testkit.NewMember(t, c.here.Store, testkit.MemberOpts{})

	require.NoError(t, c.here.Store.InTx(auth.AsSystem(t.Context()), func(ctx context.Context) error {
		return c.here.Store.Client(ctx).Membership.Create().SetWorkspaceID(elsewhere.WorkspaceID).SetUserID(moving.UserID).Exec(ctx)
	}))

	entered := c.here.Ask(t, "", signIn, map[string]any{"in": map[string]any{"email": moving.Email, "password": password, "workspaceId": c.creator.WorkspaceID}})
	cookie := cookieOf(t, entered)
	next := socket(t, c.there, http.Header{"Cookie": {cookie}, "Origin": {api.BaseURL}}, "", everything)
	require.Contains(t, next(), `"videos":{"changed":[],"gone":[]}`)

	g := as(t, c.here, cookie, `mutation ($id: ID!) { switchWorkspace(id: $id) { __typename } }`, map[string]any{"id": elsewhere.WorkspaceID})
	require.Empty(t, g.Errors, g.Body)

	mark := c.mark()
	_, id, _ := strings.Cut(mark, "changed ")
	last := next()
	require.NotContains(t, last, id)
	require.Contains(t, last, `"code":"unauthorized"`)
}

// commentsUpdated tells what happens to the comments of one video to those who may read it.
func TestCommentsUpdated(t *testing.T) {
	t.Parallel()

	c := newCompany(t)
	v := testkit.NewVideo(t, c.here.Store, c.creator, testkit.VideoOpts{})
	another := testkit.NewVideo(t, c.here.Store, c.creator, testkit.VideoOpts{})
	document := `subscription { commentsUpdated(videoId: "` + v.ID + `") { changed { body replyToId editedAt resolvedBy } gone } }`
	add := func(video, in string) string {
		return c.ask(c.creator, `mutation { addComment(videoId: "`+video+`", input: {`+in+`}) { comment { id } } }`, "addComment", "comment", "id")
	}

	first := add(v.ID, `body: "before"`)
	foreign := subscribe(t, c.there, c.stranger.Key, document)
	require.Contains(t, foreign.next(), `"code":"not_found"`)

	creator, reader := subscribe(t, c.there, c.creator.Key, document), subscribe(t, c.there, c.other.Key, document)
	for _, s := range []stream{creator, reader} {
		require.Contains(t, s.next(), `{"changed":[],"gone":[]}`)
	}

	add(another.ID, `body: "elsewhere"`)

	reply := add(v.ID, `body: "answer", replyToId: "`+first+`"`)
	require.Contains(t, reader.next(), `{"changed":[{"body":"answer","replyToId":"`+first+`","editedAt":null,"resolvedBy":null}],"gone":[]}`)

	c.ask(c.creator, `mutation { updateComment(id: "`+reply+`", input: {body: "better answer"}) { comment { id } } }`)
	require.Regexp(t, `{"changed":\[{"body":"better answer","replyToId":"`+first+`","editedAt":"[^"]+","resolvedBy":null}\],"gone":\[\]}`, reader.next())

	c.ask(c.creator, `mutation { resolveComment(id: "`+first+`", input: {}) { comment { id } } }`)
	require.Contains(t, reader.next(), `{"changed":[{"body":"before","replyToId":null,"editedAt":null,"resolvedBy":"Someone"}],"gone":[]}`)

	c.ask(c.creator, `mutation { deleteComment(id: "`+first+`") { deletedId } }`)

	gone := reader.next()
	require.Contains(t, gone, `"changed":[]`)
	require.Contains(t, gone, first)
	require.Contains(t, gone, reply, "replies go with their comment")

	c.ask(c.creator, `mutation { updateVideo(id: "`+v.ID+`", input: {visibility: PERSONAL}) { video { id } } }`)
	require.Empty(t, reader.next(), "a stream of a video that is no longer readable ends")

	add(v.ID, `body: "alone"`)

	for last := ""; !strings.Contains(last, "alone"); {
		last = creator.next()
		require.NotContains(t, last, "elsewhere")
	}
}

// sourceUpdated tells of changes of a source to those who may know of it.
func TestSourceUpdated(t *testing.T) {
	t.Parallel()

	c := newCompany(t)
	source := testkit.NewSource(t, c.here.Store, c.creator, testkit.SourceOpts{HasAudio: true})
	v := c.ask(c.creator, `mutation { createVideo(input: {sourceId: "`+source.ID+`"}) { video { id } } }`, "createVideo", "video", "id")
	document := `subscription { sourceUpdated(id: "` + source.ID + `") { name } }`
	rename := func(name string) {
		c.ask(c.creator, `mutation { updateSource(id: "`+source.ID+`", input: {name: "`+name+`"}) { source { id } } }`)
	}

	require.Contains(t, subscribe(t, c.there, c.stranger.Key, document).next(), `"code":"not_found"`)

	owner, reader := subscribe(t, c.there, c.creator.Key, document), subscribe(t, c.there, c.other.Key, document)
	for _, s := range []stream{owner, reader} {
		require.Contains(t, s.next(), `"name":"`+source.Name+`"`)
	}

	rename("first")

	for _, s := range []stream{owner, reader} {
		require.Contains(t, s.next(), `"name":"first"`)
	}

	c.ask(c.creator, `mutation { updateVideo(id: "`+v+`", input: {visibility: PERSONAL}) { video { id } } }`)
	require.Empty(t, reader.next(), "it was known only from the video")

	rename("second")
	require.Contains(t, owner.next(), `"name":"second"`)

	c.ask(c.creator, `mutation { deleteVideo(id: "`+v+`") { deletedId } }`)
	c.ask(c.creator, `mutation { deleteSource(id: "`+source.ID+`") { deletedId } }`)
	require.Empty(t, owner.next(), "it is deleted")
}

// The triggers of the change log follow the rules of package access, for every standing of a member.
func TestChangeLogKnowsWhoCouldRead(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	creator := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	in := creator.WorkspaceID

	type standing struct {
		testkit.Member

		invited values.CollaboratorRole
	}

	var people []standing

	for _, role := range []auth.Role{auth.RoleOwner, auth.RoleAdmin, auth.RoleMember, auth.RoleViewer} {
		for _, invited := range []values.CollaboratorRole{"", values.CollaboratorRoleEditor, values.CollaboratorRoleViewer} {
			people = append(people, standing{testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: in, Role: role}), invited})
		}
	}

	for _, visibility := range []values.Visibility{values.VisibilityOrg, values.VisibilityPersonal} {
		for downloads := range 4 {
			settings := values.DefaultVideoSettings()
			settings.DownloadsEnabled, settings.RawDownloadsEnabled = downloads&1 == 1, downloads&2 == 2
			v := testkit.NewVideo(t, s.Store, creator, testkit.VideoOpts{Visibility: visibility, Settings: &settings})

			creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
				for _, p := range people {
					if p.invited != "" {
						db.Collaborator.Create().SetVideo(v).SetUserID(p.UserID).SetRole(p.invited).ExecX(ctx)
					}
				}
			})

			for _, p := range append(people, standing{creator, ""}) {
				var reads, raw, others bool

				require.NoError(t, s.Store.DB.QueryRow(`
					SELECT coalesce(video_readers(v) ? $2, true), coalesce(export_readers(v, true) ? $2, true), coalesce(export_readers(v, false) ? $2, true)
					FROM (SELECT to_jsonb(videos) AS v FROM videos WHERE id = $1) row`, v.ID, p.UserID).Scan(&reads, &raw, &others))

				require.NoError(t, s.Store.InTx(p.Context(), func(ctx context.Context) error {
					_, err := s.Resolver.Services.Listing.Rights().ReadableVideo(ctx, v.ID, selection.Tree{})
					require.Equal(t, err == nil, reads, "%s %v", visibility, p)

					for isRaw, may := range map[bool]bool{true: raw, false: others} {
						want, err := s.Resolver.Services.Listing.Rights().MayExport(ctx, v, isRaw)
						require.NoError(t, err)
						require.Equal(t, want && reads, may, "%s downloads %d raw %v %v", visibility, downloads, isRaw, p)
					}

					return nil
				}))
			}
		}
	}
}
