#!/bin/sh
# Attacks the daemon and the logbook through the broker, its socket and its files, as hard as a guest of
# the network could, and ends with the line "N passed, N failed". See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
cd "$root" || exit 70
log=build/attack.log

packages='gcc libc6-dev cmake ninja-build pkg-config libcmocka-dev libjansson-dev libinih-dev
  libmosquitto-dev libncurses-dev libpq-dev libsqlite3-dev mosquitto mosquitto-clients python3-paho-mqtt'

usage()
{
    cat <<'END'
usage: sh tests/attack/run.sh [--seconds N] [--seed N] [--preset NAME] [--no-install] [--help] [TEST...]

  --seconds N    of each attack that has no end of its own (4: about six minutes in all)
  --seed N       of everything random (1)
  --preset NAME  the build that is attacked: release, or dev to find with its sanitizers what a
                 release survives by luck; the memory is then not limited to that of the service
  --no-install   leave the machine as it is
  --help         this text

A TEST is named as in attack_floods.Floods.test_of_history, by default all of them. On a machine that
is busy otherwise the times that are claimed for honest players do not hold.
END
}

build()
{
    cmake --preset "$preset" && cmake --build --preset "$preset" --target shipahoyd --target shipahoy-logbook
}

fail()
{
    echo "$1"
    echo '0 passed, 1 failed'
    exit 1
}

seconds=4
seed=1
preset=release
install=yes
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --no-install) install=no ;;
    --seconds | --seed | --preset)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        case $1 in
        --seconds) seconds=$2 ;;
        --seed) seed=$2 ;;
        --preset) preset=$2 ;;
        esac
        shift
        ;;
    -*) usage >&2 && exit 64 ;;
    *) break ;;
    esac
    shift
done

mkdir -p build
PATH="$PATH:/usr/sbin"
if [ $install = yes ]; then
    # shellcheck disable=SC2086 # a list of names
    sh tests/tools/install_packages.sh $packages >$log 2>&1 ||
        { cat $log && fail 'The packages could not be installed.'; }
fi
build >$log 2>&1 || { cat $log && fail "The preset $preset was not built."; }

[ "$preset" = release ] || export ATTACK_MEMORY_KIB=1048576
export SHIPAHOYD="$root/build/$preset/daemon/shipahoyd" PYTHONDONTWRITEBYTECODE=1
export SHIPAHOY_LOGBOOK="$root/build/$preset/daemon/logbook/shipahoy-logbook"
export ATTACK_SECONDS="$seconds" ATTACK_SEED="$seed"
exec /usr/bin/python3 tests/attack/campaign.py "$@"
