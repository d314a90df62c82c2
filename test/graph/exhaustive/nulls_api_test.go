package exhaustive_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/exec"
	"github.com/reelgraph/reelgraph/graph/nulls"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Null is passed to every argument and every input field, as a literal and as a variable. It never causes a server
// error. A required value is refused by name. A value with a default gives the same answer as if it were absent.
func TestNullEverywhere(t *testing.T) {
	t.Parallel()

	log := &lines{}
	s := api.New(t, api.Options{Log: slog.New(slog.NewTextHandler(log, nil))})
	n := newNuller(t, s)

	for _, at := range n.fields() {
		for _, arg := range at.field.Arguments {
			n.argument(at, arg)

			if in := n.schema.Types[arg.Type.Name()]; in.Kind == ast.InputObject {
				n.input(at, arg, in, nil)
			}
		}
	}

	require.NotContains(t, log.String(), "panic")
	require.NotContains(t, log.String(), "server error")
	require.Greater(t, n.asked, 800, "too few documents were tested")
	t.Logf("%d documents with a null, %d of them refused for it by name", n.asked, n.refused)
}

// The schema's @nullClears agrees with the rules of the inputs.
func TestNullClearsMatchesRules(t *testing.T) {
	t.Parallel()

	schema, seen := graph.Schema(), 0
	mutations := reflect.TypeFor[exec.MutationResolver]()

	for _, f := range schema.Mutation.Fields {
		m, known := mutations.MethodByName(strings.ToUpper(f.Name[:1]) + strings.ReplaceAll(f.Name[1:], "ApiKey", "APIKey"))
		require.True(t, known, f.Name)

		for i, arg := range f.Arguments {
			def, given := schema.Types[arg.Type.Name()], m.Type.In(i+1)
			for given.Kind() == reflect.Pointer {
				given = given.Elem()
			}

			if def.Kind != ast.InputObject || !strings.HasPrefix(def.Name, "Update") {
				continue
			}

			for _, p := range input.ShapeOf(given).Properties {
				field := def.Fields.ForName(p.Name)
				require.NotNil(t, field, "%s.%s", def.Name, p.Name)
				require.Equal(t, p.Value.Rules.Nullable, field.Directives.ForName(nulls.Clears) != nil, "%s.%s", def.Name, p.Name)

				seen++
			}
		}
	}

	require.Greater(t, seen, 40)
}

// Null clears a field and leaving it out does not: as a literal, as a variable, or inside a variable.
func TestNullClearsAndAbsentDoesNot(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	made := s.Ask(t, m.Key, `mutation { createPlaylist(input: {name: "a", emoji: "🎬", visibility: null}) { playlist { id } } }`, nil)
	require.Empty(t, made.Errors, made.Body)

	id := api.Dig(made.Data, "createPlaylist", "playlist", "id")

	for _, c := range []struct {
		way       string
		document  string
		variables map[string]any
		cleared   bool
	}{
		{"literal", `mutation ($id: ID!) { updatePlaylist(id: $id, input: {name: "b", emoji: null}) { playlist { emoji name } } }`, nil, true},
		{"literal absent", `mutation ($id: ID!) { updatePlaylist(id: $id, input: {name: "b", description: null}) { playlist { emoji name } } }`, nil, false},
		{
			"variable in the literal", `mutation ($id: ID!, $e: String) { updatePlaylist(id: $id, input: {name: "b", emoji: $e}) { playlist { emoji name } } }`,
			map[string]any{"e": nil},
			true,
		},
		{
			"variable not given", `mutation ($id: ID!, $e: String) { updatePlaylist(id: $id, input: {name: "b", emoji: $e}) { playlist { emoji name } } }`,
			nil, false,
		},
		{
			"one variable in two places", `mutation ($id: ID!, $e: String) { updatePlaylist(id: $id, input: {name: "b", emoji: $e, description: $e}) { playlist { emoji name } } }`,
			map[string]any{"e": nil},
			true,
		},
		{
			"a default that null overrules", `mutation ($id: ID!, $e: String = "🎉", $d: String = "described") {
				updatePlaylist(id: $id, input: {name: "b", emoji: $e, description: $d}) { playlist { emoji name } } }`,
			map[string]any{"e": nil, "d": nil},
			true,
		},
		{
			"within a variable", `mutation ($id: ID!, $in: UpdatePlaylistInput!) { updatePlaylist(id: $id, input: $in) { playlist { emoji name } } }`,
			map[string]any{"in": map[string]any{"name": "b", "emoji": nil, "description": nil}},
			true,
		},
		{
			"not in the variable", `mutation ($id: ID!, $in: UpdatePlaylistInput!) { updatePlaylist(id: $id, input: $in) { playlist { emoji name } } }`,
			map[string]any{"in": map[string]any{"name": "b", "position": nil, "linkScope": nil}},
			false,
		},
	} {
		given := map[string]any{"id": id}
		maps.Copy(given, c.variables)

		back := s.Ask(t, m.Key, `mutation ($id: ID!) { updatePlaylist(id: $id, input: {emoji: "🎬", description: "d"}) { playlist { emoji } } }`, map[string]any{"id": id})
		require.Empty(t, back.Errors, back.Body)

		g := s.Ask(t, m.Key, c.document, given)
		require.Empty(t, g.Errors, "%s: %s", c.way, g.Body)
		require.Equal(t, "b", api.Dig(g.Data, "updatePlaylist", "playlist", "name"), c.way)
		require.Equal(t, c.cleared, api.Dig(g.Data, "updatePlaylist", "playlist", "emoji") == nil, "%s: %s", c.way, g.Body)

		now := s.Ask(t, m.Key, `query ($id: ID!) { playlist(id: $id) { description } }`, map[string]any{"id": id})
		require.Equal(t, "d", api.Dig(now.Data, "playlist", "description"), "%s: null does not clear a description", c.way)
	}
}

