// Package exhaustive requests everything from the GraphQL API: every field, list, argument and compiled document. Its
// tests take long, so `make test-fast` skips them and `make test` runs them.
package exhaustive
