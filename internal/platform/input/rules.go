package input

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Range holds the inclusive minimum and maximum of a length.
type Range struct {
	Min int // 0 means no lower limit
	Max int // -1 means no upper limit
}

// Rules is a parsed check tag. The zero value allows everything but null.
type Rules struct {
	Required bool
	Nullable bool
	NotBlank bool
	URL      bool
	Email    bool
	Color    bool
	Chars    *Range
	Items    *Range
	Min      *float64
	Max      *float64
	Above    *float64 // gt
	Below    *float64 // lt
	OneOf    []string
}

// ParseRules parses a check tag, whose grammar is in the package comment. No other function parses check tags.
func ParseRules(tag string) (Rules, error) {
	var rules Rules

	if tag == "" {
		return rules, nil
	}

	for rule := range strings.SplitSeq(tag, ",") {
		name, arg, _ := strings.Cut(rule, "=")

		if err := rules.add(name, arg); err != nil {
			return Rules{}, fmt.Errorf("check tag %q: %w", tag, err)
		}
	}

	return rules, nil
}

func (r *Rules) add(name, arg string) error {
	var err error

	switch name {
	case "required":
		r.Required = true
	case "nullable":
		r.Nullable = true
	case "notblank":
		r.NotBlank = true
	case "url":
		r.URL = true
	case "email":
		r.Email = true
	case "color":
		r.Color = true
	case "oneof":
		r.OneOf = strings.Split(arg, "|")
	case "chars":
		r.Chars, err = parseRange(arg)
	case "items":
		r.Items, err = parseRange(arg)
	case "min":
		r.Min, err = parseBound(arg)
	case "max":
		r.Max, err = parseBound(arg)
	case "gt":
		r.Above, err = parseBound(arg)
	case "lt":
		r.Below, err = parseBound(arg)
	default:
		err = fmt.Errorf("unknown rule %q", name)
	}

	return err
}

func parseRange(arg string) (*Range, error) {
	low, high, found := strings.Cut(arg, "..")
	if !found || low == "" && high == "" {
		return nil, fmt.Errorf("%q is not a range", arg)
	}

	r := Range{Max: -1}

	var err error

	if low != "" {
		if r.Min, err = strconv.Atoi(low); err != nil {
			return nil, fmt.Errorf("range %q: %w", arg, err)
		}
	}

	if high != "" {
		if r.Max, err = strconv.Atoi(high); err != nil {
			return nil, fmt.Errorf("range %q: %w", arg, err)
		}
	}

	return &r, nil
}

func parseBound(arg string) (*float64, error) {
	bound, err := strconv.ParseFloat(arg, 64)
	if err != nil || math.IsNaN(bound) || math.IsInf(bound, 0) {
		return nil, fmt.Errorf("%q is not a number", arg)
	}

	return &bound, nil
}

func (r *Range) holds(n int) bool { return n >= r.Min && (r.Max < 0 || n <= r.Max) }

// phrase returns the range as the end of a sentence: "must have 1 to 255 characters".
func (r *Range) phrase(noun string) string {
	plural := func(n int) string {
		if n == 1 {
			return noun
		}

		return noun + "s"
	}

	switch {
	case r.Max < 0:
		return fmt.Sprintf("must have at least %d %s", r.Min, plural(r.Min))
	case r.Min == 0:
		return fmt.Sprintf("must have at most %d %s", r.Max, plural(r.Max))
	case r.Min == r.Max:
		return fmt.Sprintf("must have exactly %d %s", r.Min, plural(r.Min))
	default:
		return fmt.Sprintf("must have %d to %d %s", r.Min, r.Max, plural(r.Max))
	}
}

// number returns which limit a number breaks, or an empty string.
func (r *Rules) number(n float64) string {
	low := r.Min != nil && n < *r.Min || r.Above != nil && n <= *r.Above
	high := r.Max != nil && n > *r.Max || r.Below != nil && n >= *r.Below

	if !low && !high {
		return ""
	}

	var bounds []string

	for _, b := range []struct {
		words string
		bound *float64
	}{
		{"greater than ", r.Above}, {"at least ", r.Min}, {"less than ", r.Below}, {"at most ", r.Max},
	} {
		if b.bound != nil {
			bounds = append(bounds, b.words+strconv.FormatFloat(*b.bound, 'f', -1, 64))
		}
	}

	return "must be " + strings.Join(bounds, " and ")
}
