#!/bin/sh
# A planted fault is found, shrunk to the four inputs it takes, and fails again when replayed:
# a game, a step or shot, a ball that is a foul after it, and a sensor that works again.
set -eu
program=$1
shift # the others are seeds
list=$(mktemp)
trap 'rm -f "$list"' EXIT

fail() {
    echo "$1" >&2
    cat "$list" >&2
    exit 1
}

for seed in "$@"; do
    "$program" --seed "$seed" --steps 100000 >"$list" 2>/dev/null && fail "seed $seed: not found"
    grep -q "^# failed: " "$list" || fail "seed $seed: no complaint"
    grep -q "^# seed $seed, " "$list" || fail "seed $seed: the seed is not printed"
    [ "$(grep -c '^@' "$list")" -eq 4 ] || fail "seed $seed: not shrunk to four inputs"
    "$program" --replay "$list" >/dev/null 2>&1 && fail "seed $seed: the list does not reproduce it"
done
echo "found, shrunk and reproduced"
