#!/bin/sh
# Writes all data of a table into one file, and restores it: shipahoyctl backup and restore run this script.
# See --help.
set -u
LC_ALL=C
export LC_ALL
umask 077

root=
version=
force=no
lock_wait_s=30
text_max=65536
stopped=
# The source tree and the installed package have different layouts.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 70
share=$here/../../config/mosquitto
[ -d "$share" ] || share=$here/../../share/shipahoy/mosquitto
# shellcheck source=/dev/null # checked by itself
. "$share/setting.sh"
format='shipahoy-backup 1'

# Whatever makes a table this table; each is a file or a directory.
items='/var/lib/shipahoy
/var/lib/shipahoy-logbook
/etc/shipahoy
/etc/mosquitto/shipahoy.passwd
/etc/mosquitto/shipahoy.acl
/etc/mosquitto/conf.d/shipahoy.conf
/etc/nginx/conf.d/shipahoy.conf
/etc/avahi/services/shipahoy.service
/etc/systemd/system/shipahoyd.service.d
/etc/systemd/system/shipahoy-logbook.service.d'

usage()
{
    cat <<'END'
usage: backup.sh --version VERSION [--root DIR] [--force] backup FILE
       backup.sh --version VERSION [--root DIR] [--force] restore [FILE]

  backup   write the games, the logbook, the users, the configuration and the certificates into FILE
  restore  replace them by those in FILE; without FILE complete a restore that was interrupted

  --version VERSION  the version of the programs: a backup of a newer one is refused
  --root DIR         use the files below DIR, and leave services alone
  --force            backup: overwrite an existing file
  --help             print this text
END
}

# fail SENTENCE [CODE]
fail()
{
    echo "shipahoyctl: $1" >&2
    exit "${2:-70}"
}

refuse()
{
    fail "$1" 1
}

