#!/bin/sh
# Starts a table on this machine: a private broker on loopback, the daemon with simulated sensors, and the
# logbook. Ctrl-C stops them all. See --help.

start_directory=$(pwd)
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 70
cd "$root" || exit 70
packages='gcc libc6-dev cmake ninja-build pkg-config libinih-dev libjansson-dev libmosquitto-dev libpq-dev libsqlite3-dev
  libncurses-dev libgpiod-dev mosquitto mosquitto-clients'
start_timeout=100 # in tenths of a second, for each program
socket_path_max=107

usage()
{
    cat <<'END'
usage: sh daemon/run.sh [OPTION...]

  --demo           play a whole game, then keep running
  --pause SECONDS  pause between two steps of the demo (2)
  --config FILE    read this file after the sample configuration; can be given several times
  --lan            accept connections from your network: everyone in it can watch and play
  --dir DIR        directory for games, logs and settings (build/run; with --demo build/demo)
  --build-dir DIR  use the programs in this build directory instead of building them
  --no-install     do not install packages
  --help           print this text

Builds the programs, starts a private broker, the daemon with simulated sensors and the logbook, and prints
how to watch and play. Ctrl-C stops everything that was started; the next start continues the same game.
With --demo, every start plays a new game.
END
}

# nearest_option WORD: prints the option with the smallest edit distance, if that is at most 2.
nearest_option()
{
    usage | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | awk -v word="$1" '
        {
            for (j = 0; j <= length($0); j++) above[j] = j
            for (i = 1; i <= length(word); i++) {
                row[0] = i
                for (j = 1; j <= length($0); j++) {
                    row[j] = above[j - 1] + (substr(word, i, 1) != substr($0, j, 1))
                    if (above[j] + 1 < row[j]) row[j] = above[j] + 1
                    if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1
                }
                for (j = 0; j <= length($0); j++) above[j] = row[j]
            }
            if (!best || above[length($0)] < distance) { best = $0; distance = above[length($0)] }
        }
        END { if (distance <= 2) print best }'
}

# refuse_usage SENTENCE: prints the error and the usage, and exits.
refuse_usage()
{
    printf 'run.sh: %s.\n\n' "$1" >&2
    usage >&2
    exit 64
}

refuse_option()
{
    nearest=$(nearest_option "$1")
    refuse_usage "unknown option $1${nearest:+; the nearest is $nearest}"
}

# Ends the processes that this script started, by their ids. A second Ctrl-C must not interrupt this.
cleanup()
{
    trap - EXIT
    trap '' HUP INT PIPE TERM
    for pid in $demo_pid $daemon_pid $logbook_pid $broker_pid; do
        kill "$pid" 2>/dev/null
        wait "$pid"
    done
    [ -n "$is_ours" ] && rm -f "$dir/processes"
    [ -n "$socket_dir" ] && rm -rf "$socket_dir"
    if [ -n "$is_open" ] && [ "$1" -eq 0 ]; then
        next='The next start opens it as it is now.'
        [ -z "$configs" ] || next="To open it as it is now: sh daemon/run.sh$configs"
        [ "$demo" = yes ] && next="To continue the game: sh daemon/run.sh --dir $(quote "$dir") --config config/demo.ini"
        printf '\nThe table is closed. %s\n' "$next" 2>/dev/null
    fi
    exit "$1"
}

fail()
{
    echo "$1" >&2
    cleanup "${2:-70}"
}

# run_logged LOG SENTENCE COMMAND...: prints the output of the command only if it fails.
run_logged()
{
    log=$1
    sentence=$2
    shift 2
    "$@" >"$log" 2>&1 || { cat "$log" && fail "$sentence"; }
}

# absolute PATH: relative to the directory in which the script was started.
absolute()
{
    (cd "$start_directory" && realpath -m -- "$1")
}

# note_process PID: records it, so that the next start finds the processes of a killed script.
note_process()
{
    echo "$1" >>"$dir/processes"
}

