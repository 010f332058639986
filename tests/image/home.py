"""home.py IMAGE FOLDER NEXT: https, names, updates and backup on a card image, with its systemd. A line a claim.

NEXT is a newer package. tests/home tries the same programs in more ways, but without a systemd.
"""
import http.server
import os
import subprocess
import sys
import threading
import time

from support import Card, Machine, run, run_claims

IMAGE, FOLDER, NEXT = sys.argv[1:4]
PROJECT = os.path.realpath(f"{os.path.dirname(__file__)}/../..")
AUTHORITY = f"{FOLDER}/authority.crt"
KEY = "owner@example.org"
BACKUP = "/home/admin/table.backup"
WAIT_S = 120
LATER = "192.168.77.5"


def wait_for(claim, what):
    ends = time.monotonic() + WAIT_S
    while not claim():
        assert time.monotonic() < ends, f"waited {WAIT_S} s in vain for {what}"
        time.sleep(1)


def certificate(machine):
    return machine.do("sudo openssl x509 -in /etc/shipahoy/https/server.pem -noout -serial -ext subjectAltName")


def the_table_starts(card, machine):
    card.write("table.ini", f"[tv]\nshow = no\n[computer]\nhost_name = attic\nssh_key = {machine.public_key}\n"
                            "[table]\nname = attic\n[game]\ndice = daemon\n")
    machine.start()
    machine.check_services()


def the_login_that_was_made_up_is_on_the_card(_, machine):
    login = machine.do("sudo cat /boot/firmware/login.txt")
    assert "http://attic.local/#table=attic&user=referee&password=" in login, login


def shipahoy_local_is_found_besides_the_own_name(_, machine):
    for name in ("attic.local", "shipahoy.local"):
        wait_for(lambda: "10.0.2.15" in machine.do(f"avahi-resolve -4 -n {name}", check=False), name)
    wait_for(lambda: "10.0.2.15;80" in machine.do("avahi-browse -rtp _http._tcp", check=False), "_http._tcp")


def setup_https_serves_page_and_wss(_, machine):
    said = machine.do("sudo shipahoy-user setup --https")
    assert "/trust" in said, said
    with open(AUTHORITY, "w", encoding="utf-8") as file:
        file.write(machine.fetch("http://shipahoy.local/authority.crt")[1])
    for name in ("shipahoy.local", "attic.local"):
        assert machine.fetch(f"https://{name}/", "--cacert", AUTHORITY)[0].startswith("200 text/html")
    machine.check_websocket("https://shipahoy.local/mqtt", "--cacert", AUTHORITY)
    assert machine.fetch("http://shipahoy.local/")[0].startswith("200"), "guests without trust are refused"
    assert machine.fetch("http://shipahoy.local/trust")[0].startswith("200 text/html")


def the_timer_renews_a_certificate(_, machine):
    assert "shipahoy-https.timer" in machine.do("systemctl list-timers --plain --no-legend")
    before = certificate(machine)
    machine.do("sudo systemctl start shipahoy-https")
    assert certificate(machine) == before, "a certificate that is valid was renewed"
    machine.do("sudo rm /etc/shipahoy/https/server.pem && sudo systemctl start shipahoy-https")
    assert certificate(machine) != before
    assert machine.fetch("https://shipahoy.local/", "--cacert", AUTHORITY)[0].startswith("200")


def a_new_address_has_its_certificate_at_once(_, machine):
    machine.do(f"sudo ip address add {LATER}/24 dev $(ip -o route show default | grep -o 'dev [a-z0-9]*' | cut -d ' ' -f 2)")
    wait_for(lambda: f"IP Address:{LATER}" in certificate(machine), "a certificate for the new address")