# begin: one backup or restore at a time. What a killed run has left is removed by the next one.
begin()
{
    [ "$(id -u)" = 0 ] || [ -n "$root" ] || fail 'A backup or a restore needs root: sudo shipahoyctl ...' 1
    exec 9<"$root/var/lib" || fail "Cannot read $root/var/lib."
    flock -w "$lock_wait_s" 9 || fail 'Another backup or restore is running; try again.'
    lock_users
    finish_interrupted
    lock_users # again: shipahoy-user has had it meanwhile
    remove_staged
    rm -rf "$root"/var/lib/.shipahoy-backup.*
    work=$(mktemp -d "$root/var/lib/.shipahoy-backup.XXXXXX") || fail "Cannot write to $root/var/lib."
    trap end EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

lock_users()
{
    if [ -d "$root/etc/mosquitto" ]; then
        exec 8<"$root/etc/mosquitto"
        flock -w "$lock_wait_s" 8 || fail 'shipahoy-user is running; try again.'
    fi
}

# end: until the plan of a restore is in place, everything is as it was, and the services run again.
end()
{
    rm -rf "$work"
    if [ ! -f "$plan" ] && [ ! -f "$plan.done" ]; then
        remove_staged
        control "$stopped" start
    fi
}

# remove_staged: copies with passwords and private keys.
remove_staged()
{
    for item in $items; do
        rm -rf "$root$item.restored" "$root$item.replaced"
    done
}

# has_services: whether this is a running machine, and not a directory or a chroot.
has_services()
{
    [ -z "$root" ] && [ -d /run/systemd/system ]
}

# active_services SERVICE...: those that run.
active_services()
{
    for service in "$@"; do
        ! has_services || ! systemctl --quiet is-active "$service" || echo "$service"
    done
}

# control SERVICES ACTION...: the services are one word, which may be empty.
control()
{
    services=$1
    shift
    if has_services && [ -n "${services% }" ]; then
        # shellcheck disable=SC2086 # a list
        systemctl "$@" $services
    fi
}

# need_space DIR KIB
need_space()
{
    free=$(df -Pk "$1" | awk 'NR == 2 { print $4 }')
    [ "${free:-0}" -gt "$2" ] || refuse "$1 has $free KiB free, and $2 KiB are needed."
}

# copy ITEM: owners are kept, links within an item become files of their own.
copy()
{
    mkdir -p "$work/files$(dirname "$1")" &&
        cp -RP --preserve=mode,ownership,timestamps "$root$1" "$work/files$1"
}

# copy_games: while the table plays. The mark of the acknowledged events is copied before the games: if it
# were newer than the journal, the game would count as damaged. A game that ends meanwhile changes its
# name, so the copy is complete only if the names have not changed.
copy_games()
{
    games=/var/lib/shipahoy
    to=$work/files$games
    for _ in 1 2 3 4 5; do
        rm -rf "$to"
        mkdir -p "$to"
        chown --reference="$root$games" "$to"
        chmod --reference="$root$games" "$to"
        names=$(list_games)
        for mark in acknowledged announced; do
            [ ! -f "$root$games/$mark" ] || cp -p "$root$games/$mark" "$to/"
        done
        if list_games -exec cp -RP --preserve=mode,ownership,timestamps -t "$to" {} + 2>/dev/null &&
            [ "$(list_games)" = "$names" ]; then
            return
        fi
    done
    fail "$root$games: the games cannot be copied."
}

list_games()
{
    find "$root$games" -mindepth 1 -maxdepth 1 ! -name acknowledged ! -name announced "$@"
}

# copy_logbook: the databases by the program that knows them, as its user, since the files that SQLite
# creates next to them must belong to that user.
copy_logbook()
{
    logbook=/var/lib/shipahoy-logbook
    to=$work/files$logbook
    mkdir -p "$to"
    chmod 711 "$work" "$work/files" "$work/files/var" "$work/files/var/lib"
    list_databases >"$work/databases"
    without=$(sed 'p; h; s/$/-wal/p; g; s/$/-shm/p; g; s/$/-journal/' "$work/databases")
    (cd "$root$logbook" && find . ! -name 'logbook-backup.*' -print0 | grep -zvxF "$without" |
        tar --null --no-recursion -T - -cf -) | tar -xpf - -C "$to" || fail 'The logbook cannot be copied.'
    while read -r database; do
        copy_database "$database" || fail "The logbook $database cannot be copied."
    done <"$work/databases"
    chmod 700 "$work"
    case $(setting logbook database "sqlite:$logbook/") in
    "sqlite:$logbook/"*) return ;;
    postgresql:*) how='Use pg_dump.' ;;
    *) how='Use shipahoy-logbook --backup FILE.' ;;
    esac
    echo "The logbook is in a database of its own, which is not part of the backup. $how"
}

# list_databases: the files of SQLite in the directory of the logbook, wherever the configuration says they are.
list_databases()
{
    [ -d "$root$logbook" ] || return 0
    (cd "$root$logbook" && find . -type f ! -name 'logbook-backup.*' | while read -r found; do
        [ "$(head -c 15 "$found" | tr -d '\0')" != 'SQLite format 3' ] || echo "$found"
    done)
}

# copy_database PATH: relative to the directory of the logbook.
copy_database()
{
    printf '[logbook]\ndatabase = sqlite:%s\n' "$root$logbook/$1" >"$work/logbook.ini" &&
        chmod 644 "$work/logbook.ini" &&
        as_owner shipahoy-logbook --config "$work/logbook.ini" --state-dir "$root$logbook" --backup "$to/$1" &&
        chmod --reference="$root$logbook/$1" "$to/$1"
}

as_owner()
{
    if [ -n "$root" ]; then
        "$@"
    else
        runuser -u shipahoy -- "$@"
    fi
}

# sums: of every file, in the order of their names.
sums()
{
    (cd "$1" && find files manifest -type f -print0 | sort -z | xargs -0 sha256sum)
}

kib_of()
{
    for item in $items; do
        [ ! -e "$root$item" ] || du -sk "$root$item"
    done | awk '{ sum += $1 } END { print sum + 1024 }'
}

