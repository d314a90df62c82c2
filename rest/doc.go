// Package rest serves the public /v1 API by calling the resolvers of the graph. Start with routes.go, the table of
// all operations. Each other file contains the operations of one resource. Package shape defines the responses, and
// package router serves the operations. Packages operations and openapi describe them.
package rest
