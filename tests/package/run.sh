#!/bin/sh
# The packages for each Debian and each machine: builds them, lets lintian look at them, and
# installs, upgrades, removes and purges them in a fresh Debian. See --help.
# shellcheck disable=SC2154 # variables of what is sourced
# shellcheck disable=SC2317 # functions are called by their names

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
results=$source/build/packages
packages='mmdebstrap qemu-user-static git'

usage()
{
    cat <<'END'
usage: sh tests/package/run.sh [--build-only] [bookworm|trixie|all] [amd64|arm64|all]

  --build-only  only build them
  --help        this text

Both are all by default. The packages are put into build/packages. Needs root and npm, and installs
mmdebstrap and qemu-user-static. The chroots are kept in ${XDG_CACHE_HOME:-~/.cache}; making them
takes about ten minutes the first time. After that all four packages take about two minutes.

Without a running systemd; tests/vm/run.sh tries the same packages in a machine that has one.
END
}

# check NAME COMMAND...: its output is shown if it fails.
check()
{
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok     $name"
        return
    fi
    echo "FAILED $name"
    tail -n 40 "$work/log"
    code=1
}

# look_at PACKAGE SUITE: by the lintian of that Debian.
look_at()
{
    cp "$1" "$cache/build-$2/tmp/" &&
        chroot "$cache/build-$2" lintian --allow-root --fail-on error,warning \
            "/tmp/$(basename "$1")"
}

# run_emulated PACKAGE SUITE: the programs start, and are for the libraries of that Debian.
run_emulated()
{
    rm -rf "$cache/arm64-$2/unpacked"
    dpkg -x "$1" "$cache/arm64-$2/unpacked"
    [ "$(dpkg-deb -f "$1" Architecture)" = arm64 ] &&
        dpkg-deb -f "$1" Depends | grep "$(gpio_package "$2")" &&
        chroot "$cache/arm64-$2" qemu-aarch64-static /unpacked/usr/bin/shipahoyd --check \
            --config /unpacked/etc/shipahoy/shipahoy.ini &&
        chroot "$cache/arm64-$2" qemu-aarch64-static /unpacked/usr/bin/shipahoyctl --version
}

# install_in_fresh SUITE PACKAGE: in a copy, so that the next one is fresh, too.
install_in_fresh()
{
    tree=$work/tree
    make_chroot "$1" fresh init || return 1
    cp -a "$cache/fresh-$1" "$tree"
    echo '127.0.0.1 localhost' >"$tree/etc/hosts"
    mkdir "$tree/packages"
    cp "$2" "$tree/packages/now.deb"
    build_package "$1" amd64 next "$work" && cp "$package" "$tree/packages/next.deb"
    cp "$here/inside.sh" "$tree/"
    # shellcheck disable=SC2016 # for the inner shell
    # userdel finds the processes of a user in /proc; the mount ends with the command.
    unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" env LC_ALL=C.UTF-8 sh /inside.sh' \
        sh "$tree" || code=1
    rm -rf "$tree"
}

# run_package SUITE MACHINE
run_package()
{
    echo "== $1 $2"
    build_package "$1" "$2" now "$results" || { code=1 && return; }
    echo "$package"
    [ $build_only = no ] || return
    make_chroot "$1" build "$packages_to_build" || { code=1 && return; }
    made=$package
    check 'lintian finds nothing' look_at "$made" "$1"
    if [ "$2" = arm64 ]; then
        check 'its programs run under qemu, with the libraries of their Debian' \
            run_emulated "$made" "$1"
    else
        install_in_fresh "$1" "$made"
    fi
}

build_only=no
suites=
machines=
for word in "$@"; do
    case $word in
    --build-only) build_only=yes ;;
    --help) usage && exit 0 ;;
    bookworm | trixie) suites=$word ;;
    amd64 | arm64) machines=$word ;;
    all) ;;
    *) usage >&2 && exit 64 ;;
    esac
done
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes root filesystems' >&2; exit 77; }

# shellcheck source=/dev/null # it is checked by itself
. "$here/../vm/image.sh"
# shellcheck source=/dev/null # it is checked by itself
. "$here/build.sh"
started=$(date +%s)
code=0
mkdir -p "$cache" "$results"
# shellcheck disable=SC2086 # a list
sh "$source/tests/tools/install_packages.sh" $packages || exit 70
work=$(mktemp -d "$cache/run.XXXXXX") || exit 70
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
build_page || exit 1
for suite in ${suites:-bookworm trixie}; do
    for machine in ${machines:-amd64 arm64}; do
        run_package "$suite" "$machine"
    done
done
echo "took $(($(date +%s) - started)) s"
exit $code
