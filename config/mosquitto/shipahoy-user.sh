#!/bin/sh
# shipahoy-user: who may watch and play at the tables of this broker. See --help.
set -u
LC_ALL=C # [a-z] means ASCII
export LC_ALL
umask 077

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
lock_wait_s=30
name_max=64
password_max=128

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
        inside && $1 ~ "^" key "($|[=:])" {
            sub(/^[^=:]*[=:][ \t]*/, "")
            sub(/[ \t]*[;#].*$/, "")
            sub(/[ \t\r]+$/, "")
            value = $0
        }
        END { print value }' "$configuration" 2>/dev/null)
    echo "${value:-$3}"
}

# read_settings: what goes into topics and addresses. A prefix such as # would open every topic.
read_settings()
{
    prefix=$(setting mqtt prefix shipahoy)
    case /$prefix/ in
    *[!A-Za-z0-9_/-]* | *//*) fail "$configuration: [mqtt] prefix = $prefix is no prefix." 78 ;;
    esac
    table=${table:-$(setting table name table)}
    case $table in
    *[!A-Za-z0-9_-]*) fail "$table: a table has letters, digits, - and _ only." 64 ;;
    esac
    case $host in
    *[!]A-Za-z0-9.:[-]*) fail "$host: expected the name or the address of a host." 64 ;;
    esac
}

# begin_change: one at a time, in a folder of its own that is removed however this ends. What a
# killed run has left behind is removed by the next one.
begin_change()
{
    [ -r "$broker" ] || fail "$broker cannot be read."
    exec 9<"$broker"
    flock -w "$lock_wait_s" 9 || fail "Another shipahoy-user is busy in $broker; try again."
    rm -rf "$broker"/.shipahoy-user.*
    work=$(mktemp -d "$broker/.shipahoy-user.XXXXXX") || fail "$broker cannot be written."
    trap 'rm -rf "$work"' EXIT
    end_on_signals
}

end_on_signals()
{
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# prepare FILE: its new content, from standard input, for mosquitto alone and safe on disk.
prepare()
{
    cat >"$work/$1" && { [ "$(id -u)" != 0 ] || give_to_broker "$work/$1"; } && sync "$work/$1"
}

give_to_broker()
{
    ! id mosquitto >/dev/null 2>&1 || chown mosquitto: "$1"
}

# commit FILE...: puts what was prepared into place. No signal comes between two of them.
commit()
{
    trap '' HUP INT TERM
    for file in "$@"; do
        mv "$work/$file" "$broker/" || fail "$broker/$file cannot be written."
    done
    sync "$broker"
    end_on_signals
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
    read_settings
    begin_change
    conflicts=$(list_conflicts)
    if [ -n "$conflicts" ]; then
        echo "$conflicts"
        fail "These lines are at odds with ours. Join them with $share/shipahoy.conf
by hand, and make $acl and $passwords: empty files of the user mosquitto." 69
    fi
    for file in shipahoy.passwd shipahoy.acl; do
        [ -f "$broker/$file" ] || { prepare $file </dev/null && commit $file; } ||
            fail "$broker/$file cannot be written."
    done
    write_drop_in || fail "$drop_in cannot be written."
    tell_broker restart
    echo "The page is http://$(host_name):$port/ and wants a login: shipahoy-user add NAME viewer"
}

write_drop_in()
{
    sed -e "s|/etc/mosquitto/|$(quote "$broker")/|" \
        -e "s|/usr/share/shipahoy/www|$(quote "$(realpath -m "$www")")|" \
        "$share/shipahoy.conf" >"$work/shipahoy.conf" &&
        chmod 644 "$work/shipahoy.conf" && sync "$work/shipahoy.conf" &&
        mv "$work/shipahoy.conf" "$drop_in"
}

# quote TEXT: for the replacement of sed.
quote()
{
    printf '%s\n' "$1" | sed 's/[&|\\]/\\&/g'
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
    echo "user $1"
    echo "# role: $2"
    rights=$(rights_of "$2") || return 1
    echo "$rights" | sed -n "s|^\(topic [a-z]*\) shipahoy/|\1 $prefix/|; /^topic/p"
}

list()
{
    awk '$1 == "user" { name = $2 } $2 == "role:" { print name, $3 }' "$acl"
}

# write_acl USERS: prepares the access list of these, lines of NAME ROLE.
write_acl()
{
    text=$(
        echo '# Written by shipahoy-user, and read by mosquitto. Changes by hand are lost.'
        echo "$1" | while read -r name role; do
            [ -z "$name" ] || entry "$name" "$role" || exit 1
        done
    ) && echo "$text" | prepare shipahoy.acl
}

# without NAME: all other users. A list that cannot be read is not an empty one.
without()
{
    known=$(list) || fail "$acl cannot be read."
    echo "$known" | awk -v name="$1" '$1 != name'
}

make_up_password()
{
    LC_ALL=C tr -dc 'a-hjkmnp-z2-9' </dev/urandom | head -c 10
}

# write_passwords NAME [PASSWORD]: prepares the list of passwords with a new one, or without any, for
# this user. The plain one goes through a pipe: a file may outlive us, and everybody can read what
# commands are called with.
write_passwords()
{
    if [ $# -gt 1 ]; then
        printf '%s\n%s\n' "$2" "$2" | mosquitto_passwd -c "$work/one" "$1" >"$work/said" 2>&1 ||
            fail "no password was made: $(tail -n 1 "$work/said")"
    else
        : >"$work/one"
    fi
    others=$(awk -F : -v name="$1" '$1 != name' "$passwords") || return 1
    printf '%s\n' "$others" | cat - "$work/one" | sed '/^$/d' | prepare shipahoy.passwd
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
    [ "$prefix" = shipahoy ] || more="$more&prefix=$prefix"
    address="http://$(host_name):$port/#table=$table&user=$1&password=$3$more"
    ! command -v qrencode >/dev/null || printf '%s' "$address" | qrencode -t ANSIUTF8
    echo "$address"
}

add()
{
    need_setup
    case $1 in
    '' | -* | *[!A-Za-z0-9_-]*)
        fail "$1: a name has letters, digits, - and _ only, and does not begin with -." 64
        ;;
    esac
    [ ${#1} -le $name_max ] || fail "a name has at most $name_max letters." 64
    password=${password:-$(make_up_password)}
    case $password in
    '' | *[!A-Za-z0-9._~-]*) fail 'a password has letters, digits and . _ ~ - only.' 64 ;;
    esac
    [ ${#password} -le $password_max ] || fail "a password has at most $password_max letters." 64
    rights_of "$2" >/dev/null || fail "the rights of $2 cannot be read."
    read_settings
    begin_change
    users=$(without "$1" && echo "$1 $2") || exit
    { write_acl "$users" && write_passwords "$1" "$password"; } || fail 'nothing was changed.'
    commit shipahoy.acl shipahoy.passwd
    tell_broker reload
    tell_address "$1" "$2" "$password"
}

remove()
{
    need_setup
    read_settings
    begin_change
    users=$(without "$1") || exit
    [ "$users" != "$(list)" ] || fail "there is no user $1." 69
    { write_acl "$users" && write_passwords "$1"; } || fail 'nothing was changed.'
    commit shipahoy.passwd shipahoy.acl
    tell_broker reload
}

refresh()
{
    need_setup
    read_settings
    begin_change
    users=$(list) || fail "$acl cannot be read."
    write_acl "$users" || fail 'nothing was changed.'
    commit shipahoy.acl
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

broker=$(realpath -m -- "$broker")
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
