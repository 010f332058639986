#!/usr/bin/python3
"""Hostile input: bounded in memory and time, answered nowhere else, and the game is untouched.

What is wrong with a payload is found by wire/ (tests/wire, fuzz_command); tests/attack
has longer floods, and measures how long others wait meanwhile.
"""

import itertools
import json

import harness
from client import Client
from harness import Shared, TableTest
from table import new_id
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

FLOOD = 10000
GROWTH_KIB = 16 * 1024  # less than the messages themselves would need
FLOOD_CPU_S = 20
LARGE = 30000  # so that a message is one that the daemon takes from the broker
DEEP = "[" * 2000 + "]" * 2000
HOSTILE = (b"{", b'{"a":' + DEEP.encode() + b"}", b'{"piece":"red-1\x00"}', b'{"piece":"\xc3\x28"}',
           b'{"knots":1e999}', b'{"id":[1,2]}', b"{}{}", bytes(range(256)), b"x" * 4097)  # fmt: skip


class Hostile(TableTest):
    def game(self):
        table = self.table()
        table.new_game()
        for piece in ("red-1", "red-2") * 50:  # so that a query has something to answer
            table.post("aim", {"piece": piece})
        table.do("aim", piece="red-3")
        self.before = table.state()
        return table

    def untouched(self, table):
        """It answers, and the game is what it was; a query that finds the queue full is dropped."""
        replies = []

        def ask():
            table.post("history", {"from": self.before["seq"] + 1, "id": "untouched"})
            replies[:] = [it.json for it in table.said("reply") if it.json["id"] == "untouched"]
            return replies

        poll(ask, "an answer to a query")
        self.assertEqual((replies[0]["ok"], replies[0]["events"]), (True, []))
        self.assertEqual(table.state(), self.before)

    def attacker(self):
        attacker = Client(Shared.broker.port, topics=("nothing",))
        self.addCleanup(attacker.close)
        return attacker

    def flood(self, table, count):
        """Nonsense, queries, and queries with addresses as large as MQTT allows."""
        attackers = [self.attacker() for _ in range(3)]
        far = {"answer_to": table.topic("reply/" + "x" * LARGE), "correlation": b"c" * LARGE}
        for i, payload in zip(range(count), itertools.cycle(HOSTILE)):
            attackers[0].publish(table.topic("command/select"), payload, qos=0)
            if i % 10 == 0:
                attackers[1].publish(table.topic("command/history"), "{}", qos=0)
            if i % 20 == 0:
                attackers[2].publish(table.topic("command/history"), "{}", qos=0, **far)
        return attackers[0]

    def await_end_of_flood(self, table, attacker):
        """All of it has been heard, and commands are answered again."""
        last = new_id()
        mark = len(table.client.messages)

        # Its answer may be one of those that are dropped while too many wait.
        def is_answered_when_asked_again():
            attacker.publish(table.topic("command/select"), json.dumps({"id": last}))
            return any(it.json["id"] == last for it in table.said("reply", mark))

        poll(is_answered_when_asked_again, "an answer after the flood")

    def test_a_flood_is_bounded_in_memory_and_time_and_changes_nothing(self):
        table = self.game()
        self.await_end_of_flood(table, self.flood(table, FLOOD // 4))  # so that buffers have their size
        memory_kib, cpu_s = table.daemon.status("VmRSS"), table.daemon.cpu_s()
        self.await_end_of_flood(table, self.flood(table, FLOOD))
        self.untouched(table)
        grown_kib = table.daemon.status("VmHWM") - memory_kib
        used_s = table.daemon.cpu_s() - cpu_s
        print(f"{FLOOD} messages: {grown_kib} KiB more, {used_s:.1f} s", end=" ")
        self.assertLess(grown_kib, GROWTH_KIB)
        self.assertLess(used_s, FLOOD_CPU_S)

    def test_a_shot_and_a_command_in_a_flood_count(self):
        table = self.game()
        mark = len(table.client.messages)
        attacker = self.flood(table, FLOOD // 4)
        table.sensors.fire()
        table.sensors.topple("blue-1")
        table.await_event("piece-captured", mark)
        table.do("end-phase")
        self.await_end_of_flood(table, attacker)

    def test_what_is_too_large_is_refused_or_stays_in_the_broker(self):
        table = self.game()
        # With MQTT 5 the daemon tells the broker to keep what is larger than any command.
        table.client.publish(table.topic("command/select"), b"x" * 2**20)
        table.client.publish(table.topic("command/select"), b"{" + b" " * 6000 + b"}")
        reply = table.await_said("reply", lambda it: it.get("error") == "too-large")
        self.assertIsNone(reply["id"])
        self.untouched(table)


if __name__ == "__main__":
    harness.main()
