// Package router serves a table of typed operations as a strict JSON API. A Route is a method, a path and an operation;
// Get, Post, Put, Patch and Del make one from a function. New serves them: it decodes strictly, calls the operation, encodes
// its answer, and turns errors into the body of the contract. No operation has a handler of its own.
package router
