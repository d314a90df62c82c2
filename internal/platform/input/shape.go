package input

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Kind is the type that a value has in JSON or in a query.
type Kind int

// The kinds.
const (
	String  Kind = iota + 1
	Enum         // one of the strings in Value.Values
	Text         // a string that the type parses by encoding.TextUnmarshaler
	Integer      // within ±MaxSafeInteger
	Number
	Boolean
	List
	Object
)

// noun is the name of the kind in messages.
func (k Kind) noun() string {
	return [...]string{
		String: "a string", Enum: "a string", Text: "a string", Integer: "an integer",
		Number: "a number", Boolean: "a boolean", List: "an array", Object: "an object",
	}[k]
}

// WrongType returns the rule that a value of another JSON type breaks.
func (k Kind) WrongType() string { return "must be " + k.noun() }

// WrongType returns the rule that a value of another JSON type breaks. If only certain strings are allowed, it lists
// them.
func (v *Value) WrongType() string {
	rule, right := v.Kind.WrongType(), v.Values
	if right == nil {
		right = v.Rules.OneOf
	}

	if right != nil {
		rule += ": one of " + strings.Join(right, ", ")
	}

	return rule
}

// Value describes what a property or a list item may contain: its type, whether it may be absent or null, and its
// rules.
type Value struct {
	Kind      Kind
	Type      reflect.Type // the Go type without Omittable and pointer
	Omittable bool
	Pointer   bool
	Rules     Rules
	Values    []string // of an Enum
	Item      *Value   // of a List
	Shape     *Shape   // of an Object
}

// Property is a field of an input type.
type Property struct {
	Name    string
	Index   []int // for reflect.Value.FieldByIndex, because embedded structs are flattened
	Value   *Value
	Default *string // the default tag, for plain values only
	zero    reflect.Value
}

// Shape holds everything that the tags of a struct define.
type Shape struct {
	Type       reflect.Type
	Properties []Property
	Some       bool // at least one property must be given
	// Telling is the property that selects one of the Variants. A type with Telling has no properties of its
	// own.
	Telling  string
	Variants []Variant
	byName   map[string]int
	checks   bool
	labels   bool
}

// Checker is for input types with rules that tags cannot express, such as properties that exclude or require each
// other. The pointer type implements it. Check returns faults whose paths are relative to the value. It is called
// even if the value breaks rules of the tags, so that all faults are reported together. A fault is reported only if
// all properties in its field Of are valid. If Of is empty, all properties of the value must be valid. Check may also
// set properties that follow from others.
type Checker interface {
	Check() []fault.Field
}

// enum is a string type that lists its values, such as those of package values.
type enum interface{ Values() []string }

type shapeKey struct {
	t   reflect.Type
	tag string
}

var shapes sync.Map // maps shapeKey to *Shape; a compiled shape never changes

// ShapeOf returns the shape of a struct type whose properties are named by json tags. It panics on an unknown tag or
// field type. This is a programming error, and it appears when the routes are built.
func ShapeOf(t reflect.Type) *Shape { return shapeOf(t, "json") }

// QueryShapeOf is like ShapeOf, but the properties are named by query tags. It ignores fields without such a tag.
func QueryShapeOf(t reflect.Type) *Shape { return shapeOf(t, "query") }

func shapeOf(t reflect.Type, tag string) *Shape {
	if known, ok := shapes.Load(shapeKey{t, tag}); ok {
		return known.(*Shape) //nolint:forcetypeassert // the map holds nothing else
	}

	shape := (&compiler{tag: tag, open: map[reflect.Type]*Shape{}}).shape(t)
	known, _ := shapes.LoadOrStore(shapeKey{t, tag}, shape)

	return known.(*Shape) //nolint:forcetypeassert // the map holds nothing else
}

// Lookup finds a property by its exact name.
func (s *Shape) Lookup(name []byte) (int, bool) {
	i, ok := s.byName[string(name)]

	return i, ok
}

// Similar finds a property whose name differs from the given name only in letter case.
func (s *Shape) Similar(name string) (string, bool) {
	for _, p := range s.Properties {
		if strings.EqualFold(p.Name, name) {
			return p.Name, true
		}
	}

	return "", false
}

// compiler builds the shape of a type and of the types inside it. open holds the shapes that are not complete
// yet, so that a type may contain lists of itself.
type compiler struct {
	tag  string
	open map[reflect.Type]*Shape
}

