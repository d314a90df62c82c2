package exhaustive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/openapi"
	"github.com/reelgraph/reelgraph/rest/operations"
	"github.com/reelgraph/reelgraph/rest/router"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// class says who may call an operation: the expected status for each actor, in order. 0 means success, which is 200 or
// the status in others.
type class [6]int

// asking are the actors: one member of each role, a collaborator who edits the video, and the creator of everything.
var asking = []string{"viewer", "member", "editor", "creator", "admin", "owner"}

var (
	everybody = class{0, 0, 0, 0, 0, 0}           // reads of what the caller can see
	makers    = class{403, 0, 0, 0, 0, 0}         // everyone except viewers
	editors   = class{403, 403, 0, 0, 0, 0}       // who may edit the video, or read it while downloads are enabled
	rulers    = class{403, 403, 403, 0, 0, 0}     // its creator, and the workspace's owners and admins
	itself    = class{403, 403, 403, 0, 403, 403} // only its creator
	secretly  = class{404, 404, 404, 0, 404, 404} // only its creator; it is invisible to others
)

// classes maps the words after "Access:" in operations/ to a class.
var classes = map[string]class{
	"readers": everybody, "members": makers, "editors": editors, "exporters": editors, "users": editors,
	"managers": rulers, "creator": itself, "hidden": secretly,
}

// others are the statuses of operations that fail for everyone here: a source is in use, or there is no recording to
// compute pictures and sound from, and none with a pointer track.
var others = map[string]int{
	"deleteSource": 409, // a video uses it
	"autoCrop":     501, "getVideoThumbnail": 501, "getClipThumbnail": 501, "getClipSourceThumbnail": 501, "getVideoStoryboard": 501,
	"getClipStoryboard": 501, "getSourceStoryboard": 501, "getSourceWaveform": 501, "listSilences": 501, "removeSilences": 501, "autoZooms": 400,
}

func classOf(t *testing.T, o *openapi.Operation) class {
	t.Helper()

	_, sections := operations.Read()
	known, found := classes[sections[o.OperationID].Access]
	require.True(t, found, "operations/ does not say who may call %s", o.OperationID)

	return known
}

// Every operation, called by every kind of actor with ids that exist. Without a key everything is refused, another
// workspace sees nothing, and the rest follows the class. The requests are the examples of the description.
func TestEveryOperationByEverybody(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	doc := rest.Describe(api.BaseURL)

	for operation := range others {
		require.True(t, slices.ContainsFunc(rest.Routes(), func(r router.Route[rest.Graph]) bool { return r.Operation == operation }), operation)
	}

	for _, path := range doc.Paths {
		for _, method := range path.Value {
			o, verb := method.Value, strings.ToUpper(method.Name)
			expected := classOf(t, o)

			if verb != http.MethodGet { // secret things are 404
				require.Contains(t, []int{http.StatusForbidden, http.StatusNotFound}, expected[0], "%s: a viewer must not create or change anything", o.OperationID)
			}

			t.Run(o.OperationID, func(t *testing.T) {
				t.Parallel()

				who := gather(t, s, doc)
				body, kind := exampleOf(t, o)
				target := who.in(t, path.Name)
				ask := func(m testkit.Member, key string) api.Answer {
					return s.Call(t, key, verb, target+who.query(o), who.own(t, m, o.OperationID, body), "Content-Type", kind)
				}

				a := ask(who.stranger, "")
				require.Equal(t, http.StatusUnauthorized, a.Status, a.Body)

				if strings.Contains(path.Name, "{") {
					a = ask(who.stranger, who.stranger.Key)
					require.Equal(t, http.StatusNotFound, a.Status, "another workspace\n%s", a.Body)
				} else if verb == http.MethodGet {
					a = ask(who.stranger, who.stranger.Key)
					require.Equal(t, http.StatusOK, a.Status, a.Body)

					for _, id := range []string{who.video.ID, who.source.ID, who.tag, who.creator.UserID, who.creator.WorkspaceID} {
						require.NotContains(t, a.Body, id, "another workspace")
					}
				}

				for i, m := range []testkit.Member{who.viewer, who.member, who.editor, who.creator, who.admin, who.owner} {
					a := ask(m, m.Key)
					where := asking[i] + " " + target + "\n" + body + "\n" + a.Body

					if expected[i] != 0 {
						require.Equal(t, expected[i], a.Status, where)

						continue
					}

					done := http.StatusOK
					if other, is := others[o.OperationID]; is {
						done = other
					}

					require.Equal(t, done, a.Status, where)

					if verb == http.MethodDelete && a.Status == http.StatusOK {
						target = who.in(t, path.Name) // so that the next actor finds it
					}
				}
			})
		}
	}
}

// people are the actors and the video they ask about.
type people struct {
	api *api.Server
	doc *openapi.Document

	stranger, viewer, member, editor, creator, admin, owner testkit.Member

	video  *ent.Video
	source *ent.Source
	tag    string
}

func gather(t *testing.T, s *api.Server, doc *openapi.Document) *people {
	t.Helper()

	p := &people{api: s, doc: doc, stranger: testkit.NewMember(t, s.Store, testkit.MemberOpts{})}
	p.owner = testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	join := func(role auth.Role) testkit.Member {
		return testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: p.owner.WorkspaceID, Role: role})
	}
	p.viewer, p.member, p.editor, p.creator = join(auth.RoleViewer), join(auth.RoleMember), join(auth.RoleMember), join(auth.RoleMember)
	p.admin = join(auth.RoleAdmin)
	p.creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		p.tag = db.Tag.Create().SetUserID(p.creator.UserID).SetName("x").SetNameKey("x").SetColor("#000000FF").
			SetScope(values.TagScopeWorkspace).SaveX(ctx).ID
	})
	p.film(t)

	return p
}

