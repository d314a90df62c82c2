// Package router serves a table of typed operations as a strict JSON API. A Route is a row of the table: a method, a
// path and an operation. Get, Post, Put, Patch and Del create a Route from a function. New returns a handler that
// decodes the request strictly, calls the operation, and encodes its result. It converts errors to the error body of
// the API contract. Operations do not have HTTP handlers of their own.
package router
