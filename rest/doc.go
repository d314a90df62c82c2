// Package rest serves the public /v1 contract on top of the resolvers. Start with routes.go, the table of all operations;
// each other file has the operations of one resource. What they answer is in shape, how they are served in router, how they
// are described in operations and openapi.
package rest