backup()
{
    file=$1
    [ "$force" = yes ] || [ ! -e "$file" ] || refuse "$file exists; use another name, or --force."
    [ -d "$(dirname "$file")" ] || refuse "There is no directory $(dirname "$file")."
    begin
    need_space "$root/var/lib" "$(kib_of)"
    for item in $items; do
        [ -e "$root$item" ] || continue
        case $item in
        /var/lib/shipahoy) copy_games ;;
        /var/lib/shipahoy-logbook) copy_logbook ;;
        *) copy "$item" || fail "$root$item cannot be copied." ;;
        esac
    done
    mkdir -p "$work/files"
    find "$work/files" ! -type f ! -type d -print -delete |
        sed "s|^$work/files|Not in the backup, because it is a link or not a file: |"
    {
        echo "$format"
        echo "version $version"
        echo "made $(date -u +%Y-%m-%dT%H:%M:%SZ)"
        echo "host $(uname -n)"
        for item in $items; do
            [ ! -e "$work/files$item" ] || echo "item $item"
        done
    } >"$work/manifest"
    sums "$work" >"$work/sha256sums" || fail 'The checksums cannot be written.'
    write_archive
    echo "$file: $(du -k "$file" | cut -f 1) KiB. It contains hashes of passwords and private keys: keep it safe."
}

write_archive()
{
    rm -f "$file.partial"
    if ! tar -C "$work" --sort=name -czf "$file.partial" manifest sha256sums files 2>"$work/said" ||
        ! sync "$file.partial" || ! mv -T "$file.partial" "$file"; then
        rm -f "$file.partial"
        refuse "$file cannot be written: $(tail -n 1 "$work/said")"
    fi
}

# check_members: nothing but files and directories with plain names. The list shows each member on a line
# of its own, its type first; line breaks in names are escaped.
check_members()
{
    tar -tvzf "$file" --absolute-names --quoting-style=escape --numeric-owner >"$work/list" 2>"$work/said" ||
        refuse "$file is damaged, or not a backup: $(tail -n 1 "$work/said")"
    awk -v file="$file" '
        function refuse(reason) {
            print file ": " name ": " reason
            exit 1
        }
        { name = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ /, "", name) }
        $1 !~ /^[-d][-rwx]+$/ { refuse("a link or a special file does not belong in a backup.") }
        name ~ /^\// { refuse("an absolute path does not belong in a backup.") }
        ("/" name "/") ~ /\/\.\.?\// { refuse("a path with .. does not belong in a backup.") }
        name !~ /^(manifest|sha256sums|files\/.*)$/ { refuse("is not a part of a backup.") }
        seen[name]++ { refuse("is there twice.") }' "$work/list" >"$work/said" ||
        refuse "$(cat "$work/said")"
}

# check_manifest: the backup fits this version of the programs.
check_manifest()
{
    tar -xOzf "$file" manifest 2>/dev/null | head -c $text_max >"$work/manifest"
    [ "$(head -n 1 "$work/manifest")" = "$format" ] ||
        refuse "$file is not a backup, or that of a later version."
    its_version=$(sed -n 's/^version //p' "$work/manifest")
    newest=$(printf '%s\n%s\n' "$its_version" "$version" | sort -V | tail -n 1)
    [ "$newest" = "$version" ] ||
        refuse "$file was written by version $its_version, and this is $version. Upgrade first."
}

# unpack: below $work; its content must be what the checksums say, and nothing else.
unpack()
{
    need_space "$root/var/lib" "$(awk '{ sum += $3 } END { print int(sum / 1024) + NR * 4 + 1024 }' "$work/list")"
    need_space "$root/etc" "$(awk '$6 ~ /^files\/etc/ { sum += $3 } END { print int(sum / 1024) + 1024 }' "$work/list")"
    mkdir "$work/new"
    tar -C "$work/new" -xpzf "$file" 2>"$work/said" || refuse "$file is damaged: $(tail -n 1 "$work/said")"
    sums "$work/new" >"$work/sums"
    cmp -s "$work/sums" "$work/new/sha256sums" || refuse "$file is damaged: the checksums are wrong."
}

# check_targets: each directory can be replaced, and what the files are for is installed.
check_targets()
{
    for item in $items; do
        [ ! -L "$root$item" ] || refuse "$root$item is a link; it cannot be replaced."
        ! mountpoint -q "$root$item" || refuse "$root$item is a mount point; it cannot be replaced."
        [ ! -e "$work/new/files$item" ] || [ -d "$(dirname "$root$item")" ] ||
            refuse "The backup has $item, but there is no $(dirname "$root$item"). Install what it belongs to: \
mosquitto, nginx or avahi-daemon."
    done
}

