// Package repolint checks rules of the repository: which package may import which, what texts may name, and what the
// Makefile runs. It has only tests.
package repolint
