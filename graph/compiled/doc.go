// Package compiled answers queries without executing every field on its own. What an operation selects is
// compiled once, against the Go types behind the schema, into a tree of writers; answering is calling the
// same resolvers and writing their results one after the other.
//
// It answers exactly what gqlgen's execution answers, or nothing: a document that is anything but plain
// (directives, interfaces and unions, introspection, input objects) is not compiled, and whatever goes wrong
// while one is answered, be it an error or a null where the schema allows none, is left to gqlgen, which
// then says so in its own way. The resolvers' rights and loads are untouched: they are told what is
// selected, as by any other caller.
package compiled
