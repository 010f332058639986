#!/usr/bin/python3
"""A game over NATS and over RabbitMQ: played, watched, and continued after the broker was killed."""

import pathlib
import shutil
import signal
import tempfile

import harness
from client import Client
from ctl import Dialogue, ctl
from harness import TableTest
from logbook import Logbook
from other_brokers import Nats, Rabbit
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

V3_1_1 = 4
BUTTONS = {"button.end": {"command": "end-phase"}}


class Play:
    """What every broker must be able to do; the broker's class says what it cannot."""

    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, folder)
        self.broker = self.kind(folder / "broker")
        self.addCleanup(self.broker.stop)

    def listen(self, *topics, name=""):
        client = Client(self.broker.port, version=V3_1_1, topics=topics, name=name)
        self.addCleanup(client.close)
        return client

    def listening_table(self):
        """Its client keeps its session while the broker is away."""
        table = self.idle_table(port=self.broker.port, **BUTTONS)
        table.client.close()
        table.client = self.listen("shipahoy/#", name="listener")
        return table.start()

    def shoot(self, table, piece):
        """With sensors over MQTT; the beam is broken for as long as its echo takes."""
        edge = lambda path, level: table.client.publish(table.topic(f"sim/{path}"), level)  # noqa: E731
        edge("cannon/beam", "1")
        table.await_said("sensor/cannon/beam", lambda it: it["value"] == 1)
        edge("cannon/beam", "0")
        table.await_event("shot-fired")
        edge(f"{piece}/tilt", "1")
        table.await_event("piece-captured", fits=lambda it: it["piece"] == piece)

    def use_shipahoyctl(self, table):
        watch = Dialogue(table, "watch")
        self.addCleanup(watch.close)
        poll(lambda: any(it.json.get("events") for it in table.said("reply")), "its question")
        sent = ctl("send", "roll-move", "3", table=table)
        self.assertEqual((sent.returncode, sent.stderr), (0, ""))
        watch.hear("3")
        refused = ctl("send", "roll-move", "3", table=table)
        self.assertEqual(refused.returncode, 1, refused.stderr)

    def use_logbook(self, table):
        logbook = Logbook(table.daemon.folder / "logbook", self.broker.port, version=V3_1_1)
        self.addCleanup(logbook.close)
        logbook.start()
        logbook.ask("players")
        self.assertNotIn("another logbook", logbook.log())

    def survive_a_kill(self, table):
        before = table.state()["seq"]
        self.broker.stop(signal.SIGKILL)
        poll(lambda: "trying again" in table.daemon.log(), "the loss to be noticed")
        mark = len(table.client.messages)
        for _ in range(2):
            table.sensors.press("button.end")
        self.broker.start()
        table.await_event("turn-started", mark, lambda it: it["turn"] == 2)
        reply = table.send("history", **{"from": before + 1})
        table.await_seq(reply["seq"], mark)
        missed = [it for it in table.events() if it["seq"] > before]
        self.assertEqual(missed, reply["events"])

    def test_a_game_is_played_and_outlives_the_broker(self):
        table = self.listening_table()
        self.assertIn("connected, MQTT 3.1.1", table.daemon.log())
        table.new_game()
        self.shoot(table, "blue-1")
        table.do("end-phase")
        self.use_shipahoyctl(table)
        self.use_logbook(table)
        late = self.listen(*(table.topic(name) for name in ("status", "state", "score")))
        state = late.wait(lambda it: it.topic == table.topic("state"), "the retained state")
        self.assertEqual((state.retain, state.json["phase"]), (True, "moving"))
        self.survive_a_kill(table)
        self.assertEqual(table.state()["turn"], 2)
        self.assertNotIn("another daemon", table.daemon.log())


class OverNats(Play, TableTest):
    kind = Nats


class OverRabbit(Play, TableTest):
    kind = Rabbit


if __name__ == "__main__":
    harness.main()
