#!/bin/sh
# shipahoy-user: sets up the broker and the web server of a table, and manages its users. See --help.
# shellcheck disable=SC2034,SC2154 # shared with the files that are sourced at the end
set -u
LC_ALL=C # [a-z] means ASCII
export LC_ALL
umask 077

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
# The source tree and the installed package have different layouts.
share=$here
web_share=$here/../web
www=$here/../../scoreboard/dist
if [ ! -d "$share/roles" ]; then
    share=$here/../share/shipahoy/mosquitto
    web_share=$here/../share/shipahoy/web
    www=$here/../share/shipahoy/www
fi
broker=
is_cluster=no
web_share=$(realpath -m -- "$web_share")
www=$(realpath -m -- "$www")
web=/etc/nginx
announcement=/etc/avahi/services/shipahoy.service
configuration=/etc/shipahoy/shipahoy.ini
http_port=
https_port=
host=
password=
table=
lock_wait_s=30
nats_users=shipahoy-users.conf
name_max=64
password_max=128

usage()
{
    cat <<'END'
usage: shipahoy-user [OPTION...] setup [--https | --https-only | --http]
       shipahoy-user [OPTION...] add NAME ROLE [TOPIC...]
       shipahoy-user [OPTION...] add NAME bridge TABLE
       shipahoy-user [OPTION...] remove NAME
       shipahoy-user [OPTION...] list | refresh | renew | follow

  setup    make nginx serve the page, and mosquitto require a login from other machines
  add      add a user, or change password and role, and print the address for a phone
  remove   remove a user
  list     print all users with their roles
  refresh  generate the access list and the web server's file again, for example after an upgrade
  renew    renew the certificate of https if it ends soon, or if the addresses have changed
  follow   renew it whenever the addresses change, and announce shipahoy.local; a service does this

  viewer   may watch
  captain  may also play
  referee  may also undo, and abandon a running game
  table    is for the daemon of a table on another computer
  logbook  is for a logbook on another computer
  sensor   is for a radio node or the gateway of radio sensors: it may write the topics of nodes and
           the given topics, such as zigbee2mqtt/#, and nothing else
  bridge   is for the broker of a table at home, whose name follows: it may write what that table says
           and read the queries and commands for it

  --http               serve the page over http only, after --https
  --https              serve the page also over https, with certificates of its own
  --https-only         serve it over https only; over http there is a page that explains how to trust it
  --http-port PORT     the port of http (that of the last setup, or 80)
  --https-port PORT    the port of https (that of the last setup, or 443)
  --host HOST          name or address of this machine for phones (that of the last setup, or shipahoy.local,
                       or its first address)
  --password PASSWORD  use this password instead of a random one; letters, digits and . _ ~ -
  --table TABLE        the table in the printed address (that of the configuration)
  --config FILE        the configuration of the table (/etc/shipahoy/shipahoy.ini)
  --broker DIR         the directory of the mosquitto configuration (/etc/mosquitto)
  --cluster            the broker is a node of a NATS cluster, and DIR its directory (/etc/nats)
  --web DIR            the directory of the nginx configuration (/etc/nginx)
  --help               print this text
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "shipahoy-user: $1" >&2
    exit "${2:-70}"
}

# read_settings: checks everything that becomes part of topics and addresses. A prefix such as # would
# give access to every topic.
read_settings()
{
    prefix=$(setting mqtt prefix shipahoy)
    case /$prefix/ in
    *[!A-Za-z0-9_/-]* | *//*) fail "$configuration: [mqtt] prefix = $prefix is not a valid prefix." 78 ;;
    esac
    table=${table:-$(setting table name table)}
    case $table in
    *[!A-Za-z0-9_-]*) fail "$table: a table name consists of letters, digits, - and _." 64 ;;
    esac
    case $host in
    *[!]A-Za-z0-9.:[-]*) fail "$host: not a host name or an address." 64 ;;
    esac
}

