// Package conformance checks the product against public rules: linters of API descriptions, and the audit of GraphQL
// over HTTP. It has only tests. What they run is pinned in package-lock.json and installed by scripts/install.sh.
package conformance
