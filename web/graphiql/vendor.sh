#!/bin/sh
# Fetches the files in assets/ from the npm registry and checks them. After raising a version, put the new checksums
# below and run it with "fetch". Without arguments it only checks.
#
#   sh web/graphiql/vendor.sh fetch
set -eu
cd "$(dirname "$0")/assets"

fetch() { # package, path inside it, name here
  archive=$(npm pack --silent "$1")
  tar -xzOf "$archive" "package/$2" >"$3"
  rm -f "$archive"
}

if [ "${1:-}" = fetch ]; then
  fetch graphiql@3.9.0 graphiql.min.js graphiql.min.js
  fetch graphiql@3.9.0 graphiql.min.css graphiql.min.css
  fetch graphiql@3.9.0 LICENSE graphiql.LICENSE
  fetch react@18.3.1 umd/react.production.min.js react.production.min.js
  fetch react@18.3.1 LICENSE react.LICENSE
  fetch react-dom@18.3.1 umd/react-dom.production.min.js react-dom.production.min.js
fi

sha256sum --check --quiet ../assets.sha256
