#!/bin/sh
# The proof on a real kernel: boots Debian in a virtual machine with the kernel's own simulated GPIO
# chips, systemd and mosquitto, installs the package, plays through /dev/gpiochip*, upgrades in
# mid-game, cuts the power, boots again, goes on, and purges the package. See --help.
# shellcheck disable=SC2154 # variables of what is sourced

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
source=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 70
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shipahoy-vm
packages='qemu-system-x86 mmdebstrap busybox-static cpio e2fsprogs git'
deadline_s=900 # of one boot; the machine is emulated

usage()
{
    cat <<'END'
usage: sh tests/vm/run.sh [bookworm|trixie|all]

  bookworm  libgpiod 1
  trixie    libgpiod 2
  all       one after the other (the default)

Needs root and npm, and installs qemu and mmdebstrap. Machines are kept in
${XDG_CACHE_HOME:-~/.cache}; making them takes a few minutes the first time, and about five minutes
each after that. The result is written to docs/vm-result.md.
END
}

# In the background; its process is $machine.
#
# One processor, and that never sleeps: with two the simulated interrupts are merged before the
# kernel sees them, and an emulated processor that has to be woken makes all latencies random.
#
# What the machine has written is in the host's memory, where it survives the killing of qemu; what
# it has only kept in its own is lost. The host's disk has no part in that and need not sync.
start_machine()
{
    qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 1 -m 512 -nic none \
        -display none -serial "file:$work/console" -monitor none -no-reboot \
        -kernel "$(kernel_folder)/vmlinux" -initrd "$work/initramfs.cpio" \
        -append 'console=ttyS0 quiet panic=-1 idle=poll tsc=reliable' \
        -drive "file=$work/root.ext4,if=virtio,format=raw,cache=unsafe" \
        -virtfs "local,path=$work/share,mount_tag=share,security_model=none" \
        -device isa-debug-exit,iobase=0xf4,iosize=1 &
    machine=$!
}

stop_machine()
{
    [ -n "${machine:-}" ] && kill -9 "$machine" 2>/dev/null
    wait "${machine:-}" 2>/dev/null
    machine=
}

# await_machine FILE: until the file is there, or the machine has ended. Whether the file is there.
await_machine()
{
    waited=0
    while [ ! -s "$work/share/$1" ] && kill -0 "$machine" 2>/dev/null; do
        [ $waited -lt $deadline_s ] || break
        sleep 1
        waited=$((waited + 1))
    done
    [ -s "$work/share/$1" ]
}

# boot PHASE FILE: once more if the machine died before anything had begun.
boot()
{
    rm -f "$work/share/log" "$work/share/code" "$work/share/journal"
    echo "$1" >"$work/share/phase"
    for attempt in first second; do
        start_machine
        if await_machine "$2" || [ -e "$work/share/log" ]; then
            break
        fi
        stop_machine
        echo "the $attempt boot failed: $(tail -n 1 "$work/console")"
    done
    [ -s "$work/share/$2" ]
}

# The machine is asked for answers until its power is gone, in the middle of one.
play_and_cut()
{
    boot whole answered
    played=$?
    [ $played = 0 ] && sleep 1
    stop_machine
    cat "$work/share/log"
    return $played
}

look_after_cut()
{
    boot after-cut code
    stop_machine
    cat "$work/share/log"
    [ "$(cat "$work/share/code" 2>/dev/null)" = 0 ]
}

keep_evidence()
{
    cp "$work/share/journal" "$work/console" "$cache/" 2>/dev/null
    echo "the journal and the console of the machine are in $cache"
    return 1
}

# build_packages SUITE: the one that is installed, and two to upgrade to.
build_packages()
{
    mkdir -p "$work/share/packages"
    build_page || return 1
    for variant in now next other-rules; do
        build_package "$1" amd64 $variant "$work" || return 1
        mv "$package" "$work/share/packages/$variant.deb"
    done
}

# run_suite SUITE
run_suite()
{
    echo "== $1"
    begin=$(date +%s)
    rm -rf "$work/share"
    mkdir -p "$work/share"
    cp -r "$here/guest" "$work/share/"
    make_chroots "$1" && build_packages "$1" && make_disk "$1" && make_initramfs || return 1
    { play_and_cut && look_after_cut; } || keep_evidence || return 1
    write_section "$1" $(($(date +%s) - begin))
}

# write_section SUITE SECONDS
write_section()
{
    {
        printf '## %s\n\n' "$1"
        printf 'Passed on %s, commit %s, in %d s.\n\n' "$(date -u +%Y-%m-%d)" \
            "$(git -C "$source" rev-parse --short HEAD)" "$2"
        printf '| what | measured |\n|---|---|\n'
        cat "$work/share/figures"
    } >"$cache/result-$1.md"
}

write_result()
{
    {
        cat "$here/result-head.md"
        for suite in bookworm trixie; do
            if [ -s "$cache/result-$suite.md" ]; then
                echo
                cat "$cache/result-$suite.md"
            fi
        done
    } >"$source/docs/vm-result.md"
}

case ${1:-all} in
    bookworm | trixie) suites=$1 ;;
    all) suites='bookworm trixie' ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
esac
[ "$(id -u)" = 0 ] || { echo 'this needs root: it makes root filesystems' >&2; exit 77; }

# shellcheck source=/dev/null # it is checked by itself
. "$here/image.sh"
# shellcheck source=/dev/null # it is checked by itself
. "$here/../package/build.sh"
started=$(date +%s)
mkdir -p "$cache"
# shellcheck disable=SC2086 # a list
sh "$source/tests/tools/install_packages.sh" $packages || exit 70
work=$(mktemp -d "$cache/run.XXXXXX") || exit 70
trap 'stop_machine; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

code=0
for suite in $suites; do
    if run_suite "$suite"; then
        echo "passed: $suite"
    else
        echo "FAILED: $suite"
        code=1
    fi
done
[ $code = 0 ] && write_result
echo "took $(($(date +%s) - started)) s"
exit $code
