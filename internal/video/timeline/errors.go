package timeline

import (
	"errors"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/video/values"
)

// MinLeftMs is the minimum length of a clip after a cut, in milliseconds.
const MinLeftMs = 100

// Problem describes what is wrong with a time range that a request contains.
type Problem string

// The problems of a range.
const (
	// ProblemEmpty means that the end is not after the start, after both were clamped to the clip.
	ProblemEmpty Problem = "the end must be after the start"
	// ProblemOutside means that the range starts at or past the end of the clip.
	ProblemOutside Problem = "the start must be before the end of the clip"
)

// RangeError reports an invalid range. Index is its position in the request.
type RangeError struct {
	Index   int
	Problem Problem
}

func (e *RangeError) Error() string { return fmt.Sprintf("range %d: %s", e.Index, e.Problem) }

// TooShortError reports cuts that would leave less than MinLeftMs of a clip.
type TooShortError struct{ LeftMs int64 }

func (e *TooShortError) Error() string {
	return fmt.Sprintf("the cuts would leave %d ms of the clip; at least %d ms must remain", e.LeftMs, MinLeftMs)
}

// checkRanges reports every range that is unusable on a time line of lengthMs.
func checkRanges(lengthMs int64, ranges []values.Span) error {
	var faults []error

	for i, s := range ranges {
		switch in := s.Within(lengthMs); {
		case s.LengthMs() <= 0:
			faults = append(faults, &RangeError{Index: i, Problem: ProblemEmpty})
		case s.StartMs >= lengthMs:
			faults = append(faults, &RangeError{Index: i, Problem: ProblemOutside})
		case in.LengthMs() <= 0:
			faults = append(faults, &RangeError{Index: i, Problem: ProblemEmpty})
		}
	}

	return errors.Join(faults...)
}

// enoughLeft returns the cuts unless they leave too little. No cuts are always valid: a recording may be shorter than
// MinLeftMs.
func enoughLeft(lengthMs int64, cuts values.Cuts) (values.Cuts, error) {
	if left := lengthMs - cuts.LengthMs(); len(cuts) > 0 && left < MinLeftMs {
		return nil, &TooShortError{LeftMs: left}
	}

	return cuts, nil
}
