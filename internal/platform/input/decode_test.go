package input

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

type Corners string

func (Corners) Values() []string { return []string{"none", "regular", "squircle"} }

type span struct {
	FromMs int64 `check:"required,min=0" json:"fromMs"`
	ToMs   int64 `check:"required,gt=0"  json:"toMs"`
}

func (s *span) Check() []fault.Field {
	if s.FromMs >= s.ToMs {
		return []fault.Field{{Path: "toMs", Rule: "must be greater than fromMs"}}
	}

	return nil
}

type body struct {
	Name    string                      `check:"required,chars=1..255,notblank" json:"name"`
	Note    graphql.Omittable[*string]  `check:"nullable,chars=..10"            json:"note"`
	Rate    *float64                    `check:"min=0.5,max=2"                  json:"rate"`
	Order   *int                        `check:"min=0"                          json:"order"`
	Small   *int32                      `json:"small"`
	Corners graphql.Omittable[*Corners] `check:"nullable"                       json:"corners"`
	On      *bool                       `json:"on"`
	Cuts    []span                      `check:"items=1..3"                     json:"cuts"`
	Tags    []string                    `each:"chars=1..5"                      json:"tags"`
	Box     *box                        `json:"box"`
	At      *time.Time                  `json:"at"`
	Limit   int                         `check:"min=1,max=100"                  default:"20" json:"limit"`
}

type box struct {
	Width int  `check:"required" json:"width"`
	Inner *box `json:"inner"`
}

func decodeString(in string) (body, []fault.Field) {
	var (
		dst    body
		faults Report
	)

	DecodeBody([]byte(in), reflect.ValueOf(&dst).Elem(), ShapeOf(reflect.TypeFor[body]()), &faults)

	return dst, faults.Fields()
}

func phrases(fields []fault.Field) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.String())
	}

	return all
}

func TestDecodeFillsEveryKind(t *testing.T) {
	t.Parallel()

	got, faults := decodeString(` {"name":"a\u0301\n\ud83d\ude00\/", "note":null,"rate":1.5,"order":1e3,"small":5.0,
		"corners":"squircle","on":true,"cuts":[{"fromMs":0,"toMs":12.50e1}],"tags":["x","y"],
		"box":{"width":-0,"inner":{"width":7}},"at":"2026-01-02T03:04:05.678Z"} `)
	require.Empty(t, faults)
	require.Equal(t, "\u00e1\n\U0001F600/", got.Name, "strings are stored in NFC")
	require.True(t, got.Note.IsSet())
	require.Nil(t, got.Note.Value())
	require.InDelta(t, 1.5, *got.Rate, 0)
	require.Equal(t, 1000, *got.Order)
	require.Equal(t, int32(5), *got.Small)
	require.Equal(t, Corners("squircle"), *got.Corners.Value())
	require.True(t, *got.On)
	require.Equal(t, []span{{0, 125}}, got.Cuts)
	require.Equal(t, []string{"x", "y"}, got.Tags)
	require.Equal(t, 7, got.Box.Inner.Width)
	require.Equal(t, 678*time.Millisecond, time.Duration(got.At.Nanosecond()))
	require.Equal(t, 20, got.Limit, "the default of an absent property")
}

func TestDecodeKeepsAbsentNullAndValueApart(t *testing.T) {
	t.Parallel()

	absent, faults := decodeString(`{"name":"n"}`)
	require.Empty(t, faults)
	require.False(t, absent.Note.IsSet())
	require.Nil(t, absent.Cuts)
	require.Nil(t, absent.Rate)

	value, faults := decodeString(`{"name":"n","note":"x","tags":[]}`)
	require.Empty(t, faults)
	require.Equal(t, "x", *value.Note.Value())
	require.NotNil(t, value.Tags)
}

