package effect

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// given is whether an input has an effect of a kind, and the times that it gives.
type given struct {
	kind          values.EffectKind
	is            bool
	start, length *int64
}

// givenAs is the field of an input for effects of a kind.
func givenAs[In any, P interface {
	*In
	times() (start, length *int64)
}](kind values.EffectKind, in P) given {
	if in == nil {
		return given{kind: kind}
	}

	start, length := in.times()

	return given{kind, true, start, length}
}

// Check implements input.Checker: exactly one.
func (in *AddEffectInput) Check() []fault.Field { return onlyOne(in.given()) }

// Check implements input.Checker: exactly one.
func (in *UpdateEffectInput) Check() []fault.Field { return onlyOne(in.given()) }

func onlyOne(fields []given) []fault.Field {
	is := make([]bool, len(fields))
	for i, f := range fields {
		is[i] = f.is
	}

	return ExactlyOne("kind of effect", is...)
}

// ExactlyOne refuses what is not given, and what is given more than once.
func ExactlyOne(noun string, given ...bool) []fault.Field {
	n := 0

	for _, is := range given {
		if is {
			n++
		}
	}

	if n == 1 {
		return nil
	}

	return []fault.Field{{Rule: fmt.Sprintf("must have exactly one %s, but has %d", noun, n)}}
}

// Kind is the kind of the new effect.
func (in *AddEffectInput) Kind() values.EffectKind { return theOne(in.given()).kind }

// Times are when the new effect is seen, in playback time; nil for a base layout.
func (in *AddEffectInput) Times() (startMs, durationMs *int64) {
	one := theOne(in.given())

	return one.start, one.length
}

// Kind is the kind of the effect that is changed.
func (in *UpdateEffectInput) Kind() values.EffectKind { return theOne(in.given()).kind }

// Times are those that are changed, in playback time; nil stays.
func (in *UpdateEffectInput) Times() (startMs, durationMs *int64) {
	one := theOne(in.given())

	return one.start, one.length
}

// theOne is the field that is given; none when there is none.
func theOne(fields []given) given {
	for _, f := range fields {
		if f.is {
			return f
		}
	}

	return given{}
}
