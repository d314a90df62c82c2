// Package conformance holds the product against other people's rules: the linters of API descriptions,
// and the audit of GraphQL over HTTP. It has no code, only tests; what they run is pinned in
// package-lock.json and installed by scripts/install.sh.
package conformance
