// Package rest re-exposes the resolvers as the public /v1 contract. routes.go is the table: a row is
// a method, a path and a typed operation. One runner decodes strictly, calls, encodes, and turns an
// error into the contract's body; no row has a handler of its own.
package rest
