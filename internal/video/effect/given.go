package effect

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// given says whether an input contains an effect of a kind, and holds its times.
type given struct {
	kind          values.EffectKind
	is            bool
	start, length *int64
}

// givenAs describes the field of an input for one kind of effect.
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

// Check implements input.Checker. It requires exactly one kind of effect.
func (in *AddEffectInput) Check() []fault.Field { return onlyOne(in.given()) }

// Check implements input.Checker. It requires exactly one kind of effect.
func (in *UpdateEffectInput) Check() []fault.Field { return onlyOne(in.given()) }

func onlyOne(fields []given) []fault.Field {
	is := make([]bool, len(fields))
	for i, f := range fields {
		is[i] = f.is
	}

	return ExactlyOne("kind of effect", is...)
}

// ExactlyOne returns a fault unless exactly one of the given values is true. noun names the values in the message.
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

// Kind returns the kind of the new effect.
func (in *AddEffectInput) Kind() values.EffectKind { return theOne(in.given()).kind }

// Times returns the playback times of the new effect. They are nil for a base layout.
func (in *AddEffectInput) Times() (startMs, durationMs *int64) {
	one := theOne(in.given())

	return one.start, one.length
}

// Kind returns the kind of the changed effect.
func (in *UpdateEffectInput) Kind() values.EffectKind { return theOne(in.given()).kind }

// Times returns the new playback times. A nil time stays unchanged.
func (in *UpdateEffectInput) Times() (startMs, durationMs *int64) {
	one := theOne(in.given())

	return one.start, one.length
}

// theOne returns the field that is given, or a zero value.
func theOne(fields []given) given {
	for _, f := range fields {
		if f.is {
			return f
		}
	}

	return given{}
}
