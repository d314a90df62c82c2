// Package clients runs stock clients against a real server and compares what they read with what curl reads. Each runs
// again through a proxy that withholds a field, and must then fail. `make clients` runs it. It has only tests.
package clients
