// Package repolint checks rules of the repository: which package may import which, which names texts may contain, and
// what the Makefile runs. It has only tests.
package repolint
