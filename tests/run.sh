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
results=$logs/results
jobs=$(nproc)

packages_to_build='gcc libc6-dev binutils cmake ninja-build pkg-config libcmocka-dev libjansson-dev
  libinih-dev libmosquitto-dev libncurses-dev libpq-dev libsqlite3-dev systemd mosquitto mosquitto-clients openssl postgresql
  libgpiod-dev dpkg-dev file python3-jsonschema python3-yaml python3-paho-mqtt
  mandoc man-db zsh'
packages_to_check='clang libclang-rt-dev clang-tidy clang-format cppcheck gcovr shellcheck git
  nats-server rabbitmq-server'

usage()
{
    cat <<'END'
usage: sh tests/run.sh [--quick | --slow] [--again] [--no-install] [--help]

  --quick       only gcc with sanitizers, and its tests: three minutes
  --slow        also what rarely finds more: the tests with clang, every test in both the dev and the
                release build, and clang-tidy with its analyzer at full depth: six minutes more
  --again       run what failed once more, alone; what passes then counts as passed and is listed as unstable
  --no-install  leave the machine as it is; what is missing then counts as failed
  --help        this text

Without --quick: gcc with sanitizers and the release build, both with their tests; the page in a real
browser; everything compiled with clang, and the fuzzers; clang-tidy, cppcheck, clang-format and
shellcheck; the coverage of rules/. This takes seven to nine minutes on two processors. The logs are in
build/logs.
END
}

now_ms()
{
    date +%s%3N
}

# log_of NAME: where the output of a stage goes.
log_of()
{
    echo "$logs/$(echo "$1" | tr ' /' '__').log"
}

# report WORD NAME STARTED_MS PASSED FAILED [REMARK]: prints the one line of a stage, and keeps its result.
report()
{
    took_ms=$(($(now_ms) - $3))
    printf '%-4s  %-16s %5d.%d s%s\n' "$1" "$2" $((took_ms / 1000)) $((took_ms % 1000 / 100)) \
        "${6:+  $6}"
    echo "$1 $4 $5 $2" >>$results
}

