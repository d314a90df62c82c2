package input

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxSafeInteger is the largest integer that every JSON reader represents exactly.
const MaxSafeInteger = 1<<53 - 1

// maxEmail is the maximum length of a mail address.
const maxEmail = 254

// SafeRule is the rule for an integer that is outside ±MaxSafeInteger.
const SafeRule = "must be between -9007199254740991 and 9007199254740991"

// Beyond returns the rule that a number outside ±MaxSafeInteger breaks. This is the minimum or maximum of the value
// on that side or, if it has none there, SafeRule. negative says whether the number is negative.
func (v *Value) Beyond(negative bool) string {
	sign := 1
	if negative {
		sign = -1
	}

	return cmp.Or(v.Rules.number(math.Inf(sign)), SafeRule)
}

func (v *Value) applyInteger(n int64, r *Report) {
	if n > MaxSafeInteger || n < -MaxSafeInteger {
		r.Add(v.Beyond(n < 0))

		return
	}

	if rule := v.Rules.number(float64(n)); rule != "" {
		r.Add(rule)
	}
}

// applyNumber also refuses numbers beyond the safe integers.
func (v *Value) applyNumber(n float64, r *Report) {
	if math.IsNaN(n) || math.Abs(n) > MaxSafeInteger {
		r.Add(v.Beyond(n < 0))

		return
	}

	if rule := v.Rules.number(n); rule != "" {
		r.Add(rule)
	}
}

func (v *Value) applyText(rv reflect.Value, r *Report) {
	s := rv.String()

	if rule := storable(s); rule != "" {
		r.Add(rule)

		return
	}

	if normal := norm.NFC.String(s); normal != s {
		rv.SetString(normal)
		s = normal
	}

	rules := &v.Rules

	if rules.Chars != nil && !rules.Chars.holds(utf8.RuneCountInString(s)) {
		r.Add(rules.Chars.phrase("character"))
	}

	switch {
	case rules.NotBlank && s != "" && blank(s):
		r.Add("must not consist of white space only")
	case rules.NotBlank && s == "" && (rules.Chars == nil || rules.Chars.Min == 0):
		r.Add("must not be empty")
	case rules.OneOf != nil && !slices.Contains(rules.OneOf, s):
		r.Add("must be one of " + strings.Join(rules.OneOf, ", "))
	case rules.URL && !webAddress(s):
		r.Add("must be an absolute http or https URL")
	case rules.Email && !emailAddress(s):
		r.Add("must be an e-mail address")
	case rules.Color && !colour(s):
		r.Add("must be a color: #RGB, #RRGGBB or #RRGGBBAA")
	}
}

// storable refuses text that the database cannot store.
func storable(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	case strings.IndexByte(s, 0) >= 0:
		return "must not contain the character U+0000"
	default:
		return ""
	}
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return !unicode.IsSpace(c) }) < 0
}

func webAddress(s string) bool {
	u, err := url.Parse(s)

	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		strings.IndexFunc(s, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }) < 0
}

func emailAddress(s string) bool {
	a, err := mail.ParseAddress(s)

	return err == nil && a.Address == s && len(s) <= maxEmail
}

func colour(s string) bool {
	digits, found := strings.CutPrefix(s, "#")
	if !found || len(digits) != 3 && len(digits) != 6 && len(digits) != 8 {
		return false
	}

	for _, c := range []byte(strings.ToLower(digits)) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}

	return true
}

// SetText parses a value that was given as text, in a query or a default tag, stores it in rv, and applies its rules.
// rv must be addressable and not Omittable. The items of a list are separated by commas.
func (v *Value) SetText(rv reflect.Value, text string, r *Report) {
	if rule := storable(text); rule != "" {
		r.Add(rule)

		return
	}

	if v.Kind == List {
		parts := strings.Split(text, ",")
		target := v.Fill(rv)
		target.Set(reflect.MakeSlice(v.Type, len(parts), len(parts)))

		for i, part := range parts {
			v.Item.SetText(target.Index(i), part, r)
		}

		v.Apply(target, r)

		return
	}

	target := v.Fill(rv)

	if rule := v.parse(target, text); rule != "" {
		r.Add(rule)

		return
	}

	v.Apply(target, r)
}

func (v *Value) parse(target reflect.Value, text string) string {
	switch v.Kind {
	case String, Enum:
		target.SetString(text)
	case Text:
		return v.ParseText(target, text)
	case Boolean:
		if text != "true" && text != "false" {
			return "must be true or false"
		}

		target.SetBool(text == "true")
	case Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || text[0] == '+' {
			return v.integerRule(text)
		}

		return v.SetInteger(target, n)
	case Number:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || strings.IndexFunc(text, notOfNumber) >= 0 {
			return Number.WrongType()
		}

		if math.IsInf(n, 0) {
			return v.Beyond(n < 0)
		}

		target.SetFloat(n)
	case List, Object:
		return v.WrongType()
	}

	return ""
}

// integerRule tells an integer with too many digits from a text that is not an integer.
func (v *Value) integerRule(text string) string {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.IndexFunc(digits, func(c rune) bool { return c < '0' || c > '9' }) >= 0 {
		return Integer.WrongType()
	}

	return v.Beyond(text[0] == '-')
}

// notOfNumber matches what Go's ParseFloat accepts beyond decimal numbers: hex, Inf, underscores.
func notOfNumber(c rune) bool {
	return (c < '0' || c > '9') && c != '-' && c != '.' && c != 'e' && c != 'E' && c != '+'
}

// SetInteger stores an integer in target. If the Go type is too narrow, it returns the broken rule.
func (v *Value) SetInteger(target reflect.Value, n int64) string {
	if target.OverflowInt(n) {
		return cmp.Or(v.Rules.number(float64(n)), fmt.Sprintf("must fit into %d bits", target.Type().Bits()))
	}

	target.SetInt(n)

	return ""
}

// ParseText parses the string of a Text value with the method of the value's type. If that fails, it returns the
// broken rule.
func (v *Value) ParseText(target reflect.Value, text string) string {
	if rule := storable(text); rule != "" {
		return rule
	}

	reader := target.Addr().Interface().(encoding.TextUnmarshaler) //nolint:forcetypeassert // the kind was chosen by this interface
	err := reader.UnmarshalText([]byte(text))

	switch {
	case err == nil:
		return ""
	case v.Type == reflect.TypeFor[time.Time]():
		return "must be a date and time such as 2026-01-02T03:04:05.678Z"
	default:
		return "is malformed: " + shorten(err.Error())
	}
}
