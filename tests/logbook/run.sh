#!/bin/sh
# Repeats the tests of the logbook with real tables and every failure beside it for a while, and ends
# with the line "N passed, N failed". See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
cd "$root" || exit 70
log=build/logbook.log

packages='gcc libc6-dev cmake ninja-build pkg-config libcmocka-dev libjansson-dev libinih-dev
  libmosquitto-dev libncurses-dev libpq-dev libsqlite3-dev libsystemd-dev mosquitto postgresql
  python3-paho-mqtt'

usage()
{
    cat <<'END'
usage: sh tests/logbook/run.sh [--seconds N] [--no-install] [--help]

  --seconds N   how long a new round begins (600)
  --no-install  leave the machine as it is
  --help        this text
END
}

build()
{
    cmake --preset dev && cmake --build --preset dev --target shipahoyd shipahoyctl shipahoy-logbook
}

fail()
{
    cat "$log"
    echo '0 passed, 1 failed'
    exit 1
}

seconds=600
install=yes
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --no-install) install=no ;;
    --seconds)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        seconds=$2
        shift
        ;;
    *) usage >&2 && exit 64 ;;
    esac
    shift
done

mkdir -p build
if [ $install = yes ]; then
    # shellcheck disable=SC2086 # a list of names
    sh tests/tools/install_packages.sh $packages >$log 2>&1 || fail
fi
build >$log 2>&1 || fail

passed=0
failed=0
end=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt "$end" ] && [ $failed -eq 0 ]; do
    for subject in blackbox_logbook blackbox_logbook_failures; do
        if ctest --preset dev -R "^$subject\$" --output-on-failure >$log 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            cat $log
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
