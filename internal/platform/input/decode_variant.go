package input

import "reflect"

// variant reads an object of one of several types. The value of its telling property selects the type.
func (d *decoder) variant(shape *Shape, rv reflect.Value) {
	name, given := d.foresee(shape.Telling)
	is, rule := shape.Variant(name)

	if !given {
		rule = RequiredRule
	}

	if rule == "" {
		target := rv.FieldByIndex(is.Index)
		target.Set(reflect.New(is.Shape.Type))
		d.object(is.Shape, target.Elem())

		return
	}

	if d.skip(); !d.broken {
		d.faults.AddAt(shape.Telling, rule)
	}
}

// foresee reads a property of the object ahead, and reports whether it is there. A value that is not a string
// is returned as an empty one.
func (d *decoder) foresee(property string) (value string, given bool) {
	ahead := decoder{in: d.in, at: d.at, depth: d.depth, faults: &Report{}}

	ahead.each('}', func() {
		name, _ := ahead.name()

		if ahead.broken || given || string(name) != property {
			ahead.skip()

			return
		}

		given = true

		if ahead.peek() != '"' {
			ahead.skip()

			return
		}

		text, _ := ahead.text()
		value = string(text)
	})

	return value, given
}
