# shellcheck shell=sh
# Machines to be booted, made of Debian's packages. Sourced by run.sh, which sets:
#   cache  where chroots are kept between runs     source  the project
#   work   a folder for this run                   here    this folder
# shellcheck disable=SC2154 # those four

packages_to_build='gcc make cmake ninja-build pkg-config libc6-dev libgpiod-dev libmosquitto-dev
  libinih-dev libjansson-dev libsystemd-dev linux-headers-amd64 linux-source kmod xz-utils zstd'
packages_to_run='systemd-sysv udev dbus mosquitto mosquitto-clients gpiod libinih1 libjansson4
  libmosquitto1 libsystemd0 procps python3'

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
    suite=$1 folder=$cache/$2-$1 packages=$(echo "$3" | tr -s ' \n' , | sed 's/,$//')
    shift 3
    if [ "$(cat "$folder.packages" 2>/dev/null)" = "$packages" ]; then
        return
    fi
    echo "making $folder"
    rm -rf "$folder" "$folder.packages"
    mmdebstrap --quiet --variant=minbase --include="$packages" "$@" "$suite" "$folder" \
        "deb $(mirror) $suite main" >"$folder.log" 2>&1 || {
        tail -n 20 "$folder.log"
        return 1
    }
    echo "$packages" >"$folder.packages"
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
    make_chroot "$1" build "$packages_to_build" --customize-hook="copy-in $here/kernel.sh /" \
        --customize-hook='chroot "$1" sh /kernel.sh' &&
        make_chroot "$1" root "$packages_to_run $(gpio_package "$1")"
}

# build_project SUITE: installs what is committed or not, but not what git ignores.
build_project()
{
    build=$cache/build-$1
    rm -rf "$build/project" "$build/installed"
    mkdir -p "$build/project"
    (cd "$source" && git ls-files -co --exclude-standard -z |
        tar --null --ignore-failed-read -T - -cf -) 2>/dev/null | tar -xf - -C "$build/project"
    chroot "$build" sh -c 'cmake -G Ninja -S /project -B /build -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX=/usr -DSHIPAHOY_TESTS=OFF && ninja -C /build &&
        DESTDIR=/installed cmake --install /build' >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log"
        return 1
    }
}

# make_disk SUITE: the root filesystem with the project installed and the guest's runner.
make_disk()
{
    tree=$work/tree
    rm -rf "$tree"
    cp -a "$cache/root-$1" "$tree"
    # Like a package: its files go where those of the distribution are.
    cp -a "$cache/build-$1/installed/usr/." "$tree/usr/"
    mkdir -p "$tree/etc/shipahoy"
    cp "$here/guest/shipahoy.ini" "$tree/etc/shipahoy/"
    cp "$here/guest/"*.service "$tree/etc/systemd/system/"
    echo '127.0.0.1 localhost' >"$tree/etc/hosts"
    chroot "$tree" sh -c 'systemd-sysusers &&
        systemctl enable shipahoyd mosquitto shipahoy-chips shipahoy-test' \
        >>"$work/build.log" 2>&1 || return 1
    rm -f "$work/root.ext4"
    truncate -s 1G "$work/root.ext4"
    mke2fs -q -t ext4 -d "$tree" "$work/root.ext4"
    rm -rf "$tree"
}

# make_initramfs SUITE
make_initramfs()
{
    tree=$work/initramfs
    rm -rf "$tree"
    mkdir -p "$tree/bin" "$tree/modules"
    cp /bin/busybox "$tree/bin/"
    cp "$here/init" "$tree/init"
    chmod 755 "$tree/init"
    cp "$cache/build-$1/kernel/modules/"* "$tree/modules/"
    (cd "$tree" && find . | cpio -o -H newc --quiet) >"$work/initramfs.cpio"
    rm -rf "$tree"
}