// lines collects log lines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.text.String()
}

// nuller sends nulls.
type nuller struct {
	*testing.T

	s      *api.Server
	key    string
	schema *ast.Schema
	known  map[string]any // ids by argument name, optionally with the field's name

	asked, refused int
}

func newNuller(t *testing.T, s *api.Server) *nuller {
	t.Helper()

	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	source := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{HasAudio: true})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	clip := v.Edges.Clips[0].ID
	n := &nuller{T: t, s: s, key: m.Key, schema: graph.Schema()}

	n.known = map[string]any{
		"videoId": v.ID, "clipId": clip, "clipIds": []any{clip}, "sourceId": source.ID, "userId": m.UserID, "query": "video",
		"video.id": v.ID, "clip.id": clip, "node.id": v.ID, "source.id": source.ID, "updateVideo.id": v.ID, "duplicateVideo.id": v.ID,
		"updateClip.id": clip, "cutClip.id": clip, "reorderClip.id": clip, "duplicateClip.id": clip, "cutClipByTranscript.id": clip,
		"email": "somebody@example.test", "timezone": "UTC", "startDate": "2026-01-01", "endDate": "2026-01-02",
	}

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		for range 3 {
			list := db.Playlist.Create().SetUserID(m.UserID).SetName("P").SetVisibility(values.VisibilityPersonal).SaveX(ctx)
			tag := db.Tag.Create().SetUserID(m.UserID).SetName("T" + list.ID).SetNameKey("t" + list.ID).SetColor("#112233FF").SetScope(values.TagScopeWorkspace).SaveX(ctx)
			db.PlaylistVideo.Create().SetPlaylist(list).SetVideo(v).SetPosition(0).ExecX(ctx)
			db.VideoTag.Create().SetVideo(v).SetTag(tag).ExecX(ctx)
			testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})

			n.known["playlistId"], n.known["playlist.id"], n.known["updatePlaylist.id"] = list.ID, list.ID, list.ID
			n.known["tagId"], n.known["updateTag.id"] = tag.ID, tag.ID
		}
	})

	hook := s.Ask(t, m.Key, `mutation { createWebhookEndpoint(input: {url: "https://hooks.example/", filterTypes: [VIDEO_CREATED]}) { endpoint { id } } }`, nil)
	require.Empty(t, hook.Errors, hook.Body)

	for _, name := range []string{"endpointId", "webhookEndpoint.id", "updateWebhookEndpoint.id", "testWebhookEndpoint.id"} {
		n.known[name] = api.Dig(hook.Data, "createWebhookEndpoint", "endpoint", "id")
	}

	return n
}

