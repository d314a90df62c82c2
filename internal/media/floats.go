package media

import (
	"encoding/binary"
	"unsafe"
)

// floats is FFmpeg's name for samples as this machine keeps them, which goes between programs as it is.
var floats = map[bool]string{true: "f32le", false: "f32be"}[binary.NativeEndian.Uint16([]byte{1, 0}) == 1]

// floatBytes is how many bytes a sample has.
const floatBytes = int(unsafe.Sizeof(float32(0)))

// rawFloats are samples as bytes, in the same memory.
func rawFloats(samples []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(samples))), floatBytes*len(samples)) //nolint:gosec // all of them, and no more
}
