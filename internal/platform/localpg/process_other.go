//go:build !linux

package localpg

import (
	"os/exec"
	"syscall"
)

// dieWithParent does nothing: only Linux ends a child with its parent.
func dieWithParent(*exec.Cmd, syscall.Signal) {}
