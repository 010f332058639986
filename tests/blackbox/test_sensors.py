#!/usr/bin/python3
"""Every kind of sensor once, from the socket or a sim/ topic to the event with its evidence, and its health.

What an edge means is proved in tests/hw, what comes of it in tests/table.
"""

import time

import harness
from harness import TableTest
from table import tell

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

HOLD_S = 1.05  # a button held for a second ends the step


class Sensors(TableTest):
    def game(self, phase="shooting", fields=None, **sections):
        table = self.table(**sections)
        table.new_game(**(fields or {}))
        table.end_phases(("shooting", "moving", "combat", "repair").index(phase))
        self.mark = len(table.client.messages)
        return table

    def test_a_game_waits_until_the_table_is_ready_for_it(self):
        table = self.table()
        table.await_said("ready", lambda it: it["ready"] and it["check"] == "start")
        table.sensors.topple("blue-2")
        table.sensors.move("cannon.beam 1")
        waits = table.await_said("ready", lambda it: len(it["problems"]) == 2)
        self.assertEqual(
            [(it["sensor"], it["piece"], it["blocks"]) for it in waits["problems"]],
            [("cannon.beam", None, True), ("blue-2.tilt", "blue-2", True)],
        )
        self.assertEqual(table.refused("new-game"), "not-ready")
        mark = len(table.client.messages)
        table.sensors.raise_up("blue-2")
        table.sensors.move("cannon.beam 0")
        table.await_said("ready", lambda it: it["ready"], since=mark)
        table.do("new-game")
        table.await_said("ready", lambda it: it["ready"] and it["check"] == "resume")

    def test_two_beams_measure_the_speed(self):
        table = self.game(cannon={"beam": "GPIO17", "beam2": "GPIO18", "beam_gap_mm": 20})
        for edges in (["cannon.beam 1"], ["cannon.beam2 1"], ["cannon.beam 0", "cannon.beam2 0"]):
            table.sensors.move(*edges)
            time.sleep(0.002)
        shot = table.await_event("shot-fired", self.mark)
        self.assertTrue(0 < shot["speed_mps"] < 10, shot)
        self.assertGreater(shot["evidence"]["width_us"], 900)

    def test_M4_and_M5_the_rope_measures_and_its_button_confirms(self):
        table = self.game("moving")
        table.do("roll-move", value=3)
        table.do("select", piece="red-1")
        table.sensors.pull(7)
        rope = table.await_said("rope", lambda it: it["knots"] == 1.75, self.mark)
        shown = {"knots": 1.75, "piece": "red-1", "left": 3, "over": False}
        self.assertEqual(rope, shown | {"counts": 7, "invalid": 0, "presses": 0, "pressed_counts": 0})
        table.sensors.pull(8)
        table.await_event("rope-over", self.mark)
        table.sensors.pull(-7)
        table.await_said("rope", lambda it: it["knots"] == 2, self.mark)
        mark = len(table.client.messages)
        table.sensors.press("rope.button")
        moved = table.await_event("piece-moved", mark)
        self.assertEqual(tell(moved), "piece-moved cost=2 knots=2 left=1 piece=red-1 M4")
        self.assertEqual(moved["evidence"]["sensor"], "rope.button")
        table.await_said("rope", lambda it: it["knots"] == 0 and it["left"] == 1, mark)
        table.sensors.pull(-8)  # the spring winds it in
        table.await_said("rope", lambda it: it["knots"] == 0 and it["counts"] == -8, mark)
        table.sensors.pull(4)
        table.await_said("rope", lambda it: it["knots"] == 1, mark)
        mark = len(table.client.messages)
        table.sensors.press("rope.button")
        moved = table.await_event("piece-moved", mark)
        self.assertEqual(tell(moved), "piece-moved cost=1 knots=1 left=0 piece=red-1 M4")

    def test_beams_docks_and_the_button_of_the_rope_have_their_events(self):
        barrels = {"red": "blue", "blue": "green", "green": "yellow", "yellow": "red"}
        table = self.game(fields={"scenario": "merchant", "barrels": barrels})
        table.sensors.fire()
        table.await_event("shot-fired", self.mark)
        table.sensors.pass_beam("blue-tower.beam")
        hit = table.await_event("shot-hit", self.mark)
        table.do("end-phase")
        table.do("load-barrel", piece="red-1", harbour="red")
        table.do("select", piece="red-1")
        table.client.publish(table.topic("sim/harbour/blue/dock"), "1")
        delivered = table.await_event("barrel-delivered", self.mark)
        table.sensors.pulse("rope.button", HOLD_S)
        table.await_event("phase-started", self.mark, lambda it: it["phase"] == "combat")
        self.assertEqual(
            [it["evidence"]["sensor"] for it in (hit, delivered)],
            ["blue-tower.beam", "harbour.blue.dock"],
        )

    def test_a_sensor_that_is_stuck_is_told_and_told_again_when_it_is_well(self):
        table = self.game(timing={"stuck_s": 1})
        table.sensors.move("cannon.beam 1")
        fault = table.await_event("sensor-fault", self.mark)
        self.assertEqual((fault["sensor"], fault["health"]), ("cannon.beam", "stuck"))
        info = table.await_said("info", lambda it: it["faults"])
        self.assertEqual(info["faults"], ["cannon.beam"])
        table.await_said("sensor/cannon/beam", lambda it: it["health"] == "stuck")
        self.assertEqual(table.do("fire"), ["shot-fired S2"])
        mark = len(table.client.messages)
        table.sensors.move("cannon.beam 0")
        self.assertEqual(table.await_event("sensor-ok", mark)["sensor"], "cannon.beam")
        table.await_said("info", lambda it: not it["faults"], mark)


if __name__ == "__main__":
    harness.main()
