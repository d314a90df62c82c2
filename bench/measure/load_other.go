//go:build !linux

package measure

import (
	"context"
	"errors"
)

// Run is for Linux alone, whose calls make a load that hardly weighs.
func (l Load) Run(context.Context, Target) (Answers, error) {
	return Answers{}, errors.New("a load can be put on a target under Linux only")
}
