#!/bin/sh
# Runs in a fresh Debian, without systemd as its first process: what a package does when it is
# installed, upgraded, removed and purged. A line for each claim.
# shellcheck disable=SC2317 # functions are called by their names
export DEBIAN_FRONTEND=noninteractive
code=0

# claim NAME COMMAND...
claim()
{
    name=$1
    shift
    if "$@" >/tmp/log 2>&1; then
        echo "ok     $name"
        return
    fi
    echo "FAILED $name"
    tail -n 40 /tmp/log
    code=1
}

apt()
{
    apt-get -q -y -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold "$@" </dev/null
}

install_says_that_the_sensors_are_simulated()
{
    apt install /packages/now.deb >/tmp/installed 2>&1
    installed=$?
    cat /tmp/installed
    [ "$installed" = 0 ] && grep -q 'simulated sensors' /tmp/installed
}

user_is_made()
{
    getent passwd shipahoy && id -nG shipahoy | grep -w gpio
}

programs_start()
{
    shipahoyd --check && shipahoy-logbook --check && shipahoyctl --version && shipahoy-user --help
}

services_are_enabled()
{
    systemctl is-enabled shipahoyd && systemctl is-enabled shipahoy-logbook
}

units_are_understood()
{
    systemd-analyze verify --man=no /usr/lib/systemd/system/shipahoyd.service \
        /usr/lib/systemd/system/shipahoy-logbook.service /usr/lib/systemd/system/shipahoy-restore.service
}

users_can_be_made()
{
    shipahoy-user setup && shipahoy-user add anna captain &&
        [ "$(stat -c %U /etc/mosquitto/shipahoy.passwd)" = mosquitto ] &&
        shipahoy-user list | grep -x 'anna captain'
}

# As root, with the real owners, and back again.
backup_brings_back_what_was_there()
{
    mkdir -p /var/lib/shipahoy /var/lib/shipahoy-logbook && echo game >/var/lib/shipahoy/open-game &&
        chown -R shipahoy: /var/lib/shipahoy /var/lib/shipahoy-logbook &&
        runuser -u shipahoy -- shipahoy-logbook --backup /var/lib/shipahoy-logbook/copy.db &&
        ls -lnR /var/lib/shipahoy* /etc/shipahoy /etc/mosquitto/shipahoy.* >/tmp/before &&
        shipahoyctl backup /root/table.backup && rm -r /var/lib/shipahoy &&
        shipahoy-user remove anna && shipahoyctl restore /root/table.backup &&
        ls -lnR /var/lib/shipahoy* /etc/shipahoy /etc/mosquitto/shipahoy.* >/tmp/after &&
        shipahoy-user list | grep -x 'anna captain' && diff /tmp/before /tmp/after &&
        rm /root/table.backup
}

change_configuration()
{
    printf '[table]\nname = attic\n' >/etc/shipahoy/shipahoy.ini
    systemctl disable shipahoyd
    mkdir -p /var/lib/shipahoy && echo game >/var/lib/shipahoy/open-game
    mkdir -p /var/lib/shipahoy-logbook && echo games >/var/lib/shipahoy-logbook/logbook.db
}

upgrade_keeps_what_was_changed()
{
    apt install /packages/next.deb && shipahoyd --version | grep 99.0.0 &&
        grep -x 'name = attic' /etc/shipahoy/shipahoy.ini &&
        [ -f /var/lib/shipahoy/open-game ] &&
        shipahoy-user list | grep -x 'anna captain' && ! systemctl is-enabled shipahoyd &&
        systemctl is-enabled shipahoy-logbook
}

an_older_debian_has_older_packages()
{
    dpkg --compare-versions 1.0.0+deb12 lt 1.0.0+deb13 &&
        dpkg --compare-versions 1.0.1+deb12 gt 1.0.0+deb13
}

remove_keeps_configuration_games_and_users()
{
    apt remove shipahoy && [ -f /etc/shipahoy/shipahoy.ini ] &&
        [ -f /var/lib/shipahoy/open-game ] && [ -f /var/lib/shipahoy-logbook/logbook.db ] &&
        [ -f /etc/mosquitto/shipahoy.acl ] && getent passwd shipahoy
}

# Which would not start, since it names a page that is gone.
removed_package_leaves_no_drop_in_to_the_broker()
{
    [ ! -e /etc/mosquitto/conf.d/shipahoy.conf ]
}

installed_again_it_is_as_before()
{
    apt install /packages/next.deb && grep -x 'name = attic' /etc/shipahoy/shipahoy.ini &&
        [ -f /etc/mosquitto/conf.d/shipahoy.conf ]
}

# As when somebody has left `sudo -u shipahoy shipahoyctl watch` running.
purge_succeeds_while_the_user_is_busy()
{
    setpriv --reuid shipahoy --clear-groups sleep 600 &
    busy=$!
    apt purge shipahoy
    purged=$?
    kill "$busy"
    wait "$busy"
    [ "$purged" = 0 ] && ! dpkg -s shipahoy && getent passwd shipahoy
}

# dpkg remembers what it has done, and lists nothing of it as installed.
purge_leaves_nothing()
{
    apt purge shipahoy || return 1
    ! getent passwd shipahoy && ! getent group shipahoy && ! dpkg -s shipahoy || return 1
    left=$(find / -xdev -iname '*shipahoy*' ! -path '/proc/*' ! -path '/var/log/*')
    echo "left: $left"
    [ -z "$left" ]
}

claim 'the package lists are there' apt update
claim 'a bare Debian installs it, and is told that the sensors are simulated' \
    install_says_that_the_sensors_are_simulated
claim 'the services are enabled' services_are_enabled
claim 'its user is made, and may use the lines' user_is_made
claim 'the programs start' programs_start
claim 'this systemd understands the units' units_are_understood
claim 'the broker came with it' command -v mosquitto_passwd
claim 'users can be made' users_can_be_made
claim 'a backup brings back games, logbook and users' backup_brings_back_what_was_there
claim 'somebody changes the configuration and disables the service' change_configuration
claim 'an upgrade keeps all that' upgrade_keeps_what_was_changed
claim 'a package for an older Debian is older' an_older_debian_has_older_packages
claim 'to remove it keeps configuration, games and users' remove_keeps_configuration_games_and_users
claim 'the broker is left as it was' removed_package_leaves_no_drop_in_to_the_broker
claim 'installed again it is as before' installed_again_it_is_as_before
claim 'a purge succeeds while a process of the user runs' purge_succeeds_while_the_user_is_busy
claim 'it can be installed after that' apt install /packages/now.deb
claim 'a purge leaves nothing' purge_leaves_nothing
exit $code
