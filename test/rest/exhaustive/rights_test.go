package exhaustive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// actor is the caller, as far as rights depend on it.
type actor struct {
	name         string
	keyless      bool
	stranger     bool // from another workspace
	role         auth.Role
	creator      bool
	collaborator values.CollaboratorRole
}

func actors() []actor {
	return []actor{
		{name: "nobody", keyless: true},
		{name: "stranger", stranger: true, role: auth.RoleOwner},
		{name: "viewer", role: auth.RoleViewer},
		{name: "member", role: auth.RoleMember},
		{name: "admin", role: auth.RoleAdmin},
		{name: "owner", role: auth.RoleOwner},
		{name: "collaborator viewer", role: auth.RoleMember, collaborator: values.CollaboratorRoleViewer},
		{name: "collaborator editor", role: auth.RoleMember, collaborator: values.CollaboratorRoleEditor},
		{name: "collaborator admin", role: auth.RoleAdmin, collaborator: values.CollaboratorRoleViewer},
		{name: "viewer who collaborates", role: auth.RoleViewer, collaborator: values.CollaboratorRoleEditor},
		{name: "creator", role: auth.RoleMember, creator: true},
		{name: "creator who is a viewer now", role: auth.RoleViewer, creator: true},
	}
}

// state is what rights depend on in a video.
type state struct {
	visibility     values.Visibility
	downloads, raw bool
}

// The access rules of the contract, section 1.2.

func (a actor) reads(v state) bool {
	return !a.keyless && !a.stranger && (a.creator || a.collaborator != "" || v.visibility == values.VisibilityOrg)
}

func (a actor) creates() bool { return a.role != auth.RoleViewer }

func (a actor) rules() bool { return a.role == auth.RoleOwner || a.role == auth.RoleAdmin }

func (a actor) edits(v state) bool {
	return a.reads(v) && a.creates() && (a.creator || a.collaborator == values.CollaboratorRoleEditor || a.rules())
}

func (a actor) governs(v state) bool { return a.reads(v) && a.creates() && (a.creator || a.rules()) }

func (a actor) exports(v state, raw bool) bool {
	return a.edits(v) || a.reads(v) && v.downloads && (!raw || v.raw)
}

// uses decides about a source that the video uses and that somebody else uploaded.
func (a actor) uses(v state) bool { return a.edits(v) || a.reads(v) && v.downloads && v.raw }

// ask is one operation, in REST and in the graph, and the rules it obeys.
type ask struct {
	name           string
	method, target string // with names of a scene, such as $VIDEO
	body           string
	graph          string // likewise
	sends          string // the content type, if not JSON
	// unmade marks operations that this server cannot compute; allowed callers get that error.
	unmade bool
	// alone marks operations whose rights do not depend on downloads.
	alone bool
	// exists and may report whether the caller sees the thing and may do this to it. Nil means yes.
	exists, may func(a actor, v state) bool
}

func films(a actor, v state) bool    { return a.exports(v, false) }
func rawFiles(a actor, v state) bool { return a.exports(v, true) }
func never(actor, state) bool        { return false }

func creates(a actor, _ state) bool { return a.creates() }

// colleague sees what belongs to the workspace. rules decides about what a colleague created there.
func colleague(a actor, _ state) bool { return !a.stranger }
func rules(a actor, _ state) bool     { return a.rules() }

func (o ask) expected(a actor, v state) (int, fault.Code) {
	switch {
	case a.keyless:
		return http.StatusUnauthorized, fault.UnauthorizedCode
	case o.exists != nil && !o.exists(a, v):
		return http.StatusNotFound, fault.NotFoundCode
	case o.may != nil && !o.may(a, v):
		return http.StatusForbidden, fault.ForbiddenCode
	case o.unmade:
		return http.StatusNotImplemented, fault.NotImplementedCode
	default:
		return http.StatusOK, ""
	}
}

