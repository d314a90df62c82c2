// Package clients runs stock clients against a real server and compares what they read with what curl reads. Each
// client then runs a second time through a proxy that removes a field from the responses, and must fail. `make
// clients` runs the tests. The package has only tests.
package clients
