#!/bin/sh
# Starts a whole table on this machine: a private broker on loopback and the daemon with simulated
# sensors, until Ctrl-C. See --help.

start_directory=$(pwd)
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 70
cd "$root" || exit 70
packages='gcc libc6-dev cmake ninja-build pkg-config libinih-dev libjansson-dev libmosquitto-dev
  libncurses-dev libsystemd-dev libgpiod-dev mosquitto mosquitto-clients'
patience=100 # tenths of a second that a program may take to start
socket_path_max=107

usage()
{
    cat <<'END'
usage: sh daemon/run.sh [OPTION...]

  --demo           play a whole game by itself, then go on running
  --pause SECONDS  how long the demo rests between two steps (2)
  --config FILE    lay this configuration over the sample; may be given several times
  --lan            let phones in: everybody in your network can then watch and play
  --dir DIR        keep games, logs and settings there (build/run, of the demo build/demo)
  --build-dir DIR  take the programs that are built there, instead of building them
  --no-install     leave the machine as it is
  --help           this text

Builds the controller, starts a private broker and the daemon with simulated sensors, and says how to
watch and play. Ctrl-C ends everything that it started; the next start goes on with the same game.
END
}

# nearest_option WORD: the option that was probably meant, if any comes near.
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

# refuse_usage SENTENCE: what is wrong with the options, and how they are.
refuse_usage()
{
    printf 'run.sh: %s.\n\n' "$1" >&2
    usage >&2
    exit 64
}

refuse_option()
{
    nearest=$(nearest_option "$1")
    refuse_usage "there is no option $1${nearest:+; $nearest is the nearest}"
}

# Ends what was started here, by its process id, and nothing else. An impatient second Ctrl-C must not
# keep it from doing so.
cleanup()
{
    trap - EXIT
    trap '' HUP INT PIPE TERM
    for pid in $demo_pid $daemon_pid $broker_pid; do
        kill "$pid" 2>/dev/null
        wait "$pid"
    done
    [ -n "$is_ours" ] && rm -f "$dir/processes"
    [ -n "$socket_dir" ] && rm -rf "$socket_dir"
    [ -n "$is_open" ] && [ "$1" -eq 0 ] &&
        printf '\nThe table is closed. The next start goes on where the game is.\n' 2>/dev/null
    exit "$1"
}

fail()
{
    echo "$1" >&2
    cleanup "${2:-70}"
}

# run_logged LOG SENTENCE COMMAND...: shows what the command said only if it fails.
run_logged()
{
    log=$1
    sentence=$2
    shift 2
    "$@" >"$log" 2>&1 || { cat "$log" && fail "$sentence"; }
}

# absolute PATH: as seen from where we were started.
absolute()
{
    (cd "$start_directory" && realpath -m -- "$1")
}

# note_process PID: so that the next start can find what a killed script left behind.
note_process()
{
    echo "$1" >>"$dir/processes"
}

# Whether the process holds our lock: then it was started here, whatever became of its number since.
holds_lock()
{
    [ "$(readlink "/proc/$1/fd/9")" = "$dir/lock" ]
}

# The first process that was noted is the script itself, the others are its programs.
end_orphans()
{
    read -r script <"$dir/processes" 2>/dev/null || return
    holds_lock "$script" && return
    while read -r pid; do
        if holds_lock "$pid"; then
            echo "Ending process $pid, which a table left behind."
            kill "$pid"
        fi
    done <"$dir/processes"
    flock -w $((patience / 10)) 9
}

# Two tables in one directory would ruin each other's game. The lock is also held by the programs
# that are started, so it tells of those that a killed script left behind.
take_directory()
{
    mkdir -p "$dir" || fail "$dir cannot be made."
    exec 9>>"$dir/lock"
    flock -n 9 || end_orphans
    flock -n 9 || fail "A table runs in $dir already (processes $(tr '\n' ' ' <"$dir/processes")).
End it with Ctrl-C where it was started, or take another place with --dir." 69
    is_ours=yes
    echo $$ >"$dir/processes"
}

# Not in build/release, which has the tests switched on.
# shellcheck disable=SC2317 # called by its name
build_programs()
{
    cmake --preset release -B build/table -DSHIPAHOY_TESTS=OFF && cmake --build build/table
}

# npm may come from elsewhere than Debian.
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

# The page is worth having, but the table can do without it.
find_page()
{
    if [ $install = yes ] && ! page_is_fresh; then
        echo 'Building the page.'
        { install_npm && build_page; } >"$dir/page.log" 2>&1 ||
            echo "That did not work, see $dir/page.log."
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
    [ -n "$page" ] && echo "http_dir $root/$(dirname $page)" >>"$dir/mosquitto.conf"
    [ "$(id -u)" -eq 0 ] && echo 'user root' >>"$dir/mosquitto.conf"
}

