//go:build !linux

package measure

import (
	"context"
	"errors"
)

// Run works only on Linux, whose system calls allow a lightweight load.
func (l Load) Run(context.Context, Target) (Answers, error) {
	return Answers{}, errors.New("loading a target is supported only on Linux")
}
