#!/usr/bin/python3
"""Whatever was answered ok or published is there after kill -9, at any moment."""

import random

import harness
from crash import COMMANDS_A_ROUND, CrashChecks
from harness import TableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

ROUNDS = 25


class Kill(CrashChecks, TableTest):
    def test_nothing_is_lost_at_many_moments(self):
        chance = random.Random(7)
        table = self.table()
        table.new_game(dice="daemon")
        seq = table.state()["seq"]
        for round_number in range(ROUNDS):
            mark = len(table.client.messages)
            sent = self.send_blindly(table, chance)
            # The moment is after so many messages of the daemon, which is another one each time.
            told = chance.randrange(1, 40)
            with self.subTest(round=round_number, messages=told):
                table.client.until(
                    lambda m=mark, t=told: len(table.client.messages) >= m + COMMANDS_A_ROUND + t,
                    "the moment",
                )
                table.kill()
                seq = self.check_nothing_lost(table, seq, sent, table.start)

    def test_a_game_that_was_begun_is_there_even_if_nothing_else_is(self):
        for _ in range(5):
            table = self.table()
            table.post("new-game", {})
            table.await_event("game-started")
            table.kill()
            published = table.events()
            table.start()
            self.assertEqual(table.send("history")["events"][: len(published)], published)

    def test_S9_a_window_that_was_open_at_the_kill_is_closed_after_it(self):
        table = self.table(timing={"shot_window_ms": 300})
        table.new_game()
        table.do("fire")
        table.kill()
        mark = len(table.client.messages)
        table.start()
        table.await_event("phase-started", mark, lambda it: it["phase"] == "moving")

    def test_a_torn_end_of_the_journal_is_cut_off_and_said(self):
        table = self.table()
        table.new_game()
        table.do("end-phase")
        state = table.state()
        table.kill()
        # What a power cut may leave: the beginning of a record that never was answered.
        journal = max(table.daemon.state.iterdir(), key=lambda path: path.stat().st_size)
        content = journal.read_bytes().rstrip()
        journal.write_bytes(content + b"\n2026-11-16T20:45:01.1")
        table.start()
        self.assertEqual(table.state(), state)
        self.assertEqual(table.do("roll-move", value=1), ["move-rolled value=1 M1"])

    def test_a_damaged_journal_is_reported_and_left_alone(self):
        table = self.table()
        table.new_game()
        table.end_phases(3)
        table.kill()
        journal = max(table.daemon.state.iterdir(), key=lambda path: path.stat().st_size)
        content = bytearray(journal.read_bytes())
        content[60] ^= 0x10
        journal.write_bytes(content)
        mark = len(table.client.messages)
        table.start()
        self.assertEqual(table.await_said("state", since=mark)["phase"], "lobby")
        self.assertIn("kept as", table.daemon.log())
        self.assertIn(bytes(content), [it.read_bytes() for it in table.daemon.state.iterdir()])
        table.new_game()


if __name__ == "__main__":
    harness.main()
