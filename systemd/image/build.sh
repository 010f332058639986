#!/bin/sh
# Builds a card image for Raspberry Pi from Debian packages and the package of the table. See --help.
# shellcheck disable=SC2154 # variables of what is sourced

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-image
output=$source/build/image
suite=trixie
kernel=stable
compressor=xz
package=
image_mirror=
host_tools='mmdebstrap qemu-user-static arch-test git'
image_tools='e2fsprogs libarchive13t64 mtools dosfstools fdisk xz-utils zstd'

# The same in every image, so that two builds are equal. A file system is found by its label.
disk_id=0x53484950
fat_id=53484950
root_id=5a1b0a74-0000-4000-8000-736869706168
hash_seed=5a1b0a74-0000-4000-8000-736565640000
sector=512
fat_start=8192
fat_sectors=$((512 * 2048))
spare_mib=256 # free space of the root file system before it grows at the first boot

usage()
{
    cat <<'END'
usage: sudo sh systemd/image/build.sh [OPTION...]

Builds shipahoy-VERSION-pi.img.xz, an image for the card of a Raspberry Pi 3 or 4 (64 bit), with its checksum
(.sha256) and its bill of materials (.cdx.json, CycloneDX).

  --output DIR      where to put them (build/image)
  --cache DIR       for the downloaded packages and the file system without the table
                    (${XDG_CACHE_HOME:-~/.cache}/shipahoy-image)
  --package FILE    the package of the table for Debian 13 on arm64; without it, it is built from this
                    source tree (tests/package/run.sh, needs npm)
  --kernel KERNEL   stable (the default), or backports: the newer kernel that a Raspberry Pi 5 needs
  --mirror URL      the Debian mirror that the image itself uses for updates; without it, the mirror of
                    this computer
  --compress HOW    xz (the default), zstd or none
  --fresh           do not use a file system in the cache, but install all packages again
  --help            print this text

Needs root, 8 GB of disk and an internet connection; installs mmdebstrap and qemu-user-static. The packages
are installed by an emulated processor: the first build takes ten minutes on two processors, a later one
five, and the compression some more. tests/image/run.sh same compares two builds.
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "build.sh: $1" >&2
    exit "${2:-70}"
}

# step SENTENCE
step()
{
    echo "$(date +%H:%M:%S) $1"
}

# logged COMMAND...: its output is shown if it fails.
logged()
{
    "$@" >>"$work/log" 2>&1 || {
        tail -n 30 "$work/log"
        fail "This command failed: $*"
    }
}

# Programs for arm64 run by qemu, also in chroots that do not contain it (flag F).
register_emulator()
{
    formats=/proc/sys/fs/binfmt_misc
    [ "$(uname -m)" != aarch64 ] || return 0
    [ -e $formats/register ] || mount -t binfmt_misc none $formats || fail 'binfmt_misc cannot be mounted.'
    [ -e $formats/qemu-aarch64 ] || printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00'\
'\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff'\
'\xff:/usr/bin/qemu-aarch64-static:F' >$formats/register || fail 'The emulator cannot be registered.'
}

# The mirror of security updates that apt uses here, if any.
security_mirror()
{
    # shellcheck disable=SC2016 # apt expands it
    apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian-Security' 'Component: main' | head -n 1
}

# sources MIRROR KERNEL: the lines of a sources.list.
sources()
{
    components='main non-free-firmware'
    echo "deb $1 $suite $components"
    echo "deb $1 $suite-updates $components"
    [ -z "$(security_mirror)" ] || echo "deb $(security_mirror) $suite-security $components"
    [ "$2" = stable ] || echo "deb $1 $suite-backports $components"
}

wanted_packages()
{
    sed '/^#/d' "$here/packages" | tr -s ' \n' , | sed 's/,*$//'
}

