#!/usr/bin/python3
"""A table, the logbook and shipahoyctl on a cluster of three brokers, each on another node.

CLUB names the cluster: a key of CLUSTERS in clusters.py. The page is tested by page.test.mjs.
"""

import contextlib
import os
import pathlib
import shutil
import tempfile
import time
import unittest

from client import Client
from clusters import CLUSTERS
from ctl import Terminal, ctl
from logbook import Logbook
from table import Table
from waiting import TooLate, poll

CONNECT_S = 60
STEADY_S = 10  # a table that moves to and fro has moved again by then
BUTTONS = {"button.end": {"command": "end-phase"}}


class Club:
    cluster = None
    folder = None


def setUpModule():
    Club.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-club-"))
    Club.cluster = CLUSTERS[os.environ["CLUB"]]().start()
    connect(0, "none").close()


def tearDownModule():
    Club.cluster.stop()
    shutil.rmtree(Club.cluster.folder)
    shutil.rmtree(Club.folder)


def connect(node, *topics, **how):
    """As soon as the node accepts it."""

    def attempt():
        with contextlib.suppress(OSError, TooLate):
            return Client(Club.cluster.ports[node], Club.cluster.version, topics, **how)

    return poll(attempt, f"a connection to node {node + 1}", CONNECT_S)


def hosts(*nodes):
    return ", ".join(f"127.0.0.1:{Club.cluster.ports[it]}" for it in nodes)


class ClubTest(unittest.TestCase):
    def table(self, name, *nodes):
        """A table that connects to these nodes, and a client on the third one that is never away."""
        table = Table(
            Club.folder / name, 1883, name, Club.cluster.ports[2], topics=(f"shipahoy/{name}/#",),
            version=Club.cluster.version, session=f"of-{name}", mqtt={"host": hosts(*nodes)}, **BUTTONS,
        )  # fmt: skip
        self.addCleanup(self.finish, table)
        return table.start()

    def finish(self, table):
        self.assertEqual(table.close(), 0, table.daemon.log())
        problems = table.order_problems() + table.daemon.faults()
        self.assertFalse(problems, "\n".join(problems))

    def listen(self, node, *topics, **how):
        client = connect(node, *topics, **how)
        self.addCleanup(client.close)
        return client

    @contextlib.contextmanager
    def without(self, node):
        node = Club.cluster.nodes[node]
        node.kill()
        try:
            yield
        finally:
            node.launch()
            node.await_port()

    def connections(self, table):
        return [line for line in table.daemon.log().splitlines() if "connected, MQTT" in line]

    def test_a_game_is_played_over_all_nodes(self):
        table = self.table("den", 0)
        table.new_game()
        table.sensors.fire()
        table.await_event("shot-fired")
        table.sensors.topple("blue-1")
        table.await_event("piece-captured", fits=lambda it: it["piece"] == "blue-1")
        table.do("end-phase")
        elsewhere = hosts(Club.cluster.node_of_retained)
        table.daemon.configuration.write_text(
            table.daemon.configuration.read_text().replace(hosts(0), elsewhere)
        )
        watch = Terminal(table, "watch")
        self.addCleanup(watch.close)
        watch.see("Live, event")
        sent = ctl("send", "roll-move", "3", table=table)
        self.assertEqual((sent.returncode, sent.stderr), (0, ""))
        watch.see("rolls a 3")
        refused = ctl("send", "roll-move", "3", table=table)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        seq = table.state()["seq"]
        late = self.listen(Club.cluster.node_of_retained, table.topic("state"))
        state = late.wait(lambda it: it.json["seq"] == seq, "the retained state")
        self.assertEqual((state.retain, state.json["phase"]), (True, "moving"))

    def test_a_table_goes_on_at_the_next_node_and_stays_there(self):
        table = self.table("hall", 0, 1)
        table.new_game()
        mark = len(table.client.messages)
        before = table.state()["seq"]
        with self.without(0):
            for _ in range(6):
                table.sensors.press("button.end")
            table.await_event("turn-started", mark, lambda it: it["turn"] == 3)
            self.assertIn("trying the next broker", table.daemon.log())
            self.assertIn(str(Club.cluster.ports[1]), self.connections(table)[-1])
            reply = table.send("history", **{"from": before + 1})
            self.assertEqual([it for it in table.events() if it["seq"] > before], reply["events"])
        count = len(self.connections(table))
        time.sleep(STEADY_S)  # for the claim that nothing happens
        self.assertEqual(len(self.connections(table)), count)
        table.do("end-phase")

    def test_the_logbook_has_every_event_although_its_node_was_killed(self):
        table = self.table("loft", 1)
        logbook = Logbook(
            Club.folder / "logbook", 1883, client_port=Club.cluster.ports[2], host=hosts(0, 1),
            version=Club.cluster.version,
        )  # fmt: skip
        logbook.start()
        self.addCleanup(lambda: self.assertEqual(logbook.close(), 0, logbook.log()))
        table.new_game()
        mark = len(logbook.client.messages)
        with self.without(0):
            for _ in range(9):
                table.sensors.press("button.end")
            table.await_event("turn-started", fits=lambda it: it["turn"] == 4)
            seq = table.send("history", **{"from": 1})["seq"]
            # It publishes this when it is subscribed; a question that comes earlier has no answer.
            is_online = lambda it: it.topic.endswith("logbook/status") and it.payload == b"online"  # noqa: E731
            logbook.client.wait(is_online, "the logbook on the other node", mark)
            stored = logbook.await_game(table.state()["game"], seq)
        self.assertEqual(stored["events"], table.events())
        self.assertEqual([it["seq"] for it in stored["events"]], list(range(1, seq + 1)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
