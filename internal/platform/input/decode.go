package input

import (
	"fmt"
	"reflect"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// maxDepth is the maximum nesting of arrays and objects, including the body itself.
const maxDepth = 32

// decoder reads one JSON body into an input struct. encoding/json would accept keys in any letter case,
// duplicate keys and half surrogate pairs, would refuse 5.0 as an integer, and stops at the first fault. This
// decoder refuses or accepts all of them as the contract says, and reports every fault with its path.
type decoder struct {
	in     []byte
	at     int
	depth  int
	broken bool // the rest cannot be read: not JSON, or nested too deep
	faults *Report
}

// DecodeBody decodes body into rv, an addressable struct with the given shape. An empty body counts as an empty
// object.
func DecodeBody(body []byte, rv reflect.Value, shape *Shape, faults *Report) {
	d := decoder{in: body, faults: faults}

	if len(body) == 0 {
		d.in = []byte("{}")
	}

	d.space()

	if d.peek() != '{' {
		d.skip()

		if !d.broken {
			faults.Add("the body must be a JSON object")
		}
	} else {
		d.object(shape, rv)
	}

	if d.space(); !d.broken && d.at < len(d.in) {
		d.broke("nothing may follow the object")
	}
}

// broke stops the decoding, because nothing after a syntax fault has a meaning.
func (d *decoder) broke(why string) {
	if d.broken {
		return
	}

	d.broken = true
	where := fmt.Sprintf(" at byte %d", d.at)

	if d.at >= len(d.in) {
		where, why = "", "it ends too early"
	}

	subject := ""
	if d.faults.AtRoot() {
		subject = "the body "
	}

	d.faults.Add(subject + "is not valid JSON" + where + ": " + why)
}

func (d *decoder) space() {
	for d.at < len(d.in) {
		switch d.in[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end. A 0 byte is not valid anywhere outside a string.
func (d *decoder) peek() byte {
	if d.at >= len(d.in) {
		return 0
	}

	return d.in[d.at]
}

// down enters an array or object and reports whether its depth is allowed.
func (d *decoder) down() bool {
	d.at++
	d.depth++

	if d.depth <= maxDepth {
		return true
	}

	d.broken = true
	d.faults.Add(fmt.Sprintf("must not be nested more than %d levels deep", maxDepth))

	return false
}

// up leaves an array or object at its closing byte.
func (d *decoder) up() {
	d.at++
	d.depth--
}

// each reads the members of an array or object up to the closing byte. member reads one of them.
func (d *decoder) each(closing byte, member func()) {
	if !d.down() {
		return
	}

	if d.space(); d.peek() == closing {
		d.up()

		return
	}

	for {
		member()

		if d.broken {
			return
		}

		d.space()

		switch d.peek() {
		case ',':
			d.at++
			d.space()
		case closing:
			d.up()

			return
		default:
			d.broke(fmt.Sprintf("a comma or %q is missing", closing))

			return
		}
	}
}

func (d *decoder) object(shape *Shape, rv reflect.Value) {
	if shape.Telling != "" {
		d.variant(shape, rv)

		return
	}

	before := d.faults.Count()
	seen := make([]bool, len(shape.Properties))

	d.each('}', func() { d.property(shape, rv, seen) })

	if d.broken {
		return
	}

	given := 0

	for i, was := range seen {
		p := &shape.Properties[i]

		switch {
		case was:
			given++
		case p.Value.Rules.Required:
			d.faults.AddAt(p.Name, RequiredRule)
		default:
			p.FillDefault(rv.FieldByIndex(p.Index))
		}
	}

	if shape.Some && given == 0 {
		d.faults.Add(SomeRule)
	}

	shape.Finish(rv, before, d.faults)
	shape.Label(rv, before, d.faults)
}

func (d *decoder) property(shape *Shape, rv reflect.Value, seen []bool) {
	name, rule := d.name()
	if d.broken {
		return
	}

	i, known := shape.Lookup(name)

	switch {
	case rule != "":
		d.faults.Add("has a property name that " + rule)
		d.skip()
	case !known:
		d.faults.AddAt(string(name), unknown(shape, string(name)))
		d.skip()
	case seen[i]:
		d.faults.AddAt(string(name), "must not be given twice")
		d.skip()
	default:
		seen[i] = true
		p := &shape.Properties[i]

		d.faults.Enter(p.Name)
		d.value(p.Value, rv.FieldByIndex(p.Index))
		d.faults.Leave()
	}
}

func unknown(shape *Shape, name string) string {
	if similar, ok := shape.Similar(name); ok {
		return fmt.Sprintf("is not a known property: did you mean %q?", similar)
	}

	return "is not a known property"
}

// name reads a property's name and the colon.
func (d *decoder) name() ([]byte, string) {
	if d.peek() != '"' {
		d.broke("a property name is missing")

		return nil, ""
	}

	name, rule := d.text()

	if d.space(); d.peek() != ':' {
		d.broke("a colon is missing")
	}

	if !d.broken {
		d.at++
		d.space()
	}

	return name, rule
}

func (d *decoder) value(v *Value, rv reflect.Value) {
	c := d.peek()

	switch {
	case c == 'n':
		if d.literal("null") {
			v.FillNull(rv, d.faults)
		}
	case v.Kind == Object && c == '{':
		d.object(v.Shape, v.Fill(rv))
	case v.Kind == List && c == '[':
		d.list(v, v.Fill(rv))
	case v.Kind == Boolean && (c == 't' || c == 'f'):
		if c == 't' && d.literal("true") || c == 'f' && d.literal("false") {
			v.Fill(rv).SetBool(c == 't')
		}
	case c == '"' && (v.Kind == String || v.Kind == Enum || v.Kind == Text):
		d.string(v, v.Fill(rv))
	case (c == '-' || c >= '0' && c <= '9') && (v.Kind == Integer || v.Kind == Number):
		d.number(v, v.Fill(rv))
	default:
		d.skip()

		if !d.broken {
			d.faults.Add(v.WrongType())
		}
	}
}

// list reads the items of a list. If the list is longer than the rules allow, it skips the items beyond that length.
func (d *decoder) list(v *Value, rv reflect.Value) {
	rv.Set(reflect.MakeSlice(v.Type, 0, 4))

	n := 0

	d.each(']', func() {
		if items := v.Rules.Items; items != nil && items.Max >= 0 && n >= items.Max {
			d.skip()
		} else {
			if n == rv.Cap() {
				rv.Grow(1)
			}

			rv.SetLen(n + 1)
			rv.Index(n).SetZero()

			d.faults.EnterItem(n)
			d.value(v.Item, rv.Index(n))
			d.faults.Leave()
		}

		n++
	})

	if !d.broken {
		v.ApplyLength(n, d.faults)
	}
}

func (d *decoder) string(v *Value, rv reflect.Value) {
	s, rule := d.text()

	switch {
	case d.broken:
	case rule != "":
		d.faults.Add(rule)
	case v.Kind == Text:
		if rule := v.ParseText(rv, string(s)); rule != "" {
			d.faults.Add(rule)
		}
	default:
		rv.SetString(string(s))
		v.Apply(rv, d.faults)
	}
}

func (d *decoder) number(v *Value, rv reflect.Value) {
	token := d.digits()
	if d.broken {
		return
	}

	var rule string

	if v.Kind == Integer {
		var n int64

		if n, rule = integer(token); rule == "" {
			rule = v.SetInteger(rv, n)
		}
	} else {
		var n float64

		if n, rule = float(token); rule == "" {
			rv.SetFloat(n)
		}
	}

	switch rule {
	case "":
		v.Apply(rv, d.faults)
	case SafeRule:
		d.faults.Add(v.Beyond(token[0] == '-'))
	default:
		d.faults.Add(rule)
	}
}

// Decode decodes a JSON document into the struct at the given pointer, as strictly as a request body. It returns all
// faults, or nil if there are none.
func Decode(document []byte, into any) []fault.Field {
	rv := reflect.ValueOf(into).Elem()

	var faults Report

	DecodeBody(document, rv, ShapeOf(rv.Type()), &faults)

	return faults.Fields()
}
