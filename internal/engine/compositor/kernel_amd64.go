//go:build !purego

package compositor

import "golang.org/x/sys/cpu"

// wide reports whether the assembly kernels can be used. It is set once, before anything is drawn.
var wide = cpu.X86.HasAVX2 //nolint:gochecknoglobals // what the processor supports

// The kernels process n samples, a positive multiple of lanes.

//go:noescape
func mixWide(dst, a, b *byte, n int, w uint16)

//go:noescape
func mixAlphaWide(dst, src, alpha *byte, n int)

//go:noescape
func mixAlphaConstantWide(dst, alpha *byte, n int, v byte)

// pairsWide blends two input samples into each output sample. It loads sixteen samples of src per half of the lanes,
// from the first of that half on; pick has the places of the two samples in these, from 0 to 15.
//
//go:noescape
func pairsWide(dst, src *byte, first *int32, pick *byte, share *uint16, n int)
