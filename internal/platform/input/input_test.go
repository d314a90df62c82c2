package input_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
)

type scope string

func (scope) Values() []string { return []string{"public", "private"} }

func phrases(fields []fault.Field) []string {
	all := []string{}
	for _, f := range fields {
		all = append(all, f.String())
	}

	return all
}

func TestRules(t *testing.T) {
	t.Parallel()

	type name struct {
		V string `check:"chars=1..5,notblank" json:"v"`
	}

	type open struct {
		V string `check:"chars=2.." json:"v"`
	}

	type needed struct {
		V *string `check:"required" json:"v"`
	}

	type number struct {
		V float64 `check:"gt=0,max=2" json:"v"`
	}

	type free struct {
		V float64 `json:"v"`
	}

	type capped struct {
		V float64 `check:"max=5" json:"v"`
	}

	type bounded struct {
		V int `check:"min=1,lt=10" json:"v"`
	}

	type list struct {
		V []string `check:"required,items=1..2" each:"chars=1.." json:"v"`
	}

	type address struct {
		V string `check:"url" json:"v"`
	}

	type mail struct {
		V string `check:"email" json:"v"`
	}

	type paint struct {
		V string `check:"color" json:"v"`
	}

	type choice struct {
		V string `check:"oneof=a|b" json:"v"`
	}

	type enum struct {
		V scope `json:"v"`
	}

	type narrowed struct {
		V scope `check:"oneof=public" json:"v"`
	}

	type nullable struct {
		V graphql.Omittable[*string] `check:"nullable,chars=..3" json:"v"`
	}

	type strict struct {
		V graphql.Omittable[*string] `json:"v"`
	}

	text := func(s string) *string { return &s }

	for _, c := range []struct {
		in   any
		want string
	}{
		{&name{"abcde"}, ""},
		{&name{"e\u0301e\u0301e\u0301e\u0301e\u0301"}, ""}, // ten code points, five after NFC
		{&name{"\U0001F600\U0001F600\U0001F600\U0001F600\U0001F600"}, ""},
		{&name{"abcdef"}, "v must have 1 to 5 characters"},
		{&name{""}, "v must have 1 to 5 characters"},
		{&name{" \t\u00a0\u3000"}, "v must not consist of white space only"},
		{&name{"a\x00"}, "v must not contain the character U+0000"},
		{&name{"a\xff"}, "v must be valid UTF-8"},
		{&open{"a"}, "v must have at least 2 characters"},
		{&needed{}, "v is required"},
		{&needed{text("")}, ""},
		{&number{0}, "v must be greater than 0 and at most 2"},
		{&number{2}, ""},
		{&number{2.0001}, "v must be greater than 0 and at most 2"},
		{&number{1e300}, "v must be greater than 0 and at most 2"},
		{&free{1e300}, "v must be between -9007199254740991 and 9007199254740991"},
		{&free{-1e300}, "v must be between -9007199254740991 and 9007199254740991"},
		{&capped{1e300}, "v must be at most 5"},
		{&capped{-1e300}, "v must be between -9007199254740991 and 9007199254740991"},
		{&bounded{0}, "v must be at least 1 and less than 10"},
		{&bounded{9}, ""},
		{&bounded{10}, "v must be at least 1 and less than 10"},
		{&bounded{1 << 53}, "v must be at least 1 and less than 10"},
		{&list{}, "v is required"},
		{&list{[]string{}}, "v must have 1 to 2 items"},
		{&list{[]string{"a", ""}}, "v[1] must have at least 1 character"},
		{&list{[]string{"a", "b", "c"}}, "v must have 1 to 2 items"},
		{&address{"https://example.org/a?b#c"}, ""},
		{&address{"http://[::1]:8080/"}, ""},
		{&address{"ftp://example.org"}, "v must be an absolute http or https URL"},
		{&address{"//example.org"}, "v must be an absolute http or https URL"},
		{&address{"https://"}, "v must be an absolute http or https URL"},
		{&address{"https://exa mple.org/"}, "v must be an absolute http or https URL"},
		{&mail{"a@example.org"}, ""},
		{&mail{"A <a@example.org>"}, "v must be an e-mail address"},
		{&mail{"a"}, "v must be an e-mail address"},
		{&mail{strings.Repeat("a", 250) + "@example.org"}, "v must be an e-mail address"},
		{&paint{"#aBc"}, ""},
		{&paint{"#aabbcc"}, ""},
		{&paint{"#AABBCCDD"}, ""},
		{&paint{"#aabb"}, "v must be a color: #RGB, #RRGGBB or #RRGGBBAA"},
		{&paint{"aabbcc"}, "v must be a color: #RGB, #RRGGBB or #RRGGBBAA"},
		{&choice{"b"}, ""},
		{&choice{"c"}, "v must be one of a, b"},
		{&enum{"private"}, ""},
		{&enum{"Private"}, "v must be one of public, private"},
		{&narrowed{"private"}, "v must be one of public"},
		{&nullable{}, ""},
		{&nullable{graphql.OmittableOf[*string](nil)}, ""},
		{&nullable{graphql.OmittableOf(text("abcd"))}, "v must have at most 3 characters"},
		{&strict{}, ""},
		{&strict{graphql.OmittableOf[*string](nil)}, "v must not be null"},
	} {
		got := phrases(input.Struct(c.in))
		if c.want == "" {
			require.Empty(t, got, "%+v", c.in)
		} else {
			require.Equal(t, []string{c.want}, got, "%+v", c.in)
		}
	}
}