# make_base: a Debian with all packages except the kernel and the table, which takes long. It keeps the lists of
# packages, so that later builds install the same kernel.
make_base()
{
    base=$cache/base.tar
    wanted="$(mirror) $(wanted_packages)"
    if [ "$fresh" = no ] && [ -s "$base.time" ] && [ "$(cat "$base.wanted" 2>/dev/null)" = "$wanted" ]; then
        return
    fi
    step "installing Debian $suite for arm64 (five minutes, or 25 on a busy computer; log: $base.log)"
    rm -f "$base.wanted"
    # shellcheck disable=SC2016 # mmdebstrap's shell expands $1
    sources "$(mirror)" backports | unshare --mount mmdebstrap --architectures=arm64 --variant=minbase --include="$(wanted_packages)" \
        --dpkgopt=force-unsafe-io --skip=essential/unlink,download/empty,cleanup/apt \
        --setup-hook='mkdir -p "$1/var/cache/apt/archives"' \
        --setup-hook="sync-in $cache/packages /var/cache/apt/archives" \
        --essential-hook="sh $here/native.sh $cache/tools-$suite \"\$1\"" \
        --customize-hook="sh $here/native.sh $cache/tools-$suite \"\$1\" end" \
        --customize-hook="sync-out /var/cache/apt/archives $cache/packages" \
        --customize-hook='rm -rf "$1"/var/cache/apt/archives/*.deb' \
        --format=tar $suite "$base" - >"$base.log" 2>&1 || {
        tail -n 30 "$base.log"
        fail 'Debian could not be installed.'
    }
    echo "$SOURCE_DATE_EPOCH" >"$base.time"
    echo "$wanted" >"$base.wanted"
}

# inside COMMAND...: in the file system of the image.
inside()
{
    # shellcheck disable=SC2016 # for the inner shell
    logged unshare --mount sh -c 'tree=$1 && shift && mount -t proc proc "$tree/proc" &&
        mount -t tmpfs none "$tree/run" && mount --bind /dev "$tree/dev" &&
        mount --bind "$1" "$tree/var/cache/apt/archives" && sh "$2/native.sh" "$3" "$tree" && shift 3 &&
        exec chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TZ=UTC \
            DEBIAN_FRONTEND=noninteractive SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "$@"' sh "$tree" "$cache/packages" "$here" "$cache/tools-$suite" "$@"
}

find_package()
{
    if [ -z "$package" ]; then
        step 'building the package of the table'
        logged env XDG_CACHE_HOME="$cache" sh "$source/tests/package/run.sh" --build-only $suite arm64
        package=$(find "$source/build/packages" -name 'shipahoy_*+deb13*_arm64.deb' -printf '%T@ %p\n' |
            sort -n | tail -n 1 | cut -d ' ' -f 2)
    fi
    [ -f "$package" ] || fail "There is no package $package." 66
    version=$(dpkg-deb -f "$package" Version)
    [ "$(dpkg-deb -f "$package" Architecture)" = arm64 ] || fail "$package is not for arm64." 65
}

make_tree()
{
    step 'installing the kernel and the table'
    tree=$work/tree
    mkdir "$tree"
    logged tar -xf "$base" --xattrs --xattrs-include='*' --numeric-owner -C "$tree"
    # The base may have been made from another commit: what was not in a package gets the time of this one.
    find "$tree" -newermt "@$(($(cat "$base.time") - 1))" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    cp -r --no-preserve=mode,ownership "$here/root/." "$tree/"
    chmod 440 "$tree/etc/sudoers.d/admin"
    chmod 755 "$tree/etc/kernel/postinst.d/zz-device-trees"
    cp "$package" "$tree/tmp/"
    rm -f "$tree/etc/resolv.conf"
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    release=$suite
    [ "$kernel" = stable ] || release=$suite-backports
    # The base names the versions. If the mirror has replaced one, --fresh finds the new ones.
    inside apt-get -q -y --no-install-recommends --target-release "$release" install linux-image-arm64
    inside apt-get -q -y --no-install-recommends install "/tmp/$(basename "$package")"
    ln -sf ../run/systemd/resolve/stub-resolv.conf "$tree/etc/resolv.conf"
    inside useradd --create-home --shell /bin/bash --comment 'Owner of the table' admin
    inside passwd --lock root
    # The page is served even if the settings of the card cannot be read. Web servers of this computer do not matter.
    inside unshare --net shipahoy-user setup
    logged systemctl --root="$tree" enable shipahoy-card shipahoy-grow-root shipahoy-kiosk ssh \
        systemd-networkd systemd-resolved systemd-timesyncd avahi-daemon mosquitto nginx
    # A computer without a radio does not wait for one.
    radio=$tree/etc/systemd/system/sys-subsystem-net-devices-wlan0.device.wants
    mkdir "$radio"
    ln -s /usr/lib/systemd/system/wpa_supplicant@.service "$radio/wpa_supplicant@wlan0.service"
    # The network may come late or never, and nothing waits for it.
    logged systemctl --root="$tree" mask systemd-networkd-wait-online.service apt-daily.timer apt-daily-upgrade.timer
    logged systemctl --root="$tree" disable wpa_supplicant.service
    printf 'shipahoy\n' >"$tree/etc/hostname"
    sources "${image_mirror:-$(mirror)}" "$kernel" >"$tree/etc/apt/sources.list"
}

