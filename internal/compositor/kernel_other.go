//go:build !amd64 || purego

package compositor

// lanes is how many samples are worked on at once.
const lanes = 16

// wide says that there are kernels in assembly.
const wide = false

func most(int) int { return 0 }

func mixWide(_, _, _ *byte, _ int, _ uint16) {}

func mixAlphaWide(_, _, _ *byte, _ int) {}

func mixAlphaConstantWide(_, _ *byte, _ int, _ byte) {}

func pairsWide(_, _ *byte, _ *int32, _ *byte, _ *uint16, _ int) {}
