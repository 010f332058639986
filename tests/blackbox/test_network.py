#!/usr/bin/python3
"""The way to the broker when it is stuck, old or strict."""

import pathlib
import shutil
import signal
import tempfile
import time

import harness
from broker import Broker, Certificates, ClosingWire, OldWire
from client import Client
from ctl import Dialogue, ctl
from harness import Shared, TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BUTTONS = {"button.one": {"command": "aim red-1"}, "button.two": {"command": "aim red-2"}}
LEAVING_S = 5  # a second for the broker, and some patience with a busy machine
MEMORY_KIB = 8192  # by which a table may grow while nobody takes what it says


class OwnBroker(TableTest):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def table_at(self, broker, **sections):
        self.addCleanup(broker.stop)
        table = self.idle_table(**sections)
        table.client.close()
        table.client = Client(broker.port)
        return table

    def test_a_broker_that_stands_still_stops_no_game_and_gets_everything_when_it_wakes(self):
        broker = Broker(self.folder / "broker")
        table = self.table_at(broker, port=broker.port, **BUTTONS).start()
        table.new_game()
        since = table.state()["seq"]
        before_kib = table.daemon.status("VmRSS")
        broker.process.send_signal(signal.SIGSTOP)
        self.addCleanup(broker.process.send_signal, signal.SIGCONT)
        kept = lambda: [it.read_bytes() for it in sorted(table.daemon.state.iterdir())]  # noqa: E731
        for button in ("button.one", "button.two") * 5:
            before = kept()
            table.sensors.press(button)
            poll(lambda old=before: kept() != old, "the press to be on disk")
        self.assertLess(table.daemon.status("VmRSS"), before_kib + MEMORY_KIB)
        broker.process.send_signal(signal.SIGCONT)
        table.await_seq(since + 10)
        missed = [it for it in table.events() if it["seq"] > since]
        self.assertEqual(missed, table.send("history", **{"from": since + 1})["events"])
        broker.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        self.assertEqual(table.daemon.terminate(), 0)
        self.assertLess(time.monotonic() - began, LEAVING_S)

    def test_over_tls_both_sides_show_a_certificate_or_try_again(self):
        mine = Certificates(self.folder / "certificates")
        stranger = Certificates(self.folder / "stranger")
        shown = {"tls_cert": mine.client_certificate, "tls_key": mine.client_key}
        broker = Broker(self.folder / "broker", certificates=mine, strict_tls=True)
        table = self.table_at(broker, port=broker.tls_port, mqtt={"tls_ca": mine.ca} | shown).start()
        table.new_game()
        self.assertEqual(table.do("end-phase"), ["phase-started phase=moving G3"])
        for mqtt in ({"tls_ca": mine.ca}, {"tls_ca": stranger.ca} | shown):
            with self.subTest(mqtt):
                table = self.idle_table(port=broker.tls_port, mqtt=mqtt)
                table.daemon.start()
                poll(lambda it=table: "trying again" in it.daemon.log(), "the refusal")
                self.assertNotIn(": connected, MQTT", table.daemon.log())
                self.assertTrue(table.daemon.alive())


class Old(TableTest):

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


if __name__ == "__main__":
    harness.main()
