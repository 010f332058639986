"""Response topics, client ids and malformed packets: nobody borrows the daemon's connection."""

import re
import time

import campaign
from campaign import SECONDS, AttackTest
from client import Client
from harness import Shared
from packets import publish

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

LEVELS = "/".join("x" * 300)


class ResponseTopics(AttackTest):
    def foreign(self, table):
        """Where no reply may ever go, whoever asks for it."""
        yield from ("zigbee2mqtt/bridge/request/restart", "homeassistant/device/x/config", "a/b")
        yield from ("$SYS/broker/uptime", "$share/a/b", "shipahoy/other/reply/x", "/", "x" * 65000)
        for name in ("status", "state", "command/undo", "event/game-over", "sim/cannon/beam",
                     "reply/", "reply/a/b", f"reply/{LEVELS}", "reply/" + "x" * 65, "reply/é",
                     "reply/a.b", "reply/a b", "replyx/a", "page/speaker"):  # fmt: skip
            yield table.topic(name)
        yield LEVELS

    def broken(self, table):
        """Which the broker itself may refuse."""
        yield from ("", "#", "+", "a/#", table.topic("reply/+"), table.topic("reply/#"))
        yield from (b"\xff\xfe", b"a\x00b", table.topic("reply/").encode() + b"\xc0\x80")

    def test_a_reply_goes_nowhere_else(self):
        table = self.attacked_table()
        listener = Client(Shared.broker.port, topics=("#",))
        self.addCleanup(listener.close)
        honest = self.honest(table)
        honest.ask("history")
        mark = len(table.client.messages)
        used = []
        for topic in [*self.foreign(table), *self.broken(table)]:
            heard = len(listener.messages)
            self.connection("viewer").send(
                publish(table.topic("command/history"), "{}", response=topic, correlation=b"c")
            )
            honest.ask("history")  # when that is answered, so is the one before
            used += [
                it.topic[:80]
                for it in listener.messages[heard:]
                if b'"ok"' in it.payload and it.topic not in (table.topic("reply"), honest.topic)
            ]
        self.check_online(table, mark)
        self.assertEqual(used, [])
        self.check_memory(table)


class Sessions(AttackTest):
    def test_the_id_of_the_daemon_before_does_not_take_over_the_next(self):
        table = self.attacked_table()
        said = Shared.broker.log_path.read_text()
        known = re.findall(r"New client connected from \S+ as (\S+) ", said)
        name = table.name
        guesses = [f"{a}{b}{c}" for a in ("shipahoy", "shipahoyd", "table")
                   for b in ("-", "_", "/", "") for c in (name, "")]  # fmt: skip
        table.daemon.terminate()
        table.start()
        honest = self.honest(table)
        mark = len(table.client.messages)
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            for guess in {*known, *guesses, name}:
                if not guess.startswith(("auto-", "paho")):
                    self.connection("viewer", guess).close()
            honest.ask("history")
        self.check_online(table, mark)


class Malformed(AttackTest):
    def test_no_packet_of_a_guest_harms_the_daemon(self):
        """Valid packets with bytes changed or cut. The broker may end the guest's connection."""
        table = self.attacked_table()
        table.new_game()
        honest = self.honest(table)
        mark = len(table.client.messages)
        valid = publish(
            table.topic("command/fire"), '{"id":"x"}', qos=1, response=table.topic("reply/x"),
            correlation=b"cc",
        )  # fmt: skip
        count = 0
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            connection = self.connection("captain")
            for _ in range(20):
                damaged = bytearray(valid)
                for _ in range(self.chance.randrange(1, 4)):
                    damaged[self.chance.randrange(len(damaged))] = self.chance.randrange(256)
                count += 1
                if not connection.send(bytes(damaged[: self.chance.randrange(1, 200)])):
                    break
            connection.close()
            if count % 200 < 20:
                honest.ask("aim", piece="red-1")
        honest.ask("aim", piece="red-1")
        self.note(packets=count)
        self.check_online(table, mark)
        self.check_memory(table)
