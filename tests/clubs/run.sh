#!/bin/sh
# Tests tables, page, logbook and shipahoyctl on clusters of brokers. Ends with the line "N passed, N failed".
# See --help.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
work=$source/build/clubs
passed=0
failed=0

usage()
{
    cat <<'END_OF_USAGE'
usage: sh tests/clubs/run.sh [--build-dir DIR] [SUBJECT...]

  club      a table, the logbook, shipahoyctl and a node that is killed, on each cluster (4 minutes)
  page      the page on each cluster, in Chromium (2 minutes)
  roles     the roles on the recommended cluster (1 minute)
  network   a node whose computer vanishes from the network (1 minute)
  bridge    a table at home whose games reach the broker of a club (2 minutes)
  matrix    what each broker can do, compared with docs/clubs.md (11 minutes)
  scale [--tables N] [--seconds S] [--kill-every S] [--pace S] [--cluster NAME]
            many tables at once while a node is killed every few seconds (S and two minutes; 200 tables, 300 s)
  outage [--times N] [--ways killed vanished]
            how long an event takes when the node of its table is killed or vanishes (12 times each, 15 minutes)

  --build-dir DIR  take the programs that are built there, instead of building them
  --help           this text

Without a subject all but scale and outage, on two processors about 25 minutes. Needs root, and installs mmdebstrap, mosquitto,
NATS, RabbitMQ and python3-paho-mqtt; the page needs npm and chromium as well. NATS 2.10 and RabbitMQ 4.0 run in a chroot with Debian 13, which is
kept in ${XDG_CACHE_HOME:-~/.cache}; making it takes some minutes the first time. All brokers listen on loopback.
END_OF_USAGE
}

# with_programs FILE [ARGUMENT...]: runs it with the programs that are tested.
with_programs()
{
    cd "$here" && PYTHONPATH=$source/tests/blackbox:$here CLUBS_CHROOT=$cache/clubs-trixie SHIPAHOYD=$build/daemon/shipahoyd \
        SHIPAHOYCTL=$build/daemon/ctl/shipahoyctl SHIPAHOY_LOGBOOK=$build/daemon/logbook/shipahoy-logbook \
        timeout 1800 /usr/bin/python3 -B "$@"
}

# run_python LOG FILE [ARGUMENT...]: a file of tests for Python's unittest.
run_python()
{
    log=$work/$1.log
    shift
    with_programs "$@" >"$log" 2>&1
    cat "$log"
    ran=$(sed -n 's/^Ran \([0-9]*\) tests* in .*/\1/p' "$log")
    bad=$(grep -c -E '^(FAIL|ERROR): ' "$log")
    tail -n 1 "$log" | grep -q -E '^(OK|FAILED)' || bad=1 ran=1
    [ "$bad" -le "$ran" ] || bad=$ran # a test may fail twice
    passed=$((passed + ran - bad))
    failed=$((failed + bad))
}

# on_each_cluster LOG FILE
on_each_cluster()
{
    for club in 'NATS 2.10' 'NATS 2.9' 'RabbitMQ 4.0' 'RabbitMQ 3.10'; do
        echo "$club"
        CLUB=$club run_python "$1-$club" "$2"
    done
}

run_subject()
{
    case $1 in
    club) on_each_cluster club test_club.py ;;
    roles) run_python roles test_club_roles.py ;;
    network) run_python network test_network_loss.py ;;
    bridge) run_python bridge test_bridge.py ;;
    page) on_each_cluster page test_page.py ;;
    matrix) run_python matrix matrix.py --check "$source/docs/clubs.md" ;;
    esac
}

build=
subjects=
while [ $# -gt 0 ]; do
    case $1 in
    --build-dir) [ $# -gt 1 ] || { usage >&2 && exit 64; }
        build=$(realpath -- "$2") && shift ;;
    --help) usage && exit 0 ;;
    club | page | roles | network | bridge | matrix) subjects="$subjects $1" ;;
    scale | outage)
        subjects=$1
        shift
        break
        ;;
    *) usage >&2 && exit 64 ;;
    esac
    shift
done
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes a root filesystem' >&2; exit 77; }

mkdir -p "$cache" "$work" || exit 70
# shellcheck source=/dev/null # it is checked by itself
. "$source/tests/vm/image.sh"
sh "$source/tests/tools/install_packages.sh" mmdebstrap mosquitto nats-server rabbitmq-server python3-paho-mqtt \
    whois nginx-light iproute2 || exit 70
make_chroot trixie clubs 'nats-server rabbitmq-server' || exit 70
if [ -z "$build" ]; then
    build=$source/build/release
    (cd "$source" && cmake --preset release && cmake --build --preset release) >"$work/build.log" 2>&1 ||
        { cat "$work/build.log"; exit 70; }
fi
case " ${subjects:-page} " in
*' page '*)
    { npm --prefix "$source/scoreboard" ci && npm --prefix "$source/scoreboard" run build; } >"$work/page.log" 2>&1 ||
        { cat "$work/page.log"; exit 70; }
    ;;
esac
case $subjects in
scale | outage)
    with_programs "$subjects.py" "$@"
    exit
    ;;
esac
for subject in ${subjects:-club page roles network bridge matrix}; do
    run_subject "$subject"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
