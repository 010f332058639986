#!/bin/sh
# native.sh TOOLS TREE [end]: lets the programs that maintainer scripts call most often run without the emulator, until
# it is called with `end`. TOOLS is the same Debian for this computer. A program of TREE is covered by that of TOOLS,
# whose libraries have folders of their own. What depends on the machine, such as dpkg, ldconfig and uname, stays, and so
# does what is copied into the initramfs, such as kmod.
set -eu

tools=$1 tree=$2
native=$(chroot "$tools" dpkg --print-architecture)
[ "$native" != arm64 ] || exit 0
libraries=$(basename "$(echo "$tools"/usr/lib/*-linux-gnu)")

# programs: their paths.
programs()
{
    chroot "$tools" dpkg -L coreutils dash bash sed grep mawk findutils tar gzip xz-utils zstd perl-base |
        grep -E '^(/usr)?/s?bin/' | grep -vE '/(uname|arch)$'
    echo /usr/bin/dpkg-deb
}

# both PATH: a file, and no link, in TOOLS and TREE.
both()
{
    [ -f "$tools$1" ] && [ ! -L "$tools$1" ] && [ -f "$tree$1" ] && [ ! -L "$tree$1" ]
}

if [ "${3:-}" = end ]; then
    awk -v tree="$tree/" 'index($2, tree) == 1 { print $2 }' /proc/mounts | sort -r |
        grep -E '/(bin|sbin|lib64|lib/[^/]*-linux-gnu)(/[^/]*)?$' | xargs -r -n 1 umount
    rm -f "$tree/lib64"
    rmdir "$tree/usr/lib64" "$tree/usr/lib/$libraries"
    exit
fi
mkdir -p "$tree/usr/lib64" "$tree/usr/lib/$libraries"
[ -e "$tree/lib64" ] || ln -s usr/lib64 "$tree/lib64"
mount -o bind,ro "$tools/usr/lib64" "$tree/usr/lib64"
mount -o bind,ro "$tools/usr/lib/$libraries" "$tree/usr/lib/$libraries"
programs | while read -r path; do
    ! both "$path" || mount -o bind,ro "$tools$path" "$tree$path"
done
