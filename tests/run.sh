#!/bin/sh
# Builds the project in every way it is meant to be built, runs every quick test and every static
# check, and ends with the line "N passed, N failed". See --help.
#
# Needs nothing but a Debian: what is missing is installed. Works from any directory, keeps its
# builds and logs in build/, and only builds again what has changed.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 70
cd "$root" || exit 70
tools=tests/tools
logs=build/logs
jobs=$(nproc)

packages_to_build='gcc libc6-dev binutils cmake ninja-build pkg-config libcmocka-dev libjansson-dev
  libinih-dev libmosquitto-dev libncurses-dev libsystemd-dev systemd mosquitto mosquitto-clients openssl
  libgpiod-dev dpkg-dev file python3-jsonschema python3-yaml python3-paho-mqtt
  mandoc man-db zsh'
packages_to_check='clang libclang-rt-dev clang-tidy clang-format cppcheck gcovr shellcheck git
  nats-server rabbitmq-server'

passed=0
failed=0

usage()
{
    cat <<'END'
usage: sh tests/run.sh [--quick] [--no-install] [--help]

  --quick       only gcc with sanitizers, and the tests
  --no-install  leave the machine as it is; what is missing then counts as failed
  --help        this text

Without --quick: gcc and clang with sanitizers, the release build and the coverage of rules/, all
with their tests; the page in a real browser; clang-tidy, cppcheck, clang-format and shellcheck. The
logs are in build/logs.
END
}

now_ms()
{
    date +%s%3N
}

# report WORD NAME STARTED_MS [REMARK]: the one line that a step prints.
report()
{
    took_ms=$(($(now_ms) - $3))
    printf '%-4s  %-16s %5d.%d s%s\n' "$1" "$2" $((took_ms / 1000)) $((took_ms % 1000 / 100)) \
        "${4:+  $4}"
}

# log_of NAME: where a step's output goes.
log_of()
{
    echo "$logs/$(echo "$1" | tr ' /' '__').log"
}

# check NAME COMMAND...: one check that passes or fails as a whole; its output is shown if it fails.
check()
{
    name=$1
    shift
    log=$(log_of "$name")
    started=$(now_ms)
    if "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
        report ok "$name" "$started"
        return 0
    fi
    failed=$((failed + 1))
    report FAIL "$name" "$started"
    cat "$log"
    return 1
}

# check_with TOOL NAME COMMAND...: a check that cannot pass where its tool is missing.
check_with()
{
    tool=$1
    shift
    if command -v "$tool" >/dev/null; then
        check "$@"
    else
        check "$1" missing_tool "$tool"
    fi
}

missing_tool()
{
    echo "$1 is not installed, so this was not checked."
    return 1
}

configure_and_build()
{
    cmake --preset "$1" && cmake --build --preset "$1"
}

# build PRESET: that it builds without a warning is a check of its own.
build()
{
    check "build $1" configure_and_build "$1"
}

