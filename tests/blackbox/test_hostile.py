#!/usr/bin/python3
"""Hostile and broken input: refused, bounded, and the game is untouched."""

import json
import time

import harness
from client import Client
from harness import Shared, TableTest
from table import new_id
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

FLOOD = 20000
GROWTH_KIB = 16 * 1024  # less than the messages themselves would need
FLOOD_CPU_S = 20
QUERIES = 1000
COMMAND_S = 3  # in their midst; to answer them all takes longer
LARGE = 30000  # so that a message is one that the daemon takes from the broker

DEEP = "[" * 2000 + "]" * 2000
HOSTILE = {
    "nothing but a brace": b"{",
    "deep nesting": b'{"a":' + DEEP.encode() + b"}",
    "deep nesting of objects": b'{"a":' * 600,
    "a NUL": b'{"piece":"red-1\x00"}',
    "an escaped NUL": b'{"piece":"red-1\\u0000"}',
    "an escaped NUL in a key": b'{"pie\\u0000ce":"red-1"}',
    "half a surrogate": b'{"piece":"\\ud800"}',
    "no UTF-8": b'{"piece":"\xc3\x28"}',
    "a huge integer": b'{"value":' + b"9" * 400 + b"}",
    "a huge real": b'{"knots":1e999}',
    "NaN": b'{"knots":NaN}',
    "a number for a piece": b'{"piece":17}',
    "an object for a piece": b'{"piece":{"a":1}}',
    "null for a piece": b'{"piece":null}',
    "a list for the id": b'{"id":[1,2]}',
    "a control character in the id": b'{"id":"a\\nb"}',
    "two documents": b"{}{}",
    "a list": b"[1,2,3]",
    "a key twice": b'{"piece":"red-1","piece":"red-2"}',
    "bytes": bytes(range(256)),
    "4096 bytes": b'{"piece":"' + b"x" * 4084 + b'"}',
    "4097 bytes": b'{"piece":"' + b"x" * 4085 + b'"}',
}


