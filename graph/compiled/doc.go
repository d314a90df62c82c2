// Package compiled answers queries without executing each field separately. It compiles the fields that an operation
// selects into a tree of writers. The tree fits the Go types behind the schema and is compiled only once. To answer a
// query, it calls the same resolvers as gqlgen and writes their results one after the other.
//
// The response is exactly that of gqlgen. Documents with directives, interfaces, unions, introspection or nested input
// objects are not compiled. If anything goes wrong while answering, including a null that the schema does not allow,
// gqlgen executes the operation again and reports the error in its own way. Resolvers check rights and load data as
// always, because they receive the selection in the same way.
package compiled
