#!/usr/bin/python3
"""Simulated sensors, over the socket and over sim/ topics: filtered like real ones."""

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
ROPE_A_SECOND = 20
SENSOR_A_SECOND = 2


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

    def test_S2_a_ball_through_the_beam_is_a_shot_with_evidence(self):
        table = self.game()
        table.sensors.fire()
        shot = table.await_event("shot-fired", self.mark)
        self.assertEqual(shot["evidence"]["sensor"], "cannon.beam")
        self.assertGreater(shot["evidence"]["width_us"], 900)
        self.assertNotIn("speed_mps", shot)

    def test_two_beams_measure_the_speed(self):
        table = self.game(
            cannon={"beam": "GPIO17", "beam2": "GPIO18", "beam_gap_mm": 20}
        )
        sensors = table.sensors
        sensors.move("cannon.beam 1")
        time.sleep(0.002)
        sensors.move("cannon.beam2 1")
        time.sleep(0.002)
        sensors.move("cannon.beam 0", "cannon.beam2 0")
        shot = table.await_event("shot-fired", self.mark)
        self.assertGreater(shot["speed_mps"], 0)
        self.assertLess(shot["speed_mps"], 10)

    def test_S2_a_ball_that_one_of_two_beams_sees_is_a_shot_and_its_falls_count(self):
        table = self.game(
            cannon={"beam": "GPIO17", "beam2": "GPIO18", "beam_gap_mm": 20}
        )
        table.sensors.move("cannon.beam2 1")
        time.sleep(0.005)
        table.sensors.move("cannon.beam2 0")
        table.sensors.topple("blue-1")
        shot = table.await_event("shot-fired", self.mark)
        self.assertNotIn("speed_mps", shot)
        self.assertEqual(shot["evidence"]["beams"], 1)
        self.assertEqual(shot["evidence"]["sensor"], "cannon.beam2")
        captured = table.await_event("piece-captured", self.mark)
        self.assertEqual((captured["piece"], captured["how"]), ("blue-1", "shot"))

    def test_S3_and_S9_topples_count_until_the_window_is_over_by_itself(self):
        table = self.game(timing={"shot_window_ms": 500})
        table.sensors.fire()
        table.sensors.topple("blue-1", "green-1")
        self.assertEqual(
            sorted(self.told(table, "phase-started")),
            sorted(
                [
                    "shot-fired S2",
                    "piece-toppled piece=blue-1 S3",
                    "piece-captured by=1 how=shot piece=blue-1 S3",
                    "piece-toppled piece=green-1 S3",
                    "piece-captured by=1 how=shot piece=green-1 S3",
                    "shot-over S4",
                    "phase-started phase=moving G3",
                ]
            ),
        )
        toppled = table.await_event("piece-toppled", self.mark)
        self.assertEqual(toppled["evidence"]["bounces"], 2)
        self.assertEqual(toppled["evidence"]["settle_us"], 10000)
        self.assertTrue(toppled["evidence"]["sensor"].endswith(".tilt"))

    def test_S4_a_targets_own_beam_shows_a_hit_and_S6_a_tower_is_put_back(self):
        table = self.game()
        table.sensors.fire()
        table.await_event("shot-fired", self.mark)
        table.sensors.pass_beam("blue-tower.beam")
        table.await_event("shot-hit", self.mark)
        table.do("end-phase")
        self.assertEqual(
            self.told(table, "phase-started"),
            [
                "shot-fired S2",
                "shot-hit piece=blue-tower S4",
                "shot-over pieces=blue-tower S6",
                "phase-started phase=moving G3",
            ],
        )

    def test_S7_a_knocked_table_is_one_disturbance(self):
        table = self.game()
        table.sensors.topple("red-1", "blue-1", "blue-2", "green-tower")
        self.assertEqual(
            self.told(table, "disturbance"),
            ["disturbance pieces=red-1+blue-1+blue-2+green-tower S7"],
        )
        table.sensors.raise_up("blue-1")
        self.assertEqual(
            self.told(table, "piece-restored")[1:], ["piece-restored piece=blue-1 S7"]
        )

    def test_S8_a_ball_outside_the_shooting_step_is_a_foul(self):
        table = self.game("moving")
        table.sensors.fire()
        self.assertEqual(self.told(table, "foul"), ["foul S8"])

    def test_a_wobble_is_nothing(self):
        table = self.game()
        table.sensors.move("blue-1.tilt 1", "blue-1.tilt 0", "cannon.beam 1", "cannon.beam 0")
        table.await_said("sensor/blue-1/tilt", lambda it: it["edges"] == 2)
        table.do("end-phase")
        self.assertEqual(self.told(table, "phase-started"), ["phase-started phase=moving G3"])

    def test_A3_a_raised_piece_is_repaired_in_the_repair_step_only(self):
        table = self.game(fields={"rules": "advanced"})
        table.sensors.fire()
        table.sensors.topple("blue-1")
        table.await_event("piece-toppled", self.mark)
        table.sensors.raise_up("blue-1")
        table.await_event("disturbance", self.mark)
        table.sensors.topple("blue-1")
        table.await_event("piece-restored", self.mark)
        table.end_phases(7)
        table.sensors.raise_up("blue-1")
        self.assertEqual(table.await_event("piece-repaired", self.mark)["player"], 2)

    def test_M4_the_rope_measures_and_its_button_confirms(self):
        table = self.game("moving")
        table.do("roll-move", value=3)
        table.do("select", piece="red-1")
        table.sensors.pull(7)
        rope = table.await_said("rope", lambda it: it["knots"] == 1.75, self.mark)
        shown = {"knots": 1.75, "piece": "red-1", "left": 3, "over": False}
        self.assertEqual(rope, shown | {"counts": 7, "invalid": 0})
        table.sensors.pull(1)
        table.await_said("rope", lambda it: it["knots"] == 2, self.mark)
        mark = len(table.client.messages)
        table.sensors.press("rope.button")
        moved = table.await_event("piece-moved", mark)
        self.assertEqual(tell(moved), "piece-moved cost=2 knots=2 left=1 piece=red-1 M4")
        self.assertEqual(moved["evidence"]["sensor"], "rope.button")
        table.await_said("rope", lambda it: it["knots"] == 0 and it["left"] == 1, mark)

    def test_M5_too_far_is_told_while_the_rope_is_pulled(self):
        table = self.game("moving")
        table.do("roll-move", value=1)
        table.do("select", piece="red-1")
        self.mark = len(table.client.messages)
        table.sensors.pull(6)
        self.assertEqual(
            self.told(table, "rope-over"), ["rope-over knots=1.5 left=1 piece=red-1 M5"]
        )
        table.await_said("rope", lambda it: it["over"], self.mark)
        table.sensors.pull(-2)
        table.await_said("rope", lambda it: it["knots"] == 1 and not it["over"], self.mark)

    def test_the_ropes_button_held_ends_the_step(self):
        table = self.game("moving")
        table.sensors.pulse("rope.button", HOLD_S)
        self.assertEqual(self.told(table, "phase-started"), ["phase-started phase=combat G3"])

    def test_ME3_a_dock_delivers_the_barrel_of_the_chosen_ship(self):
        barrels = {"red": "blue", "blue": "green", "green": "yellow", "yellow": "red"}
        table = self.game("moving", {"scenario": "merchant", "barrels": barrels})
        table.do("load-barrel", piece="red-1", harbour="red")
        table.do("select", piece="red-1")
        table.sensors.move("harbour.blue.dock 1")
        delivered = table.await_event("barrel-delivered", self.mark)
        self.assertEqual(delivered["evidence"]["sensor"], "harbour.blue.dock")

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

    def test_sensor_topics_come_at_most_twice_a_second(self):
        table = self.game()
        began = time.monotonic()
        while time.monotonic() < began + 1.5:
            table.sensors.move("green-1.tilt 1", "green-1.tilt 0")
        table.sensors.move("green-1.tilt 1")
        table.await_said("sensor/green-1/tilt", lambda it: it["value"] == 1, self.mark)
        took = time.monotonic() - began
        healths = [it.json["health"] for it in table.said("sensor/green-1/tilt", self.mark)]
        # That it is broken is told at once.
        said = sum(now == before for before, now in zip(["ok"] + healths, healths))
        self.assertLessEqual(said, took * SENSOR_A_SECOND + 1)

    def test_the_rope_topic_comes_at_most_20_times_a_second(self):
        table = self.game("moving")
        table.do("roll-move", value=3)
        mark = len(table.client.messages)
        began = time.monotonic()
        while time.monotonic() < began + 0.5:
            table.do("select", piece="red-1")
            table.sensors.pull(1)
            table.do("select", piece="red-2")
            table.sensors.pull(-1)
        table.do("select", piece="red-1")
        table.sensors.pull(4)
        table.await_said("rope", lambda it: it["knots"] == 1, mark)
        took = time.monotonic() - began
        self.assertLessEqual(len(table.said("rope", mark)), took * ROPE_A_SECOND + 1)

    def test_sim_topics_move_the_same_sensors(self):
        table = self.game()
        table.client.publish(table.topic("sim/blue-1/tilt"), "1")
        self.assertEqual(
            self.told(table, "disturbance"), ["disturbance pieces=blue-1 S7"]
        )

    def test_sim_topics_take_nothing_but_0_and_1_of_a_sensor(self):
        table = self.game()
        for name, payload in (
            ("blue-1/tilt", "2"), ("blue-1/tilt", ""), ("blue-1/tilt", "1 "), ("blue-9/tilt", "1"),
            ("blue-1/tilt", b"\x00"), ("blue-1/tilt", b"1" * 70000), ("blue-1.tilt", "1"),
            ("blue-1", "1"), ("blue-1/tilt/", "1"), ("blue-1//tilt", "1"),
        ):  # fmt: skip
            table.client.publish(table.topic(f"sim/{name}"), payload)
        table.do("end-phase")
        self.assertEqual(self.told(table, "phase-started"), ["phase-started phase=moving G3"])
        self.assertEqual(table.said("sensor/blue-1/tilt"), [])

    def test_every_line_is_answered_and_a_wrong_one_says_why(self):
        table = self.game()
        answers = table.sensors.ask(
            "blue-1.tilt 0", "blue-1.tilt 2", "blue-1.tild 1", "", "blue-1.tilt", "x" * 5000,
            "cannon.beam2 0", "harbour.red.dock 0", "rope.a 0", "rope.b 0", "pirate.tilt 0",
            "monster.beam 0", "yellow-tower.beam 0",
        )  # fmt: skip
        self.assertEqual([it.split(":")[0] for it in answers], ["ok"] + ["error"] * 5 + ["ok"] * 7)
        self.assertIn("blue-1.tilt", answers[2])


if __name__ == "__main__":
    harness.main()
