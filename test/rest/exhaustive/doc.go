// Package exhaustive sends every operation of REST as every kind of user, with every field and every source.
// Its tests take long; `make test-fast` leaves them to `make test`.
package exhaustive
