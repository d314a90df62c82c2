// Package race tells tests whether the race detector is on. The detector makes everything five to ten times slower,
// and the thousandth case of a kind finds no more races than the first. So tests with thousands of cases run only
// some of them with the detector, and `make proofs` runs all of them without it.
package race
