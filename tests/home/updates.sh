# shellcheck shell=sh
# Updates from a signed repository, during a game. Sourced by inside.sh.
# shellcheck disable=SC2154,SC2317 # variables and functions of inside.sh

repository=$tree/repository
key=owner@example.org
port=8099

make_key()
{
    GNUPGHOME=$logs/gpg
    export GNUPGHOME
    mkdir -m 700 "$GNUPGHOME" &&
        gpg --batch --quiet --passphrase '' --quick-generate-key "$key" ed25519 sign never
}

# publish PACKAGE MINUTES: the lists are dated ahead, because the web server of Python compares whole seconds.
publish()
{
    sh "$project/systemd/image/repository.sh" --key $key --url http://127.0.0.1:$port "$repository" "$1" && age_lists "$2"
}

age_lists()
{
    touch -d "$1 minutes" "$repository"/dists/bookworm/*elease* "$repository"/dists/bookworm/main/*/*
}

repository_is_served()
{
    publish "$tree/packages/now.deb" 0 || return 1
    (cd "$repository" && exec python3 -m http.server --bind 127.0.0.1 $port >/dev/null 2>&1) &
    until_true listens $port
    rm -f "$tree"/etc/apt/sources.list "$tree"/etc/apt/sources.list.d/*
    cp "$repository/shipahoy-bookworm.sources" "$tree/etc/apt/sources.list.d/"
    in_tree apt-get -q update && in_tree apt-cache policy shipahoy | tee "$logs/policy" && grep 127.0.0.1 "$logs/policy"
}

upgrade_goes_on_with_the_game()
{
    in_tree shipahoyctl send end-phase
    in_tree runuser -u shipahoy -- shipahoyctl log >"$logs/before"
    publish "$tree/packages/next.deb" 1 && in_tree apt-get -q update &&
        in_tree apt-get -q -y -o Dpkg::Options::=--force-confold upgrade || return 1
    # systemd restarts the daemon of a real machine; tests/vm tries that.
    kill "$(pidof shipahoyd)"
    start_daemon
    in_tree shipahoyd --version | grep 99.0.0 && in_tree runuser -u shipahoy -- shipahoyctl log >"$logs/after" &&
        cmp "$logs/before" "$logs/after" && [ -s "$logs/before" ] && grep 'name = den' "$tree/etc/shipahoy/shipahoy.ini" &&
        in_tree shipahoyctl send roll-move
}

changed_lists_are_refused()
{
    sed -i 's/^Date: .*/Date: Thu, 01 Jan 2099 00:00:00 UTC/' "$repository/dists/bookworm/InRelease"
    age_lists 2
    ! in_tree apt-get -q update -o APT::Update::Error-Mode=any && in_tree apt-get -q update 2>&1 | grep -i 'signature\|BADSIG'
}

changed_package_is_refused()
{
    publish "$tree/packages/next.deb" 3 && in_tree apt-get -q update || return 1
    for file in "$repository"/pool/bookworm/*99*.deb; do
        printf x | dd of="$file" bs=1 seek=5000 conv=notrunc
    done
    in_tree apt-get clean
    ! in_tree apt-get -q -y install --reinstall shipahoy
}

claim 'the owner has a key' make_key
claim 'a table finds the package in a signed repository' repository_is_served
claim 'apt upgrade during a game: the game goes on' upgrade_goes_on_with_the_game
claim 'lists that somebody has changed are refused' changed_lists_are_refused
claim 'a package that somebody has changed is refused' changed_package_is_refused
