"""boot.py IMAGE FOLDER: boots a card image in a virtual machine and plays on it. A line a claim.

The machine is qemu's `virt`, with the kernel, the initramfs and the command line of the image's own boot
partition: qemu does not run the boot firmware of a Raspberry Pi. The card is larger than the image, and the power
is cut by killing qemu.
"""
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

IMAGE, FOLDER = sys.argv[1:3]
CARD = f"{FOLDER}/card.img"
LARGER = 1 << 30
BOOT_S = 900  # the processor is emulated, and other programs may be running
SECTOR = 512
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


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Card:
    """The boot partition, read and written as on any computer."""

    def __init__(self):
        run("cp", "--sparse=always", IMAGE, CARD)
        with open(CARD, "rb") as file:
            start, = struct.unpack("<I", file.read(SECTOR)[454:458])
        self.fat = f"{CARD}@@{start * SECTOR}"
        os.truncate(CARD, os.path.getsize(CARD) + LARGER)

    def read(self, name):
        return run("mtype", "-i", self.fat, f"::{name}")

    def has(self, name):
        return subprocess.run(["mtype", "-i", self.fat, f"::{name}"], capture_output=True, check=False).returncode == 0

    def write(self, name, text):
        path = f"{FOLDER}/{name}"
        with open(path, "w", encoding="utf-8", newline="\r\n") as file:
            file.write(text)
        run("mcopy", "-o", "-i", self.fat, path, f"::{name}")

    def take_boot_files(self):
        config = self.read("config.txt")
        for name, key in (("kernel", r"^kernel=(.*)$"), ("initrd", r"^initramfs (.*)$")):
            found = re.search(key, config, re.M)[1].strip()
            run("mcopy", "-n", "-i", self.fat, f"::{found}", f"{FOLDER}/{name}")
        return re.sub(r"console=\S+ *|quiet", "", self.read("cmdline.txt")).strip()


class Machine:
    def __init__(self, cmdline):
        self.cmdline = cmdline
        self.process = None
        self.port = free_port()
        self.key = f"{FOLDER}/key"
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        with open(f"{self.key}.pub", encoding="utf-8") as file:
            self.public_key = file.read().strip()

    def start(self):
        """Returns the seconds until ssh answers."""
        begin = time.monotonic()
        self.process = subprocess.Popen(
            ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024",
             "-accel", "tcg,thread=multi", "-kernel", f"{FOLDER}/kernel", "-initrd", f"{FOLDER}/initrd",
             "-append", f"{self.cmdline} console=ttyAMA0", "-display", "none", "-monitor", "none",
             "-serial", f"file:{FOLDER}/console", "-device", "i6300esb",
             # A busy computer may stop the machine for longer than the watchdog waits.
             "-action", "watchdog=none", "-no-reboot",
             "-drive", f"file={CARD},if=virtio,format=raw,cache=unsafe",
             "-nic", f"user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:{self.port}-:22"])
        while subprocess.run(self.ssh_words("true"), capture_output=True, check=False).returncode != 0:
            assert self.process.poll() is None, "qemu has ended"
            assert time.monotonic() - begin < BOOT_S, f"no ssh after {BOOT_S} s; see {FOLDER}/console"
            time.sleep(1)
        return time.monotonic() - begin

    def ssh_words(self, command):
        return ["ssh", "-q", "-i", self.key, "-p", str(self.port), "-o", "StrictHostKeyChecking=no",
                "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=20", "-o", "BatchMode=yes",
                "admin@127.0.0.1", command]

    def do(self, command, check=True):
        done = subprocess.run(self.ssh_words(command), capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
        return done.stdout.strip()

    def cut_power(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def shut_down(self):
        self.do("sudo systemctl poweroff", check=False)
        self.process.wait(timeout=BOOT_S)
        self.process = None

    def state(self):
        return json.loads(self.do("mosquitto_sub -C 1 -W 60 -t shipahoy/attic/state"))

    def settle(self):
        """Until the boot has ended and the table is online."""
        self.do("timeout 600 systemctl is-system-running --wait", check=False)
        self.do("timeout 300 sh -c 'until mosquitto_sub -C 1 -W 5 -t shipahoy/+/status | grep -q online; do :; done'")


def the_first_boot_applies_the_settings(card, machine):
    card.write("table.ini", settings(machine.public_key))
    seconds = machine.start()
    machine.settle()
    print(f"       ssh after {seconds:.0f} s")
    assert machine.do("hostname") == "attic"
    assert machine.do("date +%Z") in ("CET", "CEST")
    assert machine.do("sudo shipahoy-user list") == "anna referee"
    wifi = machine.do("sudo cat /etc/wpa_supplicant/wpa_supplicant-wlan0.conf")
    assert "country=CZ" in wifi and WIFI_PASSWORD not in wifi and "Harbour".encode().hex() in wifi, wifi
    assert "errors.txt" not in machine.do("sudo ls /boot/firmware")


def the_services_run_and_nothing_has_failed(_, machine):
    assert machine.do("systemctl is-active shipahoyd shipahoy-logbook mosquitto").split() == ["active"] * 3
    assert machine.do("systemctl --failed --plain --no-legend") == ""
    assert machine.do("systemctl is-active shipahoy-kiosk", check=False) == "inactive"


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
    seconds = machine.start()
    machine.settle()
    print(f"       ssh after {seconds:.0f} s")
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
    machine.settle()
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
    the_services_run_and_nothing_has_failed,
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


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    card = Card()
    machine = Machine(card.take_boot_files())
    code = 0
    try:
        for claim in CLAIMS:
            begin = time.monotonic()
            try:
                claim(card, machine)
                print(f"ok     {claim.__name__} ({time.monotonic() - begin:.0f} s)", flush=True)
            except AssertionError as error:
                code = 1
                print(f"FAILED {claim.__name__}: {error}", flush=True)
                if machine.process is None:
                    break
    finally:
        machine.cut_power()
    sys.exit(code)


main()