# begin_change: takes the lock and creates a working directory, which is removed at the end. The
# directory of a killed run is removed by the next one.
begin_change()
{
    [ -r "$broker" ] || fail "Cannot read $broker."
    exec 9<"$broker"
    flock -w "$lock_wait_s" 9 || fail "Another shipahoy-user is running in $broker; try again."
    rm -rf "$broker"/.shipahoy-user.*
    work=$(mktemp -d "$broker/.shipahoy-user.XXXXXX") || fail "Cannot write to $broker."
    trap 'rm -rf "$work"' EXIT
    end_on_signals
}

end_on_signals()
{
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# prepare FILE: writes its new content from standard input to disk, readable by the broker only.
prepare()
{
    cat >"$work/$1" && { [ "$(id -u)" != 0 ] || give_to_broker "$work/$1"; } && sync "$work/$1"
}

give_to_broker()
{
    ! id "$program" >/dev/null 2>&1 || chown "$program:" "$1"
}

# commit FILE...: moves the prepared files into place. Signals are blocked meanwhile.
commit()
{
    trap '' HUP INT TERM
    for file in "$@"; do
        mv "$work/$file" "$broker/" || fail "Cannot write $broker/$file."
    done
    sync "$broker"
    end_on_signals
}

# control_broker restart|reload: only the broker of this machine, and only if it is running.
control_broker()
{
    if [ "$broker" = "$installed" ] && systemctl --quiet is-active "$service" 2>/dev/null; then
        systemctl "$1" "$service" || fail "$service failed to $1; see journalctl -u $service."
    fi
}

need_setup()
{
    [ -f "$acl" ] || fail 'The broker is not set up yet; run: shipahoy-user setup' 69
}

# per_listener_settings would disable the global settings of other files.
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

# setup [--https | --https-only | --http]
setup()
{
    if [ $is_cluster = yes ]; then
        setup_cluster
        return
    fi
    choose_mode "$@"
    [ -d "$broker/conf.d" ] || fail "There is no $broker/conf.d; install the package mosquitto." 69
    read_settings
    begin_change
    conflicts=$(list_conflicts)
    if [ -n "$conflicts" ]; then
        echo "$conflicts"
        fail "These lines conflict with the configuration of the table. Merge them with
$share/shipahoy.conf by hand, and create $acl and $passwords: empty files that belong to
the user mosquitto." 69
    fi
    [ "$mode" = broker ] || check_web "$http_port"
    ! serves_https || check_web "$https_port"
    make_files
    write_drop_in || fail "Cannot write $drop_in."
    control_broker restart
    if serves_https; then
        need_authority
        renew_certificate
    fi
    if [ "$mode" != broker ]; then
        write_web "$mode" "$http_port" "$https_port" "$host" || fail "Cannot write $site."
        reload_web
        announce_web "$mode" "$http_port" "$https_port"
        restart_follower
    fi
    print_setup
}

# choose_mode [--https | --https-only | --http]: without an option as before. Without nginx the broker serves the page.
choose_mode()
{
    read_web
    if [ $# -gt 0 ]; then
        mode=${1#--}
    elif [ "$mode" = broker ] && [ -d "$web/conf.d" ]; then
        mode=http
    fi
}

serves_https()
{
    [ "$mode" = https ] || [ "$mode" = https-only ]
}

# The configuration of a node has names that only its owner knows, so it is edited by hand.
setup_cluster()
{
    [ -d "$broker" ] || fail "There is no $broker." 69
    read_settings
    begin_change
    make_files
    write_nats && commit $nats_users
    echo "$broker/$nats_users has no user yet. Add one: shipahoy-user --cluster add NAME table"
}

make_files()
{
    for file in shipahoy.passwd shipahoy.acl; do
        [ -f "$broker/$file" ] || { prepare $file </dev/null && commit $file; } ||
            fail "Cannot write $broker/$file."
    done
}

print_setup()
{
    if serves_https; then
        echo "Certificates are signed by the authority of this table. Its SHA-256 fingerprint is"
        fingerprint
        echo "Every device has to trust it once: open $(http_address "$(host_name)")trust on it."
    fi
    echo "The page is $(page_address "$(host_name)"). Add a user to log in: shipahoy-user add NAME viewer"
}

# read_web: the mode as `setup` was called last, and the ports and the host unless options name others. At a
# cluster nginx serves the page in any case.
read_web()
{
    mode=broker
    [ $is_cluster = no ] || mode=http
    last_http='' last_https='' last_host=''
    [ ! -f "$site" ] || read -r mode last_http last_https last_host <<END
$(web_settings)
END
    http_port=${http_port:-${last_http:-80}}
    https_port=${https_port:-${last_https:-443}}
    host=${host:-$last_host}
}

http_address()
{
    [ "$http_port" = 80 ] && echo "http://$1/" || echo "http://$1:$http_port/"
}

https_address()
{
    [ "$https_port" = 443 ] && echo "https://$1/" || echo "https://$1:$https_port/"
}

# page_address HOST: this computer may use http in any case.
page_address()
{
    case "$mode $1" in
    'broker '*) echo "http://$1:9001/" ;;
    'https-only localhost') http_address "$1" ;;
    'https-only '*) https_address "$1" ;;
    *) http_address "$1" ;;
    esac
}

