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

BUTTONS = {
    "button.start": {"command": "new-game"},
    "button.end": {"command": "end-phase"},
    "button.three": {"command": "roll-move value=3"},
}
THREE_PLAYERS = {f"player.{i}": {"name": name} for i, name in enumerate(("Anna", "Ben", "Cleo"), 1)}
HOLD_S = 1.05  # a button held for a second ends the step


class Sensors(TableTest):
    def game(self, phase="shooting", fields=None, **sections):
        table = self.table(**sections)
        table.new_game(**(fields or {}))
        table.end_phases(("shooting", "moving", "combat", "repair").index(phase))
        self.mark = len(table.client.messages)
        return table

    def told(self, table, last):
        """What has happened since the preparations, up to an event of this name."""
        table.await_event(last, self.mark)
        return [tell(event) for event in table.events_since(self.mark)]

    def test_a_whole_game_without_a_single_command(self):
        table = self.table(**BUTTONS, **THREE_PLAYERS)
        sensors = table.sensors
        self.mark = 0
        sensors.press("button.start")
        table.await_event("game-started")
        sensors.fire()
        table.await_event("shot-fired")
        sensors.press("button.end")
        sensors.press("button.three")
        table.await_event("move-rolled")
        sensors.pull(4)
        table.await_said("rope", lambda it: it["knots"] == 1)
        sensors.press("rope.button")
        table.await_event("piece-moved")
        sensors.press("button.end")
        sensors.press("button.end")
        table.await_event("turn-started", fits=lambda it: it["turn"] == 2)
        sensors.fire()
        table.await_event("shot-fired", fits=lambda it: it["turn"] == 2)
        sensors.topple("green-1", "green-2", "red-1", "green-3", "green-tower")
        over = table.await_event("game-over")
        self.assertEqual(
            [(it["place"], it["player"], it["points"]) for it in over["ranking"]],
            [(1, 2, 6), (2, 1, 0), (3, 3, 0)],
        )
        self.assertEqual(over["winners"], [2])
        self.assertEqual(table.said("reply")[0].json["id"], None)

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

    def test_S3_and_S9_topples_count_until_the_window_is_over_by_itself(self):
        table = self.game(timing={"shot_window_ms": 500})
        table.sensors.fire()
        table.sensors.topple("blue-1")
        self.assertEqual(
            self.told(table, "phase-started"),
            [
                "shot-fired S2",
                "piece-toppled piece=blue-1 S3",
                "piece-captured by=1 how=shot piece=blue-1 S3",
                "shot-over S4",
                "phase-started phase=moving G3",
            ],
        )
        evidence = table.await_event("piece-toppled", self.mark)["evidence"]
        self.assertEqual((evidence["bounces"], evidence["settle_us"]), (2, 10000))
        self.assertEqual(evidence["sensor"], "blue-1.tilt")

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

    def test_a_sensor_that_chatters_is_told(self):
        table = self.game()
        table.sensors.move(*[f"blue-1.beam {level % 2}" for level in range(1, 201)])
        fault = table.await_event("sensor-fault", self.mark)
        self.assertEqual((fault["sensor"], fault["health"]), ("blue-1.beam", "chattering"))


if __name__ == "__main__":
    harness.main()
