"""boot.py IMAGE FOLDER: boots a card image in a virtual machine and plays on it. A line a claim.

The card is larger than the image, and the power is cut by killing qemu.
"""
import subprocess
import sys

from support import SECTOR, Card, Machine, run_claims

LARGER = 1 << 30
WIFI_PASSWORD, REFEREE_PASSWORD = "under-the-sea", "aye-aye-anna"


def settings(key, **changed):
    values = {"country": "CZ", "zone": "Europe/Prague", "language": "cs", "table": "attic"} | changed
    return f"""\ufeff[wifi]
name = Harbour
password = {WIFI_PASSWORD}
country = {values['country']}
[referee]
name = anna
password = {REFEREE_PASSWORD}
[tv]
show = no
[computer]
language = {values['language']}
time_zone = {values['zone']}
host_name = attic
ssh_key = {key}
[table]
name = {values['table']}
"""


def the_first_boot_applies_the_settings(card, machine):
    card.write("table.ini", settings(machine.public_key))
    machine.start()
    assert machine.do("hostname") == "attic"
    assert machine.do("date +%Z") in ("CET", "CEST")
    assert machine.do("sudo shipahoy-user list") == "anna referee"
    wifi = machine.do("sudo cat /etc/wpa_supplicant/wpa_supplicant-wlan0.conf")
    assert "country=CZ" in wifi and WIFI_PASSWORD not in wifi and "Harbour".encode().hex() in wifi, wifi
    assert "errors.txt" not in machine.do("sudo ls /boot/firmware")


def the_table_joins_the_wifi(_, machine):
    """The kernel has two virtual radios; the other one becomes the access point of table.ini."""
    machine.do(f"""cat >/tmp/harbour.conf <<'END'
network={{
    ssid="Harbour"
    psk="{WIFI_PASSWORD}"
    key_mgmt=WPA-PSK
    mode=2
    frequency=2412
}}
END
sudo systemd-run -q -u harbour /usr/sbin/wpa_supplicant -i wlan1 -c /tmp/harbour.conf""")
    assert machine.do("systemctl is-active wpa_supplicant@wlan0", check=False) == "active"
    machine.do("timeout 120 sh -c 'until grep -q up /sys/class/net/wlan0/operstate; do sleep 1; done'")
    machine.do("sudo systemctl stop harbour")


def the_services_run_and_nothing_has_failed(_, machine):
    machine.check_services()
    assert machine.do("systemctl is-active shipahoy-kiosk", check=False) == "inactive"


def the_page_is_on_port_80(_, machine):
    answer, page = machine.fetch("http://attic.local/")
    assert answer.startswith("200 text/html") and "<html" in page, answer
    machine.check_websocket("http://attic.local/mqtt")
    assert "9001" not in machine.do("ss -Hltn | grep -v 127.0.0.1:"), "the broker is open to the network"


def the_root_file_system_has_grown(_, machine):
    size = int(machine.do("df --output=size -B1 / | tail -n 1"))
    partition = int(machine.do("cat /sys/class/block/vda2/size")) * SECTOR
    disk = int(machine.do("cat /sys/class/block/vda/size")) * SECTOR
    start = int(machine.do("cat /sys/class/block/vda2/start")) * SECTOR
    assert disk - start - partition < 1 << 20, (disk, start, partition)
    assert size > partition * 0.9, (size, partition)


def nobody_can_log_in_with_a_password(_, machine):
    hashes = [line.split(":")[1] for line in machine.do("sudo cat /etc/shadow").splitlines()]
    assert all(each[:1] in "!*" for each in hashes), hashes
    for option in ("passwordauthentication no", "permitrootlogin no"):
        assert option in machine.do("sudo sshd -T")


def the_computer_has_its_own_identity(_, machine):
    assert len(machine.do("cat /etc/machine-id")) == 32
    assert machine.do("sudo find /etc/machine-id -newer /etc/fstab")
    assert machine.do("sudo find /etc/ssh/ssh_host_ed25519_key -newer /etc/hostname")


def no_password_is_left_on_the_card(_, machine):
    left = machine.do("sudo cat /boot/firmware/table.ini")
    assert "name = anna" in left
    assert WIFI_PASSWORD not in left and REFEREE_PASSWORD not in left, left


