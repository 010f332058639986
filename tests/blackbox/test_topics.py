#!/usr/bin/python3
"""What the table says on its topics: payloads, times, retained values, Home Assistant.

Retained flags, QoS and the order of events are checked on every message of every test: table.py.
"""

import re

import harness
from client import Client
from harness import Shared, SharedTableTest, TableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Topics(SharedTableTest):
    def test_info_tells_what_runs(self):
        info = self.shared.await_said("info")
        self.assertEqual((info["v"], info["backend"], info["rules"]), (1, "sim", "basic"))
        self.assertRegex(info["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual((info["storage"], info["faults"]), (None, []))
        # Cannon and rope, tilt and beam of 16 pieces, pirate and monster, and the docks.
        self.assertEqual(info["sensors"], 5 + 2 * 18 + 4)
        self.assertRegex(info["since"], TIME)

    def test_retained_commands_are_ignored(self):
        table = self.new_game()
        topic = table.topic("command/end-phase")
        # Once while the table listens, and once more when it comes back to the broker that kept it.
        table.client.publish(topic, "{}", retain=True)
        live = table.state(table.send("history")["seq"])
        self.assertIn("retained commands are ignored", table.daemon.log())
        table.kill()
        table.start()
        kept = table.state(table.send("history")["seq"])
        table.client.publish(topic, b"", retain=True)
        self.assertEqual((live["phase"], kept["phase"]), ("shooting", "shooting"))
        self.assertIn("retained commands are ignored", table.daemon.log())

    def test_response_topic_and_correlation_data_are_used(self):
        table = self.new_game()
        asker = Client(Shared.broker.port, topics=(table.topic("reply/me"), table.topic("reply")))
        self.addCleanup(asker.close)
        asker.publish(
            table.topic("command/end-phase"), '{"id":"asked"}', answer_to=table.topic("reply/me"),
            correlation=b"\x00\xff42",
        )  # fmt: skip
        answer = asker.wait(lambda it: it.topic == table.topic("reply/me"), "the answer")
        self.assertEqual((answer.json["id"], answer.json["ok"]), ("asked", True))
        self.assertEqual(answer.correlation, b"\x00\xff42")
        self.assertFalse(answer.retain)
        asker.publish(table.topic("command/undo"), '{"id":"plain"}')
        asker.wait(lambda it: it.json["id"] == "plain", "the other answer")
        self.assertEqual(
            [it.topic for it in asker.messages], [table.topic("reply/me"), table.topic("reply")]
        )


class Order(TableTest):
    """table.py checks on every message of every test that state and score are of the same seq."""

    def test_one_command_is_followed_by_events_state_score_and_reply(self):
        table = self.table()
        table.new_game()
        for piece in ("red-1", "red-2", "red-3"):
            seq = table.state()["seq"]
            table.await_said("score", lambda it, s=seq: it["seq"] == s)
            mark = len(table.client.messages)
            table.send("aim", piece=piece)
            names = [it.topic.removeprefix(table.base + "/") for it in table.client.messages[mark:]]
            heard = [it for it in names if it.split("/")[0] in ("event", "state", "score", "reply")]
            self.assertEqual(heard, ["event/aimed", "state", "score", "reply"])

    def test_every_state_in_a_burst_is_the_one_after_its_event(self):
        table = self.table()
        table.new_game()
        ids = [table.post("aim", {"piece": f"red-{1 + i % 2}"}) for i in range(300)]
        seq = max(table.await_reply(it)["seq"] for it in ids)
        self.assertEqual(table.state(seq)["seq"], seq)
        shooter = {it["seq"]: it["piece"] for it in table.events() if it["event_type"] == "aimed"}
        states = [it.json for it in table.said("state") if it.json["seq"] in shooter]
        self.assertGreater(len(states), 0)
        for state in states:
            self.assertEqual(state["shooter"], shooter[state["seq"]], state["seq"])


class HomeAssistant(TableTest):
    def test_its_buttons_play(self):
        table = self.table(mqtt={"homeassistant": "yes"})
        topic = f"homeassistant/device/shipahoy-{table.name}/config"
        found = table.client.wait(lambda it: it.topic == topic, "the discovery message")
        self.assertTrue(found.retain)
        for name, event in (("new-game", "game-started"), ("end-phase", "phase-started")):
            button = found.json["components"][name]
            table.client.publish(button["command_topic"], button["payload_press"])
            table.await_event(event)
            table.await_said("homeassistant", lambda it: it["event_type"] == event)


if __name__ == "__main__":
    harness.main()