class Hostile(TableTest):
    def game(self):
        table = self.table()
        table.new_game()
        table.do("end-phase")
        self.before = table.state()
        return table

    def untouched(self, table):
        """It answers, and the game is what it was."""
        reply = table.send("history", **{"from": self.before["seq"] + 1})
        self.assertEqual((reply["ok"], reply["events"]), (True, []))
        self.assertEqual(table.state(), self.before)

    def test_every_kind_of_nonsense_is_refused_with_a_reply(self):
        table = self.game()
        for what, payload in HOSTILE.items():
            for verb in ("select", "move", "new-game"):
                with self.subTest(what, verb=verb):
                    mark = len(table.client.messages)
                    table.client.publish(table.topic(f"command/{verb}"), payload)
                    reply = table.await_said("reply", since=mark)
                    self.assertFalse(reply["ok"])
                    self.assertIn(
                        reply["error"],
                        ("bad-json", "bad-value", "missing-field", "unknown-piece", "too-large"),
                    )
        self.untouched(table)

    def test_every_verb_gets_every_type_in_every_field(self):
        table = self.game()
        fields = ("piece", "value", "knots", "attacker", "target", "harbour", "from", "players",
                  "rules", "scenario", "teams", "first", "dice", "barrels", "abandon")  # fmt: skip
        values = (None, True, -1, 2**31, 2**63, 1e18, "", "x" * 500, [], {}, [[]], [{"name": 1}])
        count = 0
        mark = len(table.client.messages)
        for verb in ("select", "roll-move", "move", "engage", "load-barrel", "new-game", "history"):
            for field in fields:
                for value in values:
                    if (verb, field) == ("new-game", "abandon") or (
                        (verb, field, value) in (("history", "from", 2**31),)
                    ):
                        continue  # these are fine
                    table.post(verb, {field: value})
                    count += 1
        table.client.until(lambda: len(table.said("reply", mark)) >= count, "all replies")
        accepted = [it.json for it in table.said("reply", mark) if it.json["ok"]]
        self.assertEqual(accepted, [])
        self.untouched(table)

    def test_a_mebibyte_is_too_large_or_stays_in_the_broker(self):
        table = self.game()
        # With MQTT 5 the daemon tells the broker to keep what is larger than any command.
        table.client.publish(table.topic("command/select"), b"x" * 2**20)
        table.client.publish(table.topic("command/select"), b"{" + b" " * 40000 + b"}")
        reply = table.await_said("reply", lambda it: it.get("error") == "too-large")
        self.assertIsNone(reply["id"])
        self.untouched(table)

    def test_strange_topics_are_no_commands(self):
        table = self.game()
        for name in ("", "end-phase/", "a/b", "x" * 3000, "END-PHASE", "end-phase ", "\u00e9"):
            table.client.publish(table.topic(f"command/{name}"), "{}")
            table.client.publish(table.topic(f"sim/{name}"), "1")
        self.untouched(table)

    def test_no_response_topic_takes_an_answer_elsewhere_or_ends_the_connection(self):
        table = self.game()
        listener = Client(Shared.broker.port)
        self.addCleanup(listener.close)
        topics = (
            table.topic("reply/" + "/".join("x" * 300)),  # mosquitto hangs up on so many levels
            table.topic("reply/" + "x" * 4000),
            table.topic("command/end-phase"),
            "zigbee2mqtt/bridge/request/restart",
            "homeassistant/device/x/config",
        )
        mark = len(listener.messages)
        for topic in topics:
            for verb in ("history", "select"):
                listener.publish(
                    table.topic(f"command/{verb}"), '{"id":"x"}', answer_to=topic, correlation=b"c"
                )
        listener.until(
            lambda: sum(it.topic == table.topic("reply") for it in listener.messages[mark:])
            == 2 * len(topics),
            "an answer to each",
        )
        elsewhere = [it for it in listener.messages[mark:] if it.topic in topics]
        self.assertEqual(len(elsewhere), 0)
        self.assertEqual(table.daemon.log().count("connected"), 1)
        self.untouched(table)

    def flood(self, table, attacker, count):
        """Ends when all of them have been heard, and commands are answered again."""
        payloads = list(HOSTILE.values())
        for i in range(count):
            attacker.publish(table.topic("command/select"), payloads[i % len(payloads)], qos=0)
        last = new_id()
        mark = len(table.client.messages)

        # Its answer may be one of those that are dropped while too many wait.
        def is_answered_when_asked_again():
            attacker.publish(table.topic("command/select"), json.dumps({"id": last}))
            return any(it.json["id"] == last for it in table.said("reply", mark))

        poll(is_answered_when_asked_again, "an answer after the flood")

    def test_a_flood_leaves_memory_and_time_bounded_and_the_game_untouched(self):
        table = self.game()
        attacker = Client(Shared.broker.port, topics=("nothing",))
        self.addCleanup(attacker.close)
        self.flood(table, attacker, FLOOD // 4)  # so that buffers have their size
        memory_kib, cpu_s = table.daemon.status("VmRSS"), table.daemon.cpu_s()
        mark = len(table.client.messages)
        self.flood(table, attacker, FLOOD)
        self.untouched(table)
        grown_kib = table.daemon.status("VmHWM") - memory_kib
        used_s = table.daemon.cpu_s() - cpu_s
        replies = len(table.said("reply", mark))
        print(f"{FLOOD} messages: {replies} replies, {grown_kib} KiB more, {used_s:.1f} s", end=" ")
        self.assertLess(grown_kib, GROWTH_KIB)
        self.assertLess(used_s, FLOOD_CPU_S)

    def ask_with_large_addresses(self, table, attackers, count):
        """Response topics and correlation data as large as MQTT allows, from all attackers."""
        for i in range(count):
            attackers[i % len(attackers)].publish(
                table.topic("command/history"), "{}", qos=0,
                answer_to=table.topic("reply/" + "x" * LARGE), correlation=b"c" * LARGE,
            )  # fmt: skip
        table.send("select", piece="red-1")

    def test_large_response_topics_and_correlation_data_take_no_memory(self):
        table = self.game()
        attackers = [Client(Shared.broker.port, topics=("nothing",)) for _ in range(4)]
        for attacker in attackers:
            self.addCleanup(attacker.close)
        self.ask_with_large_addresses(table, attackers, 10)
        memory_kib = table.daemon.status("VmRSS")
        self.ask_with_large_addresses(table, attackers, 600)
        grown_kib = table.daemon.status("VmHWM") - memory_kib
        print(f"{grown_kib} KiB more", end=" ")
        self.assertLess(grown_kib, GROWTH_KIB)

    def test_a_flood_of_queries_does_not_delay_commands(self):
        table = self.table()
        table.new_game()
        for i in range(300):
            table.post("aim", {"piece": f"red-{1 + i % 2}"})
        table.state(303)
        attacker = Client(Shared.broker.port, topics=("nothing",))
        self.addCleanup(attacker.close)
        for _ in range(QUERIES):
            attacker.publish(table.topic("command/history"), "{}", qos=0)
        began = time.monotonic()
        table.do("end-phase")
        waited_s = time.monotonic() - began
        print(f"{waited_s:.2f} s", end=" ")
        self.assertLess(waited_s, COMMAND_S)
        # A query that finds the queue full is dropped, so it is asked until it is answered.
        answered = len(table.said(table.reply_name))
        poll(
            lambda: table.post("history", {"from": 300})
            and len(table.said(table.reply_name)) > answered,
            "an answer to a query",
        )

    def test_a_shot_during_a_flood_still_counts(self):
        table = self.table()
        table.new_game()
        attacker = Client(Shared.broker.port, topics=("nothing",))
        self.addCleanup(attacker.close)
        mark = len(table.client.messages)
        for _ in range(2000):
            attacker.publish(table.topic("command/select"), "{", qos=0)
        table.sensors.fire()
        table.sensors.topple("blue-1")
        table.await_event("piece-captured", mark)


if __name__ == "__main__":
    harness.main()
