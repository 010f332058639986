#!/bin/sh
# Builds for release and prints one table for each benchmark: sh tests/bench/run.sh [MEMBER...]
# Figures are worth comparing only with others of the same run.
set -eu
cd "$(dirname "$0")/../.."

members='bench_rules bench_filters'
if [ $# -gt 0 ]; then
    members=$*
fi

cmake --preset release >/dev/null
# shellcheck disable=SC2086 # a list of names
cmake --build --preset release --target $members >/dev/null

grep -m 1 'model name\|^Model' /proc/cpuinfo | sed 's/.*: //' || true
for member in $members; do
    printf '\n%s\n' "$member"
    "build/release/tests/bench/$member"
done