// Every operation obeys the access rules for every caller, in REST and the graph.
func TestRights(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	for _, visibility := range []values.Visibility{values.VisibilityOrg, values.VisibilityPersonal} {
		for _, v := range []state{{visibility, false, false}, {visibility, false, true}, {visibility, true, false}, {visibility, true, true}} {
			if race.Detector && v.downloads == (visibility == values.VisibilityOrg) {
				continue // half of the states
			}

			t.Run(fmt.Sprintf("%+v", v), func(t *testing.T) {
				t.Parallel()

				for _, a := range actors() {
					c := stage(t, s, a, v)

					for _, o := range slices.Concat(asks(), wordAsks(), effectAsks()) {
						if !o.alone || !v.downloads && !v.raw {
							c.play(o)
						}
					}
				}
			})
		}
	}
}

// scene is a video and a caller.
type scene struct {
	*testing.T
	*api.Server

	actor
	state

	key     string
	me      testkit.Member
	creator testkit.Member
	other   testkit.Member // a member whose things are neither the creator's nor the actor's
	names   map[string]string
}

func stage(t *testing.T, s *api.Server, a actor, v state) *scene {
	t.Helper()

	c := &scene{T: t, Server: s, actor: a, state: v, names: map[string]string{}}
	c.creator = testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	c.me = c.creator

	switch {
	case a.stranger:
		c.me = testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	case !a.keyless:
		c.me = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID, Role: a.role})
	}

	if a.creator {
		c.creator = c.me
	}

	if !a.keyless {
		c.key = c.me.Key
	}

	another := testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: c.creator.WorkspaceID})
	c.other = another
	source := testkit.NewSource(t, s.Store, another, testkit.SourceOpts{})
	made := c.video(source)
	endpoint := s.Call(t, another.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)

	c.names = map[string]string{
		"$VIDEO": made.ID, "$CLIP": made.Edges.Clips[0].ID, "$SOURCE": source.ID,
		"$BASE":   "fx" + strings.TrimPrefix(made.Edges.Clips[0].ID, "cl"),
		"$OWN":    testkit.NewSource(t, s.Store, c.me, testkit.SourceOpts{}).ID,
		"$UNUSED": testkit.NewSource(t, s.Store, another, testkit.SourceOpts{}).ID,
		"$SHARED": testkit.NewSource(t, s.Store, another, testkit.SourceOpts{}).ID,
		"$SEEN":   string(v.visibility), "$UPPER": strings.ToUpper(string(v.visibility)),
		"$ENDPOINT": strings.Split(endpoint.Body, `"`)[3],
	}
	c.names["$HOOK"], c.names["$SENT"] = c.hook(c.me)
	_, c.names["$MESSAGE"] = c.hook(another)
	c.names["$RAW"] = c.export(another, values.GranularityRaw)
	c.names["$FILM"] = c.export(another, values.GranularityStory)

	_, err := s.Store.DB.Exec(`UPDATE sources SET user_id = NULL WHERE id = $1`, c.names["$SHARED"])
	require.NoError(t, err)

	return c
}

// video creates a video of the scene's creator, with the scene's collaborators.
func (c *scene) video(source *ent.Source) *ent.Video {
	settings := values.DefaultVideoSettings()
	settings.DownloadsEnabled, settings.RawDownloadsEnabled = c.downloads, c.raw

	v := testkit.NewVideo(c.T, c.Store, c.creator, testkit.VideoOpts{Visibility: c.visibility, Settings: &settings, Source: source})

	if c.collaborator != "" {
		c.creator.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
			db.Collaborator.Create().SetVideoID(v.ID).SetUserID(c.me.UserID).SetRole(c.collaborator).ExecX(ctx)
		})
	}

	return v
}

