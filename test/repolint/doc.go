// Package repolint holds the rules of the repository that a machine can check: who may import whom, and
// who may touch what. It has no code, only tests.
package repolint
