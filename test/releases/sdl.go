package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// comparison collects the changes that break clients of a schema.
type comparison struct {
	was, is *ast.Schema
	today   time.Time
	breaks  []string
}

// compare lists what the new schema removed or made stricter. A deprecated element may be removed after the day that
// its reason names. Every deprecation in the new schema must name such a day.
func compare(was, is string, today time.Time) ([]string, error) {
	c := comparison{today: today}

	var err error
	if c.was, err = gqlparser.LoadSchema(&ast.Source{Name: "the last release", Input: was}); err != nil {
		return nil, fmt.Errorf("read the schema of the last release: %w", err)
	}

	if c.is, err = gqlparser.LoadSchema(&ast.Source{Name: "the schema", Input: is}); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}

	for _, name := range slices.Sorted(maps.Keys(c.was.Types)) {
		c.definition(c.was.Types[name], c.is.Types[name])
	}

	for _, name := range slices.Sorted(maps.Keys(c.was.Directives)) {
		if c.is.Directives[name] == nil {
			c.sayf("directive @%s was removed", name)
		}
	}

	for _, name := range slices.Sorted(maps.Keys(c.is.Types)) {
		c.deprecations(c.is.Types[name])
	}

	return c.breaks, nil
}

func (c *comparison) sayf(format string, args ...any) {
	c.breaks = append(c.breaks, fmt.Sprintf(format, args...))
}

func (c *comparison) definition(was, is *ast.Definition) {
	switch {
	case is == nil:
		if !c.onlyDeprecated(was) {
			c.sayf("type %s was removed", was.Name)
		}

		return
	case was.Kind != is.Kind:
		c.sayf("%s was of kind %s and is %s", was.Name, was.Kind, is.Kind)

		return
	}

	for _, name := range was.Interfaces {
		if !slices.Contains(is.Interfaces, name) {
			c.sayf("%s no longer implements %s", was.Name, name)
		}
	}

	for _, name := range was.Types {
		if !slices.Contains(is.Types, name) {
			c.sayf("%s is no longer a member of %s", name, was.Name)
		}
	}

	for _, value := range was.EnumValues {
		if is.EnumValues.ForName(value.Name) == nil && !c.expired(value.Directives) {
			c.sayf("%s.%s was removed", was.Name, value.Name)
		}
	}

	if was.Kind == ast.InputObject {
		c.input(was, is)

		return
	}

	for _, field := range was.Fields {
		c.field(was.Name+"."+field.Name, field, is.Fields.ForName(field.Name))
	}
}

func (c *comparison) field(name string, was, is *ast.FieldDefinition) {
	if is == nil {
		if !c.expired(was.Directives) {
			c.sayf("%s was removed", name)
		}

		return
	}

	if !c.answers(was.Type, is.Type) {
		c.sayf("%s was %s and is %s", name, was.Type, is.Type)
	}

	for _, argument := range was.Arguments {
		now := is.Arguments.ForName(argument.Name)
		at := name + "(" + argument.Name + ":)"

		if now == nil {
			if !c.expired(argument.Directives) {
				c.sayf("%s was removed", at)
			}

			continue
		}

		c.accepted(at, argument.Type, now.Type, argument.DefaultValue, now.DefaultValue)
	}

	for _, argument := range is.Arguments {
		if was.Arguments.ForName(argument.Name) == nil && argument.Type.NonNull && argument.DefaultValue == nil {
			c.sayf("%s(%s:) is new and required", name, argument.Name)
		}
	}
}

func (c *comparison) input(was, is *ast.Definition) {
	if (was.Directives.ForName("oneOf") == nil) != (is.Directives.ForName("oneOf") == nil) {
		c.sayf("%s gained or lost @oneOf", was.Name)
	}

	for _, field := range was.Fields {
		now := is.Fields.ForName(field.Name)
		at := was.Name + "." + field.Name

		if now == nil {
			if !c.expired(field.Directives) {
				c.sayf("%s was removed", at)
			}

			continue
		}

		c.accepted(at, field.Type, now.Type, field.DefaultValue, now.DefaultValue)

		if (field.Directives.ForName("nullClears") == nil) != (now.Directives.ForName("nullClears") == nil) {
			c.sayf("%s gained or lost @nullClears, so the meaning of null changed", at)
		}
	}

	for _, field := range is.Fields {
		if was.Fields.ForName(field.Name) == nil && field.Type.NonNull && field.DefaultValue == nil {
			c.sayf("%s.%s is new and required", was.Name, field.Name)
		}
	}
}

