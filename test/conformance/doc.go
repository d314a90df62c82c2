// Package conformance checks the product against public rules: linters of API descriptions, and the audit for GraphQL
// over HTTP. It has only tests. The programs that they run are pinned in package-lock.json and installed by
// scripts/install.sh.
package conformance