# check_databases: a backup without a database, for example because that was elsewhere, does not delete one.
check_databases()
{
    logbook=/var/lib/shipahoy-logbook
    list_databases >"$work/databases"
    while read -r database; do
        [ -e "$work/new/files$logbook/$database" ] ||
            refuse "$file does not contain the logbook $root$logbook/${database#./}, which would be deleted. \
Stop shipahoy-logbook and move that file elsewhere first."
    done <"$work/databases"
}

# stage: puts everything next to its place, under another name.
stage()
{
    for item in $items; do
        if [ -e "$work/new/files$item" ]; then
            mv -T "$work/new/files$item" "$root$item.restored" || refuse "$root$item.restored cannot be written."
            echo "replace $item"
        else
            echo "remove $item"
        fi
    done >"$work/plan" || exit 1
    sync -f "$root/var/lib" "$root/etc"
}

restore()
{
    file=$1
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then
        refuse "$file cannot be read."
    fi
    begin
    check_members
    check_manifest
    unpack
    check_targets
    check_databases
    stage
    running=$(active_services shipahoyd shipahoy-logbook)
    affected=$(active_services mosquitto nginx avahi-daemon)
    stopped=$running
    control "$running" stop || fail 'The services cannot be stopped; nothing was changed.'
    echo "services $(echo "$running $affected" | tr '\n' ' ')" >>"$work/plan"
    { sync "$work/plan" && mv -T "$work/plan" "$plan"; } || fail "$plan cannot be written; nothing was changed."
    sync -f "$root/var/lib"
    carry_out restart
    echo "Restored from $file, which was written $(sed -n 's/^made //p' "$work/manifest") on \
$(sed -n 's/^host //p' "$work/manifest")."
}

# carry_out ACTION...: from here on the restore is completed, now or by the next run, however often it is
# interrupted. An item that has its .restored file still has to be replaced.
carry_out()
{
    if [ -f "$plan" ]; then
        while read -r action item; do
            case $action in
            replace) [ ! -e "$root$item.restored" ] ||
                { put_aside "$item" && mv -T "$root$item.restored" "$root$item"; } ;;
            remove) put_aside "$item" ;;
            esac || fail "$root$item cannot be replaced. Run: shipahoyctl restore"
        done <"$plan"
        sync -f "$root/var/lib" "$root/etc"
        mv -T "$plan" "$plan.done"
    fi
    # The rights of the roles, and the files for the servers, may be those of an older version.
    if [ -z "$root" ] && [ -f /etc/mosquitto/shipahoy.acl ]; then
        exec 8<&- # its lock
        shipahoy-user refresh || echo 'shipahoy-user refresh failed; run it again.' >&2
    fi
    ! has_services || systemctl daemon-reload
    control "$(sed -n 's/^services //p' "$plan.done")" "$@" ||
        echo 'A service cannot be started; see systemctl --failed.' >&2
    remove_staged
    stopped=
    rm -f "$plan.done"
}

put_aside()
{
    [ ! -e "$root$1" ] || { rm -rf "$root$1.replaced" && mv -T "$root$1" "$root$1.replaced"; }
}

finish_interrupted()
{
    if [ -f "$plan" ] || [ -f "$plan.done" ]; then
        echo 'Completing a restore that was interrupted.'
        carry_out --no-block restart
    fi
}

while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --force) force=yes ;;
    --root | --version)
        [ $# -gt 1 ] || { usage >&2 && exit 64; }
        [ "$1" = --root ] && root=$2 || version=$2
        shift
        ;;
    -*) usage >&2 && exit 64 ;;
    *) break ;;
    esac
    shift
done
[ -n "$version" ] || { usage >&2 && exit 64; }
plan=$root/var/lib/shipahoy-restore
# shellcheck disable=SC2034 # of setting.sh
configuration=$root/etc/shipahoy/shipahoy.ini
case "${1:-} $#" in
'backup 2' | 'restore 2') "$1" "$2" ;;
'restore 1') begin ;;
*) usage >&2 && exit 64 ;;
esac
