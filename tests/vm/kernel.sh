#!/bin/sh
# Runs inside a build chroot that has the kernel's headers and sources: leaves in /kernel the kernel
# as an ELF file that qemu boots directly, the modules that the machine needs, and a gpio-sim.
#
# Debian's kernels come without gpio-sim and without the simulated interrupts that it needs, so the
# two are built as one module, from Debian's own source package.
set -eu

version=$(basename /usr/src/linux-headers-*-amd64 | sed 's/^linux-headers-//')
source=$(echo /usr/src/linux-source-*.tar.xz)
module=/kernel/gpio-sim
needed='virtio_pci virtio_blk ext4 9p 9pnet_virtio autofs4 configfs'

mkdir -p /kernel/modules $module
cd /kernel
apt-get download "linux-image-$version"
dpkg -x linux-image-*.deb package
rm linux-image-*.deb
# Where the distribution has moved them, the tools still look in the old place.
[ -d package/lib/modules ] || ln -s usr/lib package/lib
depmod -b package "$version"

# The boot protocol says where in the image the compressed kernel is; four bytes with its size
# follow it, which the unpackers warn of.
image="package/boot/vmlinuz-$version"
sectors=$(od -An -tu1 -j497 -N1 "$image")
offset=$(od -An -tu4 -j584 -N4 "$image")
length=$(od -An -tu4 -j588 -N4 "$image")
tail -c +$(((sectors + 1) * 512 + offset + 1)) "$image" | head -c "$((length))" >payload
for unpack in xz zstd lz4 gzip; do
    "$unpack" -dc <payload >vmlinux 2>/dev/null || :
    case $(head -c 4 vmlinux | tail -c 3) in ELF) break ;; esac
done
rm payload

name=$(basename "$source" .tar.xz)
mkdir source
tar -C source -xJf "$source" --strip-components=1 "$name/drivers/gpio" "$name/kernel/irq"
cp source/drivers/gpio/gpiolib.h source/kernel/irq/irq_sim.c $module
cp source/drivers/gpio/gpio-sim.c $module/sim.c
cp source/drivers/gpio/dev-sync-probe.[ch] $module 2>/dev/null || :
rm -r source
sed -i '/^EXPORT_SYMBOL_GPL/d' $module/*.c
sed -i 's/handle_simple_irq(irq_to_desc(\([a-z]*\)))/generic_handle_irq(\1)/' $module/irq_sim.c
printf 'obj-m := gpio-sim.o\ngpio-sim-y :=' >$module/Makefile
for file in "$module"/*.c; do
    printf ' %s' "$(basename "$file" .c).o" >>$module/Makefile
done
make -C "/usr/src/linux-headers-$version" M=$module CONFIG_DEBUG_INFO_BTF_MODULES= modules

# In the order in which they must be loaded.
for name in $needed; do
    modprobe -d package -S "$version" --show-depends "$name" 2>/dev/null || :
done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >order
: >modules/order
while read -r path; do
    file=$(basename "$path")
    case $file in
        *.xz) xz -dc "$path" >"modules/${file%.xz}" ;;
        *) cp "$path" modules ;;
    esac
    echo "${file%.xz}" >>modules/order
done <order
cp $module/gpio-sim.ko modules
echo gpio-sim.ko >>modules/order
rm -r package order
echo "$version" >version
