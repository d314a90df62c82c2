#!/bin/sh
# Fails when something that is derived and committed differs from what it is derived from, and says
# what to run. It works in a tree with uncommitted changes too: what counts is whether deriving anew
# changes anything. New output is left in the tree, ready to be committed; a migration is not, for it
# wants a name and a reader.
set -eu
cd "$(dirname "$0")/.."

before=$(mktemp) && after=$(mktemp) && migrations=$(mktemp -d)
trap 'rm -rf "$before" "$after" "$migrations"' EXIT
failed=0
unchecked=""

# Every file of the tree that is or could be committed, with its checksum.
list() { git ls-files -co --exclude-standard -z | xargs -0 sha256sum 2>/dev/null | sort -k 2; }

complain() {
  failed=1
  printf '%s\n' "$@" >&2
}

generated() {
  list >"$before"
  go generate ./...
  list >"$after"
  cmp -s "$before" "$after" || complain "" \
    "Generated code or the published schema was out of date in:" \
    "$(diff "$before" "$after" | sed -n 's/^[<>] [0-9a-f]* *//p' | sort -u | sed 's/^/    /')" \
    "It has been written anew. Look at it with git diff, and commit it.  (make generate)"
}

migration() {
  dir=ent/migrate/migrations
  cp -R "$dir/." "$migrations"
  go run ./ent/migrate/diff drift
  if ! diff -r "$migrations" "$dir" >/dev/null; then
    complain "" "The schema in ent/schema has changes that no migration makes:" \
      "$(sed 's/^/    /' "$dir"/*_drift.sql)" \
      "Write one:  go run ./ent/migrate/diff NAME"
    rm -f "$dir"/*_drift.sql
    cp "$migrations/atlas.sum" "$dir/atlas.sum"
  fi
}

# Changes of the graph and of REST that would break clients of the last release. Additions pass.
releases() {
  go run ./test/releases ||
    complain "" "The graph or REST would break clients of the last release (above). /docs/versioning says how something ends."
}

# Keys that were committed, in any commit or in what is about to be one. What is no key although it looks like
# one is in .gitleaks.toml.
secrets() {
  look="go tool -modfile=tools/secrets/go.mod gitleaks --no-banner --no-color --redact --log-level warn --config .gitleaks.toml"
  $look git . || complain "" "A commit holds what looks like a key (above). If it is one, make it void first; then remove it."
  git ls-files -o --exclude-standard -z | xargs -0 cat -- | { git diff HEAD; cat; } | $look stdin ||
    complain "" "What is not committed yet holds what looks like a key (above)."
}

# Known holes in what the product is built of and calls. The list of them is on the network: where it cannot be
# read, this says so and fails nothing.
vulnerabilities() {
  db=${GOVULNDB:-https://vuln.go.dev}
  if ! curl -fsS -m 20 -o /dev/null "$db/index/db.json" 2>/dev/null; then
    unchecked="verify: NOT CHECKED for known vulnerabilities: $db cannot be reached"
    return
  fi
  go tool -modfile=tools/vulnerabilities/go.mod govulncheck -db "$db" ./... ||
    complain "" "A library has a known hole that the product calls (above). Take a version without it."
}

# Each line is one thing that could drift, or be found.
generated # ent's and gqlgen's code, and whatever else has a go:generate line
migration # ent/migrate/migrations against ent/schema
releases  # the schema and the OpenAPI description against docs/releases
secrets   # in the repository
vulnerabilities # in the libraries

[ -z "$unchecked" ] || echo "$unchecked" >&2
[ "$failed" -eq 0 ] || exit 1
echo "verify: nothing has drifted"
