package exhaustive_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/rest/openapi"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/race"
)

// Every field of every request in the description is sent absent, null, with a wrong type, just below, at and just
// above each bound, with an unknown sibling, twice, and in a wrong letter case. What the description forbids is 400 and
// names the path; what it allows is not, except by a rule that no schema can express. The ids in paths do not exist,
// because fields are checked before lookups.
func TestEveryField(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	doc := rest.Describe(api.BaseURL)

	for i, path := range doc.Paths {
		if race.Detector && i%4 != 0 {
			continue
		}

		for _, method := range path.Value {
			o := method.Value
			w := &fieldWalk{T: t, Server: s, doc: doc, key: m.Key, o: o, method: strings.ToUpper(method.Name)}
			w.path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path.Name, "x")

			t.Run(o.OperationID, func(t *testing.T) {
				t.Parallel()

				w.T = t
				w.walkQuery()

				if o.RequestBody == nil || o.RequestBody.Content.Get("application/json") == nil {
					return
				}

				media := o.RequestBody.Content.Get("application/json")
				base, err := json.Marshal(media.Example)
				require.NoError(t, err)

				var example any
				require.NoError(t, json.Unmarshal(base, &example))
				w.object(media.Schema, example, "", 0, func(body any) any { return body })
			})
		}
	}
}

type fieldWalk struct {
	*testing.T
	*api.Server

	doc          *openapi.Document
	key          string
	o            *openapi.Operation
	method, path string
}

// spoken matches the messages of rules that schemas express. A request that matches every schema may still break
// another rule, such as two properties that exclude each other, and is then refused with a different message.
var spoken = regexp.MustCompile(`is not a known property|must not be given twice\.|must be (a|an) (string|integer|number|boolean|array|object)\b|` +
	`must not be null|must have (\d+ to|at (least|most)|exactly) \d+ (character|item)|must be (at least|greater than|at most|less than) -?\d`)

// send expects 400 naming the path, or, if the body is allowed, no error that a schema expresses.
func (w *fieldWalk) send(body any, path string, allowed bool, what string) {
	w.Helper()

	text, err := json.Marshal(body)
	require.NoError(w.T, err)

	if len(text) > 1<<20 {
		return // refused as too large
	}

	a := w.Call(w.T, w.key, w.method, w.path, string(text))
	w.judge(a, path, allowed, what+"\n"+string(text[:min(len(text), 500)]))
}

func (w *fieldWalk) judge(a api.Answer, path string, allowed bool, what string) {
	w.Helper()

	var said struct{ Message string }
	require.NoError(w.T, json.Unmarshal([]byte(a.Body), &said))

	if !allowed {
		require.Equal(w.T, http.StatusBadRequest, a.Status, "%s: %s\n%s", path, what, a.Body)
		require.Contains(w.T, said.Message, path, "%s\n%s", what, a.Body)

		return
	}

	require.Less(w.T, a.Status, http.StatusInternalServerError, "%s: %s\n%s", path, what, a.Body)

	if a.Status == http.StatusBadRequest {
		for fault := range strings.SplitSeq(said.Message, "; ") {
			if path != "" && strings.HasPrefix(fault, path+" ") {
				require.NotRegexp(w.T, spoken, fault, "%s: %s\n%s", path, what, a.Body)
			}
		}
	}
}

func (w *fieldWalk) resolve(s *openapi.Schema) *openapi.Schema {
	for {
		switch name, isRef := strings.CutPrefix(s.Ref, "#/components/schemas/"); {
		case isRef:
			s = w.doc.Components.Schemas.Get(name)
		case s.AnyOf != nil: // or null
			s = s.AnyOf[0]
		default:
			return s
		}
	}
}

func nullable(s *openapi.Schema) bool {
	return s.AnyOf != nil || len(s.Type) > 1
}

// object walks the properties of an object, starting from a valid example.
func (w *fieldWalk) object(s *openapi.Schema, example any, at string, depth int, put func(any) any) {
	s = w.resolve(s)

	if s.OneOf != nil {
		for _, one := range s.OneOf {
			w.object(one, w.minimal(one), at, depth, put)
		}

		return
	}

	base, _ := example.(map[string]any)
	under := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	with := func(name string, value any) any {
		changed := maps.Clone(base)
		if changed == nil {
			changed = map[string]any{}
		}

		changed[name] = value

		return put(changed)
	}

	w.send(with("unknownSibling", 1), under("unknownSibling"), false, "unknown sibling")

	for _, p := range s.Properties {
		value := base[p.Name]
		if value == nil {
			value = w.minimal(p.Value)
		}

		w.states(s, p, base, value, under(p.Name), with, put)
		w.value(p.Value, value, under(p.Name), depth, func(v any) any { return with(p.Name, v) })
	}
}

