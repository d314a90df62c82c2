//go:build !purego

package compositor

import "golang.org/x/sys/cpu"

// wide says that there are kernels in assembly. It is set once, before anything is drawn.
var wide = cpu.X86.HasAVX2 //nolint:gochecknoglobals // what the processor can do

// The kernels read and write n samples, a positive multiple of lanes.

//go:noescape
func mixWide(dst, a, b *byte, n int, w uint16)

//go:noescape
func mixAlphaWide(dst, src, alpha *byte, n int)

//go:noescape
func mixAlphaConstantWide(dst, alpha *byte, n int, v byte)

// pairsWide makes each sample of the two that pick names, from 0 to 15, behind the first of its half of the lanes: sixteen
// samples of src are read from that one on.
//
//go:noescape
func pairsWide(dst, src *byte, first *int32, pick *byte, share *uint16, n int)
