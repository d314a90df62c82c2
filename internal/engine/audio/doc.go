// Package audio reckons with the samples of a recording: what its shape is, and where nobody speaks.
// It is pure: equal samples, equal answers.
package audio
