package audio

import "math"

// oversampled holds the filters that interpolate the sound at a quarter, a half and three quarters of the way from one
// sample to the next.
var oversampled = interpolators()

// peakReach is how many samples on each side determine a value between two samples.
const peakReach = 8

func interpolators() (filters [3][2 * peakReach]float32) {
	for phase := range filters {
		for tap := range filters[phase] {
			// The distance from the interpolated place to the tap's sample, in samples.
			d := float64(tap-peakReach+1) - float64(phase+1)/4
			window := math.Cos(math.Pi / 2 * d / (peakReach + 0.5))
			filters[phase][tap] = float32(math.Sin(math.Pi*d) / (math.Pi * d) * window * window)
		}
	}

	return filters
}

// truePeak returns the greatest value of a stereo frame and of the interpolated sound up to the next: a loudspeaker may
// play more than any sample. It only reads, so the race detector need not watch each sample.
//
//go:norace
func truePeak(frames []float32, at int) float64 {
	peak := samplePeak(frames, at)

	for _, filter := range oversampled {
		var sum [2]float32

		for tap, w := range filter {
			i := 2 * (at + tap - peakReach + 1)
			if i < 0 || i+1 >= len(frames) {
				continue
			}

			sum[0] += w * frames[i]
			sum[1] += w * frames[i+1]
		}

		peak = max(peak, float64(max(sum[0], -sum[0], sum[1], -sum[1])))
	}

	return peak
}

// samplePeak returns the greatest value of a frame. It only reads, too.
//
//go:norace
func samplePeak(frames []float32, at int) float64 {
	left, right := frames[2*at], frames[2*at+1]

	return float64(max(left, -left, right, -right))
}