// nullable is a field of the graph and the way to it.
type nullable struct {
	operation   string // query, mutation or subscription
	open, close string
	of          *ast.Definition
	field       *ast.FieldDefinition
}

// fields returns all fields with arguments, each with a shortest way to it.
func (n *nuller) fields() (all []nullable) {
	type step struct {
		of          *ast.Definition
		open, close string
	}

	for operation, root := range map[string]*ast.Definition{"query": n.schema.Query, "mutation": n.schema.Mutation, "subscription": n.schema.Subscription} {
		seen := map[string]bool{root.Name: true}

		for next := []step{{root, "{ ", " }"}}; len(next) > 0; next = next[1:] {
			at := next[0]

			for _, f := range at.of.Fields {
				if strings.HasPrefix(f.Name, "__") {
					continue
				}

				if len(f.Arguments) > 0 {
					all = append(all, nullable{operation, at.open, at.close, at.of, f})
				}

				to := n.schema.Types[f.Type.Name()]
				if operation != "query" || f.Name == "node" || to.Kind != ast.Object || seen[to.Name] {
					continue
				}

				seen[to.Name] = true
				next = append(next, step{to, at.open + f.Name + n.arguments(f, "", "") + " { ", " }" + at.close})
			}
		}
	}

	slices.SortStableFunc(all, func(a, b nullable) int { return strings.Compare(a.operation, b.operation) }) // mutations first

	return all
}

// arguments returns the required arguments of a field, with another value for the named one.
func (n *nuller) arguments(f *ast.FieldDefinition, name, value string) string {
	var given []string

	for _, a := range f.Arguments {
		switch {
		case a.Name == name:
			given = append(given, a.Name+": "+value)
		case !nulls.Optional(a.Type, a.DefaultValue):
			given = append(given, a.Name+": "+n.literal(n.value(a.Type, f.Name, a.Name)))
		}
	}

	if given == nil {
		return ""
	}

	return "(" + strings.Join(given, ", ") + ")"
}

// word is an enum value, which has no quotes in a literal.
type word string

// value returns an example value of a type.
func (n *nuller) value(t *ast.Type, field, name string) any {
	for _, at := range []string{field + "." + name, name} {
		if known, is := n.known[at]; is {
			return known
		}
	}

	if t.Elem != nil {
		return []any{n.value(t.Elem, field, name)}
	}

	switch def := n.schema.Types[t.NamedType]; def.Kind {
	case ast.Enum:
		return word(def.EnumValues[0].Name)
	case ast.InputObject:
		return n.object(def)
	default:
		return map[string]any{
			"Boolean": true, "Color": "#112233", "DateTime": "2027-01-01T00:00:00.000Z", "Float": 1, "ID": "vid_01hzzzzzzzzzzzzzzzzzzzzzzz", "Int": 1,
			"JSON": "x", "SafeInt": 300, "String": "x", "URL": "https://example.test/",
		}[t.NamedType]
	}
}

// object returns an input with its required fields, or with its first field if none is required.
func (n *nuller) object(def *ast.Definition) map[string]any {
	out := map[string]any{}

	for _, f := range def.Fields {
		if !nulls.Optional(f.Type, f.DefaultValue) {
			out[f.Name] = n.value(f.Type, def.Name, f.Name)
		}
	}

	if first := def.Fields[0]; len(out) == 0 {
		out[first.Name] = n.value(first.Type, def.Name, first.Name)
	}

	return out
}

// literal prints a value as a GraphQL literal.
func (n *nuller) literal(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case word:
		return string(v)
	case string:
		return fmt.Sprintf("%q", v)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = n.literal(item)
		}

		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, name+": "+n.literal(v[name]))
		}

		return "{" + strings.Join(fields, ", ") + "}"
	default:
		return fmt.Sprint(v)
	}
}

// selection selects one field of a type.
func (n *nuller) selection(t *ast.Type) string {
	switch def := n.schema.Types[t.Name()]; {
	case def.IsLeafType():
		return ""
	case def.Fields.ForName("pageInfo") != nil:
		return " { nodes { __typename } pageInfo { hasNextPage } }"
	default:
		return " { __typename }"
	}
}

