// Package exhaustive asks the graph for everything: every field, list, argument and compiled document.
// Its tests take long; `make test-fast` leaves them to `make test`.
package exhaustive
