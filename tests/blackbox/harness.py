"""What every test of the black box has: a broker, tables, and a record of all that was said.

A module gets its broker with setUpModule = harness.set_up_module and the like. The messages of all
tables are kept in the folder that BLACKBOX_SEEN names, one file a module, for seen_by_all.py.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from broker import Broker
from table import PREFIX, Table

SEEN_FOLDER = os.environ.get("BLACKBOX_SEEN")


class Shared:
    """Of the module that runs."""

    folder = None
    broker = None
    tables = 0
    seen = {}  # lines of TOPIC<tab>PAYLOAD and asked<tab>VERB<tab>RESULT, each once


def set_up_module(broker=Broker):
    Shared.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
    Shared.broker = broker(Shared.folder / "broker")


def tear_down_module():
    Shared.broker.stop()
    shutil.rmtree(Shared.folder)
    if SEEN_FOLDER:
        folder = pathlib.Path(SEEN_FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        subject = pathlib.Path(sys.argv[0]).stem
        (folder / f"{subject}.txt").write_text("".join(Shared.seen), encoding="utf-8")


def name_of(topic, table):
    """The topic without its base; None for what is not this table's to say."""
    if topic.startswith("homeassistant/"):
        return topic
    name = topic.removeprefix(f"{table.base}/")
    if name.startswith("reply/"):
        return "reply"
    return None if name == topic or name.startswith(("command/", "sim/", "node/")) else name


def note_seen(table):
    for it in list(table.client.messages):
        name = name_of(it.topic, table)
        if name:
            Shared.seen[f"{name}\t{it.payload.decode()}\n"] = True
    for verb, result in table.asked:
        Shared.seen[f"asked\t{verb}\t{result}\n"] = True


class TableTest(unittest.TestCase):
    """Tables that are closed and checked when the test, or the class, is over."""

    @classmethod
    def make_table(cls, port=None, folder=None, name=None, **sections):
        Shared.tables += 1
        name = name or f"table-{Shared.tables}"
        folder = folder or Shared.folder / f"{Shared.tables}-{name}"
        return Table(folder, port or Shared.broker.port, name, Shared.broker.port, **sections)

    def table(self, **settings):
        """A table that runs, for this test alone."""
        table = self.idle_table(**settings)
        return table.start()

    def idle_table(self, **settings):
        """A table whose daemon is to be started by the test."""
        table = self.make_table(**settings)
        self.addCleanup(self.finish, table)
        return table

    @staticmethod
    def finish(table, expected_code=0):
        code = table.close()
        note_seen(table)
        assert not table.problems(), "\n".join(table.problems())
        assert code == expected_code, f"exit code {code}: {table.daemon.log()}"


class SharedTableTest(TableTest):
    """One table for the class, a new game for each test that wants one."""

    sections = {}

    @classmethod
    def setUpClass(cls):
        cls.shared = cls.make_table(**cls.sections)
        cls.addClassCleanup(cls.finish, cls.shared)
        cls.shared.start()

    def new_game(self, **fields):
        self.shared.new_game(**fields)
        return self.shared


def main():
    unittest.main(verbosity=2)
