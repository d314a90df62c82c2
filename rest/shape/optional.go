package shape

import (
	"reflect"
)

// Optional is a property of an answer with three states: the zero value is absent, Null is null.
// Its field needs the json option omitzero. A property that is never null is a pointer with omitempty
// or a plain value instead.
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

// Some is a property that is there.
func Some[T any](value T) Optional[T] { return Optional[T]{value: value, state: optionalValue} }

// Null is a property that is there and null.
func Null[T any]() Optional[T] { return Optional[T]{state: optionalNull} }

// SomeOrNull is null for nil, and the value behind the pointer otherwise.
func SomeOrNull[T any](value *T) Optional[T] {
	if value == nil {
		return Null[T]()
	}

	return Some(*value)
}

// Value is what is there, if that is a value.
func (o Optional[T]) Value() (T, bool) { return o.value, o.state == optionalValue }

// IsZero makes omitzero leave an absent property out.
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