# wait_for PID COMMAND...: whether the command succeeded while the process lived, and in good time.
wait_for()
{
    pid=$1
    tries=$patience
    shift
    while kill -0 "$pid" 2>/dev/null && [ "$tries" -gt 0 ]; do
        "$@" && return 0
        tries=$((tries - 1))
        sleep 0.1
    done
    return 1
}

# Tries ports until a broker of ours comes up: its own log says so, since on a port that is taken
# somebody else would answer. A session of its own keeps Ctrl-C from ending it before the daemon.
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
    fail 'No broker could be started.'
}

# The path of a socket is short, and in the ini file ; and # would begin a comment. A folder of its
# own in /tmp keeps others from taking the name first.
place_socket()
{
    socket=$dir/sim.sock
    if [ "$(quote "$socket")" != "$socket" ] || [ ${#socket} -gt $socket_path_max ]; then
        socket_dir=$(mktemp -d /tmp/shipahoy.XXXXXX) || fail 'There is no place for a socket.'
        socket=$socket_dir/sim.sock
    fi
}

# quote WORD: as a shell reads it.
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
; Where the table is that daemon/run.sh has started.
[mqtt]
host = 127.0.0.1
port = $port
[hw]
backend = sim
socket = $socket
END
}

# shellcheck disable=SC2317 # called by its name
is_online()
{
    mosquitto_sub -h 127.0.0.1 -p "$port" -t shipahoy/table/status -C 1 -W 1 2>/dev/null |
        grep -q online
}

# start_daemon OPTION...
start_daemon()
{
    setsid "$programs/shipahoyd" --config config/shipahoy.ini "$@" --config "$dir/table.ini" \
        --state-dir "$dir/state" 2>"$dir/shipahoyd.log" &
    daemon_pid=$!
    note_process $daemon_pid
    wait_for $daemon_pid is_online && return
    cat "$dir/shipahoyd.log"
    fail 'The daemon did not start.'
}

tell()
{
    here=${dir#"$root/"}
    ctl="$(quote "${programs#"$root/"}/ctl/shipahoyctl") --config $(quote "$here/table.ini")"
    cat <<END

The table is open. To watch it, in another terminal:
  cd $(quote "$root")
  $ctl watch
  mosquitto_sub -h 127.0.0.1 -p $port -v -t 'shipahoy/+/event/#'
${page:+  http://$host:$ws_port/${page##*/}#table=table in a browser
}To play:
${page:+  http://$host:$ws_port/${page##*/}#table=table&view=table, the virtual table
  http://$host:$ws_port/${page##*/}#table=table&view=captain, the controls for phones
}  $ctl send new-game first=1
  $ctl sim fire
  $ctl send topple piece=blue-1
To read what happened:
  $ctl log
To stop: Ctrl-C here. The daemon's log is $here/shipahoyd.log; other pages reach the broker
over websockets on port $ws_port.
END
    if [ $lan = yes ]; then
        echo 'Everybody in your network can watch and play, and nobody is asked for a password.'
    else
        echo 'Only this computer can reach it; with --lan phones can, too.'
    fi
    [ $demo = yes ] || sed -n \
        -e 's/^game .* goes on: turn .*, over$/The last game is over: send new-game begins another./p' \
        -e '/, over$/d' \
        -e 's/^game .* goes on: \(.*\)$/The game of last time goes on: \1; new-game abandon=true leaves it./p' \
        "$dir/shipahoyd.log"
}

play_demo()
{
    setsid sh daemon/demo.sh "$programs/ctl/shipahoyctl" "$dir/table.ini" "$pause_s" &
    demo_pid=$!
    note_process $demo_pid
    wait $demo_pid || echo 'The demo did not get to its end.'
    demo_pid=
}

demo=no
install=yes
lan=no
interface=127.0.0.1 # "" is all of them
host=127.0.0.1
dir=
programs=
pause_s=2
page=scoreboard/dist/scoreboard.html
is_ours=
is_open=
socket_dir=
broker_pid=
daemon_pid=
demo_pid=

# What the daemon is to be told moves to the end of the arguments; the rest is taken away.
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
        [ -r "$value" ] || { echo "run.sh: $value cannot be read." >&2 && exit 78; }
        set -- "$@" --config "$value"
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
    echo 'Looking for packages that are missing.'
    # shellcheck disable=SC2086 # a list of names
    run_logged "$dir/packages.log" 'Some packages are missing.' \
        sh tests/tools/install_packages.sh $packages
fi
if [ -z "$programs" ]; then
    echo 'Building.'
    run_logged "$dir/build.log" 'It could not be built.' build_programs
    programs=$root/build/table/daemon
fi
find_page
echo 'Starting a private broker and the daemon.'
start_broker
write_table_config
start_daemon "$@"
is_open=yes
[ $demo = yes ] && play_demo
tell
wait $daemon_pid
daemon_pid=
fail "The daemon has ended; its log is $dir/shipahoyd.log."
