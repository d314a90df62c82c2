package input

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

const (
	// maxFaults limits a response: a hostile body can hold a fault in every few bytes.
	maxFaults = 100
	// maxNameShown limits how much of a caller's own property name a message repeats.
	maxNameShown = 64
)

// Report collects the faults of one request while the request's properties are visited one after the other. The zero
// value is ready for use. Only one goroutine may use a Report.
type Report struct {
	trail  []step
	fields []fault.Field
	more   int
}

// step is one property or, with an empty name, one item of a list.
type step struct {
	name  string
	index int
}

// Enter moves to the property called name of the current value. Later faults concern this property.
func (r *Report) Enter(name string) { r.trail = append(r.trail, step{name: name}) }

// EnterItem moves to the item at index of the current list. Later faults concern this item.
func (r *Report) EnterItem(index int) { r.trail = append(r.trail, step{index: index}) }

// Leave moves back to the object or list that contains the current value.
func (r *Report) Leave() { r.trail = r.trail[:len(r.trail)-1] }

// AtRoot reports whether the current value is the root, where a fault concerns the body as a whole.
func (r *Report) AtRoot() bool { return len(r.trail) == 0 }

// Add records that the current value breaks a rule.
func (r *Report) Add(rule string) {
	if len(r.fields) == maxFaults {
		r.more++

		return
	}

	r.fields = append(r.fields, fault.Field{Path: r.path(), Rule: rule})
}

// AddAt records that the named property of the current value breaks a rule.
func (r *Report) AddAt(name, rule string) {
	r.Enter(name)
	r.Add(rule)
	r.Leave()
}

// addBelow records a fault at a path relative to the current value.
func (r *Report) addBelow(path, rule string) {
	before := len(r.fields)

	if r.Add(rule); len(r.fields) == before {
		return
	}

	if at := &r.fields[before]; at.Path == "" {
		at.Path = path
	} else {
		at.Path += "." + path
	}
}

// faulty reports whether any of the properties of the current place has a fault between two counts. If no
// property is named, it considers all.
func (r *Report) faulty(since, until int, properties []string) bool {
	if properties == nil {
		return until > since
	}

	for _, f := range r.fields[since:until] {
		below, is := strings.CutPrefix(f.Path, r.path())
		if !is || below == "" {
			return true // about the value as a whole
		}

		below = strings.TrimPrefix(below, ".")
		if end := strings.IndexAny(below, ".["); end >= 0 {
			below = below[:end]
		}

		if slices.Contains(properties, below) {
			return true
		}
	}

	return false
}

// broken reports whether list items inside the current value have a fault. It ignores the first since faults. It also
// returns true if there are too many faults to know.
func (r *Report) broken(since int) bool {
	if r.more > 0 {
		return true
	}

	at := r.path()

	return slices.ContainsFunc(r.fields[since:], func(f fault.Field) bool {
		return strings.Contains(strings.TrimPrefix(f.Path, at), "[")
	})
}

// label appends the text what to all faults except the first since faults.
func (r *Report) label(since int, what string) {
	if what == "" {
		return
	}

	for i := min(since, len(r.fields)); i < len(r.fields); i++ {
		r.fields[i].Rule += " (" + what + ")"
	}
}

// Count returns the number of faults so far, including those that are not shown.
func (r *Report) Count() int { return len(r.fields) + r.more }

// Fields returns the faults in the order in which they were found. It returns nil if there are none.
func (r *Report) Fields() []fault.Field {
	if r.more == 0 {
		return r.fields
	}

	return append(r.fields, fault.Field{Rule: fmt.Sprintf("and %d more faults", r.more)})
}

func (r *Report) path() string {
	var b strings.Builder

	for _, s := range r.trail {
		switch {
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case !plain(s.name):
			b.WriteString("[" + strconv.QuoteToGraphic(shorten(s.name)) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}

	return b.String()
}

// plain reports whether a name can be written in a path without quotes.
func plain(name string) bool {
	if len(name) > maxNameShown {
		return false
	}

	for _, c := range []byte(name) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}

	return true
}

func shorten(name string) string {
	if len(name) <= maxNameShown {
		return name
	}

	cut := maxNameShown
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}

	return name[:cut] + "…"
}
