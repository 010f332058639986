#!/bin/sh
# install_packages.sh PACKAGE...: installs those that are missing, and nothing when none is.
# Fails with a sentence when something is still missing afterwards.

is_installed()
{
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

list_missing()
{
    for package in "$@"; do
        is_installed "$package" || echo "$package"
    done
}

# As root directly, else through sudo. Waits for another apt that is running.
apt()
{
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"
    fi
}

missing=$(list_missing "$@" | tr '\n' ' ')
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "These packages are missing, and this is no Debian to install them on: $missing"
    exit 1
fi
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "These packages are missing: $missing"
    echo "Installing them needs root or sudo. As root: apt-get install $missing"
    exit 1
fi

echo "installing $missing"
apt update || echo "The package lists could not be renewed, trying with the old ones."
# One by one, so that a name this Debian does not have costs only its own check.
for package in $missing; do
    apt install -y --no-install-recommends "$package"
done

still_missing=$(list_missing "$@" | tr '\n' ' ')
[ -z "$still_missing" ] && exit 0
echo "These packages could not be installed: $still_missing"
exit 1