# check NAME COMMAND...: one check that passes or fails as a whole.
check()
{
    name=$1
    shift
    started=$(now_ms)
    if "$@" >"$(log_of "$name")" 2>&1; then
        report ok "$name" "$started" 1 0
    else
        report FAIL "$name" "$started" 0 1
        return 1
    fi
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

# run_tests PRESET [CTEST_OPTION...]: every test case counts, not every program. Most programs wait for
# a broker or a timer half of the time, so there are more of them than processors.
run_tests()
{
    preset=$1
    shift
    name="tests $preset"
    log=$(log_of "$name")
    started=$(now_ms)
    rm -f "build/$preset/Testing/Temporary/LastTest.log"
    word=ok
    ctest --preset "$preset" -j $((jobs * 2)) --no-tests=error --timeout 600 "$@" >"$log" 2>&1 || word=FAIL
    count_cases
    if [ $word = FAIL ] && [ $again = yes ]; then
        run_failed_tests_again
    fi
    # ctest also fails for what the log has no case for: a program that was not built, no tests.
    if [ $word = FAIL ] && [ "$cases_failed" -eq 0 ]; then
        cases_failed=1
    fi
    remark="$cases_passed passed, $cases_failed failed"
    [ "$cases_skipped" -gt 0 ] && remark="$remark, $cases_skipped skipped"
    report $word "$name" "$started" "$cases_passed" "$cases_failed" "$remark"
}

# Of the last run of ctest: sets cases_passed, cases_failed and cases_skipped.
count_cases()
{
    counts=$(awk -f $tools/count_cases.awk "build/$preset/Testing/Temporary/LastTest.log" 2>>"$log") ||
        counts='0 0 0'
    cases_passed=${counts%% *}
    cases_skipped=${counts##* }
    cases_failed=${counts#* }
    cases_failed=${cases_failed% *}
}

# A test can be too late on a busy machine; a fault fails twice. What passes alone is named all the same.
run_failed_tests_again()
{
    first_passed=$cases_passed
    first_failed=$cases_failed
    first_skipped=$cases_skipped
    cat "$log" >>$logs/unstable.log
    ctest --preset "$preset" --rerun-failed --timeout 600 --output-on-failure >>"$log" 2>&1 && word=ok
    count_cases
    if [ $word = ok ]; then
        failed_before=$(sed -n 's/.*Test *#[0-9]*: \([a-z0-9_]*\) .*\*\*\*.*/\1/p' "$log" | sort -u | tr '\n' ' ')
        echo "unstable: $failed_before(failed, and passed alone; see $logs/unstable.log)"
    fi
    cases_passed=$((first_passed + first_failed - cases_failed))
    cases_skipped=$first_skipped
}

# run_script NAME COMMAND...: a script whose last line says how many cases passed.
run_script()
{
    name=$1
    shift
    log=$(log_of "$name")
    started=$(now_ms)
    word=ok
    "$@" >"$log" 2>&1 || word=FAIL
    counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    counts=${counts:-0 1}
    grep '^unstable: ' "$log"
    report $word "$name" "$started" "${counts% *}" "${counts#* }" "${counts% *} passed, ${counts#* } failed"
}

# The page in a real browser.
test_page()
{
    run_script 'tests scoreboard' env SHIPAHOYD="$root/build/release/daemon/shipahoyd" \
        sh tests/scoreboard/run.sh $page_options $page_again
}

# The program of a radio node in MicroPython.
test_node()
{
    run_script 'tests node' sh tests/node/quick.sh $page_options
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

# run_clang_tidy MODE: shallow or deep, how many paths through the code its analyzer follows.
run_clang_tidy()
{
    # One file at a time: with several, clang-tidy 14 finds faults in every va_list but the first.
    compiled_sources build/dev | tr '\n' '\0' |
        xargs -0 -P "$jobs" -n 1 clang-tidy --quiet -p build/dev --extra-arg=-Xclang \
            --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode="$1"
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

# Of the tests of the rules alone: what other tests run of them by the way is not proved by that.
measure_coverage()
{
    cmake --preset coverage && cmake --build --preset coverage --target tests/rules/all tests/tools/all || return
    find build/coverage -name '*.gcda' -delete
    ctest --preset coverage -j "$jobs" -R '^(rules|game)_' --no-tests=error && sh $tools/coverage.sh
}

run_fuzzer()
{
    build/fuzz/tests/fuzz/"fuzz_$1" -max_total_time=30 -rss_limit_mb=512 -print_final_stats=1 \
        "build/fuzz/tests/fuzz/found/$1" "tests/fuzz/corpus/$1"
}

# All at once, for half a minute; tests/fuzz/CMakeLists.txt says how to give them longer.
run_fuzzers()
{
    for fuzzer in command config journal radio sim table; do
        check "fuzz $fuzzer" run_fuzzer "$fuzzer" &
    done
    wait
}

# What runs in one build only is labelled so: it looks at the programs from outside, and they are the same.
test_everything()
{
    build dev && run_tests dev -LE "$not_in_dev"
    build release && run_tests release -LE "$not_in_release" && test_page
    test_node
}

# The fuzzers are built with clang, and everything else with them: it must compile without a warning.
analyse_everything()
{
    check_with clang 'build fuzz' configure_and_build fuzz
    fuzzers_are_built=$?
    check_with clang-tidy clang-tidy run_clang_tidy shallow
    check_with cppcheck cppcheck run_cppcheck
    check_with clang-format clang-format run_clang_format
    check_with shellcheck shellcheck run_shellcheck
    check_with gcovr coverage measure_coverage && tail -n 1 "$(log_of coverage)"
    [ $fuzzers_are_built -ne 0 ] || run_fuzzers
}

analyse_slowly()
{
    check_with clang 'build clang' configure_and_build clang && run_tests clang -LE long
    check_with clang-tidy 'clang-tidy deep' run_clang_tidy deep
}

# Two lists side by side: the tests, which mostly wait, and at a lower priority what only computes.
thorough_checks()
{
    analyse_everything &
    analysis=$!
    renice -n 5 $analysis >/dev/null
    test_everything
    wait $analysis || check 'static analysis' false
    [ $slow = no ] || analyse_slowly
}

# All output of what failed, and the sums.
summarize()
{
    while read -r word _ _ name; do
        [ "$word" = ok ] || { printf '\n%s failed:\n' "$name" && cat "$(log_of "$name")"; }
    done <$results
    echo "$((($(now_ms) - began) / 1000)) s in all"
    awk '{ passed += $2; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed"
        exit failed || !passed }' $results
}

quick=no
slow=no
again=no
install=yes
page_options=
page_again=
not_in_dev=in-release
not_in_release=in-dev
for option in "$@"; do
    case $option in
    --quick) quick=yes ;;
    --slow) slow=yes && not_in_dev=none && not_in_release=none ;;
    --again) again=yes && page_again=--again ;;
    --no-install) install=no && page_options=--no-install ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
done

mkdir -p $logs || exit 70
began=$(now_ms)
: >$results
rm -f $logs/unstable.log
# What runs in the background does not hear Ctrl-C.
trap 'trap "" TERM; kill -TERM 0; exit 130' INT
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
if [ $quick = yes ]; then
    build dev && run_tests dev
else
    thorough_checks
fi
summarize
