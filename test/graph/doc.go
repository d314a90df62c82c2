// Package graph asks the graph over HTTP, as clients do, and sees what its operations promise. It has no code, only tests.
package graph