// film creates the video from a recording with sound, with a transcript of twenty words.
func (p *people) film(t *testing.T) {
	t.Helper()

	p.source = testkit.NewSource(t, p.api.Store, p.creator, testkit.SourceOpts{HasAudio: true})
	p.video = testkit.NewVideo(t, p.api.Store, p.creator, testkit.VideoOpts{Visibility: values.VisibilityOrg, Source: p.source})
	p.creator.Do(t, p.api.Store, func(ctx context.Context, db *ent.Client) {
		db.Collaborator.Create().SetVideoID(p.video.ID).SetUserID(p.editor.UserID).SetRole(values.CollaboratorRoleEditor).ExecX(ctx)

		clip := p.video.Edges.Clips[0]
		db.Clip.UpdateOne(clip).SetTranscriptStatus(values.TranscriptStatusReady).ExecX(ctx)

		words := make([]transcripts.Word, 20)
		for i := range words {
			at := int64(100 * i)
			words[i] = transcripts.Word{Text: "word", StartMs: at, EndMs: at + 80}
		}

		testkit.Words(ctx, db, clip, words...)
	})
}

// in returns the path with ids that exist, which the creator makes if needed.
func (p *people) in(t *testing.T, path string) string {
	t.Helper()

	at, known := "", ""

	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if !strings.HasPrefix(segment, "{") {
			at, known = at+"/"+segment, known+"/"+segment

			continue
		}

		id := p.video.Edges.Clips[0].ID
		if segment != "{clipId}" || strings.HasSuffix(path, segment) { // a new one, which may be deleted
			id = p.thing(t, at, known, segment)
		}

		at, known = at+"/"+id, known+"/"+segment
	}

	return at
}

// thing returns the id of an item of a collection. at is the address of the collection and known its path in the table.
func (p *people) thing(t *testing.T, at, known, segment string) string {
	t.Helper()

	switch segment {
	case "{sourceId}":
		return p.source.ID
	case "{id}":
		switch known {
		case "/v1/videos":
			p.film(t)

			return p.video.ID
		case "/v1/webhooks/messages":
			hook := "/v1/webhooks/endpoints"
			at, known = hook+"/"+p.thing(t, hook, hook, "{id}")+"/test", hook+"/{id}/test"
		}
	}

	made := p.make(t, at, known)

	switch segment {
	case "{tagId}":
		return p.tag
	case "{videoId}":
		return p.video.ID
	case "{userId}":
		return made["userId"].(string)
	case "{exportId}":
		return made["exportId"].(string)
	default:
		return made["id"].(string)
	}
}

// shared are fields that make what is created visible to others.
var shared = map[string]map[string]any{
	"/v1/playlists": {"visibility": "org"}, "/v1/playlist-groups": {"visibility": "org"}, "/v1/library": {"scope": "workspace"},
}

// make creates an item as the creator, from the example of its collection, and returns it.
func (p *people) make(t *testing.T, at, known string) map[string]any {
	t.Helper()

	o := p.doc.Paths.Get(known).Get("post")
	text, _ := exampleOf(t, o)

	var body map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &body))
	maps.Copy(body, shared[known])

	changed, err := json.Marshal(body)
	require.NoError(t, err)

	a := p.api.Call(t, p.creator.Key, http.MethodPost, at, p.own(t, p.creator, o.OperationID, string(changed)))
	require.Equal(t, http.StatusOK, a.Status, "%s\n%s\n%s", at, changed, a.Body)

	var made map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Body), &made))

	for _, value := range made {
		if inner, wrapped := value.(map[string]any); wrapped && len(made) == 1 {
			return inner
		}
	}

	return made
}

// query returns the required query parameters.
func (*people) query(o *openapi.Operation) string {
	query := url.Values{}

	for _, parameter := range o.Parameters {
		if parameter.In == "query" && parameter.Required {
			query.Set(parameter.Name, parameter.Example.(string))
		}
	}

	return "?" + query.Encode()
}

// own replaces ids in a body with ones that the caller may use.
func (p *people) own(t *testing.T, m testkit.Member, operation, body string) string {
	t.Helper()

	const tail = "_01jz8x3mpv0000000000000000"

	if operation == "createTag" {
		body = fmt.Sprintf(`{"name":%q}`, ids.New(ids.Tag)) // a unique name
	}

	if strings.Contains(body, "su"+tail) {
		made := testkit.SourceOpts{}
		if operation == "addSoundEffect" || operation == "setBackgroundMusic" {
			made = testkit.SourceOpts{Kind: values.SourceKindAudio, HasAudio: true}
		}

		body = strings.ReplaceAll(body, "su"+tail, testkit.NewSource(t, p.api.Store, m, made).ID)
	}

	return strings.NewReplacer(
		"cl"+tail, p.video.Edges.Clips[0].ID, "tag"+tail, p.tag, "usr"+tail, p.member.UserID, "vid"+tail, p.video.ID,
		"ada@example.com", p.member.Email,
	).Replace(body)
}

func exampleOf(t *testing.T, o *openapi.Operation) (body, kind string) {
	t.Helper()

	if o.RequestBody == nil {
		return "", "application/json"
	}

	first := o.RequestBody.Content[0]
	if text, isText := first.Value.Example.(string); isText {
		return text, first.Name
	}

	text, err := json.Marshal(first.Value.Example)
	require.NoError(t, err)

	return string(text), first.Name
}
