package exhaustive_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/graph/compiled"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// documents generates queries from the fields, aliases and fragments of the schema.
type documents struct {
	*rand.Rand

	schema    *ast.Schema
	known     map[string]string // arguments of root fields, by name
	fragments []string
	number    int
}

// next returns a document with one or two root fields.
func (d *documents) next() string {
	d.fragments, d.number = nil, 0

	var roots []*ast.FieldDefinition

	for _, f := range d.schema.Query.Fields {
		if _, is := d.arguments(f); is && !strings.HasPrefix(f.Name, "__") {
			roots = append(roots, f)
		}
	}

	var body strings.Builder

	for range 1 + d.IntN(2) {
		body.WriteString(d.field(roots[d.IntN(len(roots))], 5))
	}

	text := "{ " + body.String() + "} " + strings.Join(d.fragments, " ")

	var declared []string

	for name := range answers {
		if strings.Contains(text, "$"+name) {
			declared = append(declared, "$"+name+": Boolean!")
		}
	}

	if len(declared) > 0 {
		text = "(" + strings.Join(declared, ", ") + ") " + text
	}

	return "query " + text
}

// answers are the variables that documents use in directives.
var answers = map[string]any{"yes": true, "no": false}

// arguments returns arguments for a field, or false when it needs one that the test does not know.
func (d *documents) arguments(f *ast.FieldDefinition) (string, bool) {
	var given []string

	for _, a := range f.Arguments {
		value, is := d.known[f.Name+"."+a.Name]

		switch {
		case is:
			given = append(given, a.Name+": "+value)
		case a.Name == "first" && d.IntN(2) == 0:
			given = append(given, fmt.Sprint("first: ", 1+d.IntN(4)))
		case a.Name == "of" && d.IntN(4) > 0:
			sets := d.schema.Types[a.Type.Name()].EnumValues
			given = append(given, "of: "+sets[d.IntN(len(sets))].Name)
		case a.Type.NonNull && a.DefaultValue == nil:
			return "", false
		}
	}

	if len(given) == 0 {
		return "", true
	}

	return "(" + strings.Join(given, ", ") + ")", true
}

func (d *documents) field(f *ast.FieldDefinition, depth int) string {
	args, is := d.arguments(f)
	of := d.schema.Types[f.Type.Name()]

	if !is || depth == 0 && !of.IsLeafType() {
		return "__typename "
	}

	d.number++
	text := fmt.Sprintf("f%d: %s%s ", d.number, f.Name, args) // fields with the same name may have different arguments

	if of.IsLeafType() {
		return text
	}

	return text + "{ " + d.selection(of, depth-1) + "} "
}

func (d *documents) selection(of *ast.Definition, depth int) string {
	var text strings.Builder

	text.WriteString("__typename ")

	fields := slices.DeleteFunc(slices.Clone(of.Fields), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__") || f.Name == "secret" // secrets of test endpoints cannot be decrypted
	})

	for range 1 + d.IntN(6) {
		if len(fields) == 0 { // a union
			break
		}

		field := fields[d.IntN(len(fields))]
		one := d.field(field, depth)

		if d.IntN(6) == 0 {
			one += d.field(field, depth) // the same field with other fields selected
		}

		switch d.IntN(8) {
		case 0:
			d.number++
			d.fragments = append(d.fragments, fmt.Sprintf("fragment p%d on %s { %s}", d.number, of.Name, one))
			one = fmt.Sprintf("...p%d ", d.number)
		case 1:
			one = fmt.Sprintf("... on %s { %s} ", of.Name, one)
		case 2:
			if d.IntN(10) > 0 {
				break
			}

			condition := []string{"true", "false", "$yes", "$yes", "$no"}[d.IntN(5)]
			one = fmt.Sprintf("... @include(if: %s) { %s} ", condition, one)
		}

		text.WriteString(one)
	}

	return text.String()
}

