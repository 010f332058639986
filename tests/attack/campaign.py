"""What every attack has: a broker with roles, a daemon in little memory, and somebody honest.

A figure that an attack has measured is printed with its name; a claim that fails is a failed test.
"""

import contextlib
import json
import os
import pathlib
import random
import sys
import threading
import time
import unittest

BLACKBOX = pathlib.Path(__file__).resolve().parents[1] / "blackbox"
sys.path.append(str(BLACKBOX))

import harness  # noqa: E402
from client import Client  # noqa: E402
from harness import Shared, TableTest  # noqa: E402
from packets import Connection  # noqa: E402
from roles import RoleBroker, add_user  # noqa: E402
from table import PREFIX, new_id  # noqa: E402

SECONDS = float(os.environ.get("ATTACK_SECONDS", "4"))  # each attack that has no end of its own
SEED = int(os.environ.get("ATTACK_SEED", "1"))
MEMORY_KIB = int(os.environ.get("ATTACK_MEMORY_KIB", 64 * 1024))  # MemoryMax of the service

HONEST_P99_S = 1.0  # on a machine of its own, whose processors the attackers use as well
HONEST_WAITS_S = 10
AGAIN_S = 0.5  # after which an honest client sends a command once more
LOG_LINES = 40  # the first of each kind; from then on there is hardly more than one a second
REPLY = "reply/campaign"
ROLES = ("viewer", "captain", "referee")
GUEST_LISTENER = "#listener 1884"


class AttackBroker(RoleBroker):
    """With the listener for other computers, and a log without each message."""

    @property
    def guest_port(self):
        return self.tls_port

    @property
    def ports(self):
        return [*super().ports, self.guest_port]

    def configuration(self):
        head, found, block = super().configuration().partition(GUEST_LISTENER)
        assert found, "config/mosquitto/shipahoy.conf has lost its listener for guests"
        block = block.replace("#", "").replace("log_type all", "log_type notice")
        return f"{head}listener {self.guest_port} 127.0.0.1{block}"


def set_up_module():
    harness.set_up_module(AttackBroker)
    Shared.users = {role: add_user(role, role) for role in ROLES}


tear_down_module = harness.tear_down_module


def guest(role, name=""):
    """A connection of somebody with this role."""
    return Connection(Shared.broker.guest_port, Shared.users[role], name)


class Flood:
    """Sends blocks of packets over and over from several connections, as fast as they are taken."""

    def __init__(self, role, blocks, connections=3, pause_s=0):
        self.role = role
        self.blocks = blocks
        self.pause_s = pause_s
        self.running = True
        self.bytes = 0
        self.threads = [threading.Thread(target=self.run) for _ in range(connections)]

    def run(self):
        connection = None
        while self.running:
            for block in self.blocks:
                with contextlib.suppress(OSError):
                    if not connection or not connection.open:
                        connection = guest(self.role)
                if connection and self.running:
                    connection.send(block)
                    self.bytes += len(block)
                    time.sleep(self.pause_s)
        if connection:
            connection.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.running = False
        for thread in self.threads:
            thread.join()


class Honest:
    """A captain who plays while others attack, and measures how long each answer takes."""

    def __init__(self, table, role="captain"):
        self.table = table
        self.topic = table.topic("reply/honest")
        self.client = Client(
            Shared.broker.guest_port, topics=(self.topic,), user=Shared.users[role]
        )
        self.took_s = []

    def ask(self, verb, **fields):
        """Sends it again until it is answered: an id makes that safe, and a broker may drop it."""
        fields["id"] = new_id()
        mark = len(self.client.messages)
        began = time.monotonic()
        is_ours = lambda it: it.json["id"] == fields["id"]  # noqa: E731
        while time.monotonic() < began + HONEST_WAITS_S:
            self.client.publish(
                self.table.topic(f"command/{verb}"), json.dumps(fields), answer_to=self.topic
            )
            with self.client.changed:
                if self.client.changed.wait_for(
                    lambda: any(map(is_ours, self.client.messages[mark:])), AGAIN_S
                ):
                    self.took_s.append(time.monotonic() - began)
                    return next(filter(is_ours, self.client.messages[mark:])).json
        raise AssertionError(f"{verb} was not answered in {HONEST_WAITS_S} s")

    def p99_s(self):
        return sorted(self.took_s)[int(len(self.took_s) * 0.99)]

    def close(self):
        self.client.close()