write_drop_in()
{
    open_listener=
    [ "$mode" != broker ] ||
        open_listener="s|^listener 9001 .*|listener 9001|; /^socket_domain/d; /^protocol websockets/a http_dir $(quote "$www")"
    sed -e "s|/etc/mosquitto/|$(quote "$broker")/|" -e "$open_listener" "$share/shipahoy.conf" >"$work/shipahoy.conf" &&
        chmod 644 "$work/shipahoy.conf" && sync "$work/shipahoy.conf" &&
        mv "$work/shipahoy.conf" "$drop_in"
}

# quote TEXT: for the replacement part of a sed command.
quote()
{
    printf '%s\n' "$1" | sed 's/[&|\\]/\\&/g'
}

host_name()
{
    if [ -n "$host" ]; then
        echo "$host"
    elif web_is_of_this_machine && [ -f "$announcement" ]; then
        echo "$alias_name"
    else
        first_address
    fi
}

first_address()
{
    found=$(hostname -I 2>/dev/null | cut -d ' ' -f 1)
    echo "${found:-$(hostname).local}"
}

# Each role includes the rights of the one before it.
rights_of()
{
    case $1 in
    viewer) cat "$share/roles/viewer.acl" ;;
    captain) rights_of viewer && cat "$share/roles/captain.acl" ;;
    referee) rights_of captain && cat "$share/roles/referee.acl" ;;
    table | logbook | sensor | bridge) cat "$share/roles/$1.acl" ;;
    *) fail "$1 is not a role; the roles are viewer, captain, referee, table, logbook, sensor and bridge." 64 ;;
    esac
}

