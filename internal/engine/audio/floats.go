package audio

import (
	"encoding/binary"
	"unsafe"
)

// floatFormat is FFmpeg's name for samples as this machine keeps them. They go between programs as they are.
var floatFormat = nativeFloats()

func nativeFloats() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "f32le"
	}

	return "f32be"
}

// floatBytes is how many bytes a sample has.
const floatBytes = int(unsafe.Sizeof(float32(0)))

// floatsAsBytes are samples as bytes, in the same memory.
func floatsAsBytes(samples []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(samples))), floatBytes*len(samples)) //nolint:gosec // all of them, and no more
}