// argument passes null to an argument.
func (n *nuller) argument(at nullable, arg *ast.ArgumentDefinition) {
	what := at.of.Name + "." + at.field.Name + "(" + arg.Name + ":)"
	document := func(declared, value string) string {
		return at.operation + declared + at.open + at.field.Name + n.arguments(at.field, arg.Name, value) + n.selection(at.field.Type) + at.close
	}
	required := !nulls.Optional(arg.Type, arg.DefaultValue)

	written := n.ask(what, document(" ", "null"), nil, required, arg.Name)
	variable := n.ask(what, document(" ($v: "+arg.Type.String()+") ", "$v"), map[string]any{"v": nil}, required, "variables.v")

	if required || at.operation != "query" {
		return
	}

	if arg.DefaultValue == nil {
		return
	}

	fallback := arg.DefaultValue.String()
	overruled := document(" ($v: "+arg.Type.String()+" = "+fallback+") ", "$v") // overridden by the null
	n.same(what, n.ask(what, document(" ", fallback), nil, false, ""), written, variable,
		n.ask(what, overruled, map[string]any{"v": nil}, false, ""))
}

// same checks that answers to equal requests are equal.
func (n *nuller) same(what string, answers ...api.Graph) {
	for _, a := range answers[1:] {
		require.Len(n, a.Errors, len(answers[0].Errors), "%s: %s\n%s", what, answers[0].Body, a.Body)

		if strings.Contains(answers[0].Body, `"nodes"`) {
			require.Equal(n, answers[0].Data, a.Data, what)
		}
	}
}

// input passes null to every field of an input argument, including nested inputs.
func (n *nuller) input(at nullable, arg *ast.ArgumentDefinition, in *ast.Definition, within []*ast.FieldDefinition) {
	const deepest = 4

	for _, f := range in.Fields {
		way := append(slices.Clone(within), f)
		names := []string{at.of.Name + "." + at.field.Name + "(" + arg.Name + ":)"}

		for _, one := range way {
			names = append(names, one.Name)
		}

		what := strings.Join(names, ".")

		required, name := !nulls.Optional(f.Type, f.DefaultValue), f.Name

		if isOneOf(in) {
			required, name = true, "exactly one"
		}

		given := n.nulled(n.schema.Types[arg.Type.Name()], way)

		document := func(declared, value string) string {
			return at.operation + declared + at.open + at.field.Name + n.arguments(at.field, arg.Name, value) + n.selection(at.field.Type) + at.close
		}

		n.ask(what, document(" ", n.literal(given)), nil, required, name)
		n.ask(what, document(" ($v: "+arg.Type.String()+") ", "$v"), map[string]any{"v": given}, required, name)

		if below := n.schema.Types[f.Type.Name()]; below.Kind == ast.InputObject && len(way) < deepest && f.Type.Elem == nil {
			n.input(at, arg, below, way)
		}
	}
}

func isOneOf(def *ast.Definition) bool { return def.Directives.ForName("oneOf") != nil }

// nulled returns an input with null at the end of a path.
func (n *nuller) nulled(in *ast.Definition, way []*ast.FieldDefinition) map[string]any {
	out := n.object(in)
	if isOneOf(in) {
		out = map[string]any{}
	}

	out[way[0].Name] = nil
	if len(way) > 1 {
		out[way[0].Name] = n.nulled(n.schema.Types[way[0].Type.Name()], way[1:])
	}

	return out
}

// ask checks that a document with a null causes no server error, and is refused by name if the value is required.
func (n *nuller) ask(what, document string, variables map[string]any, required bool, name string) api.Graph {
	n.asked++

	g := n.s.Ask(n, n.key, document, variables)
	require.NotContains(n, g.Body, "server_error", "%s: %s", what, document)
	require.NotContains(n, g.Body, `"nodes":[],"pageInfo":{"hasNextPage":true}`, "%s: %s", what, document)

	if required {
		n.refused++
		require.Equal(n, "bad_request", g.Code(), "%s: %s: %s", what, document, g.Body)
		require.Contains(n, g.Body, name, "%s: %s", what, document)
	}

	require.NotContains(n, g.Body, "must not be null\"", "%s: %s", what, document)

	return g
}