type period struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (p *period) Check() []fault.Field {
	if p.From > p.To {
		return []fault.Field{{Rule: "must not end before it starts"}}
	}

	return nil
}

type base struct {
	Name string `check:"chars=1.." json:"name"`
}

type patch struct {
	base

	_ struct{} `check:"some"`

	Title graphql.Omittable[*string] `json:"title"`
	When  []period                   `json:"when"`
}

func TestStructWalksEverything(t *testing.T) {
	t.Parallel()

	require.Equal(t, []string{"name must have at least 1 character", "when[1] must not end before it starts"},
		phrases(input.Struct(&patch{When: []period{{1, 2}, {3, 2}}})))

	type empty struct {
		_    struct{} `check:"some"`
		Name *string  `json:"name"`
	}

	require.Equal(t, []string{"the request must have at least one property"}, phrases(input.Struct(&empty{})))
}

type trip struct {
	Days  int     `check:"min=1"        json:"days"`
	Seats *int    `check:"min=1"        json:"seats"`
	Name  *string `check:"chars=2..10"  json:"name"`
}

func (p *trip) Check() []fault.Field {
	var faults []fault.Field

	if p.Days > 9 {
		faults = append(faults, fault.Field{Path: "days", Rule: "must be fewer", Of: []string{"days"}})
	}

	if p.Seats != nil && *p.Seats < p.Days {
		faults = append(faults, fault.Field{Path: "seats", Rule: "must be as many as days", Of: []string{"seats", "days"}})
	}

	return append(faults, fault.Field{Rule: "must be otherwise"})
}

// A fault of a type's own Check is reported beside other faults if the properties that it is about are valid.
func TestOwnRulesBesideOtherFaults(t *testing.T) {
	t.Parallel()

	ptr := func(n int) *int { return &n }
	short := "x"

	for _, c := range []struct {
		in   trip
		want []string
	}{
		{trip{Days: 10, Seats: ptr(3)}, []string{"days must be fewer", "seats must be as many as days", "the request must be otherwise"}},
		{trip{Days: 10, Name: &short}, []string{"name must have 2 to 10 characters", "days must be fewer"}},
		{trip{Days: 10, Seats: ptr(0)}, []string{"seats must be at least 1", "days must be fewer"}},
		{trip{Days: 0, Seats: ptr(-1)}, []string{"days must be at least 1", "seats must be at least 1"}},
	} {
		require.Equal(t, c.want, phrases(input.Struct(&c.in)))
	}

	type list struct {
		Trips []trip `json:"trips"`
	}

	require.Equal(t, []string{"trips[0].name must have 2 to 10 characters", "trips[1].days must be fewer", "trips[1] must be otherwise"},
		phrases(input.Struct(&list{Trips: []trip{{Days: 1, Name: &short}, {Days: 11}}})))
}

