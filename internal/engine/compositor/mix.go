package compositor

import "encoding/binary"

// Weights of the kernels range from 0, all of the first, to 256, all of the second.
const whole = 256

// lanes is how many samples the assembly kernels process at once. A twin of each in Go does the rest, and everything
// where there is no assembly: the results are identical to the bit.
const lanes = 16

// most returns n rounded down to whole lanes; 0 where there are no assembly kernels.
func most(n int) int {
	if !wide {
		return 0
	}

	return n &^ (lanes - 1)
}

// weight returns the weight of an alpha from 0 to 255.
func weight(alpha byte) uint32 { return uint32(alpha) + uint32(alpha)>>7 }

// Eight samples are processed in two words of four lanes of 16 bits: a sample times a weight, plus another times the
// rest, plus a half, is below 1<<16, so no lane carries into the next.
const (
	evenLanes = 0x00FF00FF00FF00FF
	halves    = 0x0080008000800080
)

// mix blends a and b: (a·(256−w) + b·w) / 256, rounded. The slices have one length; dst may be a or b.
func mix(dst, a, b []byte, w uint32) {
	n := len(dst)
	a, b = a[:n], b[:n]

	i := most(n)
	if i > 0 {
		mixWide(&dst[0], &a[0], &b[0], i, uint16(w))
	}

	first, second := uint64(whole-w), uint64(w)

	for ; i+8 <= n; i += 8 {
		va := binary.LittleEndian.Uint64(a[i:])
		vb := binary.LittleEndian.Uint64(b[i:])
		even := ((va&evenLanes)*first + (vb&evenLanes)*second + halves) >> 8 & evenLanes
		odd := ((va>>8&evenLanes)*first + (vb>>8&evenLanes)*second + halves) &^ evenLanes
		binary.LittleEndian.PutUint64(dst[i:], even|odd)
	}

	for ; i < n; i++ {
		dst[i] = mixed(a[i], b[i], w)
	}
}

// mixConstant is mix with one value for all of b.
func mixConstant(dst []byte, v byte, w uint32) {
	n := len(dst)
	first, add := uint64(whole-w), uint64(v)*uint64(w)+128

	adds := add | add<<16
	adds |= adds << 32

	i := 0
	for ; i+8 <= n; i += 8 {
		d := binary.LittleEndian.Uint64(dst[i:])
		even := ((d&evenLanes)*first + adds) >> 8 & evenLanes
		odd := ((d>>8&evenLanes)*first + adds) &^ evenLanes
		binary.LittleEndian.PutUint64(dst[i:], even|odd)
	}

	for ; i < n; i++ {
		dst[i] = mixed(dst[i], v, w)
	}
}

func mixed(a, b byte, w uint32) byte { return byte((uint32(a)*(whole-w) + uint32(b)*w + 128) >> 8) }

// mixAlpha draws src over dst, each sample with its own alpha.
func mixAlpha(dst, src, alpha []byte) {
	n := len(dst)
	src, alpha = src[:n], alpha[:n]

	done := most(n)
	if done > 0 {
		mixAlphaWide(&dst[0], &src[0], &alpha[0], done)
	}

	for from, to := seen(alpha, done); from < n; from, to = seen(alpha, to) {
		for i := from; i < to; i++ {
			dst[i] = mixed(dst[i], src[i], weight(alpha[i]))
		}
	}
}

// mixAlphaConstant draws one value over dst, with an alpha for each sample.
func mixAlphaConstant(dst []byte, v byte, alpha []byte) {
	n := len(dst)
	alpha = alpha[:n]

	done := most(n)
	if done > 0 {
		mixAlphaConstantWide(&dst[0], &alpha[0], done, v)
	}

	for from, to := seen(alpha, done); from < n; from, to = seen(alpha, to) {
		for i := from; i < to; i++ {
			dst[i] = mixed(dst[i], v, weight(alpha[i]))
		}
	}
}

// seen returns the next range of alphas that are not zero, at or after the index at. Most of the box of a text is
// transparent. The alphas are tested eight at a time, so a range may contain some zeros, and its length is a multiple
// of eight except at the end.
func seen(alpha []byte, at int) (from, to int) {
	for at+8 <= len(alpha) && binary.LittleEndian.Uint64(alpha[at:]) == 0 {
		at += 8
	}

	from = at
	for at+8 <= len(alpha) && binary.LittleEndian.Uint64(alpha[at:]) != 0 {
		at += 8
	}

	if at+8 > len(alpha) {
		at = len(alpha)
	}

	return from, at
}

// Mix blends the pictures a and b into dst. All three have the same size, and dst may be a or b. A share of 0 gives a,
// and a share of 1 gives b.
func Mix(dst, a, b Frame, share float64) {
	w := uint32(max(0, min(whole, share*whole+0.5)))

	for i := range dst.Planes {
		for y := range dst.Planes[i].Height {
			mix(dst.Planes[i].Row(y), a.Planes[i].Row(y), b.Planes[i].Row(y), w)
		}
	}
}
