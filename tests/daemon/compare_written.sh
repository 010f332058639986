#!/bin/sh
# compare_written.sh PROGRAM WHAT FILE: fails unless FILE is what PROGRAM writes for WHAT.
if "$1" "$2" | diff -u "$3" - >&2; then
    exit 0
fi
echo "$3 is out of step with daemon/config/keys.c." >&2
echo "Write it again: cmake --build --preset dev --target config_files" >&2
exit 1