func TestStructStoresNFC(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		type in struct {
			A string                     `json:"a"`
			B graphql.Omittable[*string] `json:"b"`
			C []string                   `json:"c"`
		}

		s := rapid.StringMatching(`[a-eA-E\x{0300}-\x{0304}\x{1100}-\x{1112}\x{1161}-\x{1175}]{0,12}`).Draw(t, "s")
		b := s
		v := in{A: s, B: graphql.OmittableOf(&b), C: []string{s}}

		require.Empty(t, input.Struct(&v))

		again := v
		require.Empty(t, input.Struct(&again))
		require.Equal(t, v.A, again.A, "normalising twice changes nothing")
		require.Equal(t, v.A, *v.B.Value())
		require.Equal(t, v.A, v.C[0])
	})
}

func TestShapePanicsOnInvalidTags(t *testing.T) {
	t.Parallel()

	for name, v := range map[string]any{
		"unknown rule": struct {
			A string `check:"long" json:"a"`
		}{},
		"rule of another kind": struct {
			A string `check:"min=1" json:"a"`
		}{},
		"null without a state for it": struct {
			A string `check:"nullable" json:"a"`
		}{},
		"default against the rules": struct {
			A int `check:"min=1" default:"0" json:"a"`
		}{},
		"unreadable type": struct {
			A map[string]int `json:"a"`
		}{},
		"one name twice": struct {
			base

			A string `json:"name"`
		}{},
		"half a range": struct {
			A string `check:"chars=5" json:"a"`
		}{},
	} {
		require.Panics(t, func() { input.ShapeOf(reflect.TypeOf(v)) }, name)
	}
}

// TestOmittableLayout checks the struct layout that omittable.go relies on.
func TestOmittableLayout(t *testing.T) {
	t.Parallel()

	o := reflect.TypeFor[graphql.Omittable[*string]]()
	require.Equal(t, 2, o.NumField())
	require.Equal(t, "value", o.Field(0).Name)
	require.Equal(t, reflect.TypeFor[*string](), o.Field(0).Type)
	require.Equal(t, "set", o.Field(1).Name)
	require.Equal(t, reflect.Bool, o.Field(1).Type.Kind())
}

func TestSetText(t *testing.T) {
	t.Parallel()

	type query struct {
		Limit int      `check:"min=1,max=100"    default:"20" query:"limit"`
		Kinds []scope  `query:"kinds"`
		Rate  *float64 `query:"rate"`
		Deep  *bool    `query:"deep"`
	}

	shape := input.QueryShapeOf(reflect.TypeFor[query]())

	set := func(name, text string) (query, []string) {
		var (
			q      query
			faults input.Report
		)

		i, _ := shape.Lookup([]byte(name))
		p := shape.Properties[i]
		p.Value.SetText(reflect.ValueOf(&q).Elem().FieldByIndex(p.Index), text, &faults)

		return q, phrases(faults.Fields())
	}

	q, faults := set("limit", "7")
	require.Empty(t, faults)
	require.Equal(t, 7, q.Limit)

	q, faults = set("kinds", "public,private")
	require.Empty(t, faults)
	require.Equal(t, []scope{"public", "private"}, q.Kinds)

	for _, c := range [][3]string{
		{"limit", "0", "must be at least 1 and at most 100"},
		{"limit", "5.0", "must be an integer"},
		{"limit", "+5", "must be an integer"},
		{"limit", "0x5", "must be an integer"},
		{"limit", "99999999999999999999", "must be at least 1 and at most 100"},
		{"limit", "-99999999999999999999", "must be at least 1 and at most 100"},
		{"rate", "1e400", input.SafeRule},
		{"kinds", "public,", "must be one of public, private"},
		{"rate", "0x1p3", "must be a number"},
		{"rate", "Inf", "must be a number"},
		{"deep", "1", "must be true or false"},
	} {
		_, faults := set(c[0], c[1])
		require.Equal(t, []string{"the request " + c[2]}, faults, c)
	}
}
