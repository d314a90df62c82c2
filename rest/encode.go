package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"
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

	return encode(o.value)
}

// Datetime is a moment as the contract prints it.
type Datetime string

// datetimeOf prints UTC with exactly three decimals.
func datetimeOf(t time.Time) Datetime { return Datetime(t.UTC().Format("2006-01-02T15:04:05.000Z")) }

// each shapes the items of a list; the result is never nil, because an empty list is [] and not null.
func each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}

	return shapes
}

// ok is the answer of deletes and removals.
type ok struct {
	Status string `json:"status"`
}

func done() ok { return ok{Status: "ok"} }

// encode writes JSON as it travels: without the HTML escapes of encoding/json, which belong in pages.
func encode(v any) ([]byte, error) {
	if a, writes := v.(appender); writes {
		return a.appendJSON(nil)
	}

	var b bytes.Buffer

	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)

	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}

	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)

	_, _ = w.Write(body) // a caller who is gone cannot be told
}
