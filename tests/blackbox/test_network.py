#!/usr/bin/python3
"""The way to the broker when it is slow, stuck, old or strict."""

import pathlib
import shutil
import signal
import tempfile
import time

import harness
from broker import Broker, Certificates, ClosingWire, OldWire, Wire
from client import Client
from ctl import Dialogue, ctl
from harness import Shared, TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BUTTONS = {"button.end": {"command": "end-phase"}, "button.one": {"command": "aim red-1"},
           "button.two": {"command": "aim red-2"}}  # fmt: skip
LEAVING_S = 5  # a second for the broker, and some patience with a busy machine
MEMORY_KIB = 8192  # by which a table may grow while nobody takes what it says


class Held(TableTest):
    def press_and_see_it_on_disk(self, table, count):
        """The game goes on although nobody hears of it."""
        kept = lambda: [it.read_bytes() for it in sorted(table.daemon.state.iterdir())]  # noqa: E731
        for i in range(count):
            before = kept()
            table.sensors.press(("button.one", "button.two")[i % 2])
            poll(lambda old=before: kept() != old, "the press to be on disk")

    def all_in_order(self, table, since):
        reply = table.send("history", **{"from": since + 1})
        table.await_seq(reply["seq"])
        missed = [it for it in table.events() if it["seq"] > since]
        self.assertEqual(missed, reply["events"])
        return missed

    def test_a_broker_that_takes_nothing_does_not_stop_the_game(self):
        wire = Wire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port, **BUTTONS)
        table.new_game()
        since = table.state()["seq"]
        before_kib = table.daemon.status("VmRSS")
        wire.hold(True)
        self.press_and_see_it_on_disk(table, 20)
        self.assertLess(table.daemon.status("VmRSS"), before_kib + MEMORY_KIB)
        wire.hold(False)
        self.assertEqual(len(self.all_in_order(table, since)), 20)
        self.assertEqual(table.state()["shooter"], "red-2")
        self.assertNotIn("trying again", table.daemon.log())

    def test_a_broker_that_stands_still_gets_everything_when_it_wakes(self):
        with tempfile.TemporaryDirectory(prefix="shipahoy-") as folder:
            broker = Broker(pathlib.Path(folder) / "broker")
            self.addCleanup(broker.stop)
            table = self.idle_table(port=broker.port, **BUTTONS)
            table.client.close()
            table.client = Client(broker.port)
            table.start()
            table.new_game()
            since = table.state()["seq"]
            broker.process.send_signal(signal.SIGSTOP)
            self.addCleanup(broker.process.send_signal, signal.SIGCONT)
            self.press_and_see_it_on_disk(table, 10)
            broker.process.send_signal(signal.SIGCONT)
            self.assertEqual(len(self.all_in_order(table, since)), 10)

    def test_a_table_leaves_in_time_although_the_broker_stands_still(self):
        with tempfile.TemporaryDirectory(prefix="shipahoy-") as folder:
            broker = Broker(pathlib.Path(folder) / "broker")
            self.addCleanup(broker.stop)
            table = self.idle_table(port=broker.port)
            table.client.close()
            table.client = Client(broker.port)
            table.start()
            broker.process.send_signal(signal.SIGSTOP)
            self.addCleanup(broker.process.send_signal, signal.SIGCONT)
            began = time.monotonic()
            self.assertEqual(table.daemon.terminate(), 0)
            self.assertLess(time.monotonic() - began, LEAVING_S)


class Old(TableTest):
    def test_a_broker_that_knows_only_3_1_1_is_spoken_to_in_3_1_1(self):
        wire = OldWire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port)
        self.assertEqual(wire.levels, [5, 4])
        table.new_game()
        self.assertEqual(table.do("end-phase"), ["phase-started phase=moving G3"])
        self.assertNotIn("trying again", table.daemon.log())

    def test_a_broker_that_closes_on_version_5_is_spoken_to_in_3_1_1(self):
        wire = ClosingWire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port)
        self.assertEqual(wire.levels, [5, 4])
        self.assertIn("connected, MQTT 3.1.1", table.daemon.log())
        self.assertNotIn("trying again", table.daemon.log())

    def test_shipahoyctl_speaks_3_1_1_where_the_broker_refuses_or_closes_on_version_5(self):
        for kind in (OldWire, ClosingWire):
            with self.subTest(kind.__name__):
                wire = kind(Shared.broker.port)
                self.addCleanup(wire.close)
                table = self.table(port=wire.port)
                table.new_game()
                sent = ctl("send", "end-phase", table=table)
                self.assertEqual((sent.returncode, sent.stderr), (0, ""))
                self.assertEqual(wire.levels, [5, 4, 5, 4])

    def test_shipahoyctl_with_5_hears_a_daemon_with_3_1_1(self):
        wire = ClosingWire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port)
        table.new_game()
        sent = ctl("--port", Shared.broker.port, "send", "end-phase", "id=mine", table=table)
        self.assertEqual((sent.returncode, sent.stderr), (0, ""))

    def test_shipahoyctl_watches_over_3_1_1_and_asks_for_what_it_missed(self):
        wire = ClosingWire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port)
        table.new_game()
        watch = Dialogue(table, "watch")
        self.addCleanup(watch.close)
        poll(lambda: table.said("reply") and table.said("reply")[-1].json.get("events"), "history")
        table.do("end-phase")
        watch.hear("moving")

    def test_the_last_will_of_a_table_that_speaks_3_1_1_comes_after_a_kill(self):
        wire = OldWire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port)
        mark = len(table.client.messages)
        table.kill()
        table.await_status("offline", mark)


class Strict(TableTest):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.certificates = Certificates(self.folder / "certificates")
        self.broker = Broker(self.folder / "broker", certificates=self.certificates, strict_tls=True)
        self.addCleanup(self.broker.stop)

    def test_a_table_shows_its_certificate_where_one_is_asked_for(self):
        mine = self.certificates
        table = self.idle_table(
            port=self.broker.tls_port,
            mqtt={
                "tls_ca": mine.ca,
                "tls_cert": mine.client_certificate,
                "tls_key": mine.client_key,
            },
        )
        table.client.close()
        table.client = Client(self.broker.port)
        table.start()
        table.new_game()
        self.assertEqual(table.do("end-phase"), ["phase-started phase=moving G3"])

    def test_a_table_without_a_certificate_is_kept_out_and_tries_again(self):
        table = self.idle_table(port=self.broker.tls_port, mqtt={"tls_ca": self.certificates.ca})
        table.daemon.start()
        poll(lambda: "trying again" in table.daemon.log(), "the refusal")
        self.assertNotIn("broker: connected", table.daemon.log())
        self.assertTrue(table.daemon.alive())


if __name__ == "__main__":
    harness.main()
