package main

import (
	"log/slog"
	"slices"
	"strings"
)

// ours begins the name of every setting that is not of another program.
const ours = "REELGRAPH_"

// A stray is a variable of the environment that looks like a setting and is none.
type stray struct {
	name  string
	meant string // the setting that it resembles; empty when it resembles none
}

// strays are the variables of an environment, NAME=value each, that a misspelt setting would leave there.
func strays(environ []string) []stray {
	var known []string

	for _, s := range settings(&config{}) {
		known = append(known, s.name)
	}

	var all []stray

	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(strings.ToUpper(name), strings.TrimSuffix(ours, "_")) || slices.Contains(known, name) {
			continue
		}

		// What follows the common beginning decides: the beginning alone would resemble all.
		rest := strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(name), strings.TrimSuffix(ours, "_")), "_")

		var rests []string

		for _, k := range known {
			if after, is := strings.CutPrefix(k, ours); is {
				rests = append(rests, after)
			}
		}

		meant := nearest(rest, rests)
		if meant != "" {
			meant = ours + meant
		}

		all = append(all, stray{name, meant})
	}

	slices.SortFunc(all, func(a, b stray) int { return strings.Compare(a.name, b.name) })

	return all
}

// warn logs what nobody reads.
func warn(log *slog.Logger, all []stray) {
	for _, s := range all {
		facts := []any{slog.String("setting", s.name)}
		if s.meant != "" {
			facts = append(facts, slog.String("did_you_mean", s.meant))
		}

		log.Warn("unknown setting is ignored", facts...)
	}
}

// unknownSettings is what the doctor says of them.
func unknownSettings(all []stray) finding {
	f := finding{thing: "settings", saw: "every variable REELGRAPH_… is a setting"}

	var names, remedies []string

	for _, s := range all {
		names = append(names, s.name)

		if s.meant != "" {
			remedies = append(remedies, s.name+": did you mean "+s.meant+"?")
		} else {
			remedies = append(remedies, "unset "+s.name+": reelgraph help lists the settings")
		}
	}

	if len(all) > 0 {
		f.saw, f.remedy = strings.Join(names, ", ")+" is no setting, and ignored", strings.Join(remedies, "\n")
		f.broken = true
	}

	return f
}
