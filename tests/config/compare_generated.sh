#!/bin/sh
# compare_generated.sh PROGRAM DOCUMENT FILE: fails unless FILE is what PROGRAM writes for DOCUMENT.
if "$1" "$2" | diff -u "$3" - >&2; then
    exit 0
fi
echo "$3 differs from daemon/config/keys.c." >&2
echo "Generate it again: cmake --build --preset dev --target config_files" >&2
exit 1
