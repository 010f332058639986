#!/bin/sh
# Builds the scoreboard and runs its tests, in node and in a real Chromium, against a real broker and
# the real daemon. Ends with the line "N passed, N failed". See --help.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 70
cd "$root" || exit 70
logs=build/logs
log=$logs/scoreboard.log

usage()
{
    cat <<'END'
usage: sh tests/scoreboard/run.sh [--again] [--no-install] [--help]

  --again       run the files with a failed case once more, one at a time; what passes then is listed as unstable
  --no-install  leave the machine as it is
  --help        this text

SHIPAHOYD names a daemon that is built already.
END
}

# What is missing by the name of its command: node may come from elsewhere than Debian.
missing_packages()
{
    command -v node >/dev/null || echo nodejs
    command -v npm >/dev/null || echo npm
    command -v chromium >/dev/null || echo chromium
    command -v openssl >/dev/null || echo openssl
    PATH="$PATH:/usr/sbin" command -v mosquitto >/dev/null || echo mosquitto
}

fail()
{
    echo "$1"
    echo '0 passed, 1 failed'
    exit 1
}

# attempt SENTENCE COMMAND...: what it printed is shown only if it fails.
attempt()
{
    sentence=$1
    shift
    "$@" >"$log" 2>&1 || { cat "$log" && fail "$sentence"; }
}

# shellcheck disable=SC2317 # called by its name
build_daemon()
{
    cmake --preset release && cmake --build --preset release --target shipahoyd shipahoy-logbook
}

# shellcheck disable=SC2317 # called by its name; with --no-install it takes the packages that are there
build_page()
{
    [ $install = no ] || npm --prefix scoreboard ci || return
    npm --prefix scoreboard run build
}

# What takes longest comes first: at the end nothing waits for it alone.
slowest_first()
{
    for name in games sheets logbook hands sounds alone tournaments pairing; do
        echo "tests/scoreboard/$name.test.mjs"
    done
    ls tests/scoreboard/*.test.mjs
}

# "# pass N" and "# fail N", whatever the version of node puts before them.
count()
{
    sed -n "s/^[^a-z]*$1 \([0-9][0-9]*\)$/\1/p" "$log" | tail -n 1
}

# run_files COUNT FILE...: so many at a time. Sets passed and failed.
run_files()
{
    timeout 600 node tests/scoreboard/run_files.mjs "$@" >"$log" 2>&1
    passed=$(count pass)
    fails=$(count fail)
    cancelled=$(count cancelled)
    failed=$((${fails:-1} + ${cancelled:-0})) # 1 if it did not get to its end
    [ "$failed" -eq 0 ] || cat "$log"
}

# Only a failed case is reported with its file.
failed_files()
{
    grep -o 'tests/scoreboard/[a-z_]*\.test\.mjs' "$log" | sort -u
}

# A browser on a busy machine can be too late for a deadline that is right; a fault fails twice.
# shellcheck disable=SC2086 # file names of ours
run_failed_files_again()
{
    files=$(failed_files)
    [ -n "$files" ] || return
    first_passed=$passed
    first_failed=$failed
    echo 'Once more, one file at a time:' $files
    run_files 1 $files
    [ "$failed" -ne 0 ] || echo 'unstable:' $files
    passed=$((first_passed + first_failed - failed))
}

again=no
install=yes
for option in "$@"; do
    case $option in
    --again) again=yes ;;
    --no-install) install=no ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
done

mkdir -p $logs || exit 70
if [ $install = yes ]; then
    # shellcheck disable=SC2046 # a list of names
    attempt 'Some packages are missing.' sh tests/tools/install_packages.sh $(missing_packages)
fi
[ -n "$SHIPAHOYD" ] || attempt 'The daemon could not be built.' build_daemon
attempt 'The scoreboard could not be built.' build_page
# Half of the time a test waits for its browser, so four share two processors.
# shellcheck disable=SC2046 # file names of ours
run_files 4 $(slowest_first | awk '!seen[$0]++')
[ $again = no ] || [ "$failed" -eq 0 ] || run_failed_files_again
echo "${passed:-0} passed, $failed failed"
[ "$failed" -eq 0 ] && [ "${passed:-0}" -gt 0 ]
