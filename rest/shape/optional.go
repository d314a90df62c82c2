package shape

import (
	"reflect"
)

// Optional is a property of a response with three states: the zero value is absent, Null is null, Some is a value.
// Its field needs the json option omitzero. For a property that is never null, use a pointer with omitempty or a
// plain value.
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

// Some returns a property with a value.
func Some[T any](value T) Optional[T] { return Optional[T]{value: value, state: optionalValue} }

// Null returns a property that is null.
func Null[T any]() Optional[T] { return Optional[T]{state: optionalNull} }

// SomeOrNull returns null for nil, and otherwise the value of the pointer.
func SomeOrNull[T any](value *T) Optional[T] {
	if value == nil {
		return Null[T]()
	}

	return Some(*value)
}

// Value returns the value, and whether there is one.
func (o Optional[T]) Value() (T, bool) { return o.value, o.state == optionalValue }

// IsZero makes omitzero leave out an absent property.
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
