//go:build !race

package race

// Detector says whether the race detector is at work.
const Detector = false
