// Package middleware holds the links that every answer passes, whatever speaks above them: request id,
// panic guard, the caller's address behind trusted proxies, size and type limits of a request. The
// order of a server is Identify, Guard, then the gate of package limit, then the routes. It also carries the If-Match of a write to
// the place where the thing that is written is loaded.
package middleware