// accepted compares inputs: every accepted value must still be accepted, and leaving it out must mean the same.
func (c *comparison) accepted(at string, was, is *ast.Type, wasDefault, isDefault *ast.Value) {
	if !asks(was, is, isDefault != nil) {
		c.sayf("%s was %s and is %s", at, was, is)
	}

	if wasDefault != nil && (isDefault == nil || wasDefault.String() != isDefault.String()) {
		c.sayf("%s was %s when absent and is %v", at, wasDefault, isDefault)
	}
}

// asks reports whether an input of the new type accepts every value of the old one.
func asks(was, is *ast.Type, hasDefault bool) bool {
	if is.NonNull && !was.NonNull && !hasDefault {
		return false
	}

	if was.Elem != nil && is.Elem != nil {
		return asks(was.Elem, is.Elem, false)
	}

	return was.Elem == nil && is.Elem == nil && was.NamedType == is.NamedType
}

// answers reports whether clients that read values of one type can read those of another.
func (c *comparison) answers(was, is *ast.Type) bool {
	if was.NonNull && !is.NonNull {
		return false
	}

	if was.Elem != nil && is.Elem != nil {
		return c.answers(was.Elem, is.Elem)
	}

	if was.Elem != nil || is.Elem != nil {
		return false
	}

	if was.NamedType == is.NamedType {
		return true
	}

	before := c.is.Types[was.NamedType]

	return before != nil && slices.ContainsFunc(c.is.GetPossibleTypes(before), func(d *ast.Definition) bool { return d.Name == is.NamedType })
}

// onlyDeprecated reports whether every field of the last release that leads to a type may be removed.
func (c *comparison) onlyDeprecated(gone *ast.Definition) bool {
	led := false

	for _, from := range c.was.Types {
		for _, field := range from.Fields {
			takes := func(a *ast.ArgumentDefinition) bool { return a.Type.Name() == gone.Name }
			if field.Type.Name() != gone.Name && !slices.ContainsFunc(field.Arguments, takes) {
				continue
			}

			if led = true; !c.expired(field.Directives) {
				return false
			}
		}
	}

	return led
}

// days matches the dates in the reason of a deprecation.
var days = regexp.MustCompile(`Deprecated (\d{4}-\d\d-\d\d), works until (\d{4}-\d\d-\d\d)\.$`)

// notice is the minimum time between deprecation and removal.
const notice = 180 * 24 * time.Hour

// period returns the dates of a deprecation and of its removal.
func period(of ast.DirectiveList) (from, until time.Time, ok bool) {
	deprecated := of.ForName("deprecated")
	if deprecated == nil || deprecated.Arguments.ForName("reason") == nil {
		return from, until, false
	}

	m := days.FindStringSubmatch(deprecated.Arguments.ForName("reason").Value.Raw)
	if m == nil {
		return from, until, false
	}

	from, err := time.Parse(time.DateOnly, m[1])
	if err != nil {
		return from, until, false
	}

	until, err = time.Parse(time.DateOnly, m[2])

	return from, until, err == nil
}

// expired reports whether something may be removed today: it is deprecated and its last day has passed.
func (c *comparison) expired(of ast.DirectiveList) bool {
	_, until, ok := period(of)

	return ok && c.today.After(until.Add(24*time.Hour))
}

func (c *comparison) deprecations(d *ast.Definition) {
	if strings.HasPrefix(d.Name, "__") {
		return
	}

	for _, field := range d.Fields {
		c.deprecation(d.Name+"."+field.Name, field.Directives, d.Kind == ast.InputObject && field.Type.NonNull && field.DefaultValue == nil)

		for _, argument := range field.Arguments {
			c.deprecation(d.Name+"."+field.Name+"("+argument.Name+":)", argument.Directives, argument.Type.NonNull && argument.DefaultValue == nil)
		}
	}

	for _, value := range d.EnumValues {
		c.deprecation(d.Name+"."+value.Name, value.Directives, false)
	}
}

func (c *comparison) deprecation(at string, of ast.DirectiveList, required bool) {
	if of.ForName("deprecated") == nil {
		return
	}

	from, until, ok := period(of)

	switch {
	case required:
		c.sayf("%s is deprecated but required: make it optional first", at)
	case !ok:
		c.sayf(`%s: the reason of @deprecated must end in "Deprecated YYYY-MM-DD, works until YYYY-MM-DD."`, at)
	case until.Sub(from) < notice:
		c.sayf("%s works for less than 180 days after its deprecation", at)
	}
}
