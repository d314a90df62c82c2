//go:build !amd64 || purego

package compositor

// wide reports whether the assembly kernels can be used.
const wide = false

func mixWide(_, _, _ *byte, _ int, _ uint16) {}

func mixAlphaWide(_, _, _ *byte, _ int) {}

func mixAlphaConstantWide(_, _ *byte, _ int, _ byte) {}

func pairsWide(_, _ *byte, _ *int32, _ *byte, _ *uint16, _ int) {}
