# shellcheck shell=sh
# Machines and chroots, made of Debian's packages. Sourced by a run.sh, which sets:
#   cache  where chroots are kept between runs     source  the project
#   work   a folder for this run                   here    this folder
# shellcheck disable=SC2154 # those four

# One kernel for all: in older ones, a chip that goes away while its lines are in use leaves the
# memory of the kernel in ruins.
kernel_suite=trixie
packages_for_kernel='gcc make libc6-dev linux-headers-amd64 linux-source kmod xz-utils zstd'
packages_to_run='systemd-sysv udev dbus mosquitto mosquitto-clients nginx openssl iproute2 gpiod libinih1 libjansson4
  libmosquitto1 libncursesw6 libpq5 libsqlite3-0 procps python3'

# The mirror that apt uses here.
mirror()
{
    # shellcheck disable=SC2016 # apt expands them
    apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' 'Origin: Debian' \
        'Label: Debian' 'Component: main' | awk '$2 !~ /-/ { print $1; exit }'
}

# make_chroot SUITE NAME PACKAGES [OPTION...]: unless there is one with just these packages.
make_chroot()
{
    debian=$1 folder=$cache/$2-$1 packages=$(echo "$3" | tr -s ' \n' , | sed 's/,$//')
    shift 3
    if [ "$(cat "$folder.packages" 2>/dev/null)" = "$packages" ]; then
        return
    fi
    echo "making $folder"
    rm -rf "$folder" "$folder.packages"
    mmdebstrap --quiet --variant=minbase --include="$packages" "$@" "$debian" "$folder" \
        "deb $(mirror) $debian main" >"$folder.log" 2>&1 || {
        tail -n 20 "$folder.log"
        return 1
    }
    echo "$packages" >"$folder.packages"
}

kernel_folder()
{
    echo "$cache/kernel-$kernel_suite/kernel"
}

gpio_package()
{
    case $1 in
        bookworm) echo libgpiod2 ;;
        *) echo libgpiod3 ;;
    esac
}

# make_chroots SUITE
make_chroots()
{
    # shellcheck disable=SC2016 # mmdebstrap's shell expands it
    make_chroot $kernel_suite kernel "$packages_for_kernel" \
        --customize-hook="copy-in $here/kernel.sh /" \
        --customize-hook='chroot "$1" sh /kernel.sh' &&
        make_chroot "$1" root "$packages_to_run $(gpio_package "$1")"
}

# copy_project CHROOT: what is committed or not, but not what git ignores.
copy_project()
{
    rm -rf "$1/project"
    mkdir -p "$1/project"
    (cd "$source" && git ls-files -co --exclude-standard -z |
        tar --null --ignore-failed-read -T - -cf -) 2>/dev/null | tar -xf - -C "$1/project"
}

# make_disk SUITE: the root filesystem with all that the package needs, and the guest's runner.
make_disk()
{
    tree=$work/tree
    rm -rf "$tree"
    cp -a "$cache/root-$1" "$tree"
    cp "$here/guest/"*.service "$tree/etc/systemd/system/"
    echo '127.0.0.1 localhost' >"$tree/etc/hosts"
    chroot "$tree" systemctl enable mosquitto shipahoy-chips shipahoy-test \
        >>"$work/build.log" 2>&1 || return 1
    rm -f "$work/root.ext4"
    truncate -s 1G "$work/root.ext4"
    mke2fs -q -t ext4 -d "$tree" "$work/root.ext4"
    rm -rf "$tree"
}

make_initramfs()
{
    tree=$work/initramfs
    rm -rf "$tree"
    mkdir -p "$tree/bin" "$tree/modules"
    cp /bin/busybox "$tree/bin/"
    cp "$here/init" "$tree/init"
    chmod 755 "$tree/init"
    cp "$(kernel_folder)/modules/"* "$tree/modules/"
    (cd "$tree" && find . | cpio -o -H newc --quiet) >"$work/initramfs.cpio"
    rm -rf "$tree"
}
