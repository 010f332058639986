#!/usr/bin/python3
"""A broker whose computer vanishes from the network, as if it had lost its power.

It runs in a network namespace of its own, which then loses its address: nobody closes the connection.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from broker import Broker, free_port
from table import Table
from waiting import poll

NAME = f"club{os.getpid() % 10000}"
HERE, THERE = "198.51.100.1", "198.51.100.2"  # of a block for documentation: in nobody's network
NOTICED_S = 40


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class DistantBroker(Broker):
    """mosquitto in the namespace, on the same port as its neighbour here."""

    def configuration(self):
        return f"listener {self.port} {THERE}\nallow_anonymous true\nuser root\n"

    def start(self):
        settings = self.folder / "mosquitto.conf"
        settings.write_text(self.configuration())
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", NAME, "/usr/sbin/mosquitto", "-c", settings],
                stdout=log, stderr=log,
            )  # fmt: skip
        poll(lambda: "mosquitto version" in self.log_path.read_text(), "the broker")


class NetworkLoss(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)
        ip("netns", "add", NAME)
        self.addCleanup(ip, "netns", "delete", NAME)
        # The kernel removes the link of the last test some time after its namespace.
        subprocess.run(["ip", "link", "delete", NAME], check=False, stderr=subprocess.DEVNULL)
        ip("link", "add", NAME, "type", "veth", "peer", "name", "eth0", "netns", NAME)
        ip("address", "add", f"{HERE}/30", "dev", NAME)
        ip("link", "set", NAME, "up")
        self.inside("address", "add", f"{THERE}/30", "dev", "eth0")
        self.inside("link", "set", "eth0", "up")

    def inside(self, *words):
        ip("-netns", NAME, *words)

    def table_at_both(self):
        distant = DistantBroker(self.folder / "distant")
        self.addCleanup(distant.stop)
        near = Broker(self.folder / "near")
        self.addCleanup(near.stop)
        host = f"{THERE}:{distant.port}, 127.0.0.1"
        button = {"button.end": {"command": "end-phase"}}
        table = Table(self.folder / "table", near.port, "den", near.port, mqtt={"host": host}, **button)
        self.addCleanup(table.close)
        table.daemon.start()
        poll(lambda: f"{THERE}:{distant.port}: connected" in table.daemon.log(), "the distant broker")
        return table

    def await_near(self, table):
        poll(lambda: "127.0.0.1" in table.daemon.log() , "the broker nearby", NOTICED_S)
        table.await_status("online")

    def test_a_table_that_publishes_switches(self):
        table = self.table_at_both()
        self.inside("address", "delete", f"{THERE}/30", "dev", "eth0")
        table.sensors.press("button.end")
        self.await_near(table)

    def test_a_table_that_is_idle_switches_too(self):
        table = self.table_at_both()
        self.inside("address", "delete", f"{THERE}/30", "dev", "eth0")
        self.await_near(table)

    def test_a_broker_that_is_not_there_at_the_start_is_passed_over(self):
        self.inside("address", "delete", f"{THERE}/30", "dev", "eth0")
        near = Broker(self.folder / "near")
        self.addCleanup(near.stop)
        host = f"{THERE}:{free_port()}, 127.0.0.1"
        table = Table(self.folder / "table", near.port, "den", near.port, mqtt={"host": host})
        self.addCleanup(table.close)
        table.daemon.start()
        self.await_near(table)


if __name__ == "__main__":
    unittest.main(verbosity=2)
