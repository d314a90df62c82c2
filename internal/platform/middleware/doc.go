// Package middleware contains the HTTP middleware that REST, GraphQL and the pages share: request id, panic guard,
// the client's address behind trusted proxies, and the size and type limits of a request. A server chains Identify,
// Guard, the gate of package limit, and then the routes. The package also stores the If-Match header of a write in
// the context, so that the code that loads the resource can check it.
package middleware
