//go:build unix && !linux

package ffmpeg

import (
	"syscall"
	"time"
)

// attributes puts the child into its own group. Only Linux can kill it together with its parent.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait calls ended after the child was reaped: only Linux can report the end earlier.
func (p *process) wait(ended func()) error {
	err := p.cmd.Wait()
	ended()
	return err
}

// limited sets no limits: their units and names differ between systems, and production servers run on Linux.
func limited(program string, args []string, _ Limits) (string, []string) { return program, args }

// usedBy is implemented only on Linux.
func usedBy(int) time.Duration { return 0 }

func lowerPriority(int) {}
