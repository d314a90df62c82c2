package input

import "github.com/reelgraph/reelgraph/internal/platform/fault"

// Validate checks an input against the rules of its type and returns all faults. A nil input has no rules.
func Validate(in any) error {
	if in == nil {
		return nil
	}

	if err := fault.Invalid(Struct(in)); err != nil {
		return err
	}

	return nil
}
