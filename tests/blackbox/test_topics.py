#!/usr/bin/python3
"""What the table says on its topics: payloads, times, retained values, Home Assistant.

Retained flags, QoS and the order of events are checked on every message of every test: table.py.
"""

import datetime
import json
import re

import harness
from broker import Wire
from client import Client
from daemon import ROOT
from harness import Shared, SharedTableTest, TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
WORDS = json.loads((ROOT / "docs/schemas/words.json").read_text("utf-8"))["definitions"]


def seconds_ago(text):
    then = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return (datetime.datetime.utcnow() - then).total_seconds()


class Topics(SharedTableTest):
    def test_info_tells_what_runs(self):
        info = self.shared.await_said("info")
        self.assertEqual((info["v"], info["backend"], info["rules"]), (1, "sim", "basic"))
        self.assertRegex(info["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual((info["storage"], info["faults"]), (None, []))
        # Cannon and rope, tilt and beam of 16 pieces, pirate and monster, and the docks.
        self.assertEqual(info["sensors"], 5 + 2 * 18 + 4)
        self.assertRegex(info["since"], TIME)

    def test_at_is_now_in_UTC_with_milliseconds(self):
        table = self.new_game()
        event = table.events()[-1]
        self.assertTrue(TIME.fullmatch(event["at"]), event["at"])
        self.assertLess(abs(seconds_ago(event["at"])), 60)

    def test_seq_starts_at_1_in_every_game_and_games_have_names_of_their_own(self):
        games = set()
        for _ in range(3):
            table = self.new_game()
            state = table.state()
            first = next(it for it in table.events() if it["game"] == state["game"])
            self.assertEqual((first["seq"], first["event_type"]), (1, "game-started"))
            games.add(state["game"])
        self.assertEqual(len(games), 3)

    def test_every_event_has_the_fixed_keys(self):
        table = self.new_game()
        for event in table.events():
            self.assertGreaterEqual(
                event.keys(), set("v game seq at event_type turn player rule message".split())
            )
            self.assertEqual(event["v"], 1)
            self.assertTrue(event["message"])

    def test_state_and_score_agree_and_name_the_event_they_are_after(self):
        table = self.new_game()
        table.do("fire")
        table.do("topple", piece="blue-tower")
        state = table.state()
        score = table.await_said("score", lambda it: it["seq"] == state["seq"])
        for key in ("game", "seq", "phase", "turn", "player", "winners"):
            self.assertEqual(score[key], state[key], key)
        anna, ben = score["scores"][:2]
        self.assertEqual((anna["name"], anna["score"], anna["towers"]), ("Anna", 2, 1))
        self.assertEqual((ben["ships"], ben["towers"], ben["out"]), (3, 0, False))
        self.assertEqual(state["players"][0]["trophies"], ["blue-tower"])
        self.assertEqual(state["table"], table.name)

    def test_who_joins_late_gets_everything_that_is_retained(self):
        table = self.new_game()
        state = table.state()
        late = Client(Shared.broker.port)
        self.addCleanup(late.close)
        for name in ("status", "info", "state", "choices", "score", "ready", "rope"):
            message = late.wait(lambda it, n=name: it.topic == table.topic(n), name)
            self.assertTrue(message.retain)
            if name == "state":
                self.assertEqual(message.json, state)
        self.assertFalse([it for it in late.messages if "/event/" in it.topic])

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

    def test_a_flood_of_retained_commands_does_not_fill_the_log(self):
        table = self.new_game()
        topic = table.topic("command/end-phase")
        for _ in range(500):
            table.client.publish(topic, "{}", retain=True)
        table.client.publish(topic, b"", retain=True)
        table.send("history")
        log = table.daemon.log()
        self.assertLess(log.count("retained commands are ignored"), 50)
        self.assertIn("more lines like the last one are suppressed", log)

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
    """state and score next to events and replies. table.py checks that both have the same seq."""

    def aim_back_to_back(self, table, count):
        """The ids, in the order in which they were sent."""
        return [table.post("aim", {"piece": f"red-{1 + i % 2}"}) for i in range(count)]

    def assert_states_are_those_after_their_events(self, table):
        shooter = {it["seq"]: it["piece"] for it in table.events() if it["event_type"] == "aimed"}
        for state in (it.json for it in table.said("state")):
            if state["seq"] in shooter:
                self.assertEqual(state["shooter"], shooter[state["seq"]], state["seq"])

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

    def test_the_state_of_every_reply_comes_in_a_burst(self):
        table = self.table()
        table.new_game()
        for count in (2, 15, 300):
            mark = len(table.client.messages)
            ids = self.aim_back_to_back(table, count)
            replies = [table.await_reply(it, mark) for it in ids]
            self.assertTrue(all(it["ok"] for it in replies))
            self.assertEqual(table.state(replies[-1]["seq"])["seq"], replies[-1]["seq"])
            table.await_seq(replies[-1]["seq"], mark)
        self.assert_states_are_those_after_their_events(table)

    def test_after_a_reconnect_the_latest_state_comes_at_once_and_all_events_follow(self):
        wire = Wire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port, **{"button.aim": {"command": "aim red-2"}})
        table.new_game()
        before = table.state()
        wire.cut()
        poll(lambda: "trying again" in table.daemon.log(), "the loss to be noticed")
        for _ in range(10):  # more would be a button that chatters
            table.sensors.press("button.aim")
        mark = len(table.client.messages)
        wire.mend()
        state = table.await_said("state", since=mark)
        table.await_seq(before["seq"] + 10, mark)
        self.assertEqual(state["seq"], before["seq"] + 10)
        self.assert_states_are_those_after_their_events(table)


class Lobby(TableTest):
    def test_before_the_first_game_the_state_is_an_empty_lobby(self):
        table = self.table()
        state = table.await_said("state")
        self.assertEqual((state["phase"], state["seq"], state["game"]), ("lobby", 0, None))
        self.assertEqual((state["players"], state["pieces"]), ([], {}))

    def test_autostart_begins_a_game_by_itself(self):
        table = self.table(game={"autostart": "yes"})
        self.assertEqual(table.await_event("game-started")["seq"], 1)

    def test_commands_can_be_switched_off(self):
        table = self.table(mqtt={"commands": "no"}, game={"autostart": "yes"})
        mark = len(table.client.messages)
        table.post("end-phase", {})
        # The sensors still work, and come after the command.
        table.client.publish(table.topic("sim/cannon/beam"), "1")
        table.await_said("sensor/cannon/beam", since=mark)
        self.assertEqual(table.said("reply"), [])
        self.assertEqual(table.await_said("state")["phase"], "shooting")


class HomeAssistant(TableTest):
    def discovery(self):
        table = self.table(mqtt={"homeassistant": "yes"})
        topic = f"homeassistant/device/shipahoy-{table.name}/config"
        message = table.client.wait(lambda it: it.topic == topic, "the discovery message")
        self.assertTrue(message.retain)
        return table, message.json

    def test_every_component_has_what_home_assistant_needs(self):
        table, found = self.discovery()
        self.assertTrue(found["device"]["identifiers"])
        self.assertTrue(found["origin"]["name"])
        self.assertEqual(found["availability_topic"], table.topic("status"))
        ids = [it["unique_id"] for it in found["components"].values()]
        self.assertEqual(len(ids), len(set(ids)))
        for name, component in found["components"].items():
            with self.subTest(name):
                key = "command_topic" if component["platform"] == "button" else "state_topic"
                self.assertTrue(component[key].startswith(table.base + "/"))
                if component["platform"] in ("sensor", "binary_sensor"):
                    self.assertIn("value_json", component["value_template"])

    def test_score_turn_phase_winner_health_event_and_buttons_are_there(self):
        _, found = self.discovery()
        platforms = {name: it["platform"] for name, it in found["components"].items()}
        for name, platform in {
            "turn": "sensor", "phase": "sensor", "winner": "sensor", "fault": "binary_sensor",
            "score-1": "sensor", "score-4": "sensor", "event": "event", "new-game": "button",
            "end-phase": "button", "undo": "button",
        }.items():  # fmt: skip
            self.assertEqual(platforms.get(name), platform, name)
        self.assertEqual(found["components"]["event"]["event_types"], WORDS["event"]["enum"])

    def test_its_buttons_play(self):
        table, found = self.discovery()
        for name, event in (("new-game", "game-started"), ("end-phase", "phase-started")):
            button = found["components"][name]
            table.client.publish(button["command_topic"], button["payload_press"])
            table.await_event(event)

    def test_it_is_not_told_when_switched_off(self):
        table = self.table()
        table.new_game()
        self.assertFalse(
            [it for it in table.client.messages if f"shipahoy-{table.name}/" in it.topic]
        )


if __name__ == "__main__":
    harness.main()
