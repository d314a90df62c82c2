//go:build unix && !linux

package ffmpeg

import (
	"syscall"
	"time"
)

// attributes put the child into a group of its own. Only Linux can let it die with its parent.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait calls ended after the child was reaped: only Linux can tell earlier.
func (p *process) wait(ended func()) error {
	err := p.cmd.Wait()
	ended()
	return err
}

// limited sets no limits: their units and names differ from system to system, and a server for
// others runs on Linux.
func limited(program string, args []string, _ Limits) (string, []string) { return program, args }

// usedBy is not known: only Linux is asked.
func usedBy(int) time.Duration { return 0 }

func lowerPriority(int) {}
