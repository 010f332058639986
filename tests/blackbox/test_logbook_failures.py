"""Whatever fails beside the logbook: nothing is stored twice, nothing is missing afterwards that a table still has,
the log says what is wrong, and the tables play on."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import harness
from broker import Broker, OldWire, Wire
from daemon import ROOT
from harness import Shared
from logbook import PROGRAM
from table import PREFIX, new_id
from test_logbook import LogbookTest
from waiting import poll

sys.path.insert(0, str(ROOT / "tests/logbook"))
from run_postgres import Server  # noqa: E402

LATE_S = 5  # what the broker acknowledges after three seconds is published again

tearDownModule = harness.tear_down_module


def setUpModule():
    harness.set_up_module(lambda folder: Broker(folder, persistent=True))


class Failing(LogbookTest):
    def turn(self, table):
        for verb, fields in (("fire", {}), ("end-phase", {}), ("roll-move", {"value": 2}), ("end-phase", {}),
                             ("end-phase", {})):  # fmt: skip
            table.do(verb, **fields)


class Failures(Failing):
    def test_the_broker_is_killed_in_the_middle_of_a_game(self):
        logbook, table = self.logbook(), self.table()
        self.play(table)
        Shared.broker.stop(signal.SIGKILL)
        poll(lambda: "trying again" in logbook.log(), "the loss to be noticed")
        mark = len(table.client.messages)
        Shared.broker.start()
        table.await_status("online", mark)
        self.turn(table)
        stored = self.compare(logbook, table, *self.last(table))
        self.assertEqual([it["seq"] for it in stored["events"]], list(range(1, len(stored["events"]) + 1)))

    def test_a_disk_that_is_full_for_a_while(self):
        """A limit on the size of its files stands for the disk."""
        logbook, table = self.logbook(), self.table()
        self.play(table)
        logbook.terminate()
        logbook.start(preexec=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        resource.prlimit(logbook.process.pid, resource.RLIMIT_FSIZE, (16384, resource.RLIM_INFINITY))
        game, seq = self.play(table, shots=4)
        poll(lambda: "nothing is lost as long as the tables keep their games, trying again" in logbook.log(),
             "the complaint")
        self.turn(table)
        resource.prlimit(logbook.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.compare(logbook, table, *self.last(table))
        self.assertEqual(self.last(table)[0], game)
        self.assertGreater(self.last(table)[1], seq)

    def test_over_mqtt_3_1_1(self):
        wire = OldWire(Shared.broker.port)
        self.addCleanup(wire.close)
        logbook, table = self.logbook(port=wire.port, client_port=Shared.broker.port), self.table()
        self.compare(logbook, table, *self.play(table, shots=3))
        self.assertIn(4, wire.levels)

    def test_a_state_whose_acknowledgement_took_long_is_published_again(self):
        """NATS without a leader acknowledges it after four seconds, and has not kept it."""
        wire = Wire(Shared.broker.port)
        self.addCleanup(wire.close)
        logbook = self.logbook(port=wire.port, client_port=Shared.broker.port)
        wire.hold(True)
        fields = {"id": new_id(), "name": "Cup", "system": "swiss", "players": ["Eva", "Finn"]}
        logbook.client.publish(f"{PREFIX}/logbook/command/open-tournament", json.dumps(fields))
        time.sleep(LATE_S)
        wire.hold(False)
        is_shown = lambda it: "/logbook/tournament/" in it.topic  # noqa: E731
        first = logbook.client.wait(is_shown, "the state")
        again = logbook.client.wait(is_shown, "the state again", logbook.client.messages.index(first) + 1)
        self.assertEqual(again.payload, first.payload)
        self.assertTrue(logbook.send("command", "close-tournament", tournament=first.json["tournament"])["ok"])

    @staticmethod
    def run_again(logbook, **how):
        return subprocess.run([PROGRAM, "--config", logbook.configuration, "--state-dir", logbook.state],
                              capture_output=True, text=True, check=False, **how)

    def test_a_database_of_a_later_version_ends_it_with_a_sentence(self):
        logbook = self.logbook()
        logbook.terminate()
        with sqlite3.connect(logbook.state / "logbook.db") as database:
            database.execute("UPDATE logbook SET version = 99")
        result = self.run_again(logbook)
        self.assertEqual(result.returncode, 69)
        self.assertIn("it has version 99", result.stderr)

    def test_a_read_only_database_ends_it_with_a_sentence(self):
        logbook = self.logbook()
        logbook.terminate()
        Shared.folder.chmod(0o755)
        logbook.folder.chmod(0o755)
        logbook.state.chmod(0o555)
        (logbook.state / "logbook.db").chmod(0o444)
        result = self.run_again(logbook, user="nobody" if os.geteuid() == 0 else None)
        self.assertEqual(result.returncode, 69)
        self.assertRegex(result.stderr, "database: .*(readonly|may not be written|unable to open)")


class Postgres(Failing):
    def test_postgresql_is_killed_in_the_middle_of_a_game(self):
        server = Server()
        self.addCleanup(server.close)
        server.start()
        logbook, table = self.logbook(database=server.url), self.table()
        self.play(table)
        server.stop(signal.SIGKILL)
        table.do("fire")
        poll(lambda: "trying again" in logbook.log(), "the complaint")
        table.do("end-phase")
        server.start()
        self.compare(logbook, table, *self.last(table))

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_the_disk_of_postgresql_is_full_for_a_while(self):
        server = Server(disk_mib=96)
        self.addCleanup(server.close)
        server.start()
        logbook, table = self.logbook(database=server.url), self.table()
        self.play(table)
        server.fill_disk()

        def is_noticed():
            self.turn(table)
            return "No space left on device" in logbook.log() and "trying again" in logbook.log()

        poll(is_noticed, "the complaint")
        self.turn(table)
        server.free_disk()
        self.compare(logbook, table, *self.last(table))


if __name__ == "__main__":
    harness.main()