// thinned returns a part of a selection set: some of its fields, with some of the fields below.
func (d *documents) thinned(set ast.SelectionSet) ast.SelectionSet {
	var (
		some   ast.SelectionSet
		always = d.IntN(max(len(set), 1))
	)

	for i, one := range set {
		if i != always && d.IntN(2) == 0 {
			continue
		}

		switch one := one.(type) {
		case *ast.Field:
			part := *one
			part.SelectionSet = d.thinned(one.SelectionSet)
			some = append(some, &part)
		case *ast.InlineFragment:
			part := *one
			part.SelectionSet = d.thinned(one.SelectionSet)
			some = append(some, &part)
		case *ast.FragmentSpread:
			some = append(some, &ast.InlineFragment{
				TypeCondition: one.Definition.TypeCondition, SelectionSet: d.thinned(one.Definition.SelectionSet),
			})
		}
	}

	return some
}

// part returns a document that requests a part of another.
func (d *documents) part(of *ast.QueryDocument) string {
	var text strings.Builder

	op := *of.Operations[0]
	op.SelectionSet = d.thinned(op.SelectionSet)
	write := func() string {
		text.Reset()
		formatter.NewFormatter(&text).FormatQueryDocument(&ast.QueryDocument{Operations: ast.OperationList{&op}})

		return text.String()
	}

	op.VariableDefinitions = nil
	asked := write()

	for _, v := range of.Operations[0].VariableDefinitions {
		if strings.Contains(asked, "$"+v.Variable) {
			op.VariableDefinitions = append(op.VariableDefinitions, v)
		}
	}

	return write()
}

// sealed matches cursors, which differ each time.
var sealed = regexp.MustCompile(`"[A-Za-z0-9_-]{80,}"`)

// A compiled query returns what gqlgen returns, to the byte, for every selection and viewer. Selecting more fields
// changes the others in neither.
func TestCompiledQueriesAnswerTheSame(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	o := api.Options{DSN: testkit.Database(t), Clock: func() time.Time { return now }}
	fast := api.New(t, o)
	o.Interpret = true
	slow := api.New(t, o)
	slow.Resolver.Blobs = fast.Resolver.Blobs
	slow.Resolver.Remake()

	owner := testkit.NewMember(t, fast.Store, testkit.MemberOpts{})
	video := crowd(t, fast, owner, 3)
	other := crowd(t, fast, testkit.NewMember(t, fast.Store, testkit.MemberOpts{}), 1)
	clip := identities(api.Dig(fast.Ask(t, owner.Key, `{ video(id: "`+video+`") { clips { nodes { id } } } }`, nil).Data, "video", "clips", "nodes"))[0]

	quoted := func(id any) string { return fmt.Sprintf("%q", id) }
	schema := graph.Schema()
	compiler := compiled.New(schema, fast.Resolver)

	made := documents{Rand: rand.New(rand.NewPCG(1, 2)), schema: schema}
	plain := 0

	trials := 1500
	if race.Detector {
		trials = 300
	}

	for i := range trials {
		id := video

		if i%10 == 0 {
			id = other // not found, with the error of the field
		}

		made.known = map[string]string{
			"video.id": quoted(id), "clip.id": quoted(clip), "exports.videoId": quoted(id), "node.id": quoted(id),
			"nodes.ids": "[" + quoted(id) + "," + quoted(clip) + "]", "videos.filter": `{tagIds: [], createdAfter: "2020-01-01T00:00:00Z"}`,
			"videos.sort": "{field: " + []string{"NAME", "VIEWS", "UPDATED_AT"}[i%3] + "}", "analytics.startDate": `"2026-01-01"`,
			"analytics.endDate": `"2026-01-03"`,
		}

		key := owner.Key
		if i%3 == 1 {
			key = viewerOf(t, fast, owner).Key
		}

		document := made.next()
		want, got := slow.Ask(t, key, document, answers), fast.Ask(t, key, document, answers)
		wantAnswer, wantFaults := generalised(t, want.Body)
		gotAnswer, gotFaults := generalised(t, got.Body)
		require.Equal(t, wantAnswer, gotAnswer, document)
		require.Equal(t, wantFaults, gotFaults, document)

		parsed, err := gqlparser.LoadQueryWithRules(schema, document, nil)
		require.Nil(t, err)

		if _, err := compiler.Compile(parsed, parsed.Operations[0]); err == nil {
			plain++
		}

		if part := made.part(parsed); len(wantFaults) == 0 {
			alone := slow.Ask(t, key, part, answers)
			require.Empty(t, alone.Errors, "%s\n%s", document, part)
			require.True(t, within(generalisedData(t, alone.Body), generalisedData(t, want.Body)),
				"%s\nanswers %s\nbut %s\nanswers %s", document, want.Body, part, alone.Body)
		} else {
			require.NotContains(t, want.Body, fault.ServerErrorCode, document)
		}
	}

	t.Logf("%d of %d documents are compiled", plain, trials)
	require.Greater(t, plain, trials/5, "too few documents were compiled to compare anything")
}