def power_loss_is_provided_for(_, machine):
    options = machine.do("findmnt -n -o FSTYPE,OPTIONS /")
    assert options.startswith("ext4") and "noatime" in options and "errors=remount-ro" in options, options
    assert "has_journal" in machine.do("sudo dumpe2fs -h /dev/vda2 2>/dev/null")
    journal = machine.do("sudo journalctl -b -o cat")
    for sign in ("Finished systemd-fsck-root.service", "Using hardware watchdog", ", max 64M"):
        assert sign in journal, f"the journal of the boot has no `{sign}`"


def measure(_, machine):
    print(f"       {machine.do('systemd-analyze | head -n 1')}")
    print("       memory in use, idle (MiB): " + machine.do("free -m | awk '/^Mem/ { print $3 \" of \" $2 }'"))
    for unit in ("shipahoyd", "shipahoy-logbook", "mosquitto"):
        used = int(machine.do(f"systemctl show -p MemoryCurrent --value {unit}"))
        print(f"       {unit}: {used / 1048576:.1f} MiB")
    print("       root: " + machine.do("df -h --output=size,used / | tail -n 1"))


def a_game_is_played_until_the_power_is_cut(_, machine):
    """What was answered is known when the machine dies in the middle of the next command."""
    for command in ("new-game first=1", "end-phase", "roll-move value=3"):
        machine.do(f"shipahoyctl send {command}")
    machine.state_before = machine.state()
    loop = "while :; do for n in 1 2; do shipahoyctl send select piece=red-$n && echo answered; done; done"
    with subprocess.Popen(machine.ssh_words(loop), stdout=subprocess.PIPE, text=True) as playing:
        machine.answered = 0
        while machine.answered < 10:
            machine.answered += playing.stdout.readline().strip() == "answered"
        machine.cut_power()
        playing.kill()


def after_the_cut_the_game_goes_on_where_it_was(_, machine):
    machine.start()
    before, after = machine.state_before, machine.state()
    for key in ("game", "phase", "player", "left"):
        assert before[key] == after[key], (key, before, after)
    assert before["seq"] + machine.answered <= after["seq"] <= before["seq"] + machine.answered + 2, (before, after)
    machine.do("shipahoyctl send move piece=red-1 knots=1")
    assert machine.state()["seq"] > after["seq"]
    assert machine.do("sudo shipahoy-user list") == "anna referee"
    machine.shut_down()


def a_broken_file_is_explained_and_the_table_still_starts(card, machine):
    card.write("table.ini", settings(machine.public_key, country="Czechia", zone="Europe/Prag", language="cz",
                                     table="the attic"))
    machine.start()
    errors = machine.do("sudo cat /boot/firmware/errors.txt")
    for line in ("line 4: [wifi] country = Czechia: expected two capital letters such as CZ, DE or GB",
                 "line 11: [computer] language = cz: expected en, de or cs",
                 "line 12: [computer] time_zone = Europe/Prag: expected a time zone such as Europe/Prague",
                 "line 16: [table] name = the attic: expected 1 to 63 letters, digits, - or _"):
        assert line in errors, (line, errors)
    assert machine.do("hostname") == "attic"
    the_services_run_and_nothing_has_failed(card, machine)
    assert machine.state()["game"] == machine.state_before["game"]
    machine.shut_down()
    assert card.has("errors.txt")


CLAIMS = (
    the_first_boot_applies_the_settings,
    the_table_joins_the_wifi,
    the_services_run_and_nothing_has_failed,
    the_page_is_on_port_80,
    the_root_file_system_has_grown,
    nobody_can_log_in_with_a_password,
    the_computer_has_its_own_identity,
    no_password_is_left_on_the_card,
    power_loss_is_provided_for,
    measure,
    a_game_is_played_until_the_power_is_cut,
    after_the_cut_the_game_goes_on_where_it_was,
    a_broken_file_is_explained_and_the_table_still_starts,
)


CARD = Card(*sys.argv[1:3], LARGER)
run_claims(CLAIMS, CARD, Machine(CARD, " modules-load=mac80211_hwsim"))
