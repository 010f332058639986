#!/bin/sh
# inside.sh TREE PROJECT: runs in a network and a process namespace of its own; TREE is a Debian to
# install the package in. A line for each claim. run.sh calls it.
# shellcheck disable=SC2317 # functions are called by their names

tree=$1
project=$2
address=192.168.77.5
later=192.168.77.6
code=0
logs=$tree/tmp
wait_tenths=300

# claim NAME COMMAND...
claim()
{
    claimed=$1
    shift
    if "$@" >"$logs/claim" 2>&1; then
        echo "ok     $claimed"
        return
    fi
    echo "FAILED $claimed"
    tail -n 40 "$logs/claim"
    code=1
}

in_tree()
{
    chroot "$tree" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# until COMMAND...: waits for it to succeed.
until_true()
{
    tries=0
    while ! "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt "$wait_tenths" ] || return 1
        sleep 0.1
    done
}

# start NAME COMMAND...: in the tree, in the background.
start()
{
    name=$1
    shift
    in_tree "$@" >"$logs/$name.log" 2>&1 &
    echo $! >"$logs/$name.pid"
}

listens()
{
    ss -Hltn "sport = :$1" | grep -q .
}

make_network()
{
    hostname den
    mount -t proc proc /proc && mount -t proc proc "$tree/proc" && mount --bind /dev "$tree/dev" &&
        ip link set lo up && ip link add v0 type veth peer name v1 && ip link set v0 up && ip link set v1 up &&
        ip address add "$address/24" dev v0 && ip route add 224.0.0.0/4 dev v0
}

package_is_installed()
{
    in_tree dpkg -i /packages/now.deb
}

start_broker()
{
    in_tree install -d -o mosquitto /run/mosquitto # as its unit does
    start mosquitto mosquitto -c /etc/mosquitto/mosquitto.conf
    until_true listens 9001
}

start_web()
{
    in_tree nginx && until_true listens 80
}

reload_web()
{
    in_tree nginx -s reload
}

start_table()
{
    printf '[table]\nname = den\n[game]\ndice = daemon\n' >"$tree/etc/shipahoy/shipahoy.ini"
    in_tree install -d -o shipahoy -g shipahoy /var/lib/shipahoy /run/shipahoy
    start_daemon
}

start_daemon()
{
    start shipahoyd runuser -u shipahoy -- shipahoyd
    until_true grep -q connected "$logs/shipahoyd.log"
}

fetch()
{
    curl -sS --max-time 20 --cacert "$tree/etc/shipahoy/https/authority.crt" --resolve "shipahoy.local:443:$address" \
        --resolve "shipahoy.local:80:$address" "$@"
}

# http
another_web_server_is_left_alone()
{
    printf 'server { listen 80; }\n' >"$tree/etc/nginx/conf.d/mine.conf"
    ! in_tree shipahoy-user setup >"$logs/said" 2>&1 && cat "$logs/said" && grep 'mine.conf:1' "$logs/said" &&
        [ ! -e "$tree/etc/nginx/conf.d/shipahoy.conf" ] && [ ! -e "$tree/etc/mosquitto/conf.d/shipahoy.conf" ] &&
        rm "$tree/etc/nginx/conf.d/mine.conf"
}

another_program_is_left_alone()
{
    python3 -m http.server --bind 127.0.0.1 80 >/dev/null 2>&1 &
    other=$!
    until_true listens 80
    ! in_tree shipahoy-user setup >"$logs/said" 2>&1
    refused=$?
    kill "$other"
    wait "$other"
    cat "$logs/said"
    [ "$refused" = 0 ] && grep 'port 80' "$logs/said" && [ ! -e "$tree/etc/nginx/conf.d/shipahoy.conf" ]
}

setup_is_done()
{
    in_tree shipahoy-user setup && start_broker && start_web
}

types_are_right()
{
    for pair in /=text/html /scoreboard.html=text/html /manifest.json=application/json /icon-192.png=image/png; do
        fetch -D - -o /dev/null "http://shipahoy.local${pair%=*}" | tr -d '\r' | tee "$logs/header"
        grep -i "^content-type: ${pair#*=}" "$logs/header" || return 1
    done
}

page_is_compressed_and_revalidated()
{
    fetch -D "$logs/header" -o "$logs/page" -H 'Accept-Encoding: gzip' http://shipahoy.local/ &&
        grep -i '^content-encoding: gzip' "$logs/header" && grep -i '^cache-control: no-cache' "$logs/header" &&
        tag=$(sed -n 's/^[Ee][Tt][Aa][Gg]: //p' "$logs/header" | tr -d '\r') &&
        [ "$(fetch -o /dev/null -w '%{http_code}' -H 'Accept-Encoding: gzip' -H "If-None-Match: $tag" \
            http://shipahoy.local/)" = 304 ] || return 1
    ls -l "$logs/page" "$tree/usr/share/shipahoy/www/scoreboard.html"
}

broker_is_reached_through_the_web_server_only()
{
    ss -Hltn 'sport = :9001' | grep -v 127.0.0.1: && return 1
    [ "$(fetch -o /dev/null -w '%{http_code}' -H 'Connection: Upgrade' -H 'Upgrade: websocket' \
        -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Protocol: mqtt' -H 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' \
        --max-time 2 http://shipahoy.local/mqtt)" = 101 ]
}

bodies_and_paths_are_refused()
{
    [ "$(head -c 100000 /dev/zero | fetch -o /dev/null -w '%{http_code}' --data-binary @- http://shipahoy.local/)" = 413 ] &&
        [ "$(fetch -o /dev/null -w '%{http_code}' -X DELETE http://shipahoy.local/)" = 403 ] &&
        [ "$(fetch -o /dev/null -w '%{http_code}' --path-as-is http://shipahoy.local/../../../etc/passwd)" = 400 ] &&
        [ "$(fetch -o /dev/null -w '%{http_code}' http://shipahoy.local/authority.pem)" = 404 ]
}

# A hundred connections that send nothing: the page still comes, and they are closed after ten seconds.
silent_connections_are_closed()
{
    python3 "$project/tests/home/silent.py" "$address" 80 100
}

# https
https_is_set_up()
{
    in_tree shipahoy-user setup --https && reload_web && until_true listens 443
}

certificates_are_as_they_should_be()
{
    cd "$tree/etc/shipahoy/https" || return 1
    openssl verify -CAfile authority.crt server.pem &&
        openssl x509 -in server.pem -noout -ext subjectAltName -dates | tee "$logs/names" &&
        grep 'DNS:den.local, DNS:shipahoy.local' "$logs/names" && grep "IP Address:$address" "$logs/names" &&
        [ "$(stat -c '%a %U' authority.pem server.pem | sort -u)" = '600 root' ] &&
        ! grep -l 'PRIVATE KEY' authority.crt
}

# The authority may not certify a bank.
constraints_hold()
{
    cd "$logs" || return 1
    https=$tree/etc/shipahoy/https
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout bank.key -subj /CN=bank.example \
        -out bank.csr -addext 'subjectAltName = DNS:bank.example' &&
        openssl x509 -req -in bank.csr -CA "$https/authority.pem" -copy_extensions copyall -days 2 -out bank.crt &&
        ! openssl verify -CAfile "$https/authority.crt" bank.crt >said 2>&1 && grep 'permitted subtree violation' said
}

repeated_setup_changes_no_certificate()
{
    before=$(md5sum "$tree"/etc/shipahoy/https/*.pem)
    in_tree shipahoy-user setup --https && in_tree shipahoy-user renew && reload_web &&
        [ "$before" = "$(md5sum "$tree"/etc/shipahoy/https/*.pem)" ]
}

# renewed DAYS: as if so many days had passed; whether the certificate is another one then.
renewed()
{
    before=$(md5sum <"$tree/etc/shipahoy/https/server.pem")
    authority=$(md5sum <"$tree/etc/shipahoy/https/authority.pem")
    sed "s/-checkend \\\$((renew_days \* 86400))/-checkend $(((90 + $1) * 86400))/" \
        "$tree/usr/share/shipahoy/web/certificates.sh" >"$logs/certificates.sh"
    mount --bind "$logs/certificates.sh" "$tree/usr/share/shipahoy/web/certificates.sh"
    in_tree shipahoy-user renew
    umount "$tree/usr/share/shipahoy/web/certificates.sh"
    [ "$authority" = "$(md5sum <"$tree/etc/shipahoy/https/authority.pem")" ] &&
        [ "$before" != "$(md5sum <"$tree/etc/shipahoy/https/server.pem")" ]
}

certificate_is_renewed_in_time()
{
    ! renewed 300 && renewed 310 && reload_web && fetch -o /dev/null https://shipahoy.local/
}

killed_setup_leaves_a_server_that_works()
{
    for delay in 0.05 0.1 0.2 0.3 0.5 0.8; do
        rm -f "$tree/etc/shipahoy/https/server.pem"
        in_tree timeout -s KILL "$delay" shipahoy-user setup --https
        in_tree shipahoy-user setup --https && in_tree nginx -t && reload_web || return 1
    done
    fetch -o /dev/null https://shipahoy.local/ && [ -z "$(find "$tree/etc/shipahoy/https" -name '.*.pem')" ]
}

trust_page_is_there_over_http()
{
    fetch http://shipahoy.local/trust | tee "$logs/trust" | grep -c 'lang=' && grep Android "$logs/trust" &&
        fetch -D "$logs/header" http://shipahoy.local/authority.crt | cmp - "$tree/etc/shipahoy/https/authority.crt" &&
        grep -i '^content-type: application/x-x509-ca-cert' "$logs/header"
}

https_only_leaves_the_explanation()
{
    in_tree shipahoy-user setup --https-only && reload_web || return 1
    until_true has_answer 302 http://shipahoy.local/ && has_answer 302 http://shipahoy.local/mqtt &&
        has_answer 200 http://shipahoy.local/trust && has_answer 200 https://shipahoy.local/ || return 1
    in_tree shipahoy-user setup --https && reload_web && until_true has_answer 200 http://shipahoy.local/
}

has_answer()
{
    [ "$(fetch -o /dev/null -w '%{http_code}' "$2")" = "$1" ]
}

browser()
{
    captain=$(in_tree shipahoy-user --password captain-1 --host shipahoy.local add anna captain | grep -o '#table.*' | head -n 1) &&
        kill -HUP "$(pidof mosquitto)" &&
        (cd "$project" && AUTHORITY="$tree/etc/shipahoy/https/authority.crt" ADDRESS="$address" LOGIN="$captain" \
            node --test --test-reporter=spec tests/home/https.mjs)
}

# mDNS
start_avahi()
{
    mkdir -p "$tree/run/dbus"
    start dbus dbus-daemon --system --nofork --nopidfile
    until_true test -S "$tree/run/dbus/system_bus_socket"
    start avahi avahi-daemon --no-drop-root --no-chroot
    until_true in_tree avahi-resolve -n den.local
    start follow shipahoy-user follow
}

resolves()
{
    in_tree avahi-resolve -4 -n shipahoy.local | tee "$logs/resolved" | grep -w "$1"
}

service_is_announced()
{
    in_tree avahi-browse -rtp "$1" | tee "$logs/browsed" | grep "^=.*$address"
}

has_certificate_for()
{
    openssl x509 -in "$tree/etc/shipahoy/https/server.pem" -noout -ext subjectAltName | grep -q "IP Address:$1"
}

addresses_are_followed()
{
    ip address add "$later/24" dev v0 && ip address del "$address/24" dev v0 && ip address add "$later/24" dev v0 2>/dev/null
    until_true has_certificate_for "$later" && until_true resolves "$later" && ! has_certificate_for "$address"
}

claim 'a network of its own' make_network
claim 'the package is installed' package_is_installed
claim 'another site of nginx is named and left alone' another_web_server_is_left_alone
claim 'another web server is named and left alone' another_program_is_left_alone
claim 'setup: broker and web server start with their files' setup_is_done
claim 'the table starts' start_table
claim 'content types are right' types_are_right
claim 'the page is compressed, and revalidated' page_is_compressed_and_revalidated
claim 'the broker is reached through the web server only' broker_is_reached_through_the_web_server_only
claim 'bodies, methods and paths that no page needs are refused' bodies_and_paths_are_refused
claim 'connections that send nothing are closed, and do not keep others out' silent_connections_are_closed
claim 'setup --https' https_is_set_up
claim 'names, addresses and rights of the certificates' certificates_are_as_they_should_be
claim 'the authority cannot certify other names' constraints_hold
claim 'a repeated setup changes no certificate' repeated_setup_changes_no_certificate
claim 'the certificate is renewed 90 days before its end' certificate_is_renewed_in_time
claim 'a killed setup leaves something that the next one completes' killed_setup_leaves_a_server_that_works
claim 'the page that explains is there over http, with the certificate' trust_page_is_there_over_http
claim 'https-only leaves only that over http' https_only_leaves_the_explanation
claim 'Chromium: trust, wake lock, installation, a game over wss' browser
cat "$logs/claim"
claim 'avahi announces the page' start_avahi
claim 'shipahoy.local is found' until_true resolves "$address"
claim '_http._tcp is announced' until_true service_is_announced _http._tcp
claim '_https._tcp is announced' until_true service_is_announced _https._tcp
claim 'a new address has its certificate and the name at once' addresses_are_followed
# shellcheck source=/dev/null # checked by itself
. "$project/tests/home/updates.sh"
exit $code