var requestIDs = regexp.MustCompile(`"requestId":"[^"]*"`)

// generalised removes what differs each time: cursors, request ids, and the order of errors in one answer.
func generalised(t *testing.T, body string) (answer string, faults []string) {
	t.Helper()

	body = requestIDs.ReplaceAllString(sealed.ReplaceAllString(body, `"sealed"`), `"requestId":""`)

	var errors struct{ Errors []json.RawMessage }

	require.NoError(t, json.Unmarshal([]byte(body), &errors))

	for _, e := range errors.Errors {
		faults = append(faults, string(e))
		body = strings.Replace(body, string(e), "", 1)
	}

	slices.Sort(faults)

	return body, faults
}

// generalisedData returns the data of an answer without the parts that differ each time.
func generalisedData(t *testing.T, body string) any {
	t.Helper()

	var answer struct{ Data any }

	text, _ := generalised(t, body)
	require.NoError(t, json.Unmarshal([]byte(text), &answer))

	return answer.Data
}

var viewers = map[string]testkit.Member{}

func viewerOf(t *testing.T, s *api.Server, owner testkit.Member) testkit.Member {
	t.Helper()

	if _, made := viewers[owner.UserID]; !made {
		viewers[owner.UserID] = testkit.NewMember(t, s.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer})
	}

	return viewers[owner.UserID]
}

// Every field of the graph can be compiled except those of interfaces, unions and JSON.
func TestWhichFieldsAreCompiled(t *testing.T) {
	t.Parallel()

	schema := graph.Schema()
	compiler := compiled.New(schema, &graph.Resolver{})

	seen := map[string]bool{}

	var walk func(of *ast.Definition, before, after string)

	walk = func(of *ast.Definition, before, after string) {
		if seen[of.Name] {
			return
		}

		seen[of.Name] = true

		for _, f := range of.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}

			var required []string

			for _, a := range f.Arguments {
				if a.Type.NonNull && a.DefaultValue == nil {
					required = append(required, a.Name+`: "x"`)
				}
			}

			args := ""
			if len(required) > 0 {
				args = "(" + strings.Join(required, ", ") + ")"
			}

			below := schema.Types[f.Type.Name()]
			document := before + f.Name + args + after

			if !below.IsLeafType() {
				document = before + f.Name + args + " { __typename }" + after
			}

			parsed, errs := gqlparser.LoadQueryWithRules(schema, document, nil)
			require.Nil(t, errs, document)

			if _, err := compiler.Compile(parsed, parsed.Operations[0]); err != nil {
				require.True(t, below.IsAbstractType() || below.Name == "JSON", "%s.%s: %v", of.Name, f.Name, err)

				continue
			}

			if !below.IsLeafType() {
				walk(below, before+f.Name+args+" { ", " }"+after)
			}
		}
	}

	walk(schema.Query, "{ ", " }")
	require.Greater(t, len(seen), 30)
}