def apt_upgrade_during_a_game_goes_on_with_it(_, machine):
    publish(NEXT)
    machine.put(f"{FOLDER}/repository/shipahoy-trixie.sources", "/tmp/")
    machine.do("sudo cp /tmp/shipahoy-trixie.sources /etc/apt/sources.list.d/ && sudo mv /etc/apt/sources.list /root/")
    for command in ("new-game first=1", "end-phase", "roll-move"):
        machine.do(f"shipahoyctl send {command}")
    before = machine.state()
    pid = machine.do("systemctl show -p MainPID --value shipahoyd")
    machine.do("sudo apt-get -q update && sudo apt-get -q -y upgrade && sudo mv /root/sources.list /etc/apt/")
    assert "99.0.0" in machine.do("dpkg-query -W shipahoy")
    wait_for(lambda: "99.0.0" in machine.do("mosquitto_sub -C 1 -W 30 -t shipahoy/attic/info"), "the new version")
    assert machine.do("systemctl show -p MainPID --value shipahoyd") != pid, "the old daemon still runs"
    after = machine.state()
    for key in ("game", "seq", "phase", "player"):
        assert before[key] == after[key], (key, before, after)
    machine.do("shipahoyctl send end-phase")
    machine.check_services()


def publish(package):
    """In a signed repository, which the machine finds at the address of this computer."""
    home = f"{FOLDER}/gpg"
    os.mkdir(home, 0o700)
    environment = os.environ | {"GNUPGHOME": home}
    run("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign", "never",
        env=environment)
    folder = f"{FOLDER}/repository"

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words):
            super().__init__(*words, directory=folder)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    run("sh", f"{PROJECT}/systemd/image/repository.sh", "--key", KEY, "--url",
        f"http://10.0.2.2:{server.server_address[1]}", folder, package, env=environment)


def a_backup_is_restored_and_refused_during_a_game(_, machine):
    machine.do(f"sudo shipahoyctl backup {BACKUP}")
    before = machine.state()
    machine.do("sudo shipahoy-user add later captain && shipahoyctl send end-phase")
    assert machine.state()["seq"] > before["seq"]
    refused = machine.do(f"sudo shipahoyctl restore {BACKUP} 2>&1", check=False)
    assert "A game is running" in refused, refused
    assert machine.do("sudo shipahoy-user list") == "referee referee\nlater captain"
    machine.do(f"sudo shipahoyctl --force restore {BACKUP}")
    machine.check_services()
    assert machine.do("sudo shipahoy-user list") == "referee referee"
    assert (machine.state()["game"], machine.state()["seq"]) == (before["game"], before["seq"])
    assert machine.fetch("https://shipahoy.local/", "--cacert", AUTHORITY)[0].startswith("200")


def a_power_cut_in_a_restore_is_completed_at_the_next_boot(_, machine):
    """From the moment at which the plan of the restore is on the disk."""
    machine.do("sudo shipahoy-user add later captain && sync")
    with subprocess.Popen(machine.ssh_words(f"sudo shipahoyctl --force restore {BACKUP}"), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as restoring:
        machine.do("until sudo test -e /var/lib/shipahoy-restore; do :; done; sync /var/lib")
        machine.cut_power()
        restoring.kill()
    machine.start()
    print("       " + machine.do("sudo journalctl -b -o cat -u shipahoy-restore | grep -m 1 interrupted", check=False))
    assert machine.do("sudo shipahoy-user list") == "referee referee"
    left = "/var/lib/shipahoy-restore* /etc/shipahoy.re* /var/lib/shipahoy.re*"
    assert machine.do(f"sudo sh -c 'ls -d {left}' 2>/dev/null", check=False) == ""
    machine.check_services()
    machine.shut_down()


CARD = Card(IMAGE, FOLDER, 1 << 30)
run_claims((
    the_table_starts,
    the_login_that_was_made_up_is_on_the_card,
    shipahoy_local_is_found_besides_the_own_name,
    setup_https_serves_page_and_wss,
    the_timer_renews_a_certificate,
    a_new_address_has_its_certificate_at_once,
    apt_upgrade_during_a_game_goes_on_with_it,
    a_backup_is_restored_and_refused_during_a_game,
    a_power_cut_in_a_restore_is_completed_at_the_next_boot,
), CARD, Machine(CARD))