# check_topics ROLE TOPIC...: only sensors have topics of their own, and none of those may match a topic
# of a table: whoever writes there plays.
check_topics()
{
    role=$1
    shift
    if [ "$role" = bridge ]; then
        case "$# ${1:-}" in
        *[!A-Za-z0-9_\ -]* | [!1]* | '1 ' | '1 logbook') fail 'A bridge needs the name of one table.' 64 ;;
        esac
        return
    fi
    [ $# = 0 ] || [ "$role" = sensor ] || fail "Topics are for the role sensor only." 64
    for topic in "$@"; do
        case $topic in
        '' | *[!A-Za-z0-9_./:+#-]*)
            fail "$topic: a topic consists of letters, digits and . _ : - /, with + and # as wildcards." 64
            ;;
        esac
        printf '%s\n%s\n' "$prefix" "$topic" | awk -F / '
            NR == 1 { depth = split($0, prefix); next }
            { for (i = 1; i <= depth; i++) {
                  if ($i == "#") { exit 1 }
                  if (i > NF || ($i != "+" && $i != prefix[i])) { exit 0 }
              }
              exit 1 }' || fail "$topic: matches topics of the tables; name those of the sensors." 64
    done
}

# entry NAME ROLE [TOPIC...]: the entry of the access list. `list` reads role and topics from the comment.
entry()
{
    echo "user $1"
    shift
    echo "# role: $*"
    rights=$(rights_of "$1") || return 1
    echo "$rights" | sed -n "s|^\(topic [a-z]*\) shipahoy/|\1 $prefix/|; s|/TABLE/|/${2:-}/|; /^topic/p"
    [ "$1" != bridge ] || return 0
    shift
    for topic in "$@"; do
        echo "topic write $topic"
    done
}

list()
{
    awk '$1 == "user" { name = $2 } $2 == "role:" { sub(/^# role: /, ""); print name, $0 }' "$acl"
}

# write_acl USERS: prepares the access list. USERS has a line NAME ROLE [TOPIC...] for each user.
write_acl()
{
    text=$(
        echo '# Generated by shipahoy-user for mosquitto. Manual changes are overwritten.'
        echo "$1" | while read -r name role topics; do
            # shellcheck disable=SC2086 # topics have no blanks and no *
            [ -z "$name" ] || entry "$name" "$role" $topics || exit 1
        done
    ) && echo "$text" | prepare shipahoy.acl
}

# without NAME: all other users. Fails if the list cannot be read, which is not an empty list.
without()
{
    known=$(list) || fail "Cannot read $acl."
    echo "$known" | awk -v name="$1" '$1 != name'
}

random_password()
{
    LC_ALL=C tr -dc 'a-hjkmnp-z2-9' </dev/urandom | head -c 10
}

# write_passwords NAME [PASSWORD]: prepares the password file with a new password, or with none, for this
# user. The plain password is passed through a pipe: a file could be left behind, and arguments of
# commands are visible to all users.
write_passwords()
{
    if [ $# -gt 1 ]; then
        hash_password "$@" >"$work/said" 2>&1 || fail "No hash of the password: $(tail -n 1 "$work/said")"
    else
        : >"$work/one"
    fi
    others=$(awk -F : -v name="$1" '$1 != name' "$passwords") || return 1
    printf '%s\n' "$others" | cat - "$work/one" | sed '/^$/d' | prepare shipahoy.passwd
}

# hash_password NAME PASSWORD: writes the line of the password file.
hash_password()
{
    if [ $is_cluster = yes ]; then
        command -v mkpasswd >/dev/null || fail 'mkpasswd is missing; install the package whois.' 69
        hash=$(printf '%s' "$2" | mkpasswd --method=bcrypt-a --stdin) && echo "$1:$hash" >"$work/one"
    else
        printf '%s\n%s\n' "$2" "$2" | mosquitto_passwd -c "$work/one" "$1"
    fi
}

# apply FILE...: moves the prepared files into place, and makes the broker use them.
apply()
{
    commit "$@"
    if [ $is_cluster = yes ]; then
        write_nats && commit $nats_users
    fi
    control_broker reload
}

# write_nats: prepares the same users and rights in the language of NATS.
write_nats()
{
    text=$(awk -f "$share/../nats/users.awk" "$passwords" "$acl") || fail "Cannot read $passwords and $acl."
    echo "$text" | prepare $nats_users || fail "Cannot write $broker/$nats_users."
}

# print_address NAME ROLE PASSWORD
print_address()
{
    case $2 in
    table | logbook)
        echo "Set in the configuration of that $2: [mqtt] username = $1, and password_file"
        echo "to the path of a file that contains the password $3"
        return
        ;;
    sensor)
        echo "Set in the gateway or the node: user $1, password $3"
        return
        ;;
    bridge)
        echo "Set in the configuration of the bridge: remote_username $1, remote_password $3"
        return
        ;;
    viewer) more= ;;
    *) more='&view=captain' ;;
    esac
    [ "$prefix" = shipahoy ] || more="$more&prefix=$prefix"
    read_web
    more="#table=$table&user=$1&password=$3$more"
    address=$(page_address "$(host_name)")$more
    ! command -v qrencode >/dev/null || printf '%s' "$address" | qrencode -t ANSIUTF8
    [ "$mode" != https ] || echo "Over https, if the phone trusts this table \
($(http_address "$(host_name)")trust): $(https_address "$(host_name)")$more"
    [ "$(host_name)" != "$alias_name" ] ||
        echo "If a phone does not find $alias_name: $(page_address "$(first_address)")$more"
    echo "$address" # last, for scripts
}

