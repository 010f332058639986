#!/usr/bin/python3
"""Every refusal of the contract, and every verb refused: with its code, its rule, and no effect."""

import json

import harness
from harness import SharedTableTest, TableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BARRELS = {"red": "blue", "blue": "green", "green": "yellow", "yellow": "red"}

# A complete command of each verb; none of them is possible without a game.
COMPLETE = {
    "aim": {"piece": "red-1"},
    "fire": {},
    "topple": {"piece": "red-1"},
    "raise": {"piece": "red-1"},
    "roll-move": {"value": 1},
    "select": {"piece": "red-1"},
    "move": {"piece": "red-1", "knots": 1},
    "engage": {"attacker": "red-1", "target": "blue-1"},
    "roll-combat": {"attacker": "red-1", "target": "blue-1", "value": "flag"},
    "end-phase": {},
    "take-chest": {"piece": "red-1"},
    "load-barrel": {"piece": "red-1", "harbour": "red"},
    "deliver-barrel": {"piece": "red-1", "harbour": "red"},
    "catch-wind": {"piece": "red-1"},
    "move-wind": {},
    "entangle": {"piece": "red-1"},
    "undo": {},
    "history": {},
}


class WithoutAGame(TableTest):
    def test_no_game_is_the_answer_to_every_verb_in_the_lobby(self):
        table = self.table()
        for verb, fields in COMPLETE.items():
            with self.subTest(verb):
                self.assertEqual(table.refused(verb, **fields), "no-game")

    def test_no_game_is_the_answer_when_the_game_is_over(self):
        table = self.table()
        table.new_game(players=3)
        table.do("fire")
        for piece in ("blue-1", "blue-2", "blue-3", "blue-tower"):
            table.do("topple", piece=piece)
        self.assertEqual(table.state()["phase"], "over")
        self.assertEqual(table.refused("end-phase"), "no-game")


