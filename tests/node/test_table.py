"""Nodes in MicroPython play at the real daemon, through a real broker."""
import os
import unittest

import harness
from broker import Wire
from harness import TableTest
from unix_node import UnixNode
from waiting import TooLate

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

COUNTS_PER_KNOT = 100
SECTIONS = {
    "cannon": {"beam": "node cannon beam", "beam2": "node cannon beam2", "beam_gap_mm": 20},
    "rope": {"a": "node reel a", "b": "node reel b", "button": "node reel button",
             "counts_per_knot": COUNTS_PER_KNOT},
}  # fmt: skip


class Nodes(TableTest):
    def setUp(self):
        self.wire = Wire(harness.Shared.broker.port)
        self.addCleanup(self.wire.close)
        self.shots = self.table(**SECTIONS)

    def node(self, name):
        node = UnixNode(name, self.shots.name, self.wire.port)
        self.addCleanup(node.end)
        return node

    def await_health(self, sensor, health, since=0):
        place, kind = sensor.split(".")
        return self.shots.await_said(
            f"sensor/{place}/{kind}", lambda it: it["heard"] and it["health"] == health, since
        )

    def await_counts(self, counts):
        """The rope after a pull; nothing was lost on the way."""
        rope = self.shots.await_said("rope", lambda it: abs(it["counts"]) >= counts)
        self.assertEqual((abs(rope["counts"]), rope["invalid"]), (counts, 0))

    def test_a_node_that_is_not_there_is_reported_before_the_game(self):
        ready = self.shots.await_said(
            "ready", lambda it: any(p["sensor"] == "cannon.beam" for p in it["problems"])
        )
        problem = next(p for p in ready["problems"] if p["sensor"] == "cannon.beam")
        self.assertFalse(problem["blocks"])
        mark = len(self.shots.client.messages)
        self.node("cannon")
        self.shots.await_said(
            "ready", lambda it: not any(p["sensor"] == "cannon.beam" for p in it["problems"]), mark
        )

    def test_S2_a_shot_has_its_width_and_speed(self):
        node = self.node("cannon")
        self.await_health("cannon.beam", "ok")
        self.shots.new_game()
        node.do("shot", 3000, 4000)
        shot = self.shots.await_event("shot-fired")
        self.assertEqual(shot["evidence"]["width_us"], 3000)
        self.assertEqual(shot["speed_mps"], 5)

    def test_M4_a_rope_with_2000_edges_a_second_loses_no_count(self):
        node = self.node("reel")
        self.await_health("rope.a", "ok")
        self.shots.new_game()
        node.do("pull", 6000, 2000)
        self.await_counts(6000)

    def test_M4_the_button_confirms_a_move(self):
        node = self.node("reel")
        self.await_health("rope.a", "ok")
        self.shots.new_game()
        self.shots.end_phases(1)
        self.shots.do("roll-move", value=3)
        self.shots.do("select", piece="red-1")
        node.do("pull", 2 * COUNTS_PER_KNOT, 2000)
        self.await_counts(2 * COUNTS_PER_KNOT)
        node.do("press", "button")
        moved = self.shots.await_event("piece-moved")
        self.assertEqual((moved["piece"], moved["cost"]), ("red-1", 2))

    def test_a_node_that_loses_its_battery_is_silent_and_starts_over(self):
        node = self.node("cannon")
        self.await_health("cannon.beam", "ok")
        self.shots.new_game()
        mark = len(self.shots.client.messages)
        node.kill()
        self.await_health("cannon.beam", "silent", mark)
        node.start()
        self.await_health("cannon.beam", "ok", mark)
        node.do("shot", 3000, 4000)
        self.shots.await_event("shot-fired", mark)

    def test_a_pull_while_the_connection_is_cut_is_counted_afterwards(self):
        node = self.node("reel")
        self.await_health("rope.a", "ok")
        self.shots.new_game()
        node.do("pull", 2000, 1000)
        self.shots.await_said("rope", lambda it: abs(it["counts"]) > 200)
        self.wire.cut()
        node.hear("blink 3")
        self.wire.mend()
        self.await_counts(2000)


class Rate(TableTest):
    """Not a test of a promise: how far the chain goes on this machine. NODE_RATE=yes prints it."""

    @unittest.skipUnless(os.environ.get("NODE_RATE"), "a measurement")
    def test_measure(self):
        table = self.table(**SECTIONS)
        node = UnixNode("reel", table.name, harness.Shared.broker.port)
        self.addCleanup(node.end)
        table.await_said("sensor/rope/a", lambda it: it["heard"])
        table.new_game()
        total = 0
        for rate in (1000, 2000, 4000, 8000, 16000, 32000):
            node.said.clear()
            mark = len(table.client.messages)
            node.do("pull", 2 * rate, rate)
            total += 2 * rate
            node.hear("pulled")
            try:
                table.await_said("rope", lambda it, total=total: abs(it["counts"]) >= total, mark)
            except TooLate:
                print(f"{rate} edges/s: lost")
                return
            print(f"{rate} edges/s: all counted")


if __name__ == "__main__":
    harness.main()
