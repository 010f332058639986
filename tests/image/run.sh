#!/bin/sh
# The card image and the screen, each in a virtual machine. See --help.
# shellcheck disable=SC2154 # variables of what is sourced
# shellcheck disable=SC2317 # functions are called by their names

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
home=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-image
cache=$home/shipahoy-vm
image=
packed=
suite=trixie
tools='qemu-system-arm qemu-system-x86 qemu-user-static mtools openssh-client mmdebstrap e2fsprogs python3 git xz-utils
  zstd curl openssl initramfs-tools-core util-linux apt-utils gpg'
# What the image has, and a kernel for this computer.
kiosk_packages='systemd-sysv udev dbus dbus-user-session libpam-systemd procps kmod linux-image-amd64 initramfs-tools
  zstd mosquitto mosquitto-clients nginx openssl avahi-utils python3-minimal cage chromium pipewire wireplumber pipewire-alsa
  pipewire-pulse speech-dispatcher
  speech-dispatcher-espeak-ng fonts-dejavu-core fonts-noto-color-emoji avahi-daemon iproute2 libinih1 libjansson4
  libmosquitto1 libncursesw6 libpq5 libsqlite3-0 libgpiod3'

usage()
{
    cat <<'END'
usage: sudo sh tests/image/run.sh [OPTION...] files | boot | home | kiosk | raspi4b | same | all

  files    what the boot firmware looks for is on the boot partition; checksum and bill of materials (1 minute)
  boot     boots an image three times: the first boot with table.ini, a game over MQTT, a power cut, the same game
           again, and a table.ini with errors; prints boot time and memory (11 minutes)
  home     boots it twice: https, shipahoy.local, apt upgrade in a game, backup, restore, a power cut in a restore
           (6 minutes, or 25 on a busy computer)
  kiosk    shows the game with cage and Chromium on a virtual screen, with sound, and lets both crash (8 to 20
           minutes; the machine is one of this computer's kind, with the packages of the image)
  raspi4b  tries qemu's model of a Raspberry Pi 4, and prints how far the image comes (3 minutes)
  same     builds the image twice, or once and compares it with --image (20 minutes, or half of it)
  all      all six

  --image FILE   the image, packed or not, instead of building one (systemd/image/build.sh)
  --cache DIR    where machines are kept (${XDG_CACHE_HOME:-~/.cache}/shipahoy-image)
  --help         print this text

Needs root, npm and 20 GB of disk; installs qemu and mmdebstrap. The times are those of two processors at a load of 3
to 10, after a first run that takes ten minutes more; that of same is for a load of 3.
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "run.sh: $1" >&2
    exit "${2:-70}"
}

# unpacked_image: its path is then in $image, and that of the file that was given or built in $packed.
unpacked_image()
{
    if [ -z "$image" ]; then
        sh "$source/systemd/image/build.sh" --cache "$home" --output "$work/built" --compress none || return 1
        image=$(echo "$work"/built/*.img)
    fi
    packed=${packed:-$image}
    unpacked=$work/$(basename "${image%.*}")
    case $image in
    *.xz) xz -dkc "$image" >"$unpacked" && image=$unpacked ;;
    *.zst) zstd -qdkc "$image" >"$unpacked" && image=$unpacked ;;
    esac
}

run_files()
{
    unpacked_image && (cd "$(dirname "$packed")" && sha256sum --check "$(basename "$packed").sha256") &&
        python3 -B "$here/files.py" "$image" "$work/files" "${packed%.img*}.cdx.json"
}

run_home()
{
    unpacked_image && build_page && build_package "$suite" arm64 next "$work" &&
        python3 -B "$here/home.py" "$image" "$work/home" "$package"
}

run_boot()
{
    unpacked_image && python3 -B "$here/boot.py" "$image" "$work/boot"
}

# The same unit and packages as on the image. Only the way to draw differs: the virtual screen has no 3D hardware.
make_kiosk_disk()
{
    make_chroot "$suite" kiosk "$kiosk_packages" && build_page && build_package "$suite" amd64 now "$work" || return 1
    folder=$work/kiosk tree=$work/kiosk/tree
    mkdir -p "$folder"
    cp -a "$cache/kiosk-$suite" "$tree"
    cp "$package" "$tree/tmp/table.deb"
    cp "$here/shell.sh" "$tree/usr/local/sbin/"
    cp "$here/shell.service" "$tree/etc/systemd/system/"
    mkdir -p "$tree/etc/systemd/system/shipahoy-kiosk.service.d"
    printf '[Service]\nEnvironment=WLR_RENDERER=pixman\n' >"$tree/etc/systemd/system/shipahoy-kiosk.service.d/test.conf"
    printf 'LANGUAGE=de\n' >"$work/kiosk.conf"
    printf '127.0.0.1 localhost kiosk\n' >"$tree/etc/hosts"
    echo kiosk >"$tree/etc/hostname"
    chroot "$tree" sh -c 'dpkg -i /tmp/table.deb && shipahoy-kiosk setup && systemctl enable shell mosquitto &&
        rm /tmp/table.deb' >"$work/kiosk.log" 2>&1 || { tail -n 20 "$work/kiosk.log" && return 1; }
    cp "$work/kiosk.conf" "$tree/etc/shipahoy/"
    cp "$tree"/boot/vmlinuz-* "$folder/kernel" && cp "$tree"/boot/initrd.img-* "$folder/initrd"
    truncate -s 4G "$folder/disk.img"
    mke2fs -q -t ext4 -d "$tree" "$folder/disk.img" && rm -rf "$tree"
}

run_kiosk()
{
    make_kiosk_disk && python3 -B "$here/kiosk.py" "$work/kiosk"
    result=$?
    mkdir -p "$home/pictures"
    cp "$work"/kiosk/*.ppm "$work"/kiosk/journal "$work"/kiosk/console "$home/pictures/" 2>/dev/null
    echo "the pictures are in $home/pictures"
    return "$result"
}

# Trixie's qemu has this model, without a boot ROM, so kernel, initramfs and device tree are given to it.
run_raspi4b()
{
    unpacked_image && make_chroot "$suite" qemu 'qemu-system-arm ipxe-qemu' || return 1
    sh "$here/raspi4b.sh" "$cache/qemu-$suite" "$image" "$work/raspi4b"
}

# Each build installs everything again, from the same packages. With --image only one is built.
run_same()
{
    given=$image
    [ -n "$given" ] || build_again one || return 1
    unpacked_image && build_again two || return 1
    if cmp "$image" "$work"/two/*.img && cmp "${packed%.img*}.cdx.json" "$work"/two/*.cdx.json; then
        echo 'ok     the two images are equal'
        return
    fi
    list_files "$image" >"$work/one.list" && list_files "$work"/two/*.img >"$work/two.list"
    diff "$work/one.list" "$work/two.list" | head -n 100
    return 1
}

# build_again FOLDER
build_again()
{
    sh "$source/systemd/image/build.sh" --cache "$home" --output "$work/$1" --compress none --fresh || return 1
    image=${image:-$(echo "$work/$1"/*.img)}
}

# list_files IMAGE: a checksum of each file in its two partitions, to find a difference. Links are
# without their time: debugfs gives them that of the extraction.
list_files()
{
    rm -rf "$work/content" && mkdir -p "$work/content/root" "$work/content/boot"
    start=$(od -An -tu4 -j454 -N4 "$1" | tr -d ' ')
    mcopy -s -n -m -i "$1@@$((start * 512))" ::/ "$work/content/boot/" &&
        start=$(od -An -tu4 -j470 -N4 "$1" | tr -d ' ') &&
        debugfs -R "rdump / $work/content/root" "$1?offset=$((start * 512))" 2>/dev/null &&
        (cd "$work/content" && find . -type f -exec sha256sum {} + | sort -k 2 &&
            find . -mindepth 2 -type l -printf '%p l %U:%G %l\n' -o -printf '%p %y %m %U:%G %Ts\n' | sort)
}

subjects=
while [ $# -gt 0 ]; do
    case $1 in
    files | boot | home | kiosk | raspi4b | same) subjects="$subjects $1" ;;
    all) subjects='files boot home kiosk raspi4b same' ;;
    --image | --cache)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        case $1 in
        --image) image=$(realpath "$2") ;;
        --cache) home=$(realpath -m "$2") cache=$home/shipahoy-vm ;;
        esac
        shift
        ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
    shift
done
[ -n "$subjects" ] || { usage >&2 && exit 64; }
[ "$(id -u)" = 0 ] || fail 'This needs root: it makes root file systems.' 77

# shellcheck source=/dev/null # it is checked by itself
. "$source/tests/vm/image.sh"
# shellcheck source=/dev/null # it is checked by itself
. "$source/tests/package/build.sh"
started=$(date +%s)
mkdir -p "$cache"
# shellcheck disable=SC2086 # a list
sh "$source/tests/tools/install_packages.sh" $tools || exit 70
work=$(mktemp -d "$home/run.XXXXXX") || exit 70
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
code=0
for subject in $subjects; do
    echo "== $subject"
    "run_$subject" || { echo "FAILED: $subject" && code=1; }
done
echo "took $(($(date +%s) - started)) s"
exit $code
