# shellcheck shell=sh
# The name shipahoy.local, and what has to follow when the addresses of this machine change. Sourced by
# shipahoy-user.
# shellcheck disable=SC2154 # $alias_name of certificates.sh

publisher=

# follow: runs until it is ended. `ip monitor` prints a line for each change, and many without one.
follow()
{
    need_setup
    followed=
    { echo && ip -o monitor address; } | while read -r _; do
        addresses=$(home_addresses)
        if [ "$addresses" != "$followed" ]; then
            followed=$addresses
            ("$0" renew)
            announce_alias
        fi
    done
}

# announce_alias: unless it is the name of this machine anyway, which avahi announces itself.
announce_alias()
{
    end_announcement
    address=$(home_addresses | head -n 1)
    if [ -n "$address" ] && [ "$(hostname).local" != "$alias_name" ] && command -v avahi-publish >/dev/null; then
        avahi-publish -f -R -a "$alias_name" "$address" &
        publisher=$!
    fi
}

end_announcement()
{
    [ -z "$publisher" ] || kill "$publisher"
    publisher=
}

restart_follower()
{
    ! web_is_of_this_machine || [ ! -d /run/systemd/system ] || systemctl --no-block restart shipahoy-names shipahoy-https.timer
}
