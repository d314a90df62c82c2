// Package compiled answers queries without executing each field separately. It compiles the selection of an operation
// once, against the Go types behind the schema, into a tree of writers. To answer, it calls the same resolvers and
// writes their results one after the other.
//
// The response is exactly that of gqlgen. Documents with directives, interfaces, unions, introspection or input
// objects are not compiled. If anything goes wrong while answering, including a null that the schema does not allow,
// gqlgen executes the operation again and reports the error in its own way. Rights and loading in resolvers do not
// change: the selection is passed to them as by any other caller.
package compiled
