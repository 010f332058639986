#!/usr/bin/python3
"""Every verb is carried out: what it makes happen, and nothing else."""

import harness
from harness import SharedTableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module


class Verbs(SharedTableTest):
    def game(self, phase="shooting", **fields):
        table = self.new_game(**fields)
        table.end_phases(("shooting", "moving", "combat", "repair").index(phase))
        return table

    def test_new_game_starts_with_the_player_who_was_named(self):
        told = self.shared.new_game(first=3)
        self.assertEqual(
            told,
            ["game-started first=3 G2", "turn-started G2", "phase-started phase=shooting G3"],
        )

    def test_start_game_starts_one_and_leaves_none(self):
        table = self.table()
        self.assertEqual(table.do("start-game", first=2)[0], "game-started first=2 G2")
        self.assertEqual(table.refused("start-game"), "game-running")
        self.assertEqual(table.refused("start-game", abandon=True), "bad-value")

    def test_new_game_takes_what_is_not_said_from_the_configuration(self):
        table = self.shared
        table.do("new-game", abandon=True)
        state = table.state()
        self.assertEqual(
            [(it["id"], it["name"], it["harbours"]) for it in state["players"]],
            [
                (1, "Player 1", ["red"]),
                (2, "Player 2", ["blue"]),
                (3, "Player 3", ["green"]),
                (4, "Player 4", ["yellow"]),
            ],
        )
        self.assertEqual(
            (state["rules"], state["scenario"], state["teams"], state["dice"], state["player"]),
            ("basic", "none", False, "table", 1),
        )

    def test_T1_new_game_makes_teams(self):
        table = self.new_game(teams=True)
        self.assertEqual([it["team"] for it in table.state()["players"]], [1, 2, 1, 2])

    def test_G2_first_is_drawn_when_asked_for(self):
        table = self.new_game(first="draw")
        self.assertIn(table.state()["player"], (1, 2, 3, 4))

    def test_S1_aim(self):
        self.assertEqual(self.game().do("aim", piece="red-1"), ["aimed piece=red-1 S1"])

    def test_S2_fire(self):
        table = self.game()
        table.do("aim", piece="red-1")
        self.assertEqual(table.do("fire"), ["shot-fired shooter=red-1 S2"])
        self.assertEqual(table.state()["shot"], "open")

    def test_S3_topple_after_a_shot_captures(self):
        table = self.game()
        table.do("fire")
        self.assertEqual(
            table.do("topple", piece="blue-1"),
            [
                "piece-toppled piece=blue-1 S3",
                "piece-captured by=1 how=shot piece=blue-1 S3",
            ],
        )
        piece = table.state()["pieces"]["blue-1"]
        self.assertEqual((piece["status"], piece["by"]), ("captured", 1))

    def test_S7_topple_without_a_shot_and_raise(self):
        table = self.game()
        self.assertEqual(table.do("topple", piece="blue-1"), ["disturbance pieces=blue-1 S7"])
        self.assertTrue(table.state()["pieces"]["blue-1"]["disturbed"])
        self.assertEqual(table.do("raise", piece="blue-1"), ["piece-restored piece=blue-1 S7"])
        self.assertFalse(table.state()["pieces"]["blue-1"]["disturbed"])

    def test_M1_roll_move(self):
        table = self.game("moving")
        self.assertEqual(table.do("roll-move", value=3), ["move-rolled value=3 M1"])
        state = table.state()
        self.assertEqual((state["die"], state["left"]), (3, 3))

    def test_M1_roll_move_with_the_daemons_die(self):
        table = self.game("moving", dice="daemon")
        told = table.do("roll-move")
        self.assertIn(told, [[f"move-rolled value={value} M1"] for value in (1, 2, 3)])

    def test_numbers_may_be_given_as_strings(self):
        self.assertEqual(
            self.game("moving").do("roll-move", value="2"), ["move-rolled value=2 M1"]
        )

    def test_M4_select(self):
        table = self.game("moving")
        table.do("roll-move", value=3)
        self.assertEqual(
            table.do("select", piece="red-1"), ["piece-selected left=3 piece=red-1 M4"]
        )
        self.assertEqual(table.state()["selected"], "red-1")

    def test_M5_move_costs_whole_knots_after_the_tolerance(self):
        table = self.game("moving")
        table.do("roll-move", value=3)
        self.assertEqual(
            table.do("move", piece="red-1", knots=1.2),
            ["piece-moved cost=1 knots=1.2 left=2 piece=red-1 M4"],
        )
        self.assertEqual(
            table.do("move", piece="red-1", knots=1.21),
            ["piece-moved cost=2 knots=1.21 left=0 piece=red-1 M4"],
        )

    def test_move_without_a_piece_charges_a_ship_that_is_not_named(self):
        table = self.game("moving")
        table.do("roll-move", value=2)
        self.assertEqual(
            table.do("move", knots=1), ["piece-moved cost=1 knots=1 left=1 M4"]
        )

    def test_C1_engage_and_C2_roll_combat(self):
        table = self.game("combat")
        self.assertEqual(
            table.do("engage", attacker="red-1", target="blue-1"),
            ["combat-started attacker=red-1 target=blue-1 C1"],
        )
        self.assertEqual(
            table.state()["combats"], [{"attacker": "red-1", "target": "blue-1", "due": True}]
        )
        self.assertEqual(
            table.do("roll-combat", attacker="red-1", target="blue-1", value="flag"),
            [
                "combat-rolled attacker=red-1 target=blue-1 value=flag C2",
                "piece-captured by=1 how=combat piece=blue-1 with=red-1 C2",
                "combat-ended attacker=red-1 target=blue-1 C6",
            ],
        )

    def test_C2_roll_combat_with_the_daemons_die(self):
        table = self.game("combat", dice="daemon")
        table.do("engage", attacker="red-1", target="blue-1")
        rolled = table.do("roll-combat", attacker="red-1", target="blue-1")[0]
        self.assertRegex(rolled, "^combat-rolled .* value=(flag|swords) C2$")

    def test_G3_end_phase_leads_through_the_turn(self):
        table = self.game(rules="advanced")
        self.assertEqual(
            [table.do("end-phase") for _ in range(4)],
            [
                ["phase-started phase=moving G3"],
                ["phase-started phase=combat G3"],
                ["phase-started phase=repair G3"],
                ["turn-started G2", "phase-started phase=shooting G3"],
            ],
        )
        state = table.state()
        self.assertEqual((state["turn"], state["player"]), (2, 2))

    def test_TI1_take_chest(self):
        table = self.game("moving", scenario="treasure-island")
        self.assertEqual(table.state()["chest"], "island")
        self.assertEqual(table.do("take-chest", piece="red-1"), ["chest-taken piece=red-1 TI1"])
        state = table.state()
        self.assertEqual((state["chest"], state["pieces"]["red-1"]["cargo"]), ("red-1", "chest"))

    def test_ME2_load_barrel_and_ME3_deliver_barrel(self):
        barrels = {"red": "blue", "blue": "green", "green": "yellow", "yellow": "red"}
        table = self.game("moving", scenario="merchant", barrels=barrels)
        self.assertEqual(table.state()["barrels"], barrels)
        self.assertEqual(
            table.do("load-barrel", piece="red-1", harbour="red"),
            ["barrel-loaded barrel=blue harbour=red piece=red-1 ME2"],
        )
        self.assertEqual(table.state()["pieces"]["red-1"]["cargo"], "barrel-blue")
        self.assertEqual(
            table.do("deliver-barrel", piece="red-1", harbour="blue"),
            ["barrel-delivered by=1 harbour=blue piece=red-1 ME3"],
        )
        self.assertEqual(table.state()["players"][0]["score"], 2)

    def test_ME1_barrels_are_drawn_to_other_harbours(self):
        table = self.game(scenario="merchant")
        drawn = table.state()["barrels"]
        self.assertEqual(sorted(drawn), sorted(drawn.values()))
        self.assertTrue(all(harbour != to for harbour, to in drawn.items()), drawn)

    def test_HW1_catch_wind_and_HW2_move_wind(self):
        table = self.game("moving", scenario="heavy-wind")
        table.do("roll-move", value=2)
        self.assertEqual(
            table.do("catch-wind", piece="red-1"), ["wind-caught left=3 piece=red-1 HW1"]
        )
        self.assertEqual(table.do("move-wind"), ["wind-moved left=1 HW2"])
        state = table.state()
        self.assertEqual((state["wind_caught"], state["wind_moved"]), (["red-1"], True))

    def test_KR2_entangle(self):
        table = self.game("moving", scenario="kraken")
        table.do("roll-move", value=2)
        table.do("move", piece="kraken", knots=1)
        self.assertEqual(
            table.do("entangle", piece="blue-1"), ["ship-entangled piece=blue-1 KR2"]
        )
        self.assertEqual(table.state()["kraken"]["holds"], "blue-1")
        self.assertTrue(table.state()["pieces"]["blue-1"]["entangled"])

    def test_undo_takes_back_the_last_command_and_goes_on_counting(self):
        table = self.game("moving")
        before = table.state()
        table.do("roll-move", value=2)
        seq = before["seq"] + 1
        self.assertEqual(table.do("undo"), [f"undone from={seq} to={seq}"])
        after = table.state()
        self.assertEqual(after["seq"], seq + 1)
        self.assertEqual(before | {"seq": 0}, after | {"seq": 0})

    def test_history_answers_with_the_events_as_they_were_published(self):
        table = self.game("combat")
        reply = table.send("history")
        game = table.state()["game"]
        published = [event for event in table.events() if event["game"] == game]
        self.assertEqual(reply["events"], published)
        self.assertFalse(reply["more"])
        self.assertEqual(table.send("history", **{"from": 4})["events"], published[3:])

    def test_history_that_is_long_comes_in_parts(self):
        table = self.game("moving")
        for _ in range(60):
            table.do("select", piece="red-1")
            table.do("select", piece="red-2")
        parts = [table.send("history")]
        while parts[-1]["more"]:
            parts.append(table.send("history", **{"from": parts[-1]["events"][-1]["seq"] + 1}))
        told = [event["seq"] for part in parts for event in part["events"]]
        self.assertGreater(len(parts), 1)
        self.assertEqual(told, list(range(1, parts[0]["seq"] + 1)))

    def test_an_empty_payload_is_an_empty_object(self):
        table = self.game()
        mark = len(table.client.messages)
        table.client.publish(table.topic("command/end-phase"), b"")
        reply = table.await_said("reply", since=mark)
        self.assertEqual((reply["id"], reply["ok"]), (None, True))


if __name__ == "__main__":
    harness.main()
