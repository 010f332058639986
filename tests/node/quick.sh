#!/bin/sh
# Tests the program of a node in the MicroPython that npm has. Takes a few seconds. Ends with the line
# "N passed, N failed". See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
place=$root/build/node
log=$root/build/logs/node.log
micropython=@micropython/micropython-webassembly-pyscript@1.27.0

usage()
{
    cat <<'END'
usage: sh tests/node/quick.sh [--no-install] [--help]

  --no-install  leave the machine as it is
  --help        this text
END
}

fail()
{
    cat "$log"
    echo "$1"
    echo '0 passed, 1 failed'
    exit 1
}

# What is missing by the name of its command: node may come from elsewhere than Debian.
install_packages()
{
    command -v npm >/dev/null || sh "$root/tests/tools/install_packages.sh" nodejs npm || return
    npm install --no-audit --no-fund --ignore-scripts --prefix "$place" $micropython &&
        echo $micropython >"$place/loaded"
}

install=yes
for option in "$@"; do
    case $option in
    --no-install) install=no ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
done

mkdir -p "$place" "$root/build/logs" || exit 70
: >"$log"
if [ "$(cat "$place/loaded" 2>/dev/null)" != $micropython ]; then
    [ $install = yes ] || fail 'MicroPython is missing: run this once without --no-install.'
    install_packages >"$log" 2>&1 || fail 'MicroPython could not be loaded.'
fi
timeout 60 node "$root/tests/node/quick.mjs" "$root" "$place" >"$log" 2>&1
cat "$log"
tail -n 1 "$log" | grep -q '^[1-9][0-9]* passed, 0 failed$'
