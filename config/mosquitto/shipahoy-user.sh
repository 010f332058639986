#!/bin/sh
# shipahoy-user: who may watch and play at the tables of this broker. See --help.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
# In the project they lie together, installed they are apart.
share=$here
www=$here/../../scoreboard/dist
if [ ! -d "$share/roles" ]; then
    share=$here/../share/shipahoy/mosquitto
    www=$here/../share/shipahoy/www
fi
broker=/etc/mosquitto
configuration=/etc/shipahoy/shipahoy.ini
port=9001
host=
password=
table=

usage()
{
    cat <<'END'
usage: shipahoy-user [OPTION...] setup
       shipahoy-user [OPTION...] add NAME ROLE
       shipahoy-user [OPTION...] remove NAME
       shipahoy-user [OPTION...] list | refresh

  setup    let mosquitto serve the page and ask everybody but this machine for a login
  add      make a user, or give one a new password or role, and print the address for a phone
  remove   take a user away
  list     all users with their roles
  refresh  write the access list anew from the roles, as after an upgrade

  viewer   watches
  captain  also plays
  referee  also takes steps back, and leaves a running game for a new one
  table    is the daemon of a table on another computer

  --host HOST          how phones call this machine (its first address)
  --password PASSWORD  instead of one that is made up; letters, digits and . _ ~ -
  --table TABLE        the table that the address shows (that of the configuration)
  --config FILE        the configuration of the table (/etc/shipahoy/shipahoy.ini)
  --broker DIR         the folder of mosquitto's configuration (/etc/mosquitto)
  --help               this text
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "shipahoy-user: $1" >&2
    exit "${2:-70}"
}

