#!/bin/sh
# Creates a signed apt repository from packages of the table. See --help.
set -u
LC_ALL=C
export LC_ALL

usage()
{
    cat <<'END'
usage: sh systemd/image/repository.sh --key KEY --url URL DIR PACKAGE.deb...

Adds the packages to the apt repository in DIR and signs it with the GPG key KEY (an id or an address) of whoever calls
this. Copy DIR to any web server; URL is its address. DIR also gets a file for each Debian release, such as
shipahoy-bookworm.sources, which contains the public key: copied to /etc/apt/sources.list.d of a table, `apt upgrade`
then finds new versions.

  --key KEY   the key that signs
  --url URL   where tables find the repository
  --help      print this text

Needs apt-utils and gpg. If a run is interrupted, run it again before you copy DIR.
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "repository.sh: $1" >&2
    exit "${2:-70}"
}

# suite_of PACKAGE: the release that it was built for.
suite_of()
{
    [ "$(dpkg-deb -f "$1" Package 2>/dev/null)" = shipahoy ] || fail "$1 is not a package of the table." 64
    case $(dpkg-deb -f "$1" Version) in
    *+deb12) echo bookworm ;;
    *+deb13) echo trixie ;;
    *) fail "$1: its version does not end with +deb12 or +deb13." 64 ;;
    esac
}

# add PACKAGE: the name is the one that apt expects, whatever the file was called.
add()
{
    suite=$(suite_of "$1") || exit
    name=shipahoy_$(dpkg-deb -f "$1" Version)_$(dpkg-deb -f "$1" Architecture).deb
    { mkdir -p "pool/$suite" && cp "$1" "pool/$suite/.$name" && sync "pool/$suite/.$name" &&
        mv "pool/$suite/.$name" "pool/$suite/$name"; } || fail "$1 cannot be copied."
}

# index SUITE: its lists, below dists.new.
index()
{
    for machine in amd64 arm64 armhf; do
        list=dists.new/$1/main/binary-$machine
        mkdir -p "$list"
        apt-ftparchive --arch $machine packages "pool/$1" >"$list/Packages" && gzip -kn "$list/Packages" || return 1
    done
    apt-ftparchive -o APT::FTPArchive::Release::Origin='Ship Ahoy' -o APT::FTPArchive::Release::Label='Ship Ahoy' \
        -o APT::FTPArchive::Release::Suite="$1" -o APT::FTPArchive::Release::Codename="$1" \
        -o APT::FTPArchive::Release::Components=main -o APT::FTPArchive::Release::Architectures='amd64 arm64 armhf' \
        release "dists.new/$1" >Release.new && mv Release.new "dists.new/$1/Release" &&
        gpg --batch --yes --local-user "$key" --clearsign --output "dists.new/$1/InRelease" "dists.new/$1/Release" &&
        gpg --batch --yes --local-user "$key" --detach-sign --armor --output "dists.new/$1/Release.gpg" \
            "dists.new/$1/Release"
}

print_source()
{
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By:\n' "$url" "$1"
    gpg --batch --armor --export "$key" | sed 's/^$/./; s/^/ /'
}

key=
url=
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --key | --url)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        [ "$1" = --key ] && key=$2 || url=$2
        shift
        ;;
    -*) usage >&2 && exit 64 ;;
    *) break ;;
    esac
    shift
done
if [ -z "$key" ] || [ -z "$url" ] || [ $# -lt 2 ]; then
    usage >&2 && exit 64
fi
for command in apt-ftparchive gpg dpkg-deb; do
    command -v $command >/dev/null || fail "$command is missing; install apt-utils, gpg and dpkg." 69
done
gpg --batch --list-secret-keys "$key" >/dev/null 2>&1 || fail "There is no secret key $key." 69
directory=$1
shift
for package in "$@"; do
    suite_of "$package" >/dev/null || exit
    # The paths of packages are relative to where this was called.
    set -- "$@" "$(realpath "$package")"
    shift
done
{ mkdir -p "$directory" && cd "$directory"; } || fail "Cannot write $directory."
exec 9<.
flock -n 9 || fail "Another run is writing $directory."
for package in "$@"; do
    add "$package"
done
rm -rf dists.new dists.old
for suite in bookworm trixie; do
    [ -d pool/$suite ] || continue
    index "$suite" || fail "The lists of $suite cannot be written."
    print_source "$suite" >"shipahoy-$suite.sources"
done
[ ! -d dists ] || mv dists dists.old
mv dists.new dists && rm -rf dists.old
echo "$directory has $(find pool -name '*.deb' | wc -l) packages."