add()
{
    need_setup
    case $1 in
    '' | -* | *[!A-Za-z0-9_-]*)
        fail "$1: a user name consists of letters, digits, - and _ and does not start with -." 64
        ;;
    esac
    [ ${#1} -le $name_max ] || fail "A user name has at most $name_max characters." 64
    password=${password:-$(random_password)}
    case $password in
    '' | *[!A-Za-z0-9._~-]*) fail 'A password consists of letters, digits and . _ ~ -' 64 ;;
    esac
    [ ${#password} -le $password_max ] || fail "A password has at most $password_max characters." 64
    rights_of "$2" >/dev/null || fail "Cannot read the rights of $2."
    read_settings
    name=$1
    shift
    check_topics "$@"
    set -- "$name" "$@"
    begin_change
    users=$(without "$1" && echo "$*") || exit
    { write_acl "$users" && write_passwords "$1" "$password"; } || fail 'Nothing was changed.'
    apply shipahoy.acl shipahoy.passwd
    print_address "$1" "$2" "$password"
}

remove()
{
    need_setup
    read_settings
    begin_change
    users=$(without "$1") || exit
    [ "$users" != "$(list)" ] || fail "There is no user $1." 69
    { write_acl "$users" && write_passwords "$1"; } || fail 'Nothing was changed.'
    apply shipahoy.passwd shipahoy.acl
}

refresh()
{
    need_setup
    read_settings
    begin_change
    users=$(list) || fail "Cannot read $acl."
    write_acl "$users" || fail 'Nothing was changed.'
    apply shipahoy.acl
    read_web
    if [ "$mode" != broker ]; then
        write_web "$mode" "$http_port" "$https_port" "$host" || fail "Cannot write $site."
        reload_web
    fi
}

renew()
{
    need_setup
    read_web
    serves_https || return 0
    begin_change
    need_authority
    ! renew_certificate || reload_web
}

while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --host | --password | --table | --config | --broker | --web | --http-port | --https-port)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        ;;
    --cluster)
        is_cluster=yes
        shift
        continue
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
    --web) web=$2 ;;
    --http-port) http_port=$2 ;;
    --https-port) https_port=$2 ;;
    esac
    shift 2
done

if [ $is_cluster = yes ]; then
    installed=/etc/nats program=nats service=nats-server
else
    installed=/etc/mosquitto program=mosquitto service=mosquitto
fi
broker=$(realpath -m -- "${broker:-$installed}")
case $http_port$https_port in
*[!0-9]*) fail 'A port is a number.' 64 ;;
esac
# shellcheck source=/dev/null # checked by itself
. "$share/setting.sh"
web=$(realpath -m -- "$web")
https=/etc/shipahoy/https
[ "$web" = /etc/nginx ] || https=$web/shipahoy-https
# shellcheck source=/dev/null # checked by itself
. "$web_share/certificates.sh"
# shellcheck source=/dev/null # checked by itself
. "$web_share/web.sh"
# shellcheck source=/dev/null # checked by itself
. "$web_share/names.sh"
acl=$broker/shipahoy.acl
passwords=$broker/shipahoy.passwd
drop_in=$broker/conf.d/shipahoy.conf
case "${1:-} $#" in
'setup 2')
    case $2 in
    --https | --https-only | --http) setup "$2" ;;
    *) usage >&2 && exit 64 ;;
    esac
    ;;
'setup 1' | 'refresh 1' | 'renew 1' | 'follow 1') "$1" ;;
'list 1') need_setup && list ;;
'add 1' | 'add 2') usage >&2 && exit 64 ;;
'add '*) shift && add "$@" ;;
'remove 2') remove "$2" ;;
*) usage >&2 && exit 64 ;;
esac
