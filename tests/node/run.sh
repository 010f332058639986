#!/bin/sh
# Tests the program of a radio node in the unix port of MicroPython, against a real broker and the real
# daemon. Ends with the line "N passed, N failed". See --help.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
chroot=$cache/node-trixie
work=$source/build/node-slow
passed=0
failed=0

usage()
{
    cat <<'END_OF_USAGE'
usage: sh tests/node/run.sh [--build-dir DIR] [--help]

  --build-dir DIR  take the daemon that is built there, instead of building one
  --help           this text

Needs root, and installs mmdebstrap. The chroot with MicroPython is kept in ${XDG_CACHE_HOME:-~/.cache};
making it takes a minute the first time. After that the tests take a minute.
END_OF_USAGE
}

# count PASSED FAILED
count()
{
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-1}))
}

# run_units FILE: tests that are written in MicroPython and count themselves.
run_units()
{
    log=$work/$1.log
    folder=$chroot/node-units-$$
    mkdir -p "$folder"
    cp "$source"/hw/node/*.py "$source"/hw/node/*.ini "$here"/*.py "$folder"
    chroot "$chroot" sh -c "cd /node-units-$$ && timeout 60 micropython $1" >"$log" 2>&1
    rm -rf "$folder"
    counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    # shellcheck disable=SC2086 # two numbers, or nothing
    count $counts
    [ "${counts#* }" = 0 ] || cat "$log"
}

# run_python FILE: a file of tests for Python's unittest, counted as ctest's are.
run_python()
{
    log=$work/$1.log
    result=Failed
    NODE_CHROOT=$chroot SHIPAHOYD=$build/daemon/shipahoyd PYTHONPATH=$source/tests/blackbox timeout 300 \
        /usr/bin/python3 -B "$here/$1" >"$log" 2>&1 && result=Passed
    cat "$log"
    # shellcheck disable=SC2046 # numbers
    count $({ cat "$log" && echo "Test $result."; } | awk -f "$source/tests/tools/count_cases.awk")
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
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes a root filesystem' >&2; exit 77; }

mkdir -p "$cache" "$work" || exit 70
# shellcheck source=/dev/null # it is checked by itself
. "$source/tests/vm/image.sh"
sh "$source/tests/tools/install_packages.sh" mmdebstrap mosquitto python3-paho-mqtt || exit 70
make_chroot trixie node micropython || exit 70
if [ -z "$build" ]; then
    build=$source/build/release
    (cd "$source" && cmake --preset release && cmake --build --preset release --target shipahoyd) \
        >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 70; }
fi
run_units units.py
run_units units_board.py
run_python test_broker.py
run_python test_table.py
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
