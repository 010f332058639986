#!/bin/sh
# Builds the project for a 64 bit Raspberry Pi, in a chroot with Debian's cross compiler, and runs
# its unit tests under qemu's user emulation. See --help.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
packages_to_cross='crossbuild-essential-arm64 make cmake ninja-build pkg-config python3
  libgpiod-dev:arm64 libmosquitto-dev:arm64 libinih-dev:arm64 libjansson-dev:arm64
  libsystemd-dev:arm64 libcmocka-dev:arm64'
# What is compiled, and does not take many minutes when emulated; scripts about the project's pages
# would say nothing new here.
tests='^(rules|hw|daemon)_'
others='random|crash|losses|damage|trial|fit_the_schemas|does_not_fit|fit_together|config_sample'
others="$others|config_reference"

usage()
{
    cat <<'END'
usage: sh tests/arm64/run.sh [bookworm|trixie]

The default is bookworm. Needs root, and installs mmdebstrap and qemu-user-static. The chroot is
kept in ${XDG_CACHE_HOME:-~/.cache}; making it takes a few minutes the first time.
END
}

case ${1:-bookworm} in
    bookworm | trixie) suite=${1:-bookworm} ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
esac
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes a root filesystem' >&2; exit 77; }

started=$(date +%s)
# shellcheck source=/dev/null # it is checked by itself
. "$here/../vm/image.sh"
mkdir -p "$cache"
work=$(mktemp -d "$cache/run.XXXXXX") || exit 70
trap 'rm -rf "$work"' EXIT
sh "$source/tests/tools/install_packages.sh" mmdebstrap qemu-user-static git || exit 70

cross=$cache/arm64-$suite
make_chroot "$suite" arm64 "$packages_to_cross" --architectures=amd64,arm64 || exit 1
copy_project "$cross"
cp "$here/toolchain.cmake" "$cross/"
cp /usr/bin/qemu-aarch64-static "$cross/usr/bin/"
chroot "$cross" sh -c 'cmake -G Ninja -S /project -B /build -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE=/toolchain.cmake && ninja -C /build' >"$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log"
    exit 1
}
chroot "$cross" ctest --test-dir /build -j "$(nproc)" -R "$tests" -E "$others" \
    --output-on-failure
code=$?
echo "took $(($(date +%s) - started)) s"
exit $code
