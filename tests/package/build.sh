# shellcheck shell=sh
# Packages for each Debian and each machine, built in chroots. Sourced by a run.sh, after image.sh
# and with the same variables.
# shellcheck disable=SC2154 # those of image.sh

packages_to_build='gcc cmake ninja-build pkg-config libc6-dev libgpiod-dev libmosquitto-dev
  libinih-dev libjansson-dev libncurses-dev libpq-dev libsqlite3-dev dpkg-dev
  file lintian'
packages_to_cross='crossbuild-essential-arm64 make cmake ninja-build pkg-config python3 dpkg-dev
  file libgpiod-dev:arm64 libmosquitto-dev:arm64 libinih-dev:arm64 libjansson-dev:arm64
  libncurses-dev:arm64 libpq-dev:arm64 libsqlite3-dev:arm64 libcmocka-dev:arm64'

# make_cross_chroot SUITE: with a compiler for arm64, and the emulator to run what it makes.
make_cross_chroot()
{
    make_chroot "$1" arm64 "$packages_to_cross" --architectures=amd64,arm64 || return 1
    cp /usr/bin/qemu-aarch64-static "$cache/arm64-$1/usr/bin/"
    cp "$source/tests/arm64/toolchain.cmake" "$cache/arm64-$1/"
}

# The page is the same for all, so it is built here, once.
build_page()
{
    page=$source/scoreboard/dist/scoreboard.html
    if [ -f "$page" ] && [ -z "$(find "$source/scoreboard/src" "$source/scoreboard/package.json" \
        "$source/scoreboard/build.mjs" -newer "$page")" ]; then
        return
    fi
    command -v npm >/dev/null || {
        echo 'The page needs npm to be built, and there is none: install nodejs and npm.'
        return 1
    }
    { npm --prefix "$source/scoreboard" ci && npm --prefix "$source/scoreboard" run build; } \
        >"$work/page.log" 2>&1 || {
        tail -n 30 "$work/page.log"
        return 1
    }
}

# become_variant PROJECT VARIANT: what an upgrade will bring one day.
#   now          as it is
#   next         a newer version with another sample configuration
#   other-rules  a version after that, by whose rules an older game cannot go on
become_variant()
{
    case $2 in
    now) return ;;
    next) version=99.0.0 ;;
    other-rules) version=99.1.0 ;;
    esac
    sed -i "s/^project(shipahoy VERSION [0-9.]*/project(shipahoy VERSION $version/" \
        "$1/CMakeLists.txt"
    echo '; One line more.' >>"$1/config/shipahoy.ini"
    [ "$2" = next ] ||
        sed -i 's/JOURNAL_RULES_VERSION = [0-9]*/JOURNAL_RULES_VERSION = 999/' "$1/daemon/journal/include/journal/journal.h"
}

# build_package SUITE MACHINE VARIANT FOLDER: its path is then in $package.
build_package()
{
    case $2 in
    amd64) make_chroot "$1" build "$packages_to_build" && chroot=$cache/build-$1 && options= ;;
    arm64)
        make_cross_chroot "$1" && chroot=$cache/arm64-$1 &&
            options=-DCMAKE_TOOLCHAIN_FILE=/toolchain.cmake
        ;;
    esac || return 1
    exec 8<"$chroot" && flock 8 || return 1 # another run may build in the same folder
    copy_project "$chroot"
    mkdir -p "$chroot/project/scoreboard/dist" "$4"
    cp -a "$source/scoreboard/dist/." "$chroot/project/scoreboard/dist/"
    become_variant "$chroot/project" "$3"
    rm -rf "$chroot/package"
    # dpkg-shlibdeps has to be told for which machine the libraries are.
    chroot "$chroot" sh -c "cd /project && cmake --preset package -B /package -DSHIPAHOY_PAGE=OFF \
        $options && ninja -C /package && cd /package && DEB_HOST_ARCH=$2 cpack" \
        >"$work/package.log" 2>&1 || {
        tail -n 30 "$work/package.log"
        return 1
    }
    package=$(echo "$chroot"/package/shipahoy_*.deb)
    cp "$package" "$4/"
    exec 8<&-
    package=$4/$(basename "$package")
}