# Whether the process holds the lock of this directory. If not, its id has been reused.
holds_lock()
{
    [ "$(readlink "/proc/$1/fd/9")" = "$dir/lock" ]
}

# The first recorded process is the script itself, the others are its programs.
end_orphans()
{
    read -r script <"$dir/processes" 2>/dev/null || return
    holds_lock "$script" && return
    while read -r pid; do
        if holds_lock "$pid"; then
            echo "Ending process $pid of an earlier start."
            kill "$pid"
        fi
    done <"$dir/processes"
    flock -w $((start_timeout / 10)) 9
}

# Two tables in one directory would damage each other's game. The started programs hold the lock too, so
# it shows whether programs of a killed script are still running.
take_directory()
{
    mkdir -p "$dir" || fail "Cannot create $dir."
    exec 9>>"$dir/lock"
    flock -n 9 || end_orphans
    flock -n 9 || fail "A table is already running in $dir (processes $(tr '\n' ' ' <"$dir/processes")).
Stop it with Ctrl-C where it was started, or use another directory with --dir." 69
    is_ours=yes
    echo $$ >"$dir/processes"
}

# Not in build/release, where the tests are enabled.
# shellcheck disable=SC2317 # called by its name
build_programs()
{
    cmake --preset release -B build/table -DSHIPAHOY_TESTS=OFF && cmake --build build/table
}

# npm may be installed from another source than Debian.
install_npm()
{
    command -v npm >/dev/null || sh tests/tools/install_packages.sh npm
}

build_page()
{
    npm --prefix scoreboard ci && npm --prefix scoreboard run build
}

page_is_fresh()
{
    [ -f $page ] && [ -z "$(find scoreboard/src scoreboard/package.json -newer $page)" ]
}

# The page is optional: without it the table still works.
find_page()
{
    if [ $install = yes ] && ! page_is_fresh; then
        echo 'Building the page.'
        { install_npm && build_page; } >"$dir/page.log" 2>&1 ||
            echo "The page could not be built, see $dir/page.log."
    fi
    [ -f $page ] || page=
}

write_broker_config()
{
    cat >"$dir/mosquitto.conf" <<END
allow_anonymous true
set_tcp_nodelay true
max_packet_size 524288
max_queued_bytes 2097152
log_dest stderr
listener $1 $interface
protocol mqtt
listener $2 $interface
protocol websockets
END
    # Without it, a websockets listener ignores its address and accepts everybody.
    [ -z "$interface" ] || echo 'socket_domain ipv4' >>"$dir/mosquitto.conf"
    [ -n "$page" ] && echo "http_dir $root/$(dirname $page)" >>"$dir/mosquitto.conf"
    [ "$(id -u)" -eq 0 ] && echo 'user root' >>"$dir/mosquitto.conf"
}

# wait_for PID COMMAND...: repeats the command until it succeeds; fails if the process ends, or after
# start_timeout.
wait_for()
{
    pid=$1
    tries=$start_timeout
    shift
    while kill -0 "$pid" 2>/dev/null && [ "$tries" -gt 0 ]; do
        "$@" && return 0
        tries=$((tries - 1))
        sleep 0.1
    done
    return 1
}

# Tries ports until the broker starts. Its own log shows that: on a port that is in use another program
# would answer. setsid keeps Ctrl-C from ending the broker before the daemon.
start_broker()
{
    for port in $(seq 18830 2 18928); do
        ws_port=$((port + 1))
        write_broker_config "$port" "$ws_port"
        : >"$dir/mosquitto.log"
        PATH="$PATH:/usr/sbin" setsid mosquitto -c "$dir/mosquitto.conf" 2>>"$dir/mosquitto.log" &
        broker_pid=$!
        note_process $broker_pid
        wait_for $broker_pid grep -q 'version .* running' "$dir/mosquitto.log" && return
        kill $broker_pid 2>/dev/null
        wait $broker_pid
    done
    broker_pid=
    cat "$dir/mosquitto.log"
    fail 'The broker could not be started.'
}

