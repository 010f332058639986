#!/usr/bin/python3
"""A command with an id is carried out once, and answered alike each time."""

import harness
from harness import TableTest

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module


class Ids(TableTest):
    def ask(self, table, verb, **fields):
        """The whole payload of the answer, so that alike means alike."""
        mark = len(table.client.messages)
        table.post(verb, fields)
        return table.client.wait(
            lambda it: it.topic == table.topic("reply") and it.json["id"] == fields["id"],
            f"the answer to {fields['id']}", mark,
        ).payload  # fmt: skip

    def test_an_accepted_command_is_carried_out_once(self):
        table = self.table()
        table.new_game()
        answers = {self.ask(table, "end-phase", id="once") for _ in range(3)}
        self.assertEqual(len(answers), 1)
        self.assertEqual(table.state()["phase"], "moving")

    def test_a_refused_command_stays_refused(self):
        table = self.table()
        table.new_game()
        first = self.ask(table, "roll-move", id="early", value=2)
        table.do("end-phase")
        self.assertEqual(self.ask(table, "roll-move", id="early", value=2), first)
        self.assertIsNone(table.state()["die"])

    def test_an_id_is_known_again_after_a_kill(self):
        table = self.table()
        table.new_game(id="the game")
        first = self.ask(table, "end-phase", id="over the kill")
        state = table.state()
        table.kill()
        table.start()
        self.assertEqual(self.ask(table, "end-phase", id="over the kill"), first)
        self.assertEqual(table.state(), state)

    def test_a_new_game_is_not_begun_twice_even_over_a_kill(self):
        table = self.table()
        first = self.ask(table, "new-game", id="begin")
        table.kill()
        table.start()
        self.assertEqual(self.ask(table, "new-game", id="begin"), first)
        self.assertEqual(sum(it["event_type"] == "game-started" for it in table.events()), 1)

    def test_commands_without_an_id_are_all_carried_out(self):
        table = self.table()
        table.new_game()
        mark = len(table.client.messages)
        for _ in range(2):
            table.client.publish(table.topic("command/end-phase"), "{}")
        table.await_event("phase-started", mark, lambda it: it["phase"] == "combat")
        table.client.until(lambda: len(table.said("reply", mark)) == 2, "both answers")
        self.assertEqual([it.json["id"] for it in table.said("reply", mark)], [None, None])

    def test_the_longest_id_is_taken_and_a_longer_one_refused(self):
        table = self.table()
        table.new_game()
        self.assertTrue(table.send("end-phase", id="x" * 64)["ok"])
        mark = len(table.client.messages)
        table.post("end-phase", {"id": "x" * 65})
        reply = table.await_said("reply", since=mark)
        self.assertEqual((reply["id"], reply["error"]), (None, "bad-value"))


if __name__ == "__main__":
    harness.main()
