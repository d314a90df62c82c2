#!/bin/sh
# Fails when a committed generated file differs from what its generator writes, and says what to run. It also works
# with uncommitted changes: what counts is whether generating changes anything. New output stays in the tree, ready to
# commit. A new migration does not, because it needs a name and a review.
set -eu
cd "$(dirname "$0")/.."

before=$(mktemp) && after=$(mktemp) && migrations=$(mktemp -d)
trap 'rm -rf "$before" "$after" "$migrations"' EXIT
failed=0
unchecked=""

# Lists every file that is or could be committed, with its checksum.
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
    "It has been regenerated. Check it with git diff and commit it.  (make generate)"
}

migration() {
  dir=ent/migrate/migrations
  cp -R "$dir/." "$migrations"
  go run ./ent/migrate/diff drift
  if ! diff -r "$migrations" "$dir" >/dev/null; then
    complain "" "The schema in ent/schema has changes without a migration:" \
      "$(sed 's/^/    /' "$dir"/*_drift.sql)" \
      "Write one:  go run ./ent/migrate/diff NAME"
    rm -f "$dir"/*_drift.sql
    cp "$migrations/atlas.sum" "$dir/atlas.sum"
  fi
}

# Changes of the graph and of REST that would break clients of the last release. Additions are allowed.
releases() {
  go run ./test/releases ||
    complain "" "The graph or REST would break clients of the last release (above). See /docs/versioning for deprecations."
}

# Keys in any commit or in uncommitted files. False positives are listed in .gitleaks.toml.
secrets() {
  look="go tool -modfile=tools/secrets/go.mod gitleaks --no-banner --no-color --redact --log-level warn --config .gitleaks.toml"
  $look git . || complain "" "A commit contains what looks like a key (above). If it is one, revoke it first, then remove it."
  git ls-files -o --exclude-standard -z | xargs -0 cat -- | { git diff HEAD; cat; } | $look stdin ||
    complain "" "Uncommitted changes contain what looks like a key (above)."
}

# Known vulnerabilities in code that the product calls. The database is on the network; if it cannot be reached, this
# prints a warning and does not fail.
vulnerabilities() {
  db=${GOVULNDB:-https://vuln.go.dev}
  if ! curl -fsS -m 20 -o /dev/null "$db/index/db.json" 2>/dev/null; then
    unchecked="verify: NOT CHECKED for known vulnerabilities: $db cannot be reached"
    return
  fi
  go tool -modfile=tools/vulnerabilities/go.mod govulncheck -db "$db" ./... ||
    complain "" "The product calls a library function with a known vulnerability (above). Upgrade the library."
}

# Each line is one check.
generated # code of ent, gqlgen, and every other go:generate line
migration # ent/migrate/migrations against ent/schema
releases  # the schema and the OpenAPI description against docs/releases
secrets   # committed keys
vulnerabilities # known vulnerabilities in libraries

[ -z "$unchecked" ] || echo "$unchecked" >&2
[ "$failed" -eq 0 ] || exit 1
echo "verify: everything is up to date"
