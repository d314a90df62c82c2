// Package race tells tests whether the race detector is on. The detector makes everything five to ten times slower, and
// finds no more in the thousandth case of a kind than in the first. Tests of thousands of cases run a part of them
// under it, and `make proofs` runs all of them without it.
package race
