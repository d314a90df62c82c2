package settings

import (
	"log/slog"
	"slices"
	"strings"
)

// ours is the prefix of every setting, except those shared with other programs.
const ours = "REELGRAPH_"

// A Stray is an environment variable that looks like a setting but is not.
type Stray struct {
	Name  string
	Meant string // the setting that it resembles; empty when it resembles none
}

// Strays returns the environment variables that look like misspelt settings. Each item of environ is NAME=value.
func Strays(environ []string) []Stray {
	var known []string

	for _, s := range All(&Config{}) {
		known = append(known, s.Name)
	}

	var all []Stray

	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(strings.ToUpper(name), strings.TrimSuffix(ours, "_")) || slices.Contains(known, name) {
			continue
		}

		// Compare only what follows the prefix: the prefix alone would match all settings.
		rest := strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(name), strings.TrimSuffix(ours, "_")), "_")

		var rests []string

		for _, k := range known {
			if after, is := strings.CutPrefix(k, ours); is {
				rests = append(rests, after)
			}
		}

		meant := Nearest(rest, rests)
		if meant != "" {
			meant = ours + meant
		}

		all = append(all, Stray{name, meant})
	}

	slices.SortFunc(all, func(a, b Stray) int { return strings.Compare(a.Name, b.Name) })

	return all
}

// Warn logs the unknown settings.
func Warn(log *slog.Logger, all []Stray) {
	for _, s := range all {
		facts := []any{slog.String("setting", s.Name)}
		if s.Meant != "" {
			facts = append(facts, slog.String("did_you_mean", s.Meant))
		}

		log.Warn("unknown setting ignored", facts...)
	}
}
