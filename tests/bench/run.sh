#!/bin/sh
# Builds for release and prints one table for each benchmark. See --help.
# Figures are worth comparing only with others of the same run.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
page=docs/benchmarks.md
tables=build/benchmarks.md
place=build/examples # of Node-RED, shared with tests/examples

members='bench_rules bench_filters bench_latency bench_node bench_commands bench_daemon bench_logbook'
packages='gcc libc6-dev cmake ninja-build pkg-config libcmocka-dev libjansson-dev libinih-dev
  libmosquitto-dev libncurses-dev libpq-dev libsqlite3-dev mosquitto mosquitto-clients socat'

usage()
{
    cat <<END
usage: sh tests/bench/run.sh [--write] [--against BUILD] [--no-install] [--help] [MEMBER...]

  --write          also write the tables of this run to $page
  --against BUILD  also measure another build, in turns with this one: build/release of a copy of
                   the repository at another commit, with the targets shipahoyd, bench_rules and
                   bench_filters
  --no-install     leave the machine as it is, and measure Node-RED only if it was loaded before
  --help           this text

Members, all of them by default: $members
END
}

build()
{
    # shellcheck disable=SC2086 # a list of names
    cmake --preset release && cmake --build --preset release --target $chosen
}

# How many are waiting for a processor: others' work is in the figures, too.
print_load()
{
    printf 'load %s on %s processors\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)" "$(nproc)"
}

version_of()
{
    dpkg-query -W -f '${Package} ${Version}\n' "$@" 2>/dev/null
}

print_node_red()
{
    printf 'Node-RED %s, node %s\n' \
        "$(node -p 'require(process.argv[1]).version' "$root/$place/node_modules/node-red/package.json")" \
        "$(node --version)"
}

print_machine()
{
    printf '%s, %s\n' "$(date -u '+%Y-%m-%d %H:%M UTC')" "$(git describe --always --dirty)"
    sed -n 's/^\(model name\|Model\).*: //p' /proc/cpuinfo | head -n 1
    printf 'Linux %s, %s for the games on the disk\n' "$(uname -r)" "$(stat -f -c %T build)"
    [ -z "$against" ] || printf 'the other build: %s\n' "$(git -C "$against" describe --always --dirty)"
    [ -z "${BENCH_NODE_RED:-}" ] || print_node_red
    version_of gcc mosquitto libmosquitto1 libjansson4 libc6
    print_load
}

# print_fenced COMMAND: what it prints, as it is.
print_fenced()
{
    echo '```'
    "$1" || return 1
    echo '```'
}

print_tables()
{
    cat <<'END'
# Benchmarks

Results of the latest `sh tests/bench/run.sh --write`, which generates this page. The programs that are compared
run alternately in the same run, because figures of different runs cannot be compared.

END
    print_fenced print_machine
    for member in $chosen; do
        printf '\n## %s\n\n' "$member"
        print_fenced "build/release/tests/bench/$member" || return 1
        case "$against $member" in
        /*\ bench_rules | /*\ bench_filters)
            printf '\nThe other build:\n\n'
            print_fenced "$against/tests/bench/$member" || return 1
            ;;
        esac
    done
    printf '\nAt the end: %s.\n' "$(print_load)"
    echo
    sed -n '/^## Where the time goes/,$p' $page # not measured by this script
}

write=no
install=yes
against=
chosen=
while [ $# -gt 0 ]; do
    case $1 in
    --write) write=yes ;;
    --against)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        against=$(CDPATH='' cd -- "$2" && pwd) || exit 64
        shift
        ;;
    --no-install) install=no ;;
    --help) usage && exit 0 ;;
    -*) usage >&2 && exit 64 ;;
    *) chosen="$chosen $1" ;;
    esac
    shift
done
chosen=${chosen:-$members}

cd "$root" || exit 70
if [ -n "$against" ]; then
    BENCH_AGAINST=$against/daemon/shipahoyd
    export BENCH_AGAINST
    [ -x "$BENCH_AGAINST" ] || { echo "$BENCH_AGAINST: no such program" >&2 && exit 64; }
fi

mkdir -p build
PATH="$PATH:/usr/sbin"
if [ $install = yes ]; then
    # shellcheck disable=SC2086 # a list of names
    sh tests/tools/install_packages.sh $packages >build/bench.log 2>&1 ||
        { cat build/bench.log && exit 69; }
    command -v npm >/dev/null || sh tests/tools/install_packages.sh nodejs npm >build/bench.log 2>&1 ||
        { cat build/bench.log && exit 69; }
    sh tests/tools/load_node_red.sh $place >build/bench.log 2>&1 || { cat build/bench.log && exit 69; }
fi
if [ -x $place/node_modules/.bin/node-red ]; then
    BENCH_NODE_RED=$root/$place/node_modules/.bin/node-red
    export BENCH_NODE_RED
fi
build >build/bench.log 2>&1 || { cat build/bench.log && exit 70; }
# A pipe would hide that a benchmark has failed.
rm -f build/bench.failed
{ print_tables || touch build/bench.failed; } | tee $tables
[ -f build/bench.failed ] && exit 70
[ $write = no ] || cp $tables $page
