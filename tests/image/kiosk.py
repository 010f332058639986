"""kiosk.py FOLDER: the screen of a table in a virtual machine. A line a claim.

FOLDER has kernel, initrd and disk of a Debian with the package and `shipahoy-kiosk` enabled. The screen is read with
`screendump` of qemu, and what the sound card plays is recorded by qemu. The pictures stay in FOLDER.
"""
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

FOLDER = sys.argv[1]
WIDTH, HEIGHT = 1280, 720
SCREEN_S = 900  # Chromium starts slowly on an emulated processor


class Machine:
    def __init__(self):
        for name in ("qmp", "shell"):
            if os.path.exists(f"{FOLDER}/{name}"):
                os.remove(f"{FOLDER}/{name}")
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "2048",
             "-kernel", f"{FOLDER}/kernel", "-initrd", f"{FOLDER}/initrd",
             "-append", "root=/dev/vda rw console=tty0 console=ttyS0 quiet", "-no-reboot",
             "-drive", f"file={FOLDER}/disk.img,if=virtio,format=raw,cache=unsafe", "-nic", "none",
             "-device", f"virtio-vga,xres={WIDTH},yres={HEIGHT}", "-display", "none", "-monitor", "none",
             "-audiodev", f"wav,id=sound,path={FOLDER}/sound.wav", "-device", "intel-hda", "-device",
             "hda-output,audiodev=sound", "-serial", f"file:{FOLDER}/console",
             "-qmp", f"unix:{FOLDER}/qmp,server=on,wait=off",
             "-device", "virtio-serial", "-chardev", f"socket,id=shell,path={FOLDER}/shell,server=on,wait=off",
             "-device", "virtserialport,chardev=shell,name=shell"])
        self.qmp = self.connect("qmp")
        self.qmp.readline()
        self.ask("qmp_capabilities")
        self.shell = self.connect("shell")

    def connect(self, name):
        ends = time.monotonic() + 60
        while True:
            try:
                client = socket.socket(socket.AF_UNIX)
                client.connect(f"{FOLDER}/{name}")
                return client.makefile("rw", encoding="utf-8", errors="replace")
            except OSError:
                assert time.monotonic() < ends, f"qemu has no {name}"
                time.sleep(0.2)

    def ask(self, command, **arguments):
        self.qmp.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.qmp.flush()
        while True:
            answer = json.loads(self.qmp.readline())
            if "return" in answer or "error" in answer:
                assert "return" in answer, answer
                return answer["return"]

    def do(self, command):
        """Runs a command in the machine, through the service that the test has put there."""
        self.shell.write(command + "\n")
        self.shell.flush()
        lines = []
        while not (lines and re.match(r"\d+ done$", lines[-1])):
            lines.append(self.shell.readline().rstrip("\n"))
        return int(lines[-1].split()[0]), "\n".join(lines[:-1])

    def picture(self, name):
        """Takes a picture; returns its pixels."""
        path = f"{FOLDER}/{name}.ppm"
        self.ask("screendump", filename=path)
        with open(path, "rb") as file:
            assert file.readline() == b"P6\n"
            width, height = map(int, file.readline().split())
            file.readline()
            return width, height, file.read()

    def end(self):
        self.process.kill()
        self.process.wait()


def colours(picture):
    _, _, pixels = picture
    return len({pixels[at:at + 3] for at in range(0, len(pixels), 3 * 37)})


def has_qr_code(picture):
    """Only the QR code is quite black; a console would be black everywhere, and the sea has many colours."""
    _, _, pixels = picture
    samples = [pixels[at:at + 3] for at in range(0, len(pixels), 3 * 7)]
    black = samples.count(b"\0\0\0") / len(samples)
    return 0.002 < black < 0.3 and colours(picture) > 20


def difference(one, other):
    """The part of the pixels that differ."""
    before, after = one[2], other[2]
    return sum(before[at:at + 3] != after[at:at + 3] for at in range(0, len(before), 3 * 37)) / (len(before) / 111)


def wait_for(claim, what, seconds=SCREEN_S):
    ends = time.monotonic() + seconds
    while True:
        found = claim()
        if found:
            return found
        assert time.monotonic() < ends, f"waited {seconds} s in vain for {what}"
        time.sleep(2)


def connected(machine):
    return machine.do("ss -Htn state established 'dport = :9001' | grep -q .")[0] == 0


def browser(machine):
    """The process of the unit and those that draw pages. The brackets keep the shell that runs pgrep out."""
    main = machine.do("systemctl show -p MainPID --value shipahoy-kiosk")[1]
    return int(main), machine.do("pgrep -f -- '[-]-type=renderer'")[1].split()


