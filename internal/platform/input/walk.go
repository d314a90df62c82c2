package input

import (
	"reflect"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Struct applies the rules of every property of the struct that v points to, and normalizes its strings to NFC. It
// returns all faults, or nil if there are none. The GraphQL server calls it on inputs that gqlgen has filled; the
// JSON decoder applies the same rules while it reads. In a struct, an absent plain property looks like its zero
// value, so the rules of plain properties always apply.
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

// Finish calls the Check method of the type and adds its faults to r. since is the number of faults that r had before
// the value was checked. Finish leaves out a fault of Check if it concerns a property that already has a fault. If a
// list item has a fault, Finish does nothing, because the item may be missing from the list.
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

// Fill marks the property as given, and returns the reflect.Value in which its value must be stored.
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

// FillNull marks the property as given and null. If null is not allowed, it records a fault instead.
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

// Apply applies the rules of the value itself to rv, which is neither Omittable nor a pointer. The caller has already
// checked the list items and properties of rv.
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

// ApplyLength checks a list of n items against the rule "items", which limits the length, and adds faults to r.
func (v *Value) ApplyLength(n int, r *Report) {
	if items := v.Rules.Items; items != nil && !items.holds(n) {
		r.Add(items.phrase("item"))
	}
}
