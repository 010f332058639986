# shellcheck shell=sh
# The certificates of https: an authority of this table, and a certificate for the web server. Sourced by
# shipahoy-user. Each key is in one file with its certificate, so that a replacement is one rename.
# shellcheck disable=SC2154 # $https, $host and $work of shipahoy-user

authority_days=3650
# Browsers and phones accept 398 days, also of an authority that was added by hand.
server_days=397
renew_days=90
alias_name=shipahoy.local
# The authority is valid for names and addresses of homes only, so it is useless for whoever steals it elsewhere.
home_domains='local lan home.arpa internal'
home_networks='10.0.0.0/255.0.0.0 172.16.0.0/255.240.0.0 192.168.0.0/255.255.0.0 169.254.0.0/255.255.0.0
fc00:0:0:0:0:0:0:0/fe00:0:0:0:0:0:0:0 fe80:0:0:0:0:0:0:0/ffc0:0:0:0:0:0:0:0'

# home_addresses: those of this machine that the authority may certify.
home_addresses()
{
    hostname -I 2>/dev/null | tr ' ' '\n' |
        grep -E '^(10\.|172\.(1[6-9]|2[0-9]|3[01])\.|192\.168\.|169\.254\.|f[cd][0-9a-f]{2}:)'
}

# home_names: this machine as phones and computers may call it.
home_names()
{
    echo "$alias_name"
    echo "$(hostname).local"
    for name in "$(hostname -f 2>/dev/null)" "$host"; do
        for domain in $home_domains; do
            case $name in
            *[!A-Za-z0-9.-]*) ;;
            *".$domain") echo "$name" ;;
            esac
        done
    done
}

# wanted_names: as openssl writes them, sorted.
wanted_names()
{
    {
        home_names | sed 's/^/DNS:/'
        home_addresses | sed 's/^/IP:/'
    } | tr '[:upper:]' '[:lower:]' | sed 's/^dns/DNS/; s/^ip/IP/' | sort -u
}

# install_pem FILE: moves a prepared file into place.
install_pem()
{
    chmod "$2" "$work/$1" && sync "$work/$1" && cp -p "$work/$1" "$https/.$1" &&
        sync "$https/.$1" && mv "$https/.$1" "$https/$1" && sync "$https"
}

new_key()
{
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>"$work/said"
}

# need_authority: creates it once. The devices that trust it lose that when it is created again.
need_authority()
{
    command -v openssl >/dev/null || fail 'Install the package openssl.' 69
    { mkdir -p "$https" && chmod 755 "$https"; } || fail "Cannot write $https."
    if ! openssl x509 -in "$https/authority.pem" -noout -checkend 0 >/dev/null 2>&1; then
        create_authority || fail "The authority cannot be created: $(tail -n 1 "$work/said")"
    fi
    { openssl x509 -in "$https/authority.pem" -out "$work/authority.crt" && install_pem authority.crt 644; } ||
        fail "Cannot write $https/authority.crt."
}

create_authority()
{
    {
        printf '[req]\ndistinguished_name = name\nprompt = no\nx509_extensions = extensions\n'
        printf '[name]\nCN = Ship Ahoy table %s, %s\n' "$(hostname)" "$(date +%Y-%m-%d)"
        printf '[extensions]\nbasicConstraints = critical, CA:TRUE, pathlen:0\nkeyUsage = critical, keyCertSign, cRLSign\n'
        printf 'subjectKeyIdentifier = hash\nnameConstraints = critical, @home\n[home]\n'
        number=0
        for domain in $home_domains; do
            number=$((number + 1))
            echo "permitted;DNS.$number = $domain"
        done
        for network in $home_networks; do
            number=$((number + 1))
            echo "permitted;IP.$number = $network"
        done
    } >"$work/authority.cnf"
    new_key "$work/authority.key" &&
        openssl req -new -x509 -sha256 -days $authority_days -key "$work/authority.key" -config "$work/authority.cnf" \
            -out "$work/authority.new" 2>"$work/said" &&
        cat "$work/authority.key" "$work/authority.new" >"$work/authority.pem" && install_pem authority.pem 600
}

# certificate_fits: it is valid for long enough, for the names of today, and signed by this authority.
certificate_fits()
{
    openssl x509 -in "$https/server.pem" -noout -checkend $((renew_days * 86400)) >/dev/null 2>&1 &&
        openssl verify -CAfile "$https/authority.crt" "$https/server.pem" >/dev/null 2>&1 &&
        [ "$(wanted_names)" = "$(certified_names)" ]
}

certified_names()
{
    openssl x509 -in "$https/server.pem" -noout -ext subjectAltName 2>/dev/null | sed 1d | tr , '\n' |
        sed 's/^ *//; s/IP Address/IP/' | while read -r name; do
        case $name in
        IP:*:*:*) echo "IP:$(short_address "${name#IP:}")" ;;
        *) echo "$name" ;;
        esac
    done | sort -u
}

# short_address ADDRESS: openssl prints all eight groups of an IPv6 address in upper case.
short_address()
{
    echo "$1" | tr '[:upper:]' '[:lower:]' | awk -F : '{
        for (i = 1; i <= NF; i++) {
            for (n = 0; i + n <= NF && $(i + n) == "0"; n++) { }
            if (n > best && n > 1) { best = n; from = i }
        }
        for (i = 1; i <= NF; i++) {
            if (best && i == from) { text = text "::"; i += best - 1 }
            else { text = text (text == "" || text ~ /::$/ ? "" : ":") $i }
        }
        print text }'
}

# renew_certificate: if necessary. 0: it is new.
renew_certificate()
{
    ! certificate_fits || return 1
    {
        printf '[req]\ndistinguished_name = name\nprompt = no\n[name]\nCN = %s\n' "$alias_name"
        printf '[extensions]\nbasicConstraints = critical, CA:FALSE\nkeyUsage = critical, digitalSignature\n'
        printf 'extendedKeyUsage = serverAuth\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n'
        printf 'subjectAltName = %s\n' "$(wanted_names | paste -sd ,)"
    } >"$work/server.cnf"
    sign_certificate || fail "The certificate cannot be created: $(tail -n 1 "$work/said")"
}

sign_certificate()
{
    new_key "$work/server.key" &&
        openssl req -new -sha256 -key "$work/server.key" -config "$work/server.cnf" -out "$work/server.csr" \
            2>"$work/said" &&
        openssl x509 -req -sha256 -days $server_days -in "$work/server.csr" -CA "$https/authority.pem" \
            -set_serial "0x$(openssl rand -hex 16)" -extfile "$work/server.cnf" -extensions extensions \
            -out "$work/server.new" 2>"$work/said" &&
        cat "$work/server.key" "$work/server.new" >"$work/server.pem" && install_pem server.pem 600
}

fingerprint()
{
    openssl x509 -in "$https/authority.crt" -noout -fingerprint -sha256 | sed 's/.*=//'
}
