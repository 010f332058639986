#!/bin/sh
# Plays with the Node-RED example: a real Node-RED, loaded with npm, at a real broker and daemon. Takes
# about a minute the first time, then a few seconds. Ends with the line "N passed, N failed". See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
cd "$root" || exit 70
place=build/examples
log=build/logs/examples.log

usage()
{
    cat <<'END_OF_USAGE'
usage: sh tests/examples/run.sh [--build-dir DIR] [--help]

  --build-dir DIR  take the daemon that is built there, instead of building one
  --help           this text
END_OF_USAGE
}

# What is missing by the name of its command: node may come from elsewhere than Debian.
missing_packages()
{
    command -v npm >/dev/null || echo nodejs npm
    command -v mosquitto_sub >/dev/null || echo mosquitto-clients
    PATH="$PATH:/usr/sbin" command -v mosquitto >/dev/null || echo mosquitto
    command -v python3 >/dev/null || echo python3
}

# attempt SENTENCE COMMAND...: what it printed is shown only if it fails.
attempt()
{
    sentence=$1
    shift
    "$@" >"$log" 2>&1 && return
    cat "$log"
    echo "$sentence"
    echo '0 passed, 1 failed'
    exit 1
}

# shellcheck disable=SC2317 # called by its name
build_daemon()
{
    cmake --preset release && cmake --build --preset release --target shipahoyd shipahoyctl
}

build=
while [ $# -gt 0 ]; do
    case $1 in
    --build-dir) [ $# -gt 1 ] || { usage >&2 && exit 64; }
        build=$(realpath -- "$2") && shift ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
    shift
done

mkdir -p $place build/logs || exit 70
missing=$(missing_packages)
# shellcheck disable=SC2086 # a list of names
[ -z "$missing" ] || attempt 'Some packages are missing.' sh tests/tools/install_packages.sh $missing
attempt 'Node-RED could not be loaded.' sh tests/tools/load_node_red.sh $place
if [ -z "$build" ]; then
    attempt 'The daemon could not be built.' build_daemon
    build=$root/build/release
fi
PYTHONPATH=tests python3 -B tests/examples/test_node_red.py "$root" "$build" "$root/$place"
