// Package race tells tests whether the race detector is at work. It makes everything five to ten times dearer, and
// finds no more in the thousandth case of one kind than in the first: walks over thousands of cases take a part of
// them under it, and `make proofs` runs them whole without it.
package race