class AttackTest(TableTest):
    """A claim about a table that is attacked. What it checks at the end holds for every attack."""

    def setUp(self):
        self.chance = random.Random(f"{SEED} {self.id()}")

    def attacked_table(self, **settings):
        """Only what it says itself is heard: attackers say more than Python can read."""
        settings.setdefault("name", f"table-{Shared.tables + 1}")
        names = ("status", "info", "state", "event/#", REPLY)
        topics = tuple(f"{PREFIX}/{settings['name']}/{name}" for name in names)
        table = self.idle_table(topics=topics, **settings)
        table.reply_name = REPLY
        return table.start()

    def connection(self, role, name=""):
        made = guest(role, name)
        self.addCleanup(made.close)
        return made

    def honest(self, table):
        made = Honest(table)
        self.addCleanup(made.close)
        return made

    def note(self, **figures):
        print(*[f"{name}={value}" for name, value in figures.items()], end=" ", flush=True)

    def check_memory(self, table):
        self.assertTrue(table.daemon.alive(), f"the daemon has ended: {table.daemon.log()[-2000:]}")
        peak_kib = table.daemon.status("VmHWM")
        self.note(peak_MiB=peak_kib // 1024)
        self.assertLess(peak_kib, MEMORY_KIB)

    def check_online(self, table, since=0):
        """It has never lost the broker."""
        heard = [it.payload for it in table.said("status", since)]
        self.assertNotIn(b"offline", heard, "the table was disconnected")

    def endure(self, flood, table, honest):
        """Plays honestly during a flood, then checks what must hold during each of them.

        Commands of a captain are as good as those of the honest one and come in turn: they must be
        answered, but only who may not play at all must not delay them.
        """
        honest.ask("aim", piece="red-1")
        honest.took_s.clear()
        lines, mark = table.daemon.log().count("\n"), len(table.client.messages)
        began = time.monotonic()
        with flood, self.watched(table):
            while time.monotonic() < began + SECONDS:
                honest.ask("aim", piece=self.chance.choice(("red-1", "red-2")))
        took_s = time.monotonic() - began
        logged = table.daemon.log().count("\n") - lines
        self.note(
            sent_MB_s=round(flood.bytes / took_s / 1e6, 1), commands=len(honest.took_s),
            p99_ms=round(honest.p99_s() * 1000), log_lines=logged,
        )  # fmt: skip
        self.check_memory(table)
        self.check_online(table, mark)
        self.assertLess(logged, LOG_LINES + took_s)
        if flood.role == "viewer":
            self.assertLess(honest.p99_s(), HONEST_P99_S)

    @contextlib.contextmanager
    def watched(self, table):
        """Kills the daemon when it needs more memory than it may have, as systemd would."""
        stop = threading.Event()

        def watch():
            while not stop.wait(0.02):
                with contextlib.suppress(OSError, KeyError):  # when it has ended already
                    if table.daemon.status("VmRSS") > MEMORY_KIB:
                        table.daemon.process.kill()

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()


class Result(unittest.TextTestResult):
    """Counts what has passed; a test with several failures is one that has failed."""

    passed = 0

    def addSuccess(self, test):  # noqa: N802
        super().addSuccess(test)
        self.passed += 1


def main():
    """Runs the tests that are named, or all."""
    folder = pathlib.Path(__file__).parent
    names = sys.argv[1:] or sorted(it.stem for it in folder.glob("attack_*.py"))
    tests = unittest.TestLoader().loadTestsFromNames(names)
    runner = unittest.TextTestRunner(sys.stdout, verbosity=2, resultclass=Result)
    count = tests.countTestCases()
    result = runner.run(tests)
    failed = count - result.passed - len(result.skipped)
    print(f"{result.passed} passed, {failed} failed")
    sys.exit(1 if failed or not result.passed else 0)


if __name__ == "__main__":
    main()