// states sends a property absent, null, twice, and in another letter case.
func (w *fieldWalk) states(
	s *openapi.Schema, p openapi.Member[*openapi.Schema], base map[string]any, value any, path string, with func(string, any) any, put func(any) any,
) {
	without := maps.Clone(base)
	delete(without, p.Name)

	required := false
	for _, name := range s.Required {
		required = required || name == p.Name
	}

	w.send(put(without), path, !required, "absent")
	w.send(with(p.Name, nil), path, nullable(p.Value), "null")

	upper := strings.ToUpper(p.Name[:1]) + p.Name[1:]
	w.send(with(upper, value), strings.TrimSuffix(path, p.Name)+upper, false, "wrong letter case")

	rest, err := json.Marshal(without)
	require.NoError(w.T, err)

	one, err := json.Marshal(map[string]any{p.Name: value})
	require.NoError(w.T, err)

	pair := strings.Trim(string(one), "{}")
	if strings.HasPrefix(string(one), `{"`+p.Name+`":{`) {
		pair = string(one[1 : len(one)-1])
	}

	twice := "{" + pair + "," + pair
	if len(without) > 0 {
		twice += "," + string(rest[1:])
	} else {
		twice += "}"
	}

	require.True(w.T, json.Valid([]byte(twice)), twice)
	w.send(put(json.RawMessage(twice)), path, false, "twice")
}

// value sends wrong types and the values at the bounds, and walks nested values.
func (w *fieldWalk) value(schema *openapi.Schema, value any, path string, depth int, put func(any) any) {
	const deepest = 5

	s := w.resolve(schema)

	for _, wrong := range []any{"x y", 1.5, true, []any{}, map[string]any{}} {
		if !fits(s, wrong) {
			w.send(put(wrong), path, false, "wrong type")
		}
	}

	for _, c := range w.bounds(s) {
		w.send(put(c.value), path, c.allowed, "bound")
	}

	switch {
	case depth > deepest:
	case s.OneOf != nil || s.Properties != nil:
		w.object(s, value, path, depth+1, put)
	case s.Items != nil:
		item := w.minimal(s.Items)
		if list, ok := value.([]any); ok && len(list) > 0 {
			item = list[0]
		}

		w.send(put(w.list(s, nil)), path+"[0]", nullable(s.Items), "null")
		w.value(s.Items, item, path+"[0]", depth+1, func(v any) any { return put(w.list(s, v)) })
	}
}

// list returns the shortest valid list that begins with first.
func (w *fieldWalk) list(s *openapi.Schema, first any) []any {
	all := []any{first}
	for s.MinItems != nil && len(all) < *s.MinItems {
		all = append(all, w.minimal(s.Items))
	}

	return all
}

// fits reports whether a value has the type of a schema.
func fits(s *openapi.Schema, value any) bool {
	kind := ""
	if len(s.Type) > 0 {
		kind = s.Type[0]
	}

	switch value.(type) {
	case string:
		return kind == "string" || s.Const != nil
	case float64:
		return kind == "number"
	case bool:
		return kind == "boolean"
	case []any:
		return kind == "array"
	default:
		return kind == "object" || s.OneOf != nil
	}
}

func (w *fieldWalk) walkQuery() {
	required := url.Values{}

	for _, p := range w.o.Parameters {
		if p.In == "query" && p.Required {
			required.Set(p.Name, spelled(w.minimal(p.Schema)))
		}
	}

	ask := func(query, name string, allowed bool, what string) {
		w.Helper()

		if len(query) > 7000 { // the URL would be too long
			return
		}

		w.judge(w.Call(w.T, w.key, w.method, w.path+"?"+query, ""), name, allowed, what+" "+query)
	}

	ask(required.Encode()+"&unknownParameter=1", "", true, "unknown parameter")

	for _, p := range w.o.Parameters {
		if p.In != "query" {
			continue
		}

		others := maps.Clone(required)
		others.Del(p.Name)

		rest, s := others.Encode(), w.resolve(p.Schema)
		with := func(value any) string { return rest + "&" + url.Values{p.Name: {spelled(value)}}.Encode() }

		ask(rest, p.Name, !p.Required, "absent")
		ask(with(""), p.Name, false, "empty")
		ask(with(w.minimal(s))+"&"+url.Values{p.Name: {spelled(w.minimal(s))}}.Encode(), p.Name, false, "twice")

		if len(s.Type) > 0 && s.Type[0] != "string" && s.Type[0] != "array" {
			ask(with("x"), p.Name, false, "wrong type")
		}

		for _, c := range w.bounds(s) {
			if text := spelled(c.value); text != "" {
				ask(with(c.value), p.Name, c.allowed, "bound")
			}
		}
	}
}

func spelled(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		all := make([]string, len(v))
		for i, item := range v {
			all[i] = spelled(item)
		}

		return strings.Join(all, ",")
	default:
		return ""
	}
}
