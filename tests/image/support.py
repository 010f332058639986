"""What the tests of a card image share: the card, a machine that boots from it, and a list of claims."""
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

SECTOR = 512
BOOT_S = 900  # the processor is emulated, and other programs may be running


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Card:
    """A copy of an image, larger by some bytes, and its boot partition, read and written as on any computer."""

    def __init__(self, image, folder, larger=0):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.folder = folder
        self.path = f"{folder}/card.img"
        run("cp", "--sparse=always", image, self.path)
        with open(self.path, "rb") as file:
            self.table = file.read(SECTOR)
        self.fat_start, = struct.unpack("<I", self.table[454:458])
        self.fat = f"{self.path}@@{self.fat_start * SECTOR}"
        os.truncate(self.path, os.path.getsize(self.path) + larger)

    def bytes(self, name):
        return subprocess.run(["mtype", "-i", self.fat, f"::{name}"], check=True, capture_output=True).stdout

    def read(self, name):
        return self.bytes(name).decode()

    def has(self, name):
        return subprocess.run(["mtype", "-i", self.fat, f"::{name}"], capture_output=True, check=False).returncode == 0

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8", newline="\r\n") as file:
            file.write(text)
        run("mcopy", "-o", "-i", self.fat, path, f"::{name}")

    def boot_files(self):
        """The names of the kernel and of the initramfs."""
        config = self.read("config.txt")
        return [re.search(key, config, re.M)[1].strip() for key in (r"^kernel=(.*)$", r"^initramfs (.*)$")]


class Machine:
    """qemu's `virt`, with the kernel, the initramfs and the command line of the card: qemu does not run the boot
    firmware of a Raspberry Pi. Commands go through ssh. Ports 80 and 443 are those in `web`."""

    def __init__(self, card, more=""):
        self.card = card
        self.process = self.line = None
        self.port, *self.web = free_port(), free_port(), free_port()
        for name, found in zip(("kernel", "initrd"), card.boot_files()):
            with open(f"{card.folder}/{name}", "wb") as file:
                file.write(card.bytes(found))
        self.cmdline = re.sub(r"console=\S+ *", "", card.read("cmdline.txt")).strip() + more
        self.key = f"{card.folder}/key"
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        with open(f"{self.key}.pub", encoding="utf-8") as file:
            self.public_key = file.read().strip()

    def start(self):
        begin = time.monotonic()
        folder = self.card.folder
        ports = ",".join(f"hostfwd=tcp:127.0.0.1:{here}-:{there}"
                         for here, there in zip((self.port, *self.web), (22, 80, 443)))
        self.process = subprocess.Popen(
            ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024",
             "-accel", "tcg,thread=multi", "-kernel", f"{folder}/kernel", "-initrd", f"{folder}/initrd",
             "-append", f"{self.cmdline} console=ttyAMA0", "-display", "none", "-monitor", "none",
             "-serial", f"file:{folder}/console", "-device", "i6300esb",
             # A busy computer may stop the machine for longer than the watchdog waits.
             "-action", "watchdog=none", "-no-reboot",
             "-drive", f"file={self.card.path},if=virtio,format=raw,cache=unsafe",
             "-nic", f"user,model=virtio-net-pci,{ports}"])
        while subprocess.run(self.ssh_words("true"), capture_output=True, check=False).returncode != 0:
            if self.process.poll() is not None or time.monotonic() - begin > BOOT_S:
                self.cut_power()
                with open(f"{folder}/console", encoding="utf-8", errors="replace") as file:
                    raise AssertionError(f"no ssh after {time.monotonic() - begin:.0f} s: {file.read()[-2000:]}")
            time.sleep(1)
        # One login for all commands, because a login takes seconds on an emulated processor.
        self.line = subprocess.Popen(["ssh", *self.ssh_options(), "-M", "-N", "-p", str(self.port), "admin@127.0.0.1"],
                                     stderr=subprocess.DEVNULL)
        # Until the boot has ended and the table is online.
        self.do("timeout 600 systemctl is-system-running --wait", check=False)
        self.do("timeout 300 sh -c 'until mosquitto_sub -C 1 -W 5 -t shipahoy/+/status | grep -q online; do :; done'")
        print(f"       table online after {time.monotonic() - begin:.0f} s (load {os.getloadavg()[0]:.1f})")

    def ssh_options(self):
        return ["-q", "-i", self.key, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "ConnectTimeout=20", "-o", "BatchMode=yes", "-o", f"ControlPath={self.card.folder}/line"]

    def ssh_words(self, command):
        return ["ssh", *self.ssh_options(), "-p", str(self.port), "admin@127.0.0.1", command]

    def do(self, command, check=True):
        done = subprocess.run(self.ssh_words(command), capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
        return done.stdout.strip()

    def put(self, path, there):
        run("scp", *self.ssh_options(), "-P", str(self.port), path, f"admin@127.0.0.1:{there}")

    def curl_words(self):
        """They find the names of the table."""
        return ["curl", "-sS"] + [
            word for name in ("shipahoy.local", "attic.local") for there, here in zip((80, 443), self.web)
            for word in ("--connect-to", f"{name}:{there}:127.0.0.1:{here}")]

    def fetch(self, url, *options):
        """Returns the code, the type and the content of a page of the table."""
        said = run(*self.curl_words(), "--max-time", "60", "-w", "\n%{http_code} %{content_type}", *options, url)
        content, _, answer = said.rpartition("\n")
        return answer, content

    def check_websocket(self, url, *options):
        """Whether it is opened. It stays open, so that curl ends by its time limit."""
        headers = [word for header in ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                       "Sec-WebSocket-Protocol: mqtt", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
                   for word in ("-H", header)]
        done = subprocess.run([*self.curl_words(), "--max-time", "20", "--http1.1", *headers, "-o", "/dev/null",
                               "-w", "%{http_code}", *options, url], capture_output=True, text=True, check=False)
        assert done.stdout == "101", done

    def cut_power(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None
        self.hang_up()

    def hang_up(self):
        if self.line:
            self.line.kill()
            self.line.wait()
            self.line = None
            if os.path.exists(f"{self.card.folder}/line"):
                os.remove(f"{self.card.folder}/line")

    def shut_down(self):
        self.do("sudo systemctl poweroff", check=False)
        self.process.wait(timeout=BOOT_S)
        self.process = None
        self.hang_up()

    def state(self):
        return json.loads(self.do("mosquitto_sub -C 1 -W 60 -t shipahoy/attic/state"))

    def check_services(self):
        names = "shipahoyd shipahoy-logbook mosquitto nginx shipahoy-names avahi-daemon shipahoy-https.timer"
        assert self.do(f"systemctl is-active {names}", check=False).split() == ["active"] * len(names.split())
        assert self.do("systemctl --failed --plain --no-legend") == ""


def run_claims(claims, card, machine=None):
    """Exits with 1 if one of them does not hold. Without its machine there is no next one."""
    code = 0
    try:
        for claim in claims:
            begin = time.monotonic()
            try:
                claim(card, machine)
                print(f"ok     {claim.__name__} ({time.monotonic() - begin:.0f} s)", flush=True)
            except (AssertionError, KeyError, TypeError, subprocess.SubprocessError) as error:
                code = 1
                print(f"FAILED {claim.__name__}: {error!r} {getattr(error, 'stderr', '')}", flush=True)
                if machine and machine.process is None:
                    break
    finally:
        if machine:
            machine.cut_power()
    sys.exit(code)
