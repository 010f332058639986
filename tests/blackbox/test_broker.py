#!/usr/bin/python3
"""The broker away, restarted, refusing."""

import pathlib
import random
import shutil
import signal
import subprocess
import tempfile

import harness
from broker import Broker, Wire
from client import Client
from harness import Shared, TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BUTTONS = {"button.end": {"command": "end-phase"}, "button.three": {"command": "roll-move 3"}}


class Outage(TableTest):
    """The daemon's wire to the broker is cut; the one who listens stays connected."""

    def setUp(self):
        self.wire = Wire(Shared.broker.port)
        self.addCleanup(self.wire.close)

    def lose_broker(self, table):
        table.await_status("online")
        self.wire.cut()
        poll(lambda: "trying again" in table.daemon.log(), "the loss to be noticed")

    def test_the_game_goes_on_and_every_event_comes_in_order_afterwards(self):
        table = self.table(port=self.wire.port, **BUTTONS)
        table.new_game()
        before = table.state()["seq"]
        self.lose_broker(table)
        sensors = table.sensors
        sensors.fire()
        sensors.topple("blue-1", "blue-2")
        for button in ("end", "three", "end", "end"):
            sensors.press(f"button.{button}")
        mark = len(table.client.messages)
        self.wire.mend()
        # What is retained is fresh at once.
        self.assertEqual(table.await_said("state", since=mark)["turn"], 2)
        self.assertEqual(table.await_said("score", since=mark)["turn"], 2)
        table.await_said("info", since=mark)
        reply = table.send("history", **{"from": before + 1})
        table.await_seq(reply["seq"], mark)
        missed = [it for it in table.events() if it["seq"] > before]
        self.assertEqual(missed, reply["events"])
        self.assertIn("shot-fired", [it["event_type"] for it in missed])

    def test_a_wire_that_breaks_anywhere_loses_nothing(self):
        chance = random.Random(3)
        table = self.table(port=self.wire.port)
        table.new_game()
        for _ in range(6):
            mark = len(table.client.messages)
            self.wire.cut_after = chance.randrange(1, 3000)
            table.post("end-phase", {})
            for i in range(7):
                table.post("select", {"piece": f"red-{1 + i % 3}"})
            table.post("end-phase", {})
            table.post("end-phase", {})
            # It breaks while this is answered, or at the latest when more is asked.
            # A few at a time: a query in a flood of them is dropped.
            poll(lambda: self.wire.cut_after is None or not table.post("history", {}), "the break")
            table.await_status("online", mark)
        reply = table.send("history", **{"from": table.events()[-1]["seq"]})
        table.await_seq(reply["seq"])
        game = table.state()["game"]
        told = [it["seq"] for it in table.events() if it["game"] == game]
        self.assertEqual(told, list(range(1, reply["seq"] + 1)))


class OwnBroker(TableTest):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def broker(self, **settings):
        broker = Broker(self.folder / "broker", **settings)
        self.addCleanup(broker.stop)
        return broker

    def test_after_a_restart_of_the_broker_nothing_is_missing(self):
        broker = self.broker(persistent=True)
        listener = Client(broker.port, name="listener")
        self.addCleanup(listener.close)
        table = self.idle_table(port=broker.port, **BUTTONS)
        table.client.close()
        table.client = listener
        table.start()
        table.new_game()
        broker.stop()
        poll(lambda: "trying again" in table.daemon.log(), "the loss to be noticed")
        for _ in range(3):
            table.sensors.press("button.end")
        mark = len(listener.messages)
        broker.start()
        # The broker repeats what the listener had not acknowledged, too.
        table.await_event("turn-started", mark, lambda it: it["turn"] == 2)
        self.assertEqual(table.state()["turn"], 2)

    def test_when_a_broker_fails_the_table_goes_on_at_the_next_one_and_stays_there(self):
        first = self.broker()
        table = self.idle_table(mqtt={"host": f"127.0.0.1:{first.port}, 127.0.0.1"})
        table.daemon.start()
        poll(lambda: f":{first.port}: connected" in table.daemon.log(), "the first broker")
        first.stop(signal.SIGKILL)
        table.await_status("online")
        table.new_game()
        first.start()
        table.do("end-phase")
        self.assertEqual(table.daemon.log().count(": connected"), 2)

    def password_file(self, password):
        path = self.folder / "passwords"
        path.write_text("")
        subprocess.run(
            ["mosquitto_passwd", "-b", path, "table", password], check=True, capture_output=True
        )
        return path

    def test_a_broker_that_refuses_is_tried_until_it_accepts(self):
        broker = self.broker(passwords=self.password_file("another"))
        secret = self.folder / "secret"
        secret.write_text("sesame\n")
        table = self.idle_table(
            port=broker.port, mqtt={"username": "table", "password_file": secret}
        )
        table.daemon.start()
        poll(lambda: "trying again" in table.daemon.log(), "the refusal")
        self.assertRegex(table.daemon.log().lower(), "not authori[sz]ed|refused")
        self.password_file("sesame")
        broker.reload()
        listener = Client(broker.port, user=("table", "sesame"))
        self.addCleanup(listener.close)
        listener.wait(lambda it: it.topic == table.topic("status"), "online")

if __name__ == "__main__":
    harness.main()
