#!/bin/sh
# Applies table.ini, the settings on the FAT partition of a card, to this computer. Runs at boot, before the
# network and the services start, and does nothing unless the file has changed. See docs/image.md.
#
# A setting that is wrong is left at its default, and the others are applied: a table that nobody can reach
# cannot be corrected. Every file is written whole and then renamed, and table.ini counts as read only at the
# end, so that a power cut in between repeats everything.
set -u
LC_ALL=C.UTF-8
export LC_ALL
umask 077

root=
programs=/usr/libexec/shipahoy
wireless=wlan0
admin='admin'

usage()
{
    cat <<'END'
usage: apply-card [--root DIR] [--programs DIR]

Applies /boot/firmware/table.ini to this computer if it has changed.

  --root DIR      the root of the file system (/)
  --programs DIR  where card-settings is (/usr/libexec/shipahoy)
END
}

# write FILE MODE: the new content of a file of this computer, from standard input.
write()
{
    mkdir -p "$root$(dirname "$1")" && cat >"$root$1.new" && chmod "$2" "$root$1.new" &&
        sync "$root$1.new" && mv "$root$1.new" "$root$1"
}

# write_card FILE: the same for a text on the card, with the line ends of Windows.
write_card()
{
    sed 's/\r*$/\r/' >"$card/$1.new" && sync "$card/$1.new" && mv "$card/$1.new" "$card/$1" && sync "$card"
}

# report SENTENCE...
report()
{
    echo "$*" >&2
    echo "$*" >>"$work/problems"
}

