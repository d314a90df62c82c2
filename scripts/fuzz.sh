#!/bin/sh
# Runs every fuzz test of the module for a while, one after the other, and ends with those that found something.
#
#   FUZZ_TIME=60s       how long each
#   FUZZ_PARALLEL=      how many at once within one; empty: as many as there are processors
#   FUZZ_ONLY=          a part of their names
#   FUZZ_KEEP=20        keep as many of the smallest inputs that were new, under testdata; 0: none
#
# What a test finds is under its package's testdata/fuzz, where `go test` tries it from then on.
set -eu
cd "$(dirname "$0")/.."

cache=$(go env GOCACHE)/fuzz
module=$(go list -m)
found=""

for line in $(grep -rno --include='*_test.go' '^func Fuzz[A-Za-z]*' . | sed 's|^\./||; s|:[0-9]*:func |:|' | sort); do
  file=${line%%:*} name=${line##*:}
  package=$(dirname "$file")
  case $name in *"${FUZZ_ONLY:-}"*) ;; *) continue ;; esac

  echo "== $package $name"
  # Making one new input small may otherwise take the whole minute.
  go test "./$package" -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZ_TIME:-60s}" -fuzzminimizetime 100x ${FUZZ_PARALLEL:+-parallel "$FUZZ_PARALLEL"} ||
    found="$found $package.$name"

  kept=$package/testdata/fuzz/$name
  new=$cache/$module/$package/$name
  [ "${FUZZ_KEEP:-20}" -gt 0 ] && [ -d "$new" ] || continue
  mkdir -p "$kept"
  # The smallest say the same as larger ones, and are read sooner.
  find "$new" -type f -size -2k -printf '%s %p\n' | sort -n | head -n "${FUZZ_KEEP:-20}" | while read -r _ input; do
    cp -n "$input" "$kept/"
  done
done

[ -z "$found" ] || { echo "Found something:$found" >&2; exit 1; }
echo "fuzz: nothing was found"
