#!/bin/sh
# systemd.sh SYSUSERS UNIT...: measures how much of the machine each service can reach, and that systemd
# understands its files.

sysusers=$1
shift
exposure_max=13 # tenths

if ! command -v systemd-analyze >/dev/null; then
    echo "systemd.sh: systemd-analyze is missing (package systemd)"
    exit 1
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# check NAME COMMAND...: one claim about the files.
check()
{
    name=$1
    shift
    if "$@" >"$folder/log" 2>&1; then
        echo "ok: $name"
        return
    fi
    echo "FAILED: $name"
    cat "$folder/log"
    failed=1
}

for unit in "$@"; do
    copy=$folder/$(basename "$unit")
    # The program need not be installed for its unit to be judged.
    sed 's|^ExecStart=[^ ]*|ExecStart=/bin/true|' "$unit" >"$copy"
    check "systemd understands $(basename "$unit")" systemd-analyze verify --man=no "$copy"
    check "exposure of $(basename "$unit") is at most $exposure_max tenths" \
        systemd-analyze security --no-pager --offline=true --threshold="$exposure_max" "$copy"
    grep 'Overall exposure' "$folder/log"
done
check 'sysusers understands its file' systemd-sysusers --dry-run "$sysusers"
exit $failed