func (c *compiler) shape(t reflect.Type) *Shape {
	if begun, ok := c.open[t]; ok {
		return begun
	}

	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("check: %s is not a struct", t))
	}

	s := &Shape{Type: t, byName: map[string]int{}, checks: reflect.PointerTo(t).Implements(reflect.TypeFor[Checker]())}
	s.labels = reflect.PointerTo(t).Implements(reflect.TypeFor[Labelled]())
	c.open[t] = s
	c.fields(s, t, nil)

	return s
}

func (c *compiler) fields(s *Shape, t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)

		if f.Name == "_" {
			s.Some = s.Some || f.Tag.Get("check") == "some"

			if telling, tells := strings.CutPrefix(f.Tag.Get("check"), "variant="); tells {
				s.Telling = telling
			}

			continue
		}

		if variant, is := f.Tag.Lookup("variant"); is {
			c.variant(s, f, variant, at)

			continue
		}

		name, _, _ := strings.Cut(f.Tag.Get(c.tag), ",")

		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			c.fields(s, f.Type, at)
		case !f.IsExported() || name == "-" || name == "":
		default:
			c.add(s, f, name, at)
		}
	}
}

func (c *compiler) add(s *Shape, f reflect.StructField, name string, index []int) {
	if _, twice := s.byName[name]; twice {
		panic(fmt.Sprintf("check: %s has two properties %q", s.Type, name))
	}

	v, err := c.value(f.Type, f.Tag.Get("check"), f.Tag.Get("each"))
	if err != nil {
		panic(fmt.Sprintf("check: %s.%s: %v", s.Type, f.Name, err))
	}

	p := Property{Name: name, Index: index, Value: v}

	if text, ok := f.Tag.Lookup("default"); ok {
		p.Default, p.zero = &text, reflect.New(f.Type).Elem()

		var faults Report
		if v.SetText(p.zero, text, &faults); v.Omittable || v.Pointer || faults.Count() > 0 {
			panic(fmt.Sprintf("check: %s.%s: default %q does not fit", s.Type, f.Name, text))
		}
	}

	s.byName[name] = len(s.Properties)
	s.Properties = append(s.Properties, p)
}

func (c *compiler) value(t reflect.Type, tag, each string) (*Value, error) {
	rules, err := ParseRules(tag)
	if err != nil {
		return nil, err
	}

	v := &Value{Rules: rules}

	if isOmittable(t) {
		v.Omittable = true
		t = t.Field(0).Type
	}

	if t.Kind() == reflect.Pointer {
		v.Pointer = true
		t = t.Elem()
	}

	v.Type = t

	if err := c.kind(v, each); err != nil {
		return nil, err
	}

	return v, v.fits()
}

func (c *compiler) kind(v *Value, each string) error {
	t := v.Type

	switch {
	case t.Kind() == reflect.String && t.Implements(reflect.TypeFor[enum]()):
		v.Kind = Enum
		v.Values = reflect.Zero(t).Interface().(enum).Values() //nolint:forcetypeassert // it implements it

		if v.Rules.OneOf != nil {
			v.Values = v.Rules.OneOf
		}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		v.Kind = Text
	case t.Kind() == reflect.String:
		v.Kind = String
	case t.Kind() == reflect.Bool:
		v.Kind = Boolean
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		v.Kind = Integer
	case t.Kind() == reflect.Float64:
		v.Kind = Number
	case t.Kind() == reflect.Struct:
		v.Kind = Object
		v.Shape = c.shape(t)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		item, err := c.value(t.Elem(), each, "")
		if err != nil {
			return fmt.Errorf("item: %w", err)
		}

		v.Kind, v.Item = List, item
	default:
		return fmt.Errorf("%s cannot be read from a request", t)
	}

	return nil
}

// fits refuses rules that the kind of value would silently ignore.
func (v *Value) fits() error {
	r := v.Rules
	text := v.Kind == String
	number := v.Kind == Integer || v.Kind == Number

	switch {
	case (r.NotBlank || r.URL || r.Email || r.Color || r.Chars != nil) && !text,
		r.OneOf != nil && !text && v.Kind != Enum,
		r.Items != nil && v.Kind != List,
		(r.Min != nil || r.Max != nil || r.Above != nil || r.Below != nil) && !number,
		r.Nullable && !v.Omittable && !v.Pointer:
		return fmt.Errorf("a rule of the check tag does not apply to type %s", v.Type)
	default:
		return nil
	}
}