def the_screen_shows_the_way_to_join(machine):
    wait_for(lambda: connected(machine), "the page to connect")
    wait_for(lambda: has_qr_code(machine.picture("join")), "the QR code")


def the_voice_is_heard(machine):
    """Before the game, because then the page is silent. It speaks through the same service."""
    before = samples()
    user = "env XDG_RUNTIME_DIR=/run/user/$(id -u shipahoy-kiosk)"
    code, said = machine.do(f"runuser -u shipahoy-kiosk -- {user} timeout 120 spd-say --wait --language de 'Schiff ahoi'")
    assert code == 0, said
    wait_for(lambda: loudness(before) > 500, "the voice", 60)
    print(f"       loudest sample {loudness(before)} of 32767")


def a_game_is_shown(machine):
    before = machine.picture("join")
    code, said = machine.do("shipahoyctl send new-game first=1 && shipahoyctl send aim piece=red-1")
    assert code == 0, said
    wait_for(lambda: difference(before, machine.picture("game")) > 0.2, "the board")


def the_page_speaks(machine):
    """The browser talks to the service that spoke before; nobody else does now."""
    talks = "ss -Hx state established | grep -q speechd.sock"
    wait_for(lambda: machine.do(talks)[0] == 0, "the browser at the speech-dispatcher", 120)


def is_at_rest(machine):
    """What has begun before is over, on the screen and in the loudspeaker."""
    before, heard = machine.picture("game"), samples()
    time.sleep(5)
    return difference(before, machine.picture("game")) < 0.01 and loudness(heard) < 100


def a_shot_is_shown_and_heard(machine):
    wait_for(lambda: is_at_rest(machine), "the table at rest", 120)
    before, heard = machine.picture("game"), samples()
    sim = "runuser -u shipahoy -- shipahoyctl sim"
    code, said = machine.do(f"{sim} fire && {sim} topple blue-1")
    assert code == 0, said
    wait_for(lambda: difference(before, machine.picture("shot")) > 0.1, "the shot", 120)
    wait_for(lambda: loudness(heard) > 500, "a sound", 120)
    print(f"       loudest sample {loudness(heard)} of 32767")


def samples():
    """How many bytes qemu has recorded. The header has no length until qemu ends."""
    return max(os.path.getsize(f"{FOLDER}/sound.wav"), 44) // 2 * 2


def loudness(begin):
    with open(f"{FOLDER}/sound.wav", "rb") as file:
        file.seek(begin)
        data = file.read()
    data = data[:len(data) // 2 * 2]
    return max((abs(sample) for sample, in struct.iter_unpack("<h", data)), default=0)


def after_a_crash_of_the_browser_it_is_back(machine):
    main, _ = browser(machine)
    machine.do(f"kill -9 {main}")
    wait_for(lambda: browser(machine)[0] not in (0, main) and connected(machine), "another browser")


def after_a_crash_of_the_page_alone_it_is_back(machine):
    main, pages = browser(machine)
    machine.do(f"kill -9 {' '.join(pages)}")
    wait_for(lambda: browser(machine)[0] not in (0, main) and connected(machine), "another browser")
    wait_for(lambda: colours(machine.picture("again")) > 20, "a picture")


def it_can_be_switched_off(machine):
    code, said = machine.do("shipahoy-kiosk remove")
    assert code == 0, said
    wait_for(lambda: browser(machine) == (0, []), "the end of the browser", 60)
    wait_for(lambda: not left(machine), "the end of all programs of the screen", 60)


def left(machine):
    return machine.do("ps -u shipahoy-kiosk -o pid=,args=")[1]


CLAIMS = (
    the_screen_shows_the_way_to_join,
    the_voice_is_heard,
    a_game_is_shown,
    the_page_speaks,
    a_shot_is_shown_and_heard,
    after_a_crash_of_the_browser_it_is_back,
    after_a_crash_of_the_page_alone_it_is_back,
    it_can_be_switched_off,
)


def main():
    code = 0
    machine = Machine()
    try:
        for claim in CLAIMS:
            begin = time.monotonic()
            try:
                claim(machine)
                print(f"ok     {claim.__name__} ({time.monotonic() - begin:.0f} s)", flush=True)
            except AssertionError as error:
                code = 1
                print(f"FAILED {claim.__name__}: {error}", flush=True)
                machine.picture("failed")
                with open(f"{FOLDER}/journal", "w", encoding="utf-8") as file:
                    file.write(machine.do("journalctl -b -n 400 -o short-monotonic")[1])
                break
    finally:
        machine.end()
    sys.exit(code)


main()
