// Package exhaustive sends every REST operation as every kind of user, with every field and every source. Its tests
// take long, so `make test-fast` skips them and `make test` runs them.
package exhaustive
