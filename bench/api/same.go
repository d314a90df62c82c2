package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// sameJSON compares two answers, ignoring what is signed or encrypted again in each.
func sameJSON(a, b []byte) error {
	var left, right any

	for body, into := range map[*[]byte]*any{&a: &left, &b: &right} {
		if err := json.Unmarshal(*body, into); err != nil {
			return fmt.Errorf("read an answer: %w", err)
		}
	}

	return same("", unsigned(left), unsigned(right))
}

// same returns an error naming the first place where two values differ.
func same(path string, a, b any) error {
	if reflect.DeepEqual(a, b) {
		return nil
	}

	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok && slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
			for name := range a {
				if err := same(path+"."+name, a[name], b[name]); err != nil {
					return err
				}
			}
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				if err := same(fmt.Sprintf("%s[%d]", path, i), a[i], b[i]); err != nil {
					return err
				}
			}
		}
	}

	return fmt.Errorf("the answers differ at %q: %.300v and %.300v", path, a, b)
}

var token = regexp.MustCompile(`\?token=\d+\.[\w-]{43}$`)

// unsigned replaces signatures and cursors by their length.
func unsigned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if sealed, ok := value.(string); ok && name == "nextCursor" {
				v[name] = len(sealed) / 16 // its length varies with the numbers in it
			} else {
				v[name] = unsigned(value)
			}
		}

		return v
	case []any:
		for i := range v {
			v[i] = unsigned(v[i])
		}

		return v
	case string:
		return token.ReplaceAllString(v, "?token")
	default:
		return v
	}
}

// sameStatements checks that two servers executed the same statements with the same arguments, in any order.
func sameStatements(a, b []statement) error {
	lines := func(all []statement) []string {
		out := make([]string, len(all))
		for i, s := range all {
			out[i] = fmt.Sprintf("%s -- %q", s.Text, s.Args)
		}

		slices.Sort(out)

		return out
	}

	if left, right := lines(a), lines(b); !slices.Equal(left, right) {
		return fmt.Errorf("the servers execute different statements:\n%s\n\nand\n\n%s",
			strings.Join(left, "\n"), strings.Join(right, "\n"))
	}

	return nil
}

// sameGraph compares answers of two graphs with different conventions: PostGraphile's bigints are strings, its times
// have microseconds, its enums are text, and rows behind a join table are nested in it.
func sameGraph(ours, theirs []byte, rename *strings.Replacer) error {
	var left, right struct {
		Data any `json:"data"`
	}

	if err := json.Unmarshal(ours, &left); err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}

	if err := json.Unmarshal([]byte(rename.Replace(string(theirs))), &right); err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}

	return same("", normal(left.Data), normal(right.Data))
}

func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if joined, is := v["tagByTagId"]; is && len(v) == 1 {
			return normal(joined)
		}

		for name, value := range v {
			v[name] = normal(value)
		}

		return v
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}

		return v
	case float64:
		return fmt.Sprint(int64(v))
	case string:
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return t.UTC().Format(time.RFC3339Nano)
		}

		return strings.ToLower(v)
	default:
		return v
	}
}