// hook creates a webhook endpoint of that person, and a message sent to it.
func (c *scene) hook(of testkit.Member) (endpoint, message string) {
	of.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		made := db.WebhookEndpoint.Create().SetUserID(of.UserID).SetURL("https://hooks.example/").SetSecretSealed([]byte{}).SaveX(ctx)
		endpoint = made.ID

		sent, err := c.Resolver.Jobs.Send(ctx, event.Sample(values.EventTypeVideoCreated), made)
		require.NoError(c.T, err)

		message = sent.ID
	})

	return endpoint, message
}

// export creates an unfinished export requested by that person.
func (c *scene) export(by testkit.Member, granularity values.Granularity) string {
	var id string

	c.creator.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		id = db.Export.Create().SetVideoID(c.names["$VIDEO"]).SetUserID(by.UserID).SetGranularity(granularity).
			SetResolution(values.ResolutionP1080).SetFps(values.FPS30).SetSpeed(values.Speed1).SetSubtitles(false).SetRevision(0).
			SetPlan(json.RawMessage(`{}`)).SetPlanHash(ids.New(ids.Export)).SaveX(ctx).ID
	})

	return id
}

// spareClip adds a clip to the scene's video.
func (c *scene) spareClip() string {
	var id string

	c.creator.Do(c.T, c.Store, func(ctx context.Context, db *ent.Client) {
		id = db.Clip.Create().SetVideoID(c.names["$VIDEO"]).SetName("Spare").SetPosition(9).SetScreenSourceID(c.names["$SOURCE"]).
			SetRecordingMs(1000).SetDurationMs(1000).SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).
			SetTranscriptStatus(values.TranscriptStatusReady).SetBackground(values.DefaultBackground()).SaveX(ctx).ID
	})

	return id
}

// play calls the operation in both APIs, with separate items where a call uses them up.
func (c *scene) play(o ask) {
	c.Helper()

	status, code := o.expected(c.actor, c.state)
	where := fmt.Sprintf("%s: %s, %+v", o.name, c.name, c.state)

	var header []string
	if o.sends != "" {
		header = []string{"Content-Type", o.sends}
	}

	a := c.Call(c.T, c.key, o.method, c.fill(o.target), c.fill(o.body), header...)
	require.Equal(c.T, status, a.Status, "REST %s\n%s", where, a.Body)

	g := c.Ask(c.T, c.key, c.fill(o.graph), nil)
	require.Equal(c.T, string(code), g.Code(), "graph %s\n%s", where, g.Body)

	shown := []string{a.Body, g.Body}

	switch {
	case status != http.StatusOK:
	case o.name == "listVideos":
		for _, body := range shown {
			require.Equal(c.T, c.reads(c.state), strings.Contains(body, c.names["$VIDEO"]), where)
		}
	case o.name == "getVideo" || o.name == "listExports":
		for _, body := range shown {
			require.Equal(c.T, c.exports(c.state, false), strings.Contains(body, c.names["$FILM"]), "film, %s\n%s", where, body)
			require.Equal(c.T, c.exports(c.state, true), strings.Contains(body, c.names["$RAW"]), "raw, %s\n%s", where, body)
		}
	}
}

var placeholder = regexp.MustCompile(`\$[A-Z]+`)

// fill replaces names by ids, and recreates items that calls use up.
func (c *scene) fill(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(name string) string {
		switch name {
		case "$FILM":
			c.names[name] = c.export(c.other, values.GranularityStory)
		case "$MINE":
			c.names[name] = c.export(c.me, values.GranularityStory)
		case "$SPARE":
			c.names[name] = c.spareClip()
		case "$GOING":
			c.names[name] = testkit.NewSource(c.T, c.Store, c.me, testkit.SourceOpts{}).ID
		case "$DOOMED":
			c.names[name] = c.video(nil).ID
		case "$TAG", "$WORN", "$GROUP", "$LIST", "$PRIVATE", "$LEAVING", "$FULL", "$INVITED", "$EMAIL", "$NEW":
			c.names[name] = c.listed(name)
		}

		return c.names[name]
	})
}