# The part of table.ini that is the configuration of the daemon. The lines of the other sections become blank,
# so that the numbers of lines in messages are right.
table_part()
{
    awk '{ sub(/\r$/, "") }
        NR == 1 { sub(/^\357\273\277/, "") }
        /^[ \t]*\[/ { is_card = /^[ \t]*\[(wifi|referee|tv|computer)\]/ }
        { print is_card ? "" : $0 }' "$file"
}

# read_settings: the settings of the computer become variables.
read_settings()
{
    "$programs/card-settings" "$file" >"$work/settings" 2>"$work/refused"
    sed "s|^$file:\([0-9]*\):|line \1:|; s|^$file:|table.ini:|" "$work/refused" >>"$work/problems"
    cat "$work/refused" >&2
    # shellcheck source=/dev/null # the assignments of card-settings
    . "$work/settings"
}

# The last configuration that was right stays if this one has an error.
apply_table()
{
    { echo '; From table.ini on the boot partition, which replaces this file after each change.' && table_part; } \
        >"$work/shipahoy.ini"
    if shipahoyd --check --config "$work/shipahoy.ini" >"$work/check" 2>&1; then
        write /etc/shipahoy/shipahoy.ini 644 <"$work/shipahoy.ini"
    else
        cat "$work/check" >&2
        report 'Because of an error, no setting of the game and the sensors in table.ini is used.'
    fi
}

apply_wifi()
{
    # shellcheck disable=SC2154 # from card-settings
    name=$wifi_name password=$wifi_password country=$wifi_country
    conf=/etc/wpa_supplicant/wpa_supplicant-$wireless.conf
    [ -n "$name" ] || return 0
    quoted=$(printf '%s' "$name" | od -An -tx1 | tr -d ' \n')
    if [ -z "$password" ] && grep -qsx "	ssid=$quoted" "$root$conf"; then
        network=$(sed -n '/^network/,/^}/p' "$root$conf")
    elif [ -n "$password" ]; then
        key=$(printf '%s\n' "$password" | wpa_passphrase "$name" | sed -n 's/^\tpsk=//p')
        network=$(printf 'network={\n\tssid=%s\n\tpsk=%s\n}' "$quoted" "$key")
    else
        network=$(printf 'network={\n\tssid=%s\n\tkey_mgmt=NONE\n}' "$quoted")
    fi
    {
        [ -z "$country" ] || echo "country=$country"
        echo "$network"
    } | write "$conf" 600 || report 'The Wi-Fi settings could not be stored.'
}

apply_computer()
{
    # shellcheck disable=SC2154 # from card-settings
    host=$computer_host_name zone=$computer_time_zone key=$computer_ssh_key
    echo "$host" | write /etc/hostname 644
    printf '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 %s\n' "$host" | write /etc/hosts 644
    [ -n "$root" ] || hostname "$host"
    ln -sfn "/usr/share/zoneinfo/${zone:-Etc/UTC}" "$root/etc/localtime"
    if [ -n "$key" ]; then
        echo "$key" | write "/etc/ssh/keys/$admin" 644
        chmod 755 "$root/etc/ssh/keys"
    else
        rm -f "$root/etc/ssh/keys/$admin"
    fi
}

apply_tv()
{
    # shellcheck disable=SC2154 # from card-settings
    if [ "$tv_show" = yes ]; then
        printf 'LANGUAGE=%s\nVOICE=%s\n' "$computer_language" "$tv_voice" | write /etc/shipahoy/kiosk.conf 644
    else
        rm -f "$root/etc/shipahoy/kiosk.conf"
    fi
}

# The password of a user who exists stays unless the file has another one. The first time the user may exist
# because of a power cut before the password was written down.
apply_referee()
{
    # shellcheck disable=SC2154 # from card-settings
    name=$referee_name password=$referee_password https=
    # shellcheck disable=SC2154 # from card-settings
    [ "$computer_https" = no ] || https=--https
    shipahoy-user setup ${https:+"$https"} >"$work/said" 2>&1 || {
        report "The broker could not be set up: $(tail -n 1 "$work/said")"
        return
    }
    if [ -z "$password" ] && [ -e "$root$applied" ] && shipahoy-user list | grep -qx "$name referee"; then
        return
    fi
    rm -f "$root$applied" # until the password is written down
    shipahoy-user --host "$computer_host_name.local" ${password:+--password "$password"} \
        add "$name" referee >"$work/said" 2>&1 || {
        report "The referee could not be added: $(tail -n 1 "$work/said")"
        return
    }
    [ -n "$password" ] || {
        echo "The login of $name. Open this address on a phone in the same network; it contains the password."
        echo 'This file is deleted at the next start of the table.'
        tail -n 1 "$work/said"
    } | write_card login.txt
}

# Removes the passwords, after they are stored elsewhere: the card can be read by everyone who holds it.
forget_passwords()
{
    if grep -q '^[[:blank:]]*password[[:blank:]]*[=:]' "$file"; then
        sed 's/^[[:blank:]]*password[[:blank:]]*[=:].*/; The password has been read and removed./' "$file" \
            >"$work/table.ini" && write_card table.ini <"$work/table.ini"
    fi
}

write_problems()
{
    if [ -s "$work/problems" ]; then
        {
            echo 'table.ini has been read. These lines were not used; the others were. Correct them and start'
            echo 'the table again.'
            echo
            cat "$work/problems"
        } | write_card errors.txt
    else
        rm -f "$card/errors.txt"
    fi
}

sum_of_file()
{
    sha256sum <"$file"
}

while [ $# -gt 0 ]; do
    case $1 in
    --root) root=$2 && shift 2 ;;
    --programs) programs=$2 && shift 2 ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 64 ;;
    esac
done
card=$root/boot/firmware
file=$card/table.ini
applied=/var/lib/shipahoy-card/applied
[ -d "$card" ] || exit 0
rm -f "$card"/*.new
# A card without the file has all defaults.
[ -e "$file" ] || write_card table.ini </dev/null
# The login of the last start that came to its end.
[ ! -e "$root$applied" ] || rm -f "$card/login.txt"
[ "$(sum_of_file)" != "$(cat "$root$applied" 2>/dev/null)" ] || exit 0
work=$(mktemp -d /run/shipahoy-card.XXXXXX 2>/dev/null || mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT

read_settings
apply_table
apply_wifi
apply_computer
apply_tv
apply_referee
write_problems
forget_passwords
sum_of_file | write "$applied" 600
