#!/bin/sh
# Runs every fuzz test of the module for a while, one after the other, and lists those that found a failure.
#
#   FUZZ_TIME=60s       time for each test
#   FUZZ_PARALLEL=      workers for each test; empty means the number of processors
#   FUZZ_ONLY=          run only tests whose name contains this
#   FUZZ_KEEP=20        number of the smallest new inputs to keep under testdata; 0 keeps none
#
# Failures are stored in testdata/fuzz of the test's package, where `go test` runs them from then on.
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
  # Minimizing one new input could otherwise take the whole minute.
  go test "./$package" -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZ_TIME:-60s}" -fuzzminimizetime 100x ${FUZZ_PARALLEL:+-parallel "$FUZZ_PARALLEL"} ||
    found="$found $package.$name"

  kept=$package/testdata/fuzz/$name
  new=$cache/$module/$package/$name
  [ "${FUZZ_KEEP:-20}" -gt 0 ] && [ -d "$new" ] || continue
  mkdir -p "$kept"
  # Small inputs cover the same as larger ones and are faster to run.
  find "$new" -type f -size -2k -printf '%s %p\n' | sort -n | head -n "${FUZZ_KEEP:-20}" | while read -r _ input; do
    cp -n "$input" "$kept/"
  done
done

[ -z "$found" ] || { echo "Failed:$found" >&2; exit 1; }
echo "fuzz: no failures"