class Refusals(SharedTableTest):
    """The state after each test is the state before its refusals."""

    def game(self, phase="shooting", **fields):
        table = self.new_game(**fields)
        table.end_phases(("shooting", "moving", "combat", "repair").index(phase))
        self.before = table.state()
        return table

    def later(self):
        """After the preparations, before the refusals."""
        self.before = self.shared.state()

    def refused(self, expected, verb, **fields):
        self.assertEqual(self.shared.refused(verb, **fields), expected)

    def tearDown(self):
        mark = len(self.shared.client.messages)
        reply = self.shared.send("history", **{"from": self.before["seq"] + 1})
        self.assertEqual((reply["events"], reply["seq"]), ([], self.before["seq"]))
        self.assertEqual(self.shared.said("state", mark), [])

    def raw(self, verb, payload):
        """For what is no JSON: the reply, which has no id then."""
        mark = len(self.shared.client.messages)
        self.shared.client.publish(self.shared.topic(f"command/{verb}"), payload)
        reply = self.shared.await_said("reply", since=mark)
        self.shared.asked.append((verb, reply.get("error", "ok")))
        return reply

    def test_bad_json(self):
        self.game()
        for payload in ("{", "[]", '"end"', "{}x", "nul", '{"id":"a","id":"b"}', b"\xff\xfe{}"):
            with self.subTest(payload):
                reply = self.raw("end-phase", payload)
                self.assertEqual((reply["ok"], reply["error"]), (False, "bad-json"))

    def test_too_large_beyond_4_KiB_and_not_at_4_KiB(self):
        self.game()
        for size, error in ((4096, "bad-value"), (4097, "too-large")):
            head, tail = '{"piece":"', '"}'
            reply = self.raw("aim", head + "x" * (size - len(head) - len(tail)) + tail)
            self.assertIn(reply["error"], (error, "unknown-piece") if size == 4096 else (error,))

    def test_unknown_command_suggests_the_nearest(self):
        self.game()
        reply = self.shared.send("end-fase")
        self.assertEqual(reply["error"], "unknown-command")
        self.assertIn("end-phase", reply["message"])

    def test_unknown_command_for_what_only_sensors_say(self):
        self.game()
        for verb in ("ball-left", "toppled", "raised", "window-over", "sensor-fault"):
            self.refused("unknown-command", verb)

    def test_missing_field_of_every_verb_that_needs_one(self):
        self.game()
        for verb, fields in COMPLETE.items():
            for field in fields.keys() - {"value", "knots"}:
                if (verb, field) == ("move", "piece"):
                    continue
                rest = {key: value for key, value in fields.items() if key != field}
                with self.subTest(verb, without=field):
                    self.refused("missing-field", verb, **rest)

    def test_M1_missing_field_when_the_die_is_not_told(self):
        self.game("moving")
        self.refused("missing-field M1", "roll-move")

    def test_bad_value(self):
        self.game("moving")
        for verb, fields in (
            ("roll-move", {"value": "many"}),
            ("roll-move", {"value": -1}),
            ("roll-move", {"value": 1.5}),
            ("roll-move", {"value": True}),
            ("move", {"piece": "red-1", "knots": "far"}),
            ("move", {"piece": "red-1", "knots": 1e300}),
            ("move", {"piece": "red-1", "knots": {}}),
            ("load-barrel", {"piece": "red-1", "harbour": "pink"}),
            ("end-phase", {"piece": "red-1"}),
            ("history", {"from": -1}),
            ("new-game", {"rules": "other"}),
            ("new-game", {"players": []}),
            ("new-game", {"abandon": "perhaps"}),
        ):
            with self.subTest(verb, **fields):
                self.refused("bad-value", verb, **fields)

    def test_M1_bad_value_off_the_die(self):
        self.game("moving")
        self.refused("bad-value M1", "roll-move", value=4)

    def test_bad_value_when_somebody_else_rolls_for_the_daemon(self):
        self.game("moving", dice="daemon")
        self.refused("bad-value", "roll-move", value=2)

    def test_unknown_piece(self):
        self.game()
        self.refused("unknown-piece", "aim", piece="red-4")

    def test_G1_unknown_piece_of_a_harbour_that_nobody_has(self):
        self.game(players=3)
        self.refused("unknown-piece G1", "aim", piece="yellow-1")

    def test_game_running(self):
        self.game()
        self.refused("game-running", "new-game")

    def test_G3_not_in_phase(self):
        self.game()
        elsewhere = ("roll-move", "select", "move", "engage", "roll-combat")
        for verb in elsewhere:
            self.refused("not-in-phase G3", verb, **COMPLETE[verb])
        self.shared.do("end-phase")
        self.later()
        for verb in ("aim", "fire"):
            self.refused("not-in-phase G3", verb, **COMPLETE[verb])

    def test_S2_not_in_phase_to_aim_after_the_shot(self):
        self.game().do("fire")
        self.later()
        self.refused("not-in-phase S2", "aim", piece="red-1")

    def test_not_yours(self):
        table = self.game()
        self.refused("not-yours S1", "aim", piece="blue-1")
        table.do("end-phase")
        self.later()
        self.refused("not-yours M1", "select", piece="blue-1")
        table.do("end-phase")
        self.later()
        self.refused("not-yours C1", "engage", attacker="blue-1", target="red-1")

    def test_C1_not_an_enemy(self):
        self.game("combat", teams=True)
        self.refused("not-an-enemy C1", "engage", attacker="red-1", target="red-2")
        self.refused("not-an-enemy C1", "engage", attacker="red-1", target="green-1")

    def test_out_of_play(self):
        table = self.game()
        table.do("fire")
        table.do("topple", piece="blue-1")
        table.end_phases(2)
        self.later()
        self.refused("out-of-play", "engage", attacker="red-1", target="blue-1")
        self.refused("out-of-play", "topple", piece="blue-1")

    def test_A2_flat(self):
        table = self.game(rules="advanced")
        table.do("fire")
        table.do("topple", piece="blue-1")
        self.later()
        self.refused("flat A5", "topple", piece="blue-1")
        table.end_phases(4)
        self.later()
        self.refused("flat A2", "aim", piece="blue-1")
        table.do("end-phase")
        self.later()
        self.refused("flat M2", "select", piece="blue-1")

    def test_in_combat(self):
        table = self.game("combat")
        table.do("engage", attacker="red-1", target="blue-1")
        self.later()
        self.refused("in-combat C8", "engage", attacker="red-1", target="blue-1")
        table.do("roll-combat", attacker="red-1", target="blue-1", value="swords")
        table.do("end-phase")
        self.later()
        self.refused("in-combat C4", "aim", piece="blue-1")

    def test_KR2_entangled(self):
        table = self.game("moving", scenario="kraken")
        table.do("roll-move", value=3)
        table.do("move", piece="kraken", knots=1)
        table.do("entangle", piece="red-1")
        self.later()
        self.refused("entangled KR2", "move", piece="red-1", knots=1)

    def test_ME4_carries_barrel(self):
        table = self.game("moving", scenario="merchant", barrels=BARRELS)
        table.do("load-barrel", piece="red-1", harbour="red")
        table.do("end-phase")
        self.later()
        self.refused("carries-barrel ME4", "engage", attacker="red-1", target="blue-1")

    def test_M1_already_rolled(self):
        self.game("moving").do("roll-move", value=1)
        self.later()
        self.refused("already-rolled M1", "roll-move", value=2)

    def test_C8_already_rolled(self):
        table = self.game("combat")
        table.do("engage", attacker="red-1", target="blue-1")
        table.do("roll-combat", attacker="red-1", target="blue-1", value="swords")
        self.later()
        self.refused(
            "already-rolled C8", "roll-combat", attacker="red-1", target="blue-1", value="flag"
        )

    def test_M1_not_rolled(self):
        self.game("moving", scenario="heavy-wind")
        self.refused("not-rolled M1", "move", piece="red-1", knots=1)
        self.refused("not-rolled M1", "move-wind")

    def test_M5_not_enough_points(self):
        self.game("moving").do("roll-move", value=1)
        self.later()
        self.refused("not-enough-points M5", "move", piece="red-1", knots=1.3)

    def test_C5_combat_due(self):
        self.game("combat").do("engage", attacker="red-1", target="blue-1")
        self.later()
        self.refused("combat-due C5", "end-phase")

    def test_C2_not_fighting(self):
        self.game("combat")
        self.refused(
            "not-fighting C2", "roll-combat", attacker="red-1", target="blue-1", value="flag"
        )

    def test_not_in_scenario(self):
        self.game("moving")
        for verb in "take-chest load-barrel deliver-barrel catch-wind move-wind entangle".split():
            self.refused("not-in-scenario", verb, **COMPLETE[verb])
        self.refused("not-in-scenario", "move", piece="pirate", knots=1)

    def test_TI1_nothing_there_when_the_chest_is_taken(self):
        self.game("moving", scenario="treasure-island").do("take-chest", piece="red-1")
        self.later()
        self.refused("nothing-there TI1", "take-chest", piece="red-2")

    def test_ME2_already_carrying_and_nothing_there(self):
        table = self.game("moving", scenario="merchant", barrels=BARRELS)
        table.do("load-barrel", piece="red-1", harbour="red")
        self.later()
        self.refused("already-carrying ME2", "load-barrel", piece="red-1", harbour="blue")
        self.refused("nothing-there ME2", "load-barrel", piece="red-2", harbour="red")
        self.refused("wrong-harbour ME3", "deliver-barrel", piece="red-1", harbour="green")

    def test_HW1_and_HW2_nothing_there_twice_a_turn(self):
        table = self.game("moving", scenario="heavy-wind")
        table.do("roll-move", value=3)
        table.do("catch-wind", piece="red-1")
        table.do("move-wind")
        self.later()
        self.refused("nothing-there HW1", "catch-wind", piece="red-1")
        self.refused("nothing-there HW2", "move-wind")

    def test_KR2_nothing_there_before_the_kraken_was_moved(self):
        self.game("moving", scenario="kraken")
        self.refused("nothing-there KR2", "entangle", piece="red-1")

    def test_nothing_there_to_raise(self):
        self.game()
        self.refused("nothing-there", "raise", piece="red-1")

    def test_nothing_to_undo_at_the_start_of_the_game(self):
        table = self.game()
        table.do("aim", piece="red-1")
        table.do("undo")
        self.later()
        self.refused("nothing-to-undo", "undo")

    def test_the_reply_names_the_field_and_what_would_fit(self):
        self.game("moving")
        reply = self.shared.send("roll-move", value="many")
        self.assertIn('"value"', reply["message"])
        reply = self.raw("move", json.dumps({"piece": "red-l", "knots": 1, "id": "typo"}))
        self.assertIn("red-1", reply["message"])


if __name__ == "__main__":
    harness.main()