# run_tests PRESET [CTEST_OPTION...]: every test case counts, not every program.
run_tests()
{
    preset=$1
    shift
    name="tests $preset"
    log=$(log_of "$name")
    started=$(now_ms)
    rm -f "build/$preset/Testing/Temporary/LastTest.log"
    word=ok
    ctest --preset "$preset" -j "$jobs" --no-tests=error --timeout 600 "$@" >"$log" 2>&1 || word=FAIL
    counts=$(awk -f $tools/count_cases.awk "build/$preset/Testing/Temporary/LastTest.log" 2>>"$log") ||
        counts='0 0 0'
    cases_passed=${counts%% *}
    cases_skipped=${counts##* }
    cases_failed=${counts#* }
    cases_failed=${cases_failed% *}
    # ctest also fails for what the log has no case for: a program that was not built, no tests.
    if [ $word = FAIL ] && [ "$cases_failed" -eq 0 ]; then
        cases_failed=1
    fi
    passed=$((passed + cases_passed))
    failed=$((failed + cases_failed))
    remark="$cases_passed passed, $cases_failed failed"
    [ "$cases_skipped" -gt 0 ] && remark="$remark, $cases_skipped skipped"
    report $word "$name" "$started" "$remark"
    [ $word = ok ] && return
    cat "$log"
    return 1
}

# The page in a real browser; its script says itself how many cases passed.
test_page()
{
    name='tests scoreboard'
    log=$(log_of "$name")
    started=$(now_ms)
    word=ok
    SHIPAHOYD=$root/build/release/daemon/shipahoyd sh tests/scoreboard/run.sh $page_options \
        >"$log" 2>&1 || word=FAIL
    counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    counts=${counts:-0 1}
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
    report $word "$name" "$started" "${counts% *} passed, ${counts#* } failed"
    [ $word = ok ] || cat "$log"
}

# The folders of ours that exist: rules/ came first, the others follow.
source_folders()
{
    for folder in rules hw daemon; do
        [ -d $folder ] && echo $folder
    done
}

# Our sources as the compiler sees them; a file that this machine does not build cannot be analysed.
compiled_sources()
{
    sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$1/compile_commands.json" |
        grep -F -e "$root/rules/" -e "$root/hw/" -e "$root/daemon/"
}

run_clang_tidy()
{
    database=build/dev
    [ -f build/clang/compile_commands.json ] && database=build/clang
    # One file at a time: with several, clang-tidy 14 finds faults in every va_list but the first.
    compiled_sources $database | tr '\n' '\0' |
        xargs -0 -P "$jobs" -n 1 clang-tidy --quiet -p $database
}

run_cppcheck()
{
    mkdir -p build/cppcheck
    # shellcheck disable=SC2046 # the folder names are ours and have no spaces
    cppcheck --quiet --error-exitcode=1 --enable=warning,style,performance,portability \
        --inline-suppr --std=c11 -D_GNU_SOURCE $(find rules hw daemon -name include -printf '-I %p ') -j "$jobs" \
        --cppcheck-build-dir=build/cppcheck $(source_folders)
}

run_clang_format()
{
    git ls-files '*.c' '*.h' >$logs/c_files.txt || return 1
    [ -s $logs/c_files.txt ] && xargs clang-format --dry-run -Werror <$logs/c_files.txt
}

run_shellcheck()
{
    git ls-files '*.sh' '*.bash' .ci/run 'systemd/package/p*rm' systemd/package/postinst >$logs/scripts.txt || return 1
    [ -s $logs/scripts.txt ] && xargs shellcheck <$logs/scripts.txt
}

measure_coverage()
{
    find build/coverage -name '*.gcda' -delete
    run_tests coverage -LE long || return
    check_with gcovr coverage sh $tools/coverage.sh && cat "$(log_of coverage)"
}

quick_checks()
{
    build dev && run_tests dev
}

# A minute of fuzzing, all fuzzers together; tests/fuzz/CMakeLists.txt says how to give them longer.
run_fuzzer()
{
    build/fuzz/tests/fuzz/"fuzz_$1" -max_total_time=15 -rss_limit_mb=512 -print_final_stats=1 \
        "build/fuzz/tests/fuzz/found/$1" "tests/fuzz/corpus/$1"
}

build_fuzzers()
{
    cmake --preset fuzz && cmake --build --preset fuzz --target fuzzers
}

run_fuzzers()
{
    check_with clang 'build fuzz' build_fuzzers || return
    for fuzzer in command config journal sim table; do
        check "fuzz $fuzzer" run_fuzzer "$fuzzer"
    done
}

# Tests that take long (a whole daemon, a million random steps) run with gcc and in the release
# build; what another compiler could show, the others show as well.
thorough_checks()
{
    check_with clang 'build clang' configure_and_build clang && run_tests clang -LE long
    build release && run_tests release && test_page
    build coverage && measure_coverage
    run_fuzzers
    check_with clang-tidy clang-tidy run_clang_tidy
    check_with cppcheck cppcheck run_cppcheck
    check_with clang-format clang-format run_clang_format
    check_with shellcheck shellcheck run_shellcheck
}

quick=no
install=yes
page_options=
for option in "$@"; do
    case $option in
    --quick) quick=yes ;;
    --no-install) install=no && page_options=--no-install ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
done

mkdir -p $logs || exit 70
export UBSAN_OPTIONS=print_stacktrace=1
packages=$packages_to_build
[ $quick = no ] && packages="$packages $packages_to_check"
if [ $install = yes ]; then
    echo "Installing what is missing, building and testing Ship Ahoy (logs in $logs)."
    # shellcheck disable=SC2086 # a list of names
    check packages sh $tools/install_packages.sh $packages
else
    echo "Building and testing Ship Ahoy (logs in $logs)."
fi
quick_checks
[ $quick = no ] && thorough_checks
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
