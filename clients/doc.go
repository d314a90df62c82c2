// Package clients runs unmodified client programs against a real server and compares what they read with what curl
// reads. Each client then runs a second time, through a proxy that removes a field from the responses. This second run
// must fail. `make clients` runs the tests. The package has only tests.
package clients
