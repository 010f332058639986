#!/bin/sh
# Starts a whole table on this machine: a private broker on loopback and the daemon with simulated
# sensors, until Ctrl-C. See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 70
cd "$root" || exit 70
run=build/run
programs=build/release/daemon

packages='gcc libc6-dev cmake ninja-build pkg-config libinih-dev libjansson-dev libmosquitto-dev
  libsystemd-dev mosquitto mosquitto-clients'

usage()
{
    cat <<'END'
usage: sh daemon/run.sh [--demo] [--no-install] [--help]

  --demo        play a whole game, with shots, topples, rope pulls and dice, then go on running
  --no-install  leave the machine as it is
  --help        this text

Builds the controller, starts a private broker and the daemon with simulated sensors, and says how to
watch and play. Ctrl-C ends everything it started. Games are kept in build/run/state.
END
}

# Ends what was started here, by its process id, and nothing else.
cleanup()
{
    trap - EXIT INT TERM
    [ -n "$demo_pid" ] && kill "$demo_pid" 2>/dev/null
    [ -n "$daemon_pid" ] && kill "$daemon_pid" 2>/dev/null && wait "$daemon_pid"
    [ -n "$broker_pid" ] && kill "$broker_pid" 2>/dev/null && wait "$broker_pid"
    exit "${1:-0}"
}

fail()
{
    echo "$1" >&2
    cleanup 70
}

write_broker_config()
{
    cat >"$run/mosquitto.conf" <<END
listener $1 127.0.0.1
protocol mqtt
listener $2 127.0.0.1
protocol websockets
allow_anonymous true
set_tcp_nodelay true
END
    [ "$(id -u)" -eq 0 ] && echo 'user root' >>"$run/mosquitto.conf"
}

# Tries ports until a broker comes up on them: it is ready when it answers.
start_broker()
{
    port=18830
    while [ $port -lt 18930 ]; do
        ws_port=$((port + 1))
        write_broker_config $port $ws_port
        PATH="$PATH:/usr/sbin" mosquitto -c "$run/mosquitto.conf" >"$run/mosquitto.log" 2>&1 &
        broker_pid=$!
        while kill -0 $broker_pid 2>/dev/null; do
            mosquitto_pub -h 127.0.0.1 -p $port -t ready -n 2>/dev/null && return
        done
        wait $broker_pid
        port=$((port + 2))
    done
    broker_pid=
    cat "$run/mosquitto.log"
    fail 'No broker could be started.'
}

write_config()
{
    cat >"$run/table.ini" <<END
[table]
name = table
[mqtt]
host = 127.0.0.1
port = $port
[hw]
backend = sim
socket = $root/$run/sim.sock
END
}

# Ready when it says that it is online.
start_daemon()
{
    "$programs/shipahoyd" --config config/shipahoy.ini --config "$run/table.ini" \
        --state-dir "$run/state" 2>"$run/shipahoyd.log" &
    daemon_pid=$!
    until mosquitto_sub -h 127.0.0.1 -p "$port" -t shipahoy/table/status -C 1 -W 2 2>/dev/null |
        grep -q online; do
        if ! kill -0 $daemon_pid 2>/dev/null; then
            cat "$run/shipahoyd.log"
            daemon_pid=
            fail 'The daemon did not start.'
        fi
    done
}

tell()
{
    ctl="$programs/shipahoyctl --config $run/table.ini"
    cat <<END

The table is open. In another terminal, from $root:
  watch   $ctl watch
  play    $ctl send new-game
          $ctl sim fire
          $ctl sim topple blue-1
  listen  mosquitto_sub -h 127.0.0.1 -p $port -v -t 'shipahoy/#'
  pages   talk to the broker over websockets on port $ws_port
The daemon's log is $run/shipahoyd.log. Ctrl-C ends everything.
END
}

demo=no
install=yes
for option in "$@"; do
    case $option in
    --demo) demo=yes ;;
    --no-install) install=no ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
done

broker_pid=
daemon_pid=
demo_pid=
trap 'cleanup 70' EXIT
trap 'cleanup 0' INT TERM
mkdir -p "$run"
if [ $install = yes ]; then
    echo 'Installing what is missing.'
    # shellcheck disable=SC2086 # a list of names
    sh tests/tools/install_packages.sh $packages >"$run/packages.log" 2>&1 ||
        { cat "$run/packages.log" && fail 'Some packages are missing.'; }
fi
echo 'Building.'
{ cmake --preset release -DSHIPAHOY_TESTS=OFF && cmake --build --preset release; } \
    >"$run/build.log" 2>&1 || { cat "$run/build.log" && fail 'It could not be built.'; }
echo 'Starting a private broker and the daemon.'
start_broker
write_config
start_daemon
tell
if [ $demo = yes ]; then
    sh daemon/demo.sh "$programs/shipahoyctl" "$run/table.ini" &
    demo_pid=$!
    wait $demo_pid
    demo_pid=
fi
wait $daemon_pid
daemon_pid=
fail "The daemon has ended; its log is $run/shipahoyd.log."
