package shape

import (
	"reflect"
)

// Optional is a property of a response that can be absent, null or a value. The zero value is an absent property.
// Null returns a property that is null, and Some returns one that has a value. The field needs the json option
// omitzero. For a property that is never null, use a plain value or a pointer with omitempty.
type Optional[T any] struct {
	value T
	state optionalState
}

type optionalState int

const (
	optionalAbsent optionalState = iota
	optionalNull
	optionalValue
)

// Some returns a property that has a value.
func Some[T any](value T) Optional[T] { return Optional[T]{value: value, state: optionalValue} }

// Null returns a property that is null.
func Null[T any]() Optional[T] { return Optional[T]{state: optionalNull} }

// SomeOrNull returns a property with the value that the pointer points to, or null for a nil pointer.
func SomeOrNull[T any](value *T) Optional[T] {
	if value == nil {
		return Null[T]()
	}

	return Some(*value)
}

// Value returns the value of the property. It returns false if the property is absent or null.
func (o Optional[T]) Value() (T, bool) { return o.value, o.state == optionalValue }

// IsZero reports whether the property is absent. The json option omitzero then leaves it out.
func (o Optional[T]) IsZero() bool { return o.state == optionalAbsent }

// Nullable implements openapi.Nullable.
func (Optional[T]) Nullable() reflect.Type { return reflect.TypeFor[T]() }

// MarshalJSON implements json.Marshaler.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.state != optionalValue {
		return []byte("null"), nil
	}

	return Encode(o.value)
}