func TestDecodeReportsEveryFault(t *testing.T) {
	t.Parallel()

	_, faults := decodeString(`{"Name":"x","order":1.5,"rate":3,"corners":"round","on":1,"extra":{"deep":[1,{}]},
		"cuts":[{"fromMs":5,"toMs":3},{"fromMs":-1,"toMs":"a"},{"toMs":1,"toMs":2}],"tags":["toolong",null,4],"box":{"inner":{}},"order":2}`)
	require.Equal(t, []string{
		`Name is not a known property: did you mean "name"?`,
		"order must be an integer",
		"rate must be at least 0.5 and at most 2",
		"corners must be one of none, regular, squircle",
		"on must be a boolean",
		"extra is not a known property",
		"cuts[0].toMs must be greater than fromMs",
		"cuts[1].fromMs must be at least 0",
		"cuts[1].toMs must be an integer",
		"cuts[2].toMs must not be given twice",
		"cuts[2].fromMs is required",
		"tags[0] must have 1 to 5 characters",
		"tags[1] must not be null",
		"tags[2] must be a string",
		"box.inner.width is required",
		"box.width is required",
		"order must not be given twice",
		"name is required",
	}, phrases(faults))
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()

	for in, want := range map[string]string{
		`{"name":"n","corners":3}`:    "corners must be a string: one of none, regular, squircle",
		``:                            "name is required",
		`   `:                         "the body is not valid JSON: it ends too early",
		`[]`:                          "the body must be a JSON object",
		`null`:                        "the body must be a JSON object",
		`"x"`:                         "the body must be a JSON object",
		`{"name":"n"`:                 "the body is not valid JSON: it ends too early",
		`{"name":"n",}`:               "the body is not valid JSON at byte 12: a property name is missing",
		`{"name":"n"} {}`:             "the body is not valid JSON at byte 13: nothing may follow the object",
		`{"name":"n"}x`:               "the body is not valid JSON at byte 12: nothing may follow the object",
		"{\"name\":\"a\nb\"}":         "name is not valid JSON at byte 10: a control character stands in a string",
		"{\"name\":\"a\xffb\"}":       "name must be valid UTF-8",
		`{"name":"\ud83d"}`:           "name must not contain half a surrogate pair",
		`{"name":"\ud83dA"}`:          "name must not contain half a surrogate pair",
		`{"name":"\ude00\ud83d"}`:     "name must not contain half a surrogate pair",
		`{"name":"a\u0000"}`:          "name must not contain the character U+0000",
		`{"name":"\q"}`:               "name is not valid JSON at byte 10: unknown escape sequence",
		`{"name":"  \t "}`:            "name must not consist of white space only",
		`{"name":""}`:                 "name must have 1 to 255 characters",
		`{"name":null}`:               "name must not be null",
		`{"name":"n","rate":null}`:    "rate must not be null",
		`{"name":"n","small":3e9}`:    "small must fit into 32 bits",
		`{"name":"n","order":01}`:     "the body is not valid JSON at byte 21: a comma or '}' is missing",
		`{"name":"n","order":1.}`:     "order is not valid JSON at byte 22: a digit is missing",
		`{"name":"n","order":+1}`:     "order is not valid JSON at byte 20: a value is missing",
		`{"name":"n","order":NaN}`:    "order is not valid JSON at byte 20: a value is missing",
		`{"name":"n","order":"1"}`:    "order must be an integer",
		`{"name":"n","order":true}`:   "order must be an integer",
		`{"name":"n","cuts":{}}`:      "cuts must be an array",
		`{"name":"n","cuts":[]}`:      "cuts must have 1 to 3 items",
		`{"name":"n","box":[]}`:       "box must be an object",
		`{"name":"n","at":"x"}`:       "at must be a date and time such as 2026-01-02T03:04:05.678Z",
		`{"name":"n","a b":1}`:        `["a b"] is not a known property`,
		"{\"name\":\"n\",\"\xff\":1}": "has a property name that must be valid UTF-8",
		`{"name":"n","limit":0}`:      "limit must be at least 1 and at most 100",
		"\ufeff{}":                    "the body is not valid JSON at byte 0: a value is missing",
	} {
		_, faults := decodeString(in)
		require.Equal(t, []string{want}, phrases(faults), "%q", in)
	}
}

