"""The node program in the unix port of MicroPython, at a real mosquitto: what the contract promises of it."""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

from broker import Broker, Wire
from client import Client
from unix_node import UnixNode
from waiting import poll

BASE = "shipahoy/den/node"


class Nodes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.broker = Broker(self.folder / "broker")
        self.addCleanup(self.broker.stop)
        self.wire = Wire(self.broker.port)
        self.addCleanup(self.wire.close)
        self.client = Client(self.broker.port)
        self.addCleanup(self.client.close)

    def node(self, name):
        node = UnixNode(name, "den", self.wire.port)
        self.addCleanup(node.end)
        self.wait_status(name, "online")
        return node

    def wait_status(self, name, text, since=0):
        return self.client.wait(
            lambda it: it.topic == f"{BASE}/{name}/status" and it.payload == text.encode(),
            f"{name} {text}", since,
        )  # fmt: skip

    def restart_broker(self):
        """Until our client hears it again."""
        self.broker.stop()
        self.broker.start()
        self.client.until(lambda: self.client.connections == 2, "the client")
        self.client.publish("probe", "")
        self.client.wait(lambda it: it.topic == "probe", "the probe")

    def messages(self, name):
        return [it.json for it in list(self.client.messages) if it.topic == f"{BASE}/{name}/edges"]

    def wait_edges(self, name, count):
        """All edges of a node, as (sensor, level, time on its clock), once there are so many. A message that
        was sent twice counts once."""
        def edges():
            told = {(it["boot"], it["n"]): it for it in self.messages(name)}
            return [(sensor, level, it["t"] - age) for it in told.values() for sensor, level, age in it["edges"]]
        return poll(lambda: len(edges()) >= count and edges(), f"{count} edges of {name}")

    def assert_whole(self, name):
        """No gap, and every level is the one that the edges lead to."""
        last, levels = 0, {}
        for it in self.messages(name):
            if it["n"] <= last:
                continue
            self.assertEqual(it["n"], last + 1)
            last = it["n"]
            for sensor, level, _ in it["edges"]:
                self.assertNotEqual(levels.get(sensor), level)
                levels[sensor] = level
            self.assertLessEqual(levels.items(), it["levels"].items())
            levels = dict(it["levels"])

    def test_announces_itself_retained(self):
        self.node("cannon")
        info = self.client.wait(lambda it: it.topic == f"{BASE}/cannon/info", "info")
        self.assertTrue(info.retain)
        self.assertEqual(info.json["sensors"], ["beam", "beam2"])
        self.assertTrue(self.wait_status("cannon", "online").retain)
        message = self.client.wait(lambda it: it.topic == f"{BASE}/cannon/edges", "levels")
        self.assertEqual((message.qos, message.retain, message.json["n"]), (1, False, 1))
        self.assertEqual(message.json["levels"], {"beam": 0, "beam2": 0})

    def test_last_will_is_retained(self):
        node = self.node("cannon")
        node.kill()
        self.assertTrue(self.wait_status("cannon", "offline").retain)

    def test_new_boot_starts_over(self):
        node = self.node("cannon")
        self.client.wait(lambda it: it.topic == f"{BASE}/cannon/edges", "levels")
        node.kill()
        self.wait_status("cannon", "offline")
        since = len(self.client.messages)
        node.start()
        self.wait_status("cannon", "online", since)
        again = self.client.wait(lambda it: it.topic == f"{BASE}/cannon/edges", "levels", since).json
        self.assertNotEqual(again["boot"], self.messages("cannon")[0]["boot"])
        self.assertEqual(again["n"], 1)

    def test_shot(self):
        node = self.node("cannon")
        for sensor, level in (("beam", 1), ("beam2", 1), ("beam", 0), ("beam2", 0)):
            node.do("set", sensor, level)
        edges = self.wait_edges("cannon", 4)
        self.assertEqual([edge[:2] for edge in edges], [("beam", 1), ("beam2", 1), ("beam", 0), ("beam2", 0)])
        self.assertEqual(sorted(edge[2] for edge in edges), [edge[2] for edge in edges])
        self.assert_whole("cannon")

    def test_encoder_loses_no_edge_at_2000_a_second(self):
        node = self.node("reel")
        node.do("pull", 10000, 2000)
        edges = self.wait_edges("reel", 10000)
        self.assertEqual(len(edges), 10000)
        self.assert_whole("reel")
        wrong = [later[2] - sooner[2] for sooner, later in zip(edges, edges[1:]) if later[2] - sooner[2] != 500]
        self.assertEqual(wrong, [])

    def test_encoder_loses_no_edge_when_the_wire_is_cut(self):
        node = self.node("reel")
        node.do("pull", 3000, 500)
        self.wait_edges("reel", 500)
        self.wire.cut()
        node.hear("blink 3")
        self.wire.mend()
        self.assertEqual(len(self.wait_edges("reel", 3000)), 3000)
        self.assert_whole("reel")

    def test_stall_of_the_broker_delays_edges_and_keeps_their_times(self):
        node = self.node("reel")
        self.wire.hold(True)
        node.do("pull", 400, 200)
        node.hear("pulled")
        self.wire.hold(False)
        edges = self.wait_edges("reel", 400)
        self.assertEqual(edges[-1][2] - edges[0][2], 399 * 5000)
        self.assert_whole("reel")

    def test_wifi_loss_and_broker_restart(self):
        node = self.node("cannon")
        since = len(self.client.messages)
        node.do("wifi", "off")
        node.hear("blink 2")
        self.wait_status("cannon", "offline", since)
        node.do("set", "beam", 1)
        node.do("wifi", "on")
        self.assertEqual(self.wait_edges("cannon", 1)[0][:2], ("beam", 1))
        self.wire.cut()
        self.restart_broker()
        node.do("set", "beam", 0)
        self.wire.mend()
        self.assertEqual(self.wait_edges("cannon", 2)[1][:2], ("beam", 0))

    def test_full_buffer_is_a_gap(self):
        node = self.node("reel")
        self.wire.cut()
        node.hear("blink 3")
        node.do("pull", 3000, 6000)
        node.hear("pulled")
        self.wire.mend()
        poll(lambda: len(self.messages("reel")) > 32, "the rest of the buffer")
        numbers = [it["n"] for it in self.messages("reel")]
        self.assertIn(2, [b - a for a, b in zip(numbers, numbers[1:])])


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
