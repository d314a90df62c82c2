package localpg

import (
	"os/exec"
	"syscall"
)

// dieWithParent asks the kernel to send sig when the thread that starts cmd ends.
func dieWithParent(cmd *exec.Cmd, sig syscall.Signal) { cmd.SysProcAttr.Pdeathsig = sig }
