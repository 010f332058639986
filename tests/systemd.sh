#!/bin/sh
# systemd.sh UNIT SYSUSERS: measures how much of the machine the service can reach, and that systemd
# understands its files.

unit=$1
sysusers=$2
exposure_max=13 # tenths

if ! command -v systemd-analyze >/dev/null; then
    echo "systemd.sh: systemd-analyze is missing (package systemd)"
    exit 1
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# The program need not be installed for its unit to be judged.
sed 's|^ExecStart=[^ ]*|ExecStart=/bin/true|' "$unit" >"$folder/shipahoyd.service"

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

check 'systemd understands the unit' \
    systemd-analyze verify --man=no "$folder/shipahoyd.service"
check "exposure is at most $exposure_max tenths" \
    systemd-analyze security --no-pager --offline=true --threshold="$exposure_max" \
    "$folder/shipahoyd.service"
grep 'Overall exposure' "$folder/log"
check 'sysusers understands its file' systemd-sysusers --dry-run "$sysusers"
exit $failed