# The path of a socket has a maximum length, and in the ini file ; and # start a comment. A private
# directory in /tmp keeps other users from creating the socket first.
place_socket()
{
    socket=$dir/sim.sock
    if [ "$(quote "$socket")" != "$socket" ] || [ ${#socket} -gt $socket_path_max ]; then
        socket_dir=$(mktemp -d /tmp/shipahoy.XXXXXX) || fail 'Cannot create a directory in /tmp.'
        socket=$socket_dir/sim.sock
    fi
}

# quote WORD: quoted for a shell.
quote()
{
    case $1 in
    *[!A-Za-z0-9._/-]*) printf "'%s'\n" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) echo "$1" ;;
    esac
}

write_table_config()
{
    place_socket
    cat >"$dir/table.ini" <<END
; Broker and sensors of the table started by daemon/run.sh.
[mqtt]
host = 127.0.0.1
port = $port
${page:+page_url = http://$host:$ws_port/${page##*/}}
[hw]
backend = sim
socket = $socket
END
}

# is_online NAME: the table or the logbook.
# shellcheck disable=SC2317 # called by its name
is_online()
{
    mosquitto_sub -h 127.0.0.1 -p "$port" -t "shipahoy/$1/status" -C 1 -W 1 2>/dev/null |
        grep -q online
}

# start_daemon OPTION...
start_daemon()
{
    setsid "$programs/shipahoyd" --config config/shipahoy.ini "$@" --config "$dir/table.ini" \
        --state-dir "$dir/state" 2>"$dir/shipahoyd.log" &
    daemon_pid=$!
    note_process $daemon_pid
    wait_for $daemon_pid is_online table && return
    cat "$dir/shipahoyd.log"
    kill $daemon_pid 2>/dev/null && fail 'The daemon did not connect to the broker.'
    wait $daemon_pid
    fail 'The daemon did not start.' $? # with its own exit code, such as 78 for the configuration
}

# start_logbook OPTION...: the table works without it. Its own options may name other score sheets.
start_logbook()
{
    mkdir -p "$dir/logbook"
    printf '[logbook]\nsheets = config/sheets\n' >"$dir/sheets.ini"
    setsid "$programs/logbook/shipahoy-logbook" --config config/shipahoy.ini --config "$dir/sheets.ini" "$@" --config "$dir/table.ini" \
        --state-dir "$dir/logbook" 2>"$dir/logbook.log" &
    logbook_pid=$!
    note_process $logbook_pid
    wait_for $logbook_pid is_online logbook ||
        echo "The logbook did not start, see $dir/logbook.log. The table works without it."
}

# Both are printed; the demo plays its game in between.
print_how_to_watch()
{
    here=${dir#"$root/"}
    ctl="$(quote "${programs#"$root/"}/ctl/shipahoyctl") --config $(quote "$here/table.ini")"
    cat <<END

The table is running. To watch it${page:+ in a browser:
  http://$host:$ws_port/${page##*/}#table=table
or} in another terminal:
  cd $(quote "$root")
  $ctl watch
  mosquitto_sub -h 127.0.0.1 -p $port -v -t 'shipahoy/#'
END
}

# For a game that continues, what it accepts now; else how to begin one.
print_commands()
{
    if [ -n "$continues" ]; then
        echo "  $ctl send --list"
    else
        printf '  %s\n' "$ctl send new-game first=1" "$ctl sim fire" "$ctl send topple piece=blue-1"
    fi
}

print_how_to_play()
{
    continues=
    [ $demo = yes ] || continues=$(sed -n '/, over$/d; s/^game .* goes on: //p' "$dir/shipahoyd.log" | tail -n 1)
    phones='a phone'
    [ $lan = yes ] || phones='this computer, and with --lan for phones'
    cat <<END
To play:
${page:+  http://$host:$ws_port/${page##*/}#table=table&view=table, the virtual table
  http://$host:$ws_port/${page##*/}#table=table&view=captain, the controls for $phones
}$(print_commands)
To see this game and all games:
${page:+  http://$host:$ws_port/${page##*/}#table=table&view=logbook
}  $ctl log
  $ctl games
To stop: Ctrl-C here. The logs are $here/shipahoyd.log and $here/logbook.log, the logbook is in
$here/logbook. The websocket port of the broker is $ws_port.
END
    if [ $lan = yes ]; then
        echo 'Everyone in your network can watch and play without a password.'
    else
        echo 'Only programs on this computer can connect; with --lan phones can connect too.'
    fi
    ship="$(quote "$programs/ctl/shipahoyctl") --config $(quote "$dir/table.ini")"
    echo "To type less in that terminal: alias ship=$(quote "$ship"), then for example ship watch."
    [ -z "$continues" ] ||
        printf 'The last game continues as it was begun: %s. To abandon it and start another:\n  %s send new-game abandon=true\n' "$continues" "$ctl"
}

play_demo()
{
    setsid sh daemon/demo.sh "$programs/ctl/shipahoyctl" "$dir/table.ini" "$pause_s" &
    demo_pid=$!
    note_process $demo_pid
    wait $demo_pid || echo 'The demo was not played to its end. Its game can be continued by hand.'
    demo_pid=
    kill -0 $daemon_pid 2>/dev/null || wait_for_end
    printf '\nThe table is still running. '
}

wait_for_end()
{
    wait $daemon_pid
    daemon_pid=
    fail "The daemon has stopped; its log is $dir/shipahoyd.log."
}

demo=no
install=yes
lan=no
interface=127.0.0.1 # "" is all interfaces
host=127.0.0.1
dir=
programs=
configs= # as they were given
pause_s=2
page=scoreboard/dist/scoreboard.html
is_ours=
is_open=
socket_dir=
broker_pid=
daemon_pid=
logbook_pid=
demo_pid=

# Options of the daemon are moved to the end of the arguments; all others are removed.
left=$#
while [ "$left" -gt 0 ]; do
    option=$1
    shift
    left=$((left - 1))
    case $option in
    --demo) demo=yes && continue ;;
    --no-install) install=no && continue ;;
    --lan) lan=yes && continue ;;
    --help) usage && exit 0 ;;
    --pause | --config | --dir | --build-dir) ;;
    *) refuse_option "$option" ;;
    esac
    [ "$left" -gt 0 ] || refuse_usage "$option needs a value"
    value=$1
    shift
    left=$((left - 1))
    case $option in
    --pause) pause_s=$value ;;
    --config)
        value=$(absolute "$value")
        [ -r "$value" ] || { echo "run.sh: cannot read $value." >&2 && exit 78; }
        set -- "$@" --config "$value"
        configs="$configs --config $(quote "$value")"
        ;;
    --dir) dir=$(absolute "$value") ;;
    --build-dir) programs=$(absolute "$value")/daemon ;;
    esac
done
if [ $demo = yes ]; then
    dir=${dir:-$root/build/demo}
    set -- "$@" --config config/demo.ini
fi
dir=${dir:-$root/build/run}
if [ $lan = yes ]; then
    interface=
    host=$(hostname -I | cut -d ' ' -f 1)
    host=${host:-127.0.0.1}
fi

trap 'cleanup 70' EXIT
trap 'cleanup 0' HUP INT PIPE TERM
take_directory
if [ $install = yes ]; then
    echo 'Checking for missing packages.'
    # shellcheck disable=SC2086 # a list of names
    run_logged "$dir/packages.log" 'Packages could not be installed.' \
        sh tests/tools/install_packages.sh $packages
fi
if [ -z "$programs" ]; then
    echo "Building, which takes some minutes the first time (log: $dir/build.log)."
    run_logged "$dir/build.log" 'The build failed.' build_programs
    programs=$root/build/table/daemon
fi
find_page
echo 'Starting a private broker, the daemon and the logbook.'
start_broker
write_table_config
start_daemon "$@"
start_logbook "$@"
is_open=yes
print_how_to_watch
[ $demo = yes ] && play_demo
print_how_to_play
wait_for_end
