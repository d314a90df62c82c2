// Package model holds the types that GraphQL and REST share: inputs, payloads, connections, scalars, and aliases for
// the database rows. Because of this package, GraphQL and REST do not depend on each other, and REST does not depend
// on the database.
package model

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// dateTime is the only format of times: UTC with exactly three decimals.
const dateTime = "2006-01-02T15:04:05.000Z"

// FormatTime returns a time in the format that every response uses.
func FormatTime(t time.Time) string { return string(AppendTime(make([]byte, 0, len(dateTime)), t)) }

// AppendTime appends t to the buffer in the format of FormatTime. Each row of a list contains two timestamps, and
// time.AppendFormat would take four times as long, because it parses the layout in every call.
func AppendTime(to []byte, t time.Time) []byte {
	t = t.UTC()

	year, month, day := t.Date()
	if year < 1000 || year > 9999 { // not four digits
		return t.AppendFormat(to, dateTime)
	}

	hour, minute, second := t.Clock()
	milli := t.Nanosecond() / int(time.Millisecond)

	to = strconv.AppendInt(to, int64(year), 10)
	to = appendTwo(append(to, '-'), int(month))
	to = appendTwo(append(to, '-'), day)
	to = appendTwo(append(to, 'T'), hour)
	to = appendTwo(append(to, ':'), minute)
	to = appendTwo(append(to, ':'), second)
	to = append(to, '.', byte('0'+milli/100))

	return append(appendTwo(to, milli%100), 'Z')
}

// appendTwo appends a number below 100 with two digits.
func appendTwo(to []byte, n int) []byte { return append(to, byte('0'+n/10), byte('0'+n%10)) }

// MarshalDateTime writes the DateTime scalar.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { fmt.Fprintf(w, `"%s"`, FormatTime(t)) })
}

// UnmarshalDateTime reads the DateTime scalar.
func UnmarshalDateTime(v any) (time.Time, error) {
	text, ok := v.(string)
	if !ok {
		return time.Time{}, fmt.Errorf("must be a string such as 2026-01-31T12:00:00.000Z")
	}

	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("must be a time such as 2026-01-31T12:00:00.000Z")
	}

	return t.UTC().Truncate(time.Millisecond), nil
}

// MarshalSafeInt writes the SafeInt scalar.
func MarshalSafeInt(n int64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { fmt.Fprint(w, n) })
}

// UnmarshalSafeInt reads the SafeInt scalar. As in REST, it accepts 5.0 as an integer.
func UnmarshalSafeInt(v any) (int64, error) {
	var f float64

	switch n := v.(type) {
	case int64:
		f = float64(n)
	case int:
		f = float64(n)
	case float64:
		f = n
	case json.Number:
		exact, err := strconv.ParseInt(n.String(), 10, 64)
		if err == nil {
			f = float64(exact)

			break
		}

		if f, err = n.Float64(); err != nil {
			return 0, fmt.Errorf("must be an integer")
		}
	default:
		return 0, fmt.Errorf("must be an integer")
	}

	switch {
	case f != math.Trunc(f):
		return 0, fmt.Errorf("must be an integer")
	case math.Abs(f) > input.MaxSafeInteger:
		return 0, fmt.Errorf("%s", input.SafeRule)
	}

	return int64(f), nil
}

// MarshalURL writes the URL scalar. An empty address is written as null.
func MarshalURL(s string) graphql.Marshaler {
	if s == "" {
		return graphql.Null
	}

	return graphql.MarshalString(s)
}

// UnmarshalURL reads the URL scalar.
func UnmarshalURL(v any) (string, error) {
	text, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("must be a string")
	}

	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return "", fmt.Errorf("must be an absolute http or https URL")
	}

	return text, nil
}

// MarshalColor writes the Color scalar.
func MarshalColor(c values.Color) graphql.Marshaler { return graphql.MarshalString(string(c)) }

// UnmarshalColor reads the Color scalar in any accepted spelling.
func UnmarshalColor(v any) (values.Color, error) {
	text, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("must be a string")
	}

	return values.ParseColor(text)
}

// MarshalJSON writes the JSON scalar unchanged.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(v) })
}

// UnmarshalJSON reads the JSON scalar.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("must be a JSON value: %w", err)
	}

	return text, nil
}
