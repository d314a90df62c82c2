package audio

import (
	"encoding/binary"
	"unsafe"
)

// floatFormat is FFmpeg's name for float samples in this machine's byte order. Programs exchange them without
// conversion.
var floatFormat = nativeFloats()

func nativeFloats() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "f32le"
	}

	return "f32be"
}

// floatBytes is the size of a sample.
const floatBytes = int(unsafe.Sizeof(float32(0)))

// floatsAsBytes returns the memory of the samples as bytes, without a copy.
func floatsAsBytes(samples []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(samples))), floatBytes*len(samples)) //nolint:gosec // exactly the samples
}
