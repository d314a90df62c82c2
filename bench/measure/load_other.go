//go:build !linux

package measure

import (
	"context"
	"errors"
)

// Run returns an error: the load generator needs system calls that only Linux has.
func (l Load) Run(context.Context, Target) (Answers, error) {
	return Answers{}, errors.New("loading a target is supported only on Linux")
}
