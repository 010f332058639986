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
