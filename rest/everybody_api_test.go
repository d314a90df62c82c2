package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/testkit"
	"github.com/reelgraph/reelgraph/internal/testkit/api"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/openapi"
)

// class is whom an operation is for: the status of a viewer, a member, a collaborator who edits, and the
// video's creator. 0 is any answer that does not refuse the caller; what it is depends on the state.
type class [4]int

var (
	everybody = class{0, 0, 0, 0}       // reads of what one may see
	makers    = class{403, 0, 0, 0}     // whoever is more than a viewer
	editors   = class{403, 403, 0, 0}   // whoever may edit the video, or read it while it may be downloaded
	rulers    = class{403, 403, 403, 0} // its creator, and the workspace's owners and admins
)

// classes are those of operations that their path does not tell: reads are for everybody, and what else
// is below a video is for its editors.
var classes = map[string]class{
	"createVideo": makers, "createSource": makers, "createPlaylist": makers, "createPlaylistGroup": makers, "createTag": makers,
	"createWebhookEndpoint": makers,
	"addLibraryItem":        everybody, // to one's own; only the workspace's scope needs more than a viewer
	"deleteVideo":           rulers, "addCollaborator": rulers, "listExports": editors,
}

func classOf(t *testing.T, o *openapi.Operation, method, path string) class {
	t.Helper()

	known, found := classes[o.OperationID]

	switch {
	case found:
		return known
	case method == http.MethodGet:
		return everybody
	default:
		require.True(t, strings.HasPrefix(path, "/v1/videos/{id}") || strings.Contains(path, "{"), "whom is %s for?", o.OperationID)

		return editors
	}
}

// onlyOf are the things of a video that every video has: what is deeper is made by the other tests of rights.
var onlyOf = regexp.MustCompile(`^/v1/(videos/\{id\}(/clips/\{clipId\})?(/[a-z-]+)*|[a-z-]+(/[a-z-]+)*)$`)

var segment = regexp.MustCompile(`\{\w+\}`)

// Every operation of the table, asked for by people of every kind: without a key nothing is told, to another
// workspace nothing exists, and the rest is as its class says. The requests are the description's examples.
func TestEveryOperationByEverybody(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})

	for _, path := range rest.Describe(api.BaseURL).Paths {
		for _, method := range path.Value {
			o, verb := method.Value, strings.ToUpper(method.Name)
			expected := classOf(t, o, verb, path.Name)

			t.Run(o.OperationID, func(t *testing.T) {
				t.Parallel()

				who := gather(t, s)
				body, kind := exampleOf(t, o)
				ask := func(m testkit.Member, key string) api.Answer {
					target := segment.ReplaceAllString(who.in(path.Name), "unknown")

					return s.Call(t, key, verb, target+who.query(o), who.own(t, s, m, body), "Content-Type", kind)
				}

				a := ask(who.stranger, "")
				require.Equal(t, http.StatusUnauthorized, a.Status, a.Body)

				if strings.Contains(path.Name, "{") {
					a = ask(who.stranger, who.stranger.Key)
					require.Equal(t, http.StatusNotFound, a.Status, "another workspace\n%s", a.Body)
				}

				if !onlyOf.MatchString(path.Name) {
					return
				}

				for i, m := range []testkit.Member{who.viewer, who.member, who.editor, who.creator} {
					a := ask(m, m.Key)
					where := []string{"viewer", "member", "editor", "creator"}[i] + "\n" + body + "\n" + a.Body

					if expected[i] != 0 {
						require.Equal(t, expected[i], a.Status, where)
					} else {
						require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, a.Status, where)
					}
				}
			})
		}
	}
}

// people are those who ask, and the video they ask about.
type people struct {
	stranger, viewer, member, editor, creator testkit.Member

	video *ent.Video
	tag   string
}

func gather(t *testing.T, s *api.Server) *people {
	t.Helper()

	p := &people{stranger: testkit.NewMember(t, s.Store, testkit.MemberOpts{})}
	first := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	join := func(role auth.Role) testkit.Member {
		return testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: first.WorkspaceID, Role: role})
	}
	p.viewer, p.member, p.editor, p.creator = join(auth.RoleViewer), join(auth.RoleMember), join(auth.RoleMember), join(auth.RoleMember)
	p.video = testkit.NewVideo(t, s.Store, p.creator, testkit.VideoOpts{Visibility: domain.VisibilityOrg})

	p.creator.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		db.Collaborator.Create().SetVideoID(p.video.ID).SetUserID(p.editor.UserID).SetRole(domain.CollaboratorRoleEditor).ExecX(ctx)
		p.tag = db.Tag.Create().SetUserID(p.creator.UserID).SetName("x").SetNameKey("x").SetColor("#000000FF").
			SetScope(domain.TagScopeWorkspace).SaveX(ctx).ID
	})

	return p
}

// in is a path with the video and its clip in it.
func (p *people) in(path string) string {
	if !strings.HasPrefix(path, "/v1/videos/") {
		return path
	}

	return strings.NewReplacer("{id}", p.video.ID, "{clipId}", p.video.Edges.Clips[0].ID).Replace(path)
}

// query has what is required.
func (*people) query(o *openapi.Operation) string {
	query := url.Values{}

	for _, parameter := range o.Parameters {
		if parameter.In == "query" && parameter.Required {
			query.Set(parameter.Name, parameter.Example.(string))
		}
	}

	return "?" + query.Encode()
}

// own has a body speak of things that the caller may use.
func (p *people) own(t *testing.T, s *api.Server, m testkit.Member, body string) string {
	t.Helper()

	const tail = "_01jz8x3mpv0000000000000000"

	return strings.NewReplacer(
		"su"+tail, testkit.NewSource(t, s.Store, m, testkit.SourceOpts{}).ID, "cl"+tail, p.video.Edges.Clips[0].ID,
		"tag"+tail, p.tag, "usr"+tail, p.member.UserID, "vid"+tail, p.video.ID,
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