make_boot_files()
{
    # The installation of the kernel has made its initramfs, which takes long, and the configuration of the firmware.
    # shellcheck disable=SC2016 # for the inner shell
    inside sh -c 'cp -r /usr/lib/raspi-firmware/* /boot/firmware/ &&
        for folder in /usr/lib/modules/*; do
            sh /etc/kernel/postinst.d/zz-device-trees "$(basename "$folder")" || exit
        done'
    [ "$kernel" = stable ] || [ -s "$tree/boot/firmware/bcm2712-rpi-5-b.dtb" ] ||
        fail 'This kernel has no device tree for the Raspberry Pi 5.'
    sed 's/$/\r/' "$tree/usr/share/shipahoy/card/table.ini" >"$tree/boot/firmware/table.ini"
    for file in bootcode.bin start.elf start4.elf fixup.dat config.txt cmdline.txt table.ini bcm2711-rpi-4-b.dtb \
        bcm2837-rpi-3-b.dtb bcm2837-rpi-3-b-plus.dtb; do
        [ -s "$tree/boot/firmware/$file" ] || fail "There is no $file for the boot partition."
    done
}

# What belongs to one computer, or to this build, and not to the image.
clean_tree()
{
    : >"${tree:?}/etc/machine-id"
    rm -rf "$tree"/etc/ssh/ssh_host_* "$tree"/var/lib/dbus/machine-id "$tree"/var/lib/systemd/random-seed \
        "$tree"/var/lib/apt/lists/* "$tree"/var/cache/apt/* "$tree"/tmp/* "$tree"/var/tmp/* \
        "$tree"/var/cache/ldconfig/aux-cache "$tree"/var/cache/debconf/*-old "$tree"/var/lib/dpkg/*-old \
        "$tree"/etc/*- "$tree"/root/.[!.]* "$tree"/run/* "$tree"/etc/dpkg/dpkg.cfg.d/99mmdebstrap \
        "$tree"/var/cache/man "$tree"/var/cache/fontconfig/* "$tree"/var/lib/shipahoy-card
    sh "$here/native.sh" "$cache/tools-$suite" "$tree" end
    # The day of each user's last password: those of the base may be of another day.
    awk -F : -v OFS=: -v day=$((SOURCE_DATE_EPOCH / 86400)) '{ $3 = day } 1' "$tree/etc/shadow" >"$work/shadow"
    cat "$work/shadow" >"$tree/etc/shadow"
    find "$tree/var/log" ! -type d -delete # the servers need their folders
    mkdir -p "$tree/var/log/journal" "$tree/var/lib/apt/lists/partial" "$tree/var/cache/apt/archives/partial"
    ln -sf /etc/machine-id "$tree/var/lib/dbus/machine-id"
    # What systemd generates after an update of /usr is up to date, so that the first boot need not do it.
    touch "$tree/etc/.updated" "$tree/var/.updated"
}

# tool COMMAND...: of Debian 13, in $work.
tool()
{
    # shellcheck disable=SC2016 # for the inner shell
    logged unshare --mount sh -c 'mkdir -p "$1/make" && mount --bind "$2" "$1/make" && tools=$1 && shift 2 &&
        exec chroot "$tools" env LC_ALL=C.UTF-8 TZ=UTC SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
            E2FSPROGS_FAKE_TIME="$SOURCE_DATE_EPOCH" "$@"' sh "$cache/tools-$suite" "$work" "$@"
}

make_fat()
{
    step 'making the boot partition'
    mkdir "$work/fat"
    cp -r "$tree/boot/firmware/." "$work/fat/"
    find "$tree/boot/firmware" -mindepth 1 -delete
    find "$work/fat" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    tool mkfs.vfat --invariant -C -F 32 -n SHIPAHOY -i $fat_id /make/fat.img $((fat_sectors / 2))
    # shellcheck disable=SC2016 # for the inner shell
    tool sh -c 'cd /make/fat && find . -mindepth 1 | LC_ALL=C sort | while read -r path; do
        if [ -d "$path" ]; then mmd -i /make/fat.img "::$path"; else mcopy -m -i /make/fat.img "$path" "::$path"; fi || exit
    done'
}

make_root()
{
    step 'making the root file system'
    # In a fixed order and with times that are not later than the source.
    logged tar -cf "$work/root.tar" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --clamp-mtime --numeric-owner \
        --xattrs --xattrs-include='*' --pax-option='exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime' \
        -C "$tree" .
    used_mib=$(($(du -sm --apparent-size "$work/root.tar" | cut -f 1)))
    root_sectors=$(((used_mib * 11 / 10 + spare_mib) * 2048))
    rm -rf "$tree"
    truncate -s $((root_sectors * sector)) "$work/root.img"
    tool mke2fs -q -t ext4 -L shipahoy -U $root_id -m 1 \
        -E hash_seed=$hash_seed,lazy_itable_init=0,lazy_journal_init=0,assume_storage_prezeroed=1 \
        -d /make/root.tar /make/root.img
    rm "$work/root.tar"
    tool e2fsck -f -n /make/root.img
}

# bill_of_materials: every package with its version, its source and the licences that its copyright file names.
bill_of_materials()
{
    step 'writing the bill of materials'
    dpkg-query --admindir="$tree/var/lib/dpkg" -W \
        -f '${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n' | LC_ALL=C sort |
        while IFS='	' read -r debian facts; do
            licences=$(sed -n 's/^License: *\([^ ].*\)/\1/p' "$tree/usr/share/doc/$debian/copyright" 2>/dev/null |
                LC_ALL=C sort -u | tr '\n' ';')
            printf '%s\t%s\t%s\n' "$debian" "$facts" "$licences"
        done >"$work/packages.tsv"
    awk -v name="$name" -v version="$version" -v date="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" \
        -f "$here/bill.awk" "$work/packages.tsv" >"$output/$name.cdx.json"
}

join_partitions()
{
    step 'joining the partitions'
    image=$work/$name.img
    root_start=$((fat_start + fat_sectors))
    truncate -s $(((root_start + root_sectors) * sector)) "$image"
    printf 'label: dos\nlabel-id: %s\nstart=%d, size=%d, type=c, bootable\nstart=%d, size=%d, type=83\n' \
        $disk_id $fat_start $fat_sectors $root_start "$root_sectors" >"$work/partitions"
    tool sh -c "sfdisk --quiet /make/$name.img </make/partitions"
    logged dd if="$work/fat.img" of="$image" bs=1M seek=$((fat_start / 2048)) conv=notrunc,sparse
    logged dd if="$work/root.img" of="$image" bs=1M seek=$((root_start / 2048)) conv=notrunc,sparse
    rm "$work/fat.img" "$work/root.img"
}

compress()
{
    step 'compressing'
    case $compressor in
    xz) tool xz -T0 -3 "/make/$name.img" ;;
    zstd) tool zstd -q -T0 -12 --rm "/make/$name.img" ;;
    esac
    result=$(basename "$(echo "$work/$name.img"*)")
    mv "$work/$result" "$output/"
    (cd "$output" && sha256sum "$result" >"$result.sha256")
    step "$output/$result, $(du -m "$output/$result" | cut -f 1) MB"
}

fresh=no
while [ $# -gt 0 ]; do
    case $1 in
    --fresh) fresh=yes ;;
    --help) usage && exit 0 ;;
    --output | --cache | --package | --kernel | --mirror | --compress)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        case $1 in
        --output) output=$(realpath -m "$2") ;;
        --cache) cache=$(realpath -m "$2") ;;
        --package) package=$(realpath -m "$2") ;;
        --kernel) kernel=$2 ;;
        --mirror) image_mirror=$2 ;;
        --compress) compressor=$2 ;;
        esac
        shift
        ;;
    *) usage >&2 && exit 64 ;;
    esac
    shift
done
case $kernel in stable | backports) ;; *) fail "--kernel $kernel: expected stable or backports." 64 ;; esac
case $compressor in xz | zstd | none) ;; *) fail "--compress $compressor: expected xz, zstd or none." 64 ;; esac
[ "$(id -u)" = 0 ] || fail 'This needs root: it makes a root file system.' 77

# shellcheck source=/dev/null # it is checked by itself
. "$source/tests/vm/image.sh"
started=$(date +%s)
umask 022
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
mkdir -p "$cache/packages" "$output"
# shellcheck disable=SC2086 # a list
sh "$source/tests/tools/install_packages.sh" $host_tools || exit 70
work=$(mktemp -d "$cache/work.XXXXXX") || exit 70
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

register_emulator
make_chroot $suite tools "$image_tools" || fail 'The tools could not be installed.'
find_package
name=shipahoy-$version-pi
[ "$kernel" = stable ] || name=$name-backports
make_base
make_tree
make_boot_files
clean_tree
bill_of_materials
make_fat
make_root
join_partitions
compress
step "took $(($(date +%s) - started)) s"
