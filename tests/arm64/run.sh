#!/bin/sh
# Builds the project for a 64 bit Raspberry Pi, in a chroot with Debian's cross compiler, and runs
# its unit tests under qemu's user emulation. See --help.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
# What is compiled, and does not take many minutes when emulated; scripts about the project's pages
# would say nothing new here.
tests='^(rules|hw|daemon)_'
others='random|crash|losses|damage|trial|power|fit_the_schemas|does_not_fit|fit_together|config_sample'
others="$others|config_reference|config_man"

usage()
{
    cat <<'END'
usage: sh tests/arm64/run.sh [bookworm|trixie|all]

The default is all. Needs root, and installs mmdebstrap and qemu-user-static. The chroots are kept in
${XDG_CACHE_HOME:-~/.cache}; making one takes a few minutes the first time, and the tests of each take
about a minute and a half after that.
END
}

# run_suite SUITE
run_suite()
{
    echo "== $1"
    cross=$cache/arm64-$1
    make_cross_chroot "$1" || return 1
    copy_project "$cross"
    rm -rf "$cross/build"
    chroot "$cross" sh -c 'cmake -G Ninja -S /project -B /build -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE=/toolchain.cmake && ninja -C /build' >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log"
        return 1
    }
    chroot "$cross" ctest --test-dir /build -j "$(nproc)" -R "$tests" -E "$others" \
        --output-on-failure
}

case ${1:-all} in
    bookworm | trixie) suites=$1 ;;
    all) suites='bookworm trixie' ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
esac
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes a root filesystem' >&2; exit 77; }

started=$(date +%s)
# shellcheck source=/dev/null # it is checked by itself
. "$here/../vm/image.sh"
# shellcheck source=/dev/null # it is checked by itself
. "$here/../package/build.sh"
mkdir -p "$cache"
work=$(mktemp -d "$cache/run.XXXXXX") || exit 70
trap 'rm -rf "$work"' EXIT
sh "$source/tests/tools/install_packages.sh" mmdebstrap qemu-user-static git || exit 70
code=0
for suite in $suites; do
    run_suite "$suite" || code=1
done
echo "took $(($(date +%s) - started)) s"
exit $code
