#!/bin/sh
# Runs the commands that the test sends, one after the other, and answers with their output and exit code.
exec <>/dev/virtio-ports/shell >&0
while read -r line; do
    sh -c "$line" </dev/null 2>&1
    echo "$? done"
done
