#!/bin/sh
# shipahoy-kiosk: shows the game on the screen of this computer. See --help.
set -u

packages='cage chromium pipewire wireplumber pipewire-alsa pipewire-pulse speech-dispatcher
  speech-dispatcher-espeak-ng fonts-dejavu-core dbus-user-session libpam-systemd mosquitto mosquitto-clients iproute2'
unit=shipahoy-kiosk.service
runtime=${RUNTIME_DIRECTORY:-/run/shipahoy-kiosk}
state=${STATE_DIRECTORY:-/var/lib/shipahoy-kiosk}
check_s=10
ill_checks=12
start_checks=30 # a browser on a slow card takes a while until its page is connected for the first time

usage()
{
    cat <<'END'
usage: shipahoy-kiosk setup | remove

  setup   install cage, Chromium and what they need, and show the game on the screen from now on
  remove  stop it; the packages stay

The unit calls it with prepare (as root) and run (as the user shipahoy-kiosk). /etc/shipahoy/kiosk.conf
may contain LANGUAGE=de, VOICE=no and ADDRESS=, the address of another page.
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "shipahoy-kiosk: $1" >&2
    exit "${2:-70}"
}

setup()
{
    [ "$(id -u)" = 0 ] || fail 'This needs root.' 77
    # shellcheck disable=SC2086 # a list
    DEBIAN_FRONTEND=noninteractive apt-get -q -y install $packages || fail 'The packages could not be installed.'
    shipahoy-user setup || fail 'The broker could not be set up.'
    systemctl enable $unit && { [ ! -d /run/systemd/system ] || systemctl restart $unit; }
}

remove()
{
    systemctl disable --now $unit
}

# parameter NAME DEFAULT ADDRESS: from the part of an address after #.
parameter()
{
    value=$(echo "$3" | sed -n "s/.*[#&]$1=\([^&]*\).*/\1/p")
    echo "${value:-$2}"
}

# The name by which phones find this computer.
public_host()
{
    if systemctl --quiet is-active avahi-daemon 2>/dev/null; then
        echo "$(hostname).local"
    else
        found=$(hostname -I | cut -d ' ' -f 1)
        echo "${found:-$(hostname).local}"
    fi
}

# The code by which the page of this screen is known as a loudspeaker.
device_code()
{
    [ -s "$state/device" ] || LC_ALL=C tr -dc 'ACDEFHJKLMNPQRTUVWXY3479' </dev/urandom | head -c 4 >"$state/device"
    cat "$state/device"
}

# claim_sound CODE ADDRESS: the first screen of a table plays its sounds, unless somebody has chosen another
# device, or none.
claim_sound()
{
    topic=$(parameter prefix shipahoy "$2")/$(parameter table table "$2")/page/speaker
    chosen=$(mosquitto_sub -C 1 -W 3 -t "$topic" 2>/dev/null)
    [ -n "$chosen" ] || mosquitto_pub -r -q 1 -t "$topic" -m "{\"v\":1,\"device\":\"$1\"}" ||
        echo 'shipahoy-kiosk: the broker does not accept a loudspeaker; the screen is silent' >&2
}

# The login lasts until the next boot, and may only watch.
prepare()
{
    [ -z "${ADDRESS:-}" ] || { echo "$ADDRESS" | give_to_user && return; }
    login=$(shipahoy-user --host localhost add kiosk viewer) || fail 'There is no login for the screen.'
    local=$(echo "$login" | tail -n 1)
    page=${local%%#*}
    code=$(device_code)
    more="&tv=&device=$code&lang=${LANGUAGE:-en}&join=http://$(public_host)${page#http://localhost}"
    [ "${VOICE:-yes}" = no ] || more="$more&voice="
    echo "$local$more" | give_to_user
    claim_sound "$code" "$local"
}

# Readable by the browser and nobody else.
give_to_user()
{
    (umask 077 && cat >"$runtime/address") && chown shipahoy-kiosk: "$runtime/address"
}

# is_well PORT: the page is connected to the broker, or there is no broker to connect to. A page that has
# crashed or hangs has no connection, although its browser is still running.
is_well()
{
    [ -z "$(ss -Htln "sport = :$1")" ] || [ -n "$(ss -Htn state established "dport = :$1")" ]
}

# end_if_ill PORT: ends cage, which has the process of this shell, so that systemd starts the unit again. The watchdog
# of systemd cannot be used: the session of logind is another control group, from which it accepts no messages. For the
# same reason systemd does not end this loop with the unit, so it ends with cage.
end_if_ill()
{
    patience=$start_checks
    while sleep $check_s && kill -0 $$ 2>/dev/null; do
        if is_well "$1"; then
            patience=$ill_checks
        else
            patience=$((patience - 1))
        fi
        [ $patience -gt 0 ] || kill $$
    done
}

# The profile is in memory: nothing is written to the card, and each start is the first one. Parts of Chromium that start
# slowly, as on a small board that is busy, are waited for: without their network the page would stay white.
run()
{
    address=$(cat "$runtime/address") || fail 'There is no address to show.'
    port=$(echo "$address" | sed -n 's|^http://[^/]*:\([0-9]*\)/.*|\1|p')
    end_if_ill "${port:-80}" &
    exec cage -- chromium --ozone-platform=wayland --kiosk --no-first-run --noerrdialogs \
        --user-data-dir="$runtime/profile" --disk-cache-size=1000000 --password-store=basic \
        --ipc-connection-timeout=120 --disable-gpu-watchdog --autoplay-policy=no-user-gesture-required --enable-speech-dispatcher \
        --disable-features=Translate,MediaRouter --disable-component-update --disable-sync \
        --disable-background-networking --disable-pinch --disable-session-crashed-bubble \
        --lang="${LANGUAGE:-en}" "$address"
}

case "${1:-} $#" in
'setup 1' | 'remove 1' | 'prepare 1' | 'run 1') "$1" ;;
'--help 1') usage ;;
*) usage >&2 && exit 64 ;;
esac
