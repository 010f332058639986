#!/bin/sh
# Builds dist/scoreboard.html with the packages that package-lock.json names.

cd "$(dirname -- "$0")" || exit 70
if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then
    npm ci --no-audit --no-fund || exit
fi
node build.mjs
