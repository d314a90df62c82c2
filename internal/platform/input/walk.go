package input

import (
	"reflect"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Struct applies the rules of every property of the struct that v points to, normalizes its strings to NFC,
// and returns all faults; nil when there are none. The graph calls it on inputs that gqlgen has filled; the
// JSON decoder applies the same rules while it reads. A plain property cannot be told from an absent one
// here, so its rules always apply.
func Struct(v any) []fault.Field {
	var faults Report

	rv := reflect.ValueOf(v).Elem()
	ShapeOf(rv.Type()).walk(rv, &faults)

	return faults.Fields()
}

func (s *Shape) walk(rv reflect.Value, r *Report) {
	before, given := r.Count(), 0

	for i := range s.Properties {
		p := &s.Properties[i]

		r.Enter(p.Name)

		if p.Value.walk(rv.FieldByIndex(p.Index), r) {
			given++
		}

		r.Leave()
	}

	if s.Some && given == 0 {
		r.Add(SomeRule)
	}

	s.walkVariants(rv, r)

	s.Finish(rv, before, r)
	s.Label(rv, before, r)
}

// The rules about whether a property is given.
const (
	RequiredRule = "is required"
	NullRule     = "must not be null"
	SomeRule     = "must have at least one property"
)

// Finish calls the type's own Check. Faults about properties that have faults since the count are dropped.
// Finish does nothing when items of a list have faults, because they may be missing.
func (s *Shape) Finish(rv reflect.Value, since int, r *Report) {
	if !s.checks || r.broken(since) {
		return
	}

	before := r.Count()
	checker := rv.Addr().Interface().(Checker) //nolint:forcetypeassert // s.checks is set only for a Checker

	for _, f := range checker.Check() {
		switch sound := !r.faulty(since, before, f.Of); {
		case !sound:
		case f.Path == "":
			r.Add(f.Rule)
		default:
			r.addBelow(f.Path, f.Rule)
		}
	}
}

// walk checks the value in all its states and reports whether it is given.
func (v *Value) walk(rv reflect.Value, r *Report) bool {
	target, state := v.open(rv)

	switch state {
	case absent:
		if v.Rules.Required {
			r.Add(RequiredRule)
		}

		return false
	case null:
		if !v.Rules.Nullable {
			r.Add(NullRule)
		}

		return true
	case present:
	}

	switch v.Kind {
	case List:
		for i := range target.Len() {
			r.EnterItem(i)
			v.Item.walk(target.Index(i), r)
			r.Leave()
		}
	case Object:
		v.Shape.walk(target, r)

		return true
	case String, Enum, Text, Integer, Number, Boolean:
	}

	v.Apply(target, r)

	return true
}

type state int

const (
	absent state = iota
	null
	present
)

// open removes the wrappers of a value.
func (v *Value) open(rv reflect.Value) (reflect.Value, state) {
	missing := absent

	if v.Omittable {
		if !omittableSet(rv).Bool() {
			return rv, absent
		}

		rv, missing = omittableValue(rv), null
	}

	switch {
	case v.Pointer && rv.IsNil():
		return rv, missing
	case v.Pointer:
		return rv.Elem(), present
	case v.Kind == List && rv.IsNil():
		return rv, missing
	default:
		return rv, present
	}
}

// Fill marks the place as given and returns where its value goes.
func (v *Value) Fill(rv reflect.Value) reflect.Value {
	if v.Omittable {
		omittableSet(rv).SetBool(true)
		rv = omittableValue(rv)
	}

	if v.Pointer {
		rv.Set(reflect.New(v.Type))
		rv = rv.Elem()
	}

	return rv
}

// FillNull marks the place as given and null, or records that null is not allowed.
func (v *Value) FillNull(rv reflect.Value, r *Report) {
	if !v.Rules.Nullable {
		r.Add(NullRule)

		return
	}

	if v.Omittable {
		omittableSet(rv).SetBool(true)
		rv = omittableValue(rv)
	}

	rv.SetZero()
}

// FillDefault sets the default of an absent property, if it has one.
func (p *Property) FillDefault(rv reflect.Value) {
	if p.Default != nil {
		rv.Set(p.zero)
	}
}

// Apply applies the rules of the value itself, without wrappers. Items and properties have been checked
// before.
func (v *Value) Apply(rv reflect.Value, r *Report) {
	switch v.Kind {
	case String:
		v.applyText(rv, r)
	case Enum:
		if !slices.Contains(v.Values, rv.String()) {
			r.Add("must be one of " + strings.Join(v.Values, ", "))
		}
	case Integer:
		v.applyInteger(rv.Int(), r)
	case Number:
		v.applyNumber(rv.Float(), r)
	case List:
		v.ApplyLength(rv.Len(), r)
	case Text, Boolean, Object:
	}
}

// ApplyLength applies the items rule to a list of n items.
func (v *Value) ApplyLength(n int, r *Report) {
	if items := v.Rules.Items; items != nil && !items.holds(n) {
		r.Add(items.phrase("item"))
	}
}
