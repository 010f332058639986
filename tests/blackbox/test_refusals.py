#!/usr/bin/python3
"""Every refusal of the contract reaches a client once, with its code and its rule, and changes nothing.

Which rule refuses what is proved in tests/rules; here it matters that the refusal comes out.
"""

import harness
from harness import SharedTableTest, TableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BARRELS = {"red": "blue", "blue": "green", "green": "yellow", "yellow": "red"}
PAIR = {"attacker": "red-1", "target": "blue-1"}
RECORDS_MAX = 4096

# A complete command of each verb; none of them is possible without a game.
COMPLETE = {
    "aim": {"piece": "red-1"},
    "fire": {},
    "topple": {"piece": "red-1"},
    "raise": {"piece": "red-1"},
    "roll-move": {"value": 1},
    "select": {"piece": "red-1"},
    "move": {"piece": "red-1", "knots": 1},
    "engage": PAIR,
    "roll-combat": PAIR | {"value": "flag"},
    "end-phase": {},
    "take-chest": {"piece": "red-1"},
    "load-barrel": {"piece": "red-1", "harbour": "red"},
    "deliver-barrel": {"piece": "red-1", "harbour": "red"},
    "catch-wind": {"piece": "red-1"},
    "move-wind": {},
    "entangle": {"piece": "red-1"},
    "undo": {},
    "history": {},
    "look-back": {"seq": 1},
}

# Fields of new-game, commands that are accepted, and then one that is refused: code and rule.
CASES = (
    ({}, "", "aim piece=red-4", "unknown-piece"),
    ({"players": 3}, "", "aim piece=yellow-1", "unknown-piece G1"),
    ({}, "", "ball-left", "unknown-command"),
    ({}, "", "aim", "missing-field"),
    ({}, "", "new-game", "game-running"),
    ({}, "", "start-game", "game-running"),
    ({}, "", "pair sensor=red-1.tilt", "game-running"),
    ({}, "", "engage attacker=red-1 target=blue-1", "not-in-phase G3"),
    ({}, "", "aim piece=blue-1", "not-yours S1"),
    ({}, "", "raise piece=red-1", "nothing-there"),
    ({}, "aim piece=red-1; undo", "undo", "nothing-to-undo"),
    ({}, "end-phase", "roll-move value=1.5", "bad-value"),
    ({}, "end-phase", "roll-move value=4", "bad-value M1"),
    ({"dice": "daemon"}, "end-phase", "roll-move value=2", "bad-value"),
    ({}, "end-phase", "move piece=red-1 knots=1", "not-rolled M1"),
    ({}, "end-phase", "take-chest piece=red-1", "not-in-scenario"),
    ({}, "end-phase; roll-move value=1", "roll-move value=2", "already-rolled M1"),
    ({}, "end-phase; roll-move value=1", "move piece=red-1 knots=1.3", "not-enough-points M5"),
    ({"teams": True}, "end-phase; end-phase", "engage attacker=red-1 target=green-1", "not-an-enemy C1"),
    ({}, "end-phase; end-phase", "roll-combat attacker=red-1 target=blue-1 value=flag", "not-fighting C2"),
    ({}, "end-phase; end-phase; engage attacker=red-1 target=blue-1", "end-phase", "combat-due C5"),
    ({}, "fire; topple piece=blue-1", "topple piece=blue-1", "out-of-play"),
    ({"rules": "advanced"}, "fire; topple piece=blue-1", "topple piece=blue-1", "flat A5"),
    (
        {},
        "end-phase; end-phase; engage attacker=red-1 target=blue-1;"
        "roll-combat attacker=red-1 target=blue-1 value=swords; end-phase",
        "aim piece=blue-1",
        "in-combat C4",
    ),
    (
        {"scenario": "kraken"},
        "end-phase; roll-move value=3; move piece=kraken knots=1; entangle piece=red-1",
        "move piece=red-1 knots=1",
        "entangled KR2",
    ),
    (
        {"scenario": "merchant", "barrels": BARRELS},
        "end-phase; load-barrel piece=red-1 harbour=red",
        "load-barrel piece=red-1 harbour=blue",
        "already-carrying ME2",
    ),
    (
        {"scenario": "merchant", "barrels": BARRELS},
        "end-phase; load-barrel piece=red-1 harbour=red",
        "deliver-barrel piece=red-1 harbour=green",
        "wrong-harbour ME3",
    ),
    (
        {"scenario": "merchant", "barrels": BARRELS},
        "end-phase; load-barrel piece=red-1 harbour=red; end-phase",
        "engage attacker=red-1 target=blue-1",
        "carries-barrel ME4",
    ),
)


def parsed(line):
    """"move piece=red-1 knots=1" as a verb and its fields; numbers may be strings."""
    verb, *fields = line.split()
    return verb, dict(field.split("=") for field in fields)


class WithoutAGame(TableTest):
    def test_no_game_is_the_answer_to_every_verb_in_the_lobby(self):
        table = self.table()
        for verb, fields in COMPLETE.items():
            with self.subTest(verb):
                self.assertEqual(table.refused(verb, **fields), "no-game")


class TooLong(TableTest):
    def test_a_game_that_is_too_long_can_be_undone_and_left(self):
        table = self.table()
        table.new_game()
        for _ in range(0, RECORDS_MAX, 512):
            mark = len(table.client.messages)
            for i in range(512):
                table.post("aim", {"piece": f"red-{i % 2 + 1}"})
            table.client.until(lambda m=mark: len(table.said(table.reply_name, m)) >= 512, "all replies")
        self.assertEqual(table.send("end-phase")["error"], "too-long")
        self.assertTrue(table.send("undo")["ok"])
        self.assertTrue(table.send("new-game", abandon=True, anyway=True)["ok"])


class Refusals(SharedTableTest):
    def test_every_code_reaches_the_client_and_nothing_changes(self):
        for fields, before, line, expected in CASES:
            with self.subTest(line, expected=expected):
                table = self.new_game(**fields)
                for command in filter(None, before.split(";")):
                    verb, values = parsed(command)
                    table.do(verb, **values)
                state = table.state()
                mark = len(table.client.messages)
                verb, values = parsed(line)
                self.assertEqual(table.refused(verb, **values), expected)
                self.assertEqual(table.send("history", **{"from": state["seq"] + 1})["events"], [])
                self.assertEqual(table.said("state", mark), [])

    def test_what_cannot_be_read_is_refused_without_an_id(self):
        self.new_game()
        largest = '{"piece":"' + "x" * 4084 + '"}'
        for payload, error in (
            ("{", "bad-json"), (b"\xff\xfe{}", "bad-json"),
            (largest, "unknown-piece"), (largest + " ", "too-large"),
        ):  # fmt: skip
            with self.subTest(payload[:10]):
                mark = len(self.shared.client.messages)
                self.shared.client.publish(self.shared.topic("command/aim"), payload)
                reply = self.shared.await_said("reply", since=mark)
                self.assertEqual((reply["id"], reply["ok"], reply["error"]), (None, False, error))


if __name__ == "__main__":
    harness.main()
