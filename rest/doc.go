// Package rest serves the public /v1 API on top of the graph's resolvers. Start with routes.go, the table of all
// operations. Each other file has the operations of one resource. Package shape defines the responses, router serves
// the operations, and operations and openapi describe them.
package rest
