#!/usr/bin/python3
"""What only a client sees of the verbs: defaults, draws, dice, forms of a payload, undo and history.

What each verb does in a game is shown by the whole games of test_games.py.
"""

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

    def test_G2_first_is_drawn_when_asked_for(self):
        table = self.new_game(first="draw")
        self.assertIn(table.state()["player"], (1, 2, 3, 4))

    def test_M1_roll_move_with_the_daemons_die(self):
        table = self.game("moving", dice="daemon")
        told = table.do("roll-move")
        self.assertIn(told, [[f"move-rolled value={value} M1"] for value in (1, 2, 3)])

    def test_numbers_may_be_given_as_strings(self):
        self.assertEqual(
            self.game("moving").do("roll-move", value="2"), ["move-rolled value=2 M1"]
        )

    def test_move_without_a_piece_charges_a_ship_that_is_not_named(self):
        table = self.game("moving")
        table.do("roll-move", value=2)
        self.assertEqual(
            table.do("move", knots=1), ["piece-moved cost=1 knots=1 left=1 M4"]
        )

    def test_C2_roll_combat_with_the_daemons_die(self):
        table = self.game("combat", dice="daemon")
        table.do("engage", attacker="red-1", target="blue-1")
        rolled = table.do("roll-combat", attacker="red-1", target="blue-1")[0]
        self.assertRegex(rolled, "^combat-rolled .* value=(flag|swords) C2$")

    def test_ME1_barrels_are_drawn_to_other_harbours(self):
        table = self.game(scenario="merchant")
        drawn = table.state()["barrels"]
        self.assertEqual(sorted(drawn), sorted(drawn.values()))
        self.assertTrue(all(harbour != to for harbour, to in drawn.items()), drawn)

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
