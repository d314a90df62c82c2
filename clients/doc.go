// Package clients lets stock clients use a real server, and compares what they read with what curl reads. Each is then
// used once more through a proxy that withholds a field, and has to be found out. `make clients` runs it.
package clients
