"""The table from outside: its lines are moved in the kernel, its news and commands go over MQTT."""

import itertools
import json
import os
import subprocess
import time

from mqtt import Mqtt

BASE = "shipahoy/vm/"
CONFIG = "/sys/kernel/config/gpio-sim/"
COLOURS = ("red", "blue", "green", "yellow")
PIECES = [f"{colour}-{kind}" for colour in COLOURS for kind in ("1", "2", "3", "tower")]
PLAYERS = [{"name": name} for name in ("Anna", "Ben", "Cleo", "Dan")]

MS = 1000000  # nanoseconds


def read(path):
    with open(path) as file:
        return file.read().strip()


def wait_until(ns):
    """Spins the last millisecond, because sleeping is too coarse for a beam."""
    while True:
        left = ns - time.monotonic_ns()
        if left <= 0:
            return
        if left > 2 * MS:
            time.sleep((left - MS) / 1e9)


def poll(claim, what, seconds=30):
    ends = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < ends, f"waited in vain for {what}"
        time.sleep(0.02)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


class Line:
    """One line of a simulated chip; level is the electrical one."""

    def __init__(self, chip, offset):
        device = read(f"{CONFIG}{chip}/dev_name")
        bank = read(f"{CONFIG}{chip}/bank0/chip_name")
        folder = f"/sys/devices/platform/{device}/{bank}/sim_gpio{offset}/"
        self.fd = os.open(folder + "pull", os.O_WRONLY)

    def set(self, level):
        """Returns when it was, in nanoseconds of the monotonic clock."""
        at_ns = time.monotonic_ns()
        os.pwrite(self.fd, b"pull-up" if level else b"pull-down", 0)
        return at_ns


def chips(action, *names):
    subprocess.run(["sh", "/share/guest/chips.sh", action, *names], check=True)


class Table:
    def __init__(self):
        self.ids = itertools.count(1)
        self.rope_phase = 0
        self.take_lines()
        self.connect()

    def connect(self):
        """Also after the broker was restarted; what came before is forgotten."""
        self.mqtt = Mqtt(BASE + "#", "pipe")
        self.wait_online()

    def take_lines(self):
        """Also after a chip was plugged in again."""
        self.lines = {"cannon.beam": Line("table", 0), "cannon.beam2": Line("table", 1)}
        self.rope = (Line("table", 2), Line("table", 3))
        self.button = Line("table", 4)  # active low
        self.end_button = Line("table", 5)
        for offset, piece in enumerate(PIECES):
            self.lines[piece + ".tilt"] = Line("tilts", offset)
        for offset, piece in enumerate(PIECES[:14]):
            self.lines[piece + ".beam"] = Line("beams", offset)

    def now(self):
        return len(self.mqtt.messages)

    def wait_online(self, since=0):
        self.mqtt.wait(lambda m: m.topic == BASE + "status" and m.payload == b"online",
                       "the daemon", since)

    def last(self, topic):
        """The latest retained message there."""
        self.mqtt.wait(lambda m: m.topic == BASE + topic, topic)
        with self.mqtt.changed:
            return [m for m in self.mqtt.messages if m.topic == BASE + topic][-1].json

    def event(self, name, since, seconds=30, **fields):
        """The first such event since then, with these fields."""
        def accepts(message):
            return (message.topic == f"{BASE}event/{name}"
                    and all(message.json.get(key) == value for key, value in fields.items()))
        return self.mqtt.wait(accepts, f"event {name} {fields}", since, seconds)

    def events(self, since):
        with self.mqtt.changed:
            return [m.json for m in self.mqtt.messages[since:] if "/event/" in m.topic]

    def send(self, verb, **fields):
        """A command that is accepted; returns its seq."""
        reply = self.ask(verb, **fields)
        assert reply["ok"], f"{verb} {fields}: {reply}"
        return reply["seq"]

    def ask(self, verb, **fields):
        since = self.now()
        fields["id"] = f"vm-{os.getpid()}-{next(self.ids)}"
        self.mqtt.publish(f"{BASE}command/{verb}", json.dumps(fields))
        return self.mqtt.wait(lambda m: m.topic == BASE + "reply"
                              and m.json["id"] == fields["id"], f"a reply to {verb}", since).json

    # What people do at the table

    def shoot(self, gap_ns=4 * MS, width_ns=4 * MS):
        """A ball flies through both beams.

        Returns when it left the second one, and the shortest and longest time that it can have
        taken from beam to beam: the kernel's own times are somewhere within each writing.
        """
        first, second = self.lines["cannon.beam"], self.lines["cannon.beam2"]
        start = first.set(1)
        started = time.monotonic_ns()
        wait_until(start + width_ns)
        first.set(0)
        wait_until(start + gap_ns)
        begin = second.set(1)
        begun = time.monotonic_ns()
        wait_until(begin + width_ns)
        return second.set(0), begin - started, begun - start

    def tilt(self, piece, lies, bounces=6):
        """A ball switch that rattles for some thirty milliseconds before it stays."""
        line = self.lines[piece + ".tilt"]
        for _ in range(bounces):
            at = line.set(lies)
            wait_until(at + 2 * MS)
            at = line.set(not lies)
            wait_until(at + 3 * MS)
        line.set(lies)

    def pull(self, counts, rate=400):
        """Turns the encoder so far, at so many edges a second and never faster (0: as it goes)."""
        steps = ((0, 0), (1, 0), (1, 1), (0, 1))
        pause_ns = 1000000000 // rate if rate else 0
        begin = next_ns = time.monotonic_ns()
        for _ in range(abs(counts)):
            before = steps[self.rope_phase % 4]
            self.rope_phase += 1 if counts > 0 else -1
            after = steps[self.rope_phase % 4]
            wait_until(next_ns)
            moved = 0 if before[0] != after[0] else 1
            next_ns = self.rope[moved].set(after[moved]) + pause_ns
        return abs(counts) * 1e9 / (time.monotonic_ns() - begin)

    def wait_rope(self, knots, since, seconds=30):
        return self.mqtt.wait(lambda m: m.topic == BASE + "rope"
                              and abs(m.json["knots"] - knots) < 0.001,
                              f"the rope at {knots}", since, seconds)

    def press(self, ms=100):
        at = self.button.set(0)
        wait_until(at + ms * MS)
        self.button.set(1)