# setting SECTION KEY DEFAULT: from the configuration of the table.
setting()
{
    value=$(awk -v section="[$1]" -v key="$2" '
        /^[ \t]*\[/ { inside = index($0, section) > 0 }
        inside && $1 ~ "^" key "($|=)" {
            sub(/^[^=]*=[ \t]*/, "")
            sub(/[ \t]*[;#].*$/, "")
            value = $0
        }
        END { print value }' "$configuration" 2>/dev/null)
    echo "${value:-$3}"
}

# The files are for mosquitto's eyes. put FILE: from standard input, in one step.
put()
{
    cat >"$broker/$1.new" || fail "$broker/$1.new cannot be written."
    if [ "$(id -u)" = 0 ] && id mosquitto >/dev/null 2>&1; then
        chown mosquitto: "$broker/$1.new"
    fi
    mv "$broker/$1.new" "$broker/$1"
}

# Only the broker of this machine, and only if it runs.
tell_broker()
{
    if [ "$broker" = /etc/mosquitto ] && systemctl --quiet is-active mosquitto 2>/dev/null; then
        systemctl "$1" mosquitto || fail "mosquitto does not $1; see journalctl -u mosquitto."
    fi
}

need_setup()
{
    [ -f "$acl" ] || fail 'The broker is not set up for this; begin with: shipahoy-user setup' 69
}

# What others have set for the whole broker would be turned off by rules for each listener.
list_conflicts()
{
    keys='listener|port|bind_address|allow_anonymous|password_file|acl_file|per_listener_settings'
    keys="$keys|plugin|auth_plugin"
    for file in "$broker/mosquitto.conf" "$broker"/conf.d/*.conf; do
        if [ -f "$file" ] && [ "$file" != "$drop_in" ]; then
            grep -HnE "^[[:space:]]*($keys)([[:space:]]|\$)" "$file"
        fi
    done
}

setup()
{
    [ -d "$broker/conf.d" ] || fail "There is no $broker/conf.d; install the package mosquitto." 69
    conflicts=$(list_conflicts)
    if [ -n "$conflicts" ]; then
        echo "$conflicts"
        fail "These lines are at odds with ours. Join them with $share/shipahoy.conf
by hand, and make $acl and $passwords: empty files of the user mosquitto." 69
    fi
    [ -f "$passwords" ] || put shipahoy.passwd </dev/null
    [ -f "$acl" ] || put shipahoy.acl </dev/null
    sed -e "s|/etc/mosquitto/|$broker/|" \
        -e "s|/usr/share/shipahoy/www|$(realpath -m "$www")|" "$share/shipahoy.conf" |
        put conf.d/shipahoy.conf
    chmod 644 "$drop_in"
    tell_broker restart
    echo "The page is http://$(host_name):$port/ and wants a login: shipahoy-user add NAME viewer"
}

host_name()
{
    found=${host:-$(hostname -I 2>/dev/null | cut -d ' ' -f 1)}
    echo "${found:-$(hostname).local}"
}

# Each role may do what those before it may.
rights_of()
{
    case $1 in
    viewer) cat "$share/roles/viewer.acl" ;;
    captain) rights_of viewer && cat "$share/roles/captain.acl" ;;
    referee) rights_of captain && cat "$share/roles/referee.acl" ;;
    table) cat "$share/roles/table.acl" ;;
    *) fail "$1 is no role; there are viewer, captain, referee and table." 64 ;;
    esac
}

# entry NAME ROLE: its part of the access list. The comment is where the role is remembered.
entry()
{
    prefix=$(setting mqtt prefix shipahoy)
    echo "user $1"
    echo "# role: $2"
    rights_of "$2" | sed -n "s|^\(topic [a-z]*\) shipahoy/|\1 $prefix/|; /^topic/p"
}

list()
{
    awk '$1 == "user" { name = $2 } $2 == "role:" { print name, $3 }' "$acl"
}

# write_acl: from lines of NAME ROLE, which must not come out of the same file at the same time.
write_acl()
{
    {
        echo '# Written by shipahoy-user, and read by mosquitto. Changes by hand are lost.'
        while read -r name role; do
            [ -z "$name" ] || entry "$name" "$role"
        done
    } | put shipahoy.acl
}

without()
{
    list | awk -v name="$1" '$1 != name'
}

make_up_password()
{
    LC_ALL=C tr -dc 'a-hjkmnp-z2-9' </dev/urandom | head -c 10
}

# The plain password goes through a file that only we can read, since everybody can read what
# commands are called with.
set_password()
{
    one=$passwords.one
    printf '%s:%s\n' "$1" "$2" >"$one"
    mosquitto_passwd -U "$one" || { rm -f "$one" && fail 'no password was made.'; }
    { awk -F : -v name="$1" '$1 != name' "$passwords" && cat "$one"; } | put shipahoy.passwd
    rm -f "$one"
}

# tell_address NAME ROLE PASSWORD
tell_address()
{
    case $2 in
    table)
        echo "In the table's own configuration: [mqtt] username = $1, and password_file with $3."
        return
        ;;
    viewer) more= ;;
    *) more='&view=captain' ;;
    esac
    prefix=$(setting mqtt prefix shipahoy)
    [ "$prefix" = shipahoy ] || more="$more&prefix=$prefix"
    table=${table:-$(setting table name table)}
    address="http://$(host_name):$port/#table=$table&user=$1&password=$3$more"
    command -v qrencode >/dev/null && qrencode -t ANSIUTF8 "$address"
    echo "$address"
}

add()
{
    need_setup
    case $1 in
    '' | *[!A-Za-z0-9_-]*) fail "$1: a name has letters, digits, - and _ only." 64 ;;
    esac
    password=${password:-$(make_up_password)}
    case $password in
    *[!A-Za-z0-9._~-]*) fail 'a password has letters, digits and . _ ~ - only.' 64 ;;
    esac
    rights_of "$2" >/dev/null
    users=$(without "$1" && echo "$1 $2")
    echo "$users" | write_acl
    set_password "$1" "$password"
    tell_broker reload
    tell_address "$1" "$2" "$password"
}

remove()
{
    need_setup
    [ "$(without "$1")" != "$(list)" ] || fail "there is no user $1." 69
    users=$(without "$1")
    echo "$users" | write_acl
    awk -F : -v name="$1" '$1 != name' "$passwords" | put shipahoy.passwd
    tell_broker reload
}

refresh()
{
    need_setup
    users=$(list)
    echo "$users" | write_acl
    tell_broker reload
}

while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --host | --password | --table | --config | --broker)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        ;;
    -*) usage >&2 && exit 64 ;;
    *) break ;;
    esac
    case $1 in
    --host) host=$2 ;;
    --password) password=$2 ;;
    --table) table=$2 ;;
    --config) configuration=$2 ;;
    --broker) broker=$2 ;;
    esac
    shift 2
done

umask 077
acl=$broker/shipahoy.acl
passwords=$broker/shipahoy.passwd
drop_in=$broker/conf.d/shipahoy.conf
case "${1:-} $#" in
'setup 1' | 'refresh 1') "$1" ;;
'list 1') need_setup && list ;;
'add 3') add "$2" "$3" ;;
'remove 2') remove "$2" ;;
*) usage >&2 && exit 64 ;;
esac
