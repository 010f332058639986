#!/bin/sh
# raspi4b.sh CHROOT IMAGE FOLDER: boots the image on the qemu of the chroot, machine raspi4b, and prints how far it
# comes. Fails only if not even the kernel starts.
set -eu

chroot=$1 image=$2 folder=$3
seconds=150
mkdir -p "$folder"
start=$(od -An -tu4 -j454 -N4 "$image" | tr -d ' ')
fat="$image@@$((start * 512))"
mcopy -n -i "$fat" ::config.txt ::cmdline.txt ::bcm2711-rpi-4-b.dtb "$folder/"
mcopy -n -i "$fat" "::$(sed -n 's/^kernel=//p' "$folder/config.txt")" "$folder/kernel"
mcopy -n -i "$fat" "::$(sed -n 's/^initramfs //p' "$folder/config.txt")" "$folder/initrd"
# The card of this machine must have a power of two as its size.
cp --sparse=always "$image" "$folder/card.img"
truncate -s 4G "$folder/card.img"
# shellcheck disable=SC2016 # for the inner shell
unshare --mount sh -c 'mkdir -p "$1/make" && mount --bind "$2" "$1/make" && mount -t proc proc "$1/proc" &&
    exec chroot "$1" timeout "$3" qemu-system-aarch64 -machine raspi4b -kernel /make/kernel -initrd /make/initrd \
        -dtb /make/bcm2711-rpi-4-b.dtb -append "$4" -drive file=/make/card.img,if=sd,format=raw -display none \
        -monitor none -serial file:/make/serial0 -serial file:/make/serial1' sh \
    "$chroot" "$folder" $seconds "$(sed 's/quiet//; s/console=[^ ]* *//g' "$folder/cmdline.txt") console=ttyAMA0,115200 earlycon=pl011,mmio32,0xfe201000" ||
    true
cat "$folder/serial0" "$folder/serial1" >"$folder/serial"
grep -aE 'Machine model|Run /init|mmcblk|Mounted|systemd\[1\]|Kernel panic|Begin:|login:' "$folder/serial" | tail -n 20 || true
grep -aq 'Linux version' "$folder/serial" && echo 'ok     the kernel starts on raspi4b'
