#!/bin/sh
# The logbook with every failure beside it, at random moments, and ends with the line "N passed, N failed".
# See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
cd "$root" || exit 70
log=build/logbook.log

packages='gcc libc6-dev cmake ninja-build pkg-config libcmocka-dev libjansson-dev libinih-dev
  libmosquitto-dev libncurses-dev libpq-dev libsqlite3-dev mosquitto postgresql
  python3-paho-mqtt'
subjects='blackbox_logbook blackbox_logbook_failures logbook_damage'

usage()
{
    cat <<'END'
usage: sh tests/logbook/run.sh [--seconds N] [--rounds N] [--seed N] [--no-install] [--help]

  --seconds N   of a round (60)
  --rounds N    with each database (2)
  --seed N      of the first round (1)
  --no-install  leave the machine as it is
  --help        this text

First the tests of single failures, with their sentences in the log. Then rounds with SQLite and with
PostgreSQL in which two tables play at random while the logbook, the broker, the tables and PostgreSQL
are killed, the disk is full, the database is read-only or damaged, each at random moments. At the end of
a round, all that is stored is compared with what the tables have. Takes about seven minutes. A seed
repeats what is done, but not the moment in which a process is hit. The full disk of PostgreSQL is a small
one of its own, which only root can mount; others leave this out.
END
}

build()
{
    cmake --preset dev && cmake --build --preset dev --target shipahoyd shipahoyctl shipahoy-logbook logbook_damage
}

fail()
{
    cat "$log"
    echo '0 passed, 1 failed'
    exit 1
}

seconds=60
rounds=2
seed=1
install=yes
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --no-install) install=no ;;
    --seconds | --rounds | --seed)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        case $1 in
        --seconds) seconds=$2 ;;
        --rounds) rounds=$2 ;;
        --seed) seed=$2 ;;
        esac
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

# count COMMAND...: one test. Its last line tells of a success, all of it of a failure.
count()
{
    if "$@" >$log 2>&1; then
        passed=$((passed + 1))
        tail -n 1 $log
    else
        failed=$((failed + 1))
        cat $log
    fi
}

for subject in $subjects; do
    count ctest --preset dev -R "^$subject\$" --output-on-failure
done
round=0
while [ $round -lt "$rounds" ]; do
    for database in sqlite postgresql; do
        count /usr/bin/python3 -B tests/logbook/campaign.py $database "$seconds" $((seed + round))
    done
    round=$((round + 1))
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
