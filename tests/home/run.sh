#!/bin/sh
# The installed package at home: web server, https, mDNS and updates, with the real servers of a Debian and a real
# browser. See --help.
# shellcheck disable=SC2154 # variables of what is sourced

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
packages='mmdebstrap git iproute2 curl openssl libnss3-tools chromium nodejs apt-utils gpg'
packages_at_home='init mosquitto nginx openssl avahi-daemon avahi-utils dbus iproute2 procps ca-certificates
  libgpiod2 libinih1 libjansson4 libmosquitto1 libncursesw6 libpq5 libsqlite3-0'

usage()
{
    cat <<'END'
usage: sudo sh tests/home/run.sh [--help]

Installs the package in a fresh Debian 12 with mosquitto, nginx and avahi, in a network of its own, runs
`shipahoy-user setup --https`, and looks at it with curl, openssl and Chromium: content types, limits, certificates and
their renewal, wake lock, installation as an app, a game over wss, the name shipahoy.local, and an upgrade from a signed
repository during a game.

Needs root, npm and Chromium, and installs what is missing. The chroots are kept in ${XDG_CACHE_HOME:-~/.cache}; making
them takes about ten minutes the first time. After that it takes five to eight minutes.
END
}

case ${1:-} in
--help) usage && exit 0 ;;
'') ;;
*) usage >&2 && exit 64 ;;
esac
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes root filesystems' >&2; exit 77; }

# shellcheck source=/dev/null # it is checked by itself
. "$here/../vm/image.sh"
# shellcheck source=/dev/null # it is checked by itself
. "$here/../package/build.sh"
started=$(date +%s)
mkdir -p "$cache"
# shellcheck disable=SC2086 # a list
sh "$source/tests/tools/install_packages.sh" $packages || exit 70
work=$(mktemp -d "$cache/home.XXXXXX") || exit 70
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
build_page || exit 1
make_chroot bookworm home "$packages_at_home" || exit 1
build_package bookworm amd64 now "$work/now" && now=$package &&
    build_package bookworm amd64 next "$work/next" && next=$package || exit 1
tree=$work/tree
cp -a "$cache/home-bookworm" "$tree"
mkdir "$tree/packages"
cp "$now" "$tree/packages/now.deb"
cp "$next" "$tree/packages/next.deb"
echo '127.0.0.1 localhost den' >"$tree/etc/hosts"
# The mounts, the network and everything that was started end with the shell in it.
unshare --net --uts --mount --pid --fork --kill-child sh "$here/inside.sh" "$tree" "$source"
code=$?
echo "took $(($(date +%s) - started)) s"
exit $code
