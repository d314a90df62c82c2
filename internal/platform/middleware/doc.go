// Package middleware holds the HTTP middleware that all surfaces share: request id, panic guard, the client's
// address behind trusted proxies, and the size and type limits of a request. A server chains Identify, Guard,
// the gate of package limit, and then the routes. The package also carries the If-Match of a write to the
// place where the resource is loaded.
package middleware
