// Package audio decodes, measures, mixes and encodes sound.
//
// Start with EncodeMix, which makes the sound of a film, with Samples, which decodes a recording for waveforms and
// silences (Levels), or with Speech, for speech recognition. listener decodes all sound, in recording time, so a
// silence that Levels finds is at the same place in a film. The rest is arithmetic on samples without shared state:
// equal samples give equal results.
package audio
