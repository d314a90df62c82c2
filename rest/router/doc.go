// Package router serves a table of typed operations as a strict JSON API. A Route is a method, a path and an
// operation. Get, Post, Put, Patch and Del make one from a function. New returns a handler that decodes the request
// strictly, calls the operation, encodes its result, and turns errors into the error body of the contract. Operations
// have no handlers of their own.
package router
