// Package audio decodes, measures, mixes and encodes sound.
//
// Start with EncodeMix, which makes the sound of a film, or with Samples, which decodes a recording for waveforms and silences
// (Levels) and Speech for speech recognition. All sound is decoded by listener, in recording time: what is taken for silence
// is what a film has there. The rest is arithmetic on samples in Go, without state: equal samples, equal answers.
package audio
