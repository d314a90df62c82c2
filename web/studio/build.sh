#!/bin/sh
# Builds dist from src, with the packages that package-lock.json pins, among them Node.
set -eu
cd "$(dirname "$0")"

command -v npm >/dev/null || { echo "web/studio: Node.js with npm is needed to build the studio" >&2; exit 1; }

if ! cmp -s package-lock.json node_modules/installed; then
  npm ci --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json node_modules/installed
fi

npm run --silent build >&2