func TestDecodeIntegers(t *testing.T) {
	t.Parallel()

	for token, want := range map[string]int64{
		"5.0": 5, "1e3": 1000, "-0": 0, "0e999999999999999999999": 0, "1.50e1": 15, "120e-1": 12, "1E+2": 100,
		"9007199254740991": 9007199254740991, "-9007199254740991": -9007199254740991, "9.007199254740991e15": 9007199254740991,
		"90071992547409910000e-4": 9007199254740991, "0.0": 0, "0.00000000000000000000005e23": 5,
	} {
		got, rule := integer([]byte(token))
		require.Empty(t, rule, token)
		require.Equal(t, want, got, token)
	}

	for token, want := range map[string]string{
		"1.5": "must be an integer", "1e-1": "must be an integer", "1e-999999999999999999999": "must be an integer",
		"9007199254740992": SafeRule, "-9007199254740992": SafeRule, "1e16": SafeRule,
		"1e999999999999999999999": SafeRule, strings.Repeat("9", 5000): SafeRule,
	} {
		_, rule := integer([]byte(token))
		require.Equal(t, want, rule, token)
	}

	for _, token := range []string{"1e400", "-1e400", "1e16", "9007199254740993"} {
		_, rule := float([]byte(token))
		require.Equal(t, SafeRule, rule, token)
	}
}

func TestDecodeBoundsDepth(t *testing.T) {
	t.Parallel()

	nested := func(n int) string {
		return `{"name":"n","extra":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}

	_, faults := decodeString(nested(31))
	require.Equal(t, []string{"extra is not a known property"}, phrases(faults))

	_, faults = decodeString(nested(32))
	require.Equal(t, []string{"extra is not a known property", "the request must not be nested more than 32 levels deep"}, phrases(faults))

	inner := strings.Repeat(`{"width":1,"inner":`, 32)
	_, faults = decodeString(`{"name":"n","box":` + inner + `{}` + strings.Repeat("}", 33))
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].String(), "must not be nested more than 32 levels deep")

	_, faults = decodeString(strings.Repeat("[", 1<<20))
	require.Len(t, faults, 1, "deep nesting is refused early")
}

func TestDecodeBoundsItsReport(t *testing.T) {
	t.Parallel()

	_, faults := decodeString(`{` + strings.Repeat(`"x":1,`, 10_000) + `"name":"n"}`)
	require.Len(t, faults, 101)
	require.Equal(t, "and 9900 more faults", faults[100].String())

	_, faults = decodeString(`{"name":"n","` + strings.Repeat("k", 100_000) + `":1}`)
	require.Less(t, len(faults[0].String()), 200, "a long name is cut in the message")
}

// TestDecodeAgrees and the fuzz test below compare the decoder with encoding/json: what this decoder accepts,
// encoding/json accepts with the same values.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"name":"n"}`, `{"name":"\ud83d\ude00","note":null,"rate":1.5,"order":1e3,"cuts":[{"fromMs":0,"toMs":5.0}]}`,
		`{"name":"n","tags":["a","b"],"box":{"width":1,"inner":{"width":-2e0}},"on":false,"corners":"none"}`,
		`{"name":`, `[[[[`, `{"name":"n","order":1e99999999999}`, "{\"name\":\"\xff\"}", `{"at":"2026-01-02T03:04:05Z","name":"x"}`,
	} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, in []byte) {
		got, faults := decodeString(string(in))
		if len(faults) > 0 || len(in) == 0 {
			require.LessOrEqual(t, len(faults), 101)

			return
		}

		require.True(t, json.Valid(in), "%q", in)

		var loose map[string]any

		dec := json.NewDecoder(bytes.NewReader(in))
		dec.DisallowUnknownFields()
		require.NoError(t, dec.Decode(&loose))
		require.Equal(t, got.Note.IsSet(), has(loose, "note"))
		require.Equal(t, got.Rate != nil, has(loose, "rate"))
		require.Equal(t, got.Order != nil, has(loose, "order"))

		if got.Order != nil {
			require.InDelta(t, loose["order"], float64(*got.Order), 0)
		}

		if cuts, ok := loose["cuts"].([]any); ok {
			require.Len(t, got.Cuts, len(cuts))
		}
	})
}

func has(m map[string]any, key string) bool {
	_, ok := m[key]

	return ok
}

func BenchmarkDecode(b *testing.B) {
	in := []byte(`{"name":"A recording","note":"short","rate":1.5,"order":3,"cuts":[{"fromMs":0,"toMs":5},{"fromMs":10,"toMs":50}]}`)
	shape := ShapeOf(reflect.TypeFor[body]())

	for b.Loop() {
		var (
			dst    body
			faults Report
		)

		DecodeBody(in, reflect.ValueOf(&dst).Elem(), shape, &faults)

		if faults.Count() > 0 {
			b.Fatal(faults.Fields())
		}
	}
}
