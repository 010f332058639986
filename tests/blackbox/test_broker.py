#!/usr/bin/python3
"""The broker away, restarted, refusing, over TLS and websockets; several tables and protocols."""

import pathlib
import random
import shutil
import subprocess
import tempfile

import harness
from broker import Broker, Certificates, Wire
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

    @staticmethod
    def kept(table):
        return [path.read_bytes() for path in sorted(table.daemon.state.iterdir())]

    def test_the_game_goes_on_and_every_event_comes_in_order_afterwards(self):
        table = self.table(port=self.wire.port, **BUTTONS)
        table.new_game()
        before = table.state()
        self.lose_broker(table)
        sensors = table.sensors
        sensors.fire()
        sensors.topple("blue-1", "blue-2")
        sensors.press("button.end")
        sensors.press("button.three")
        sensors.press("button.end")
        sensors.press("button.end")
        mark = len(table.client.messages)
        self.wire.mend()
        table.await_status("online", mark)
        table.await_event("turn-started", mark, lambda it: it["turn"] == 2)
        reply = table.send("history", **{"from": before["seq"] + 1})
        table.await_seq(reply["seq"], mark)
        missed = [it for it in table.events() if it["seq"] > before["seq"]]
        self.assertEqual(missed, reply["events"])
        self.assertIn("shot-fired", [it["event_type"] for it in missed])
        self.assertEqual(table.state()["turn"], 2)

    def test_retained_topics_are_fresh_at_once_after_the_outage(self):
        table = self.table(port=self.wire.port, **BUTTONS)
        table.new_game()
        self.lose_broker(table)
        table.sensors.press("button.end")
        mark = len(table.client.messages)
        self.wire.mend()
        self.assertEqual(table.await_said("state", since=mark)["phase"], "moving")
        self.assertEqual(table.await_said("score", since=mark)["phase"], "moving")
        table.await_said("info", since=mark)

    def test_a_restart_without_a_broker_keeps_what_was_not_told(self):
        table = self.table(port=self.wire.port, **BUTTONS)
        table.new_game()
        self.lose_broker(table)
        for button in BUTTONS:
            before = self.kept(table)
            table.sensors.press(button)
            poll(lambda old=before: self.kept(table) != old, "the press to be on disk")
        table.kill()
        mark = len(table.client.messages)
        self.wire.mend()
        table.start()
        table.await_event("phase-started", mark, lambda it: it["phase"] == "moving")
        table.await_event("move-rolled", mark)

    def test_a_wire_that_breaks_anywhere_loses_nothing(self):
        chance = random.Random(3)
        table = self.table(port=self.wire.port)
        table.new_game()
        for _ in range(6):
            mark = len(table.client.messages)
            self.wire.cut_after = chance.randrange(1, 3000)
            ids = [
                table.post("select", {"piece": f"red-{1 + i % 3}"}) if phase else
                table.post("end-phase", {})
                for i, phase in enumerate([0, 1, 1, 1, 1, 1, 1, 1, 0, 0])
            ]
            # It breaks while this is answered, or at the latest when more is asked.
            while self.wire.cut_after is not None:
                table.post("history", {})
            table.await_status("online", mark)
            for command_id in ids:
                table.post("history", {"id": command_id + "?"})
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

    def test_after_a_broker_that_forgot_everything_the_retained_topics_are_back(self):
        broker = self.broker()
        table = self.idle_table(port=broker.port)
        table.daemon.start()
        poll(lambda: "broker: connected" in table.daemon.log(), "the connection")
        broker.stop()
        broker.start()
        late = Client(broker.port)
        self.addCleanup(late.close)
        for name in ("status", "info", "state", "choices", "score", "ready", "rope"):
            late.wait(lambda it, n=name: it.topic == table.topic(n), name)

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

    def test_TLS_with_an_authority_of_our_own(self):
        certificates = Certificates(self.folder / "certificates")
        broker = self.broker(certificates=certificates)
        table = self.idle_table(port=broker.tls_port, mqtt={"tls_ca": certificates.ca})
        listener = Client(broker.port)
        table.client.close()
        table.client = listener
        table.start()
        table.new_game()
        self.assertEqual(table.do("end-phase"), ["phase-started phase=moving G3"])

    def test_TLS_with_a_stranger_is_refused_and_tried_again(self):
        broker = self.broker(certificates=Certificates(self.folder / "certificates"))
        stranger = Certificates(self.folder / "stranger")
        table = self.idle_table(port=broker.tls_port, mqtt={"tls_ca": stranger.ca})
        table.daemon.start()
        poll(lambda: "trying again" in table.daemon.log(), "the refusal")
        self.assertNotIn("broker: connected", table.daemon.log())
        self.assertTrue(table.daemon.alive())


class Company(TableTest):
    def test_two_tables_share_a_broker_and_do_not_hear_each_other(self):
        one, other = self.table(), self.table()
        one.new_game(players=3)
        other.new_game(players=2)
        one.do("end-phase")
        self.assertEqual((one.state()["phase"], other.state()["phase"]), ("moving", "shooting"))
        self.assertEqual((len(one.state()["players"]), len(other.state()["players"])), (3, 2))
        self.assertNotEqual(one.state()["game"], other.state()["game"])

    def test_a_client_with_the_name_of_the_table_does_not_end_its_connection(self):
        table = self.table()
        intruder = Client(Shared.broker.port, name=f"shipahoy-{table.name}")
        self.addCleanup(intruder.close)
        table.do("new-game", anyway=True)
        self.assertNotIn("trying again", table.daemon.log())

    def test_two_daemons_of_one_table_are_logged_and_the_one_that_stays_is_online(self):
        one = self.table(name="twin")
        other = self.table(name="twin")
        for daemon in (one.daemon, other.daemon):
            poll(lambda it=daemon: "another daemon uses the topics" in it.log(), "the warning")
        mark = len(one.client.messages)
        other.kill()
        one.await_status("offline", mark)
        poll(lambda: one.said("status", mark)[-1].payload == b"online", "online after offline")

    def test_a_client_with_3_1_1_plays_like_one_with_5(self):
        table = self.table()
        for version in (4, 5):
            client = Client(Shared.broker.port, version=version)
            self.addCleanup(client.close)
            client.publish(table.topic("command/new-game"), f'{{"id":"v{version}","abandon":true}}')
            reply = client.wait(
                lambda it: it.topic == table.topic("reply") and it.json["id"] == f"v{version}",
                "the reply",
            )
            self.assertTrue(reply.json["ok"])
            client.wait(lambda it: it.topic == table.topic("event/game-started"), "the event")

    def test_a_page_plays_over_websockets(self):
        table = self.table()
        page = Client(Shared.broker.ws_port, transport="websockets")
        self.addCleanup(page.close)
        page.publish(table.topic("command/new-game"), '{"id":"page"}')
        page.wait(
            lambda it: it.topic == table.topic("reply") and it.json["id"] == "page", "the reply"
        )


if __name__ == "__main__":
    harness.main()
