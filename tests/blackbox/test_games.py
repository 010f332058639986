#!/usr/bin/python3
"""Whole games of every scenario, to the end, by sensors where there are any and by commands where not.

The scripts are those that the rules are tested with, so what happens is known to the last event.
"""

import harness
import script
from harness import TableTest
from table import tell

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

COUNTS_PER_KNOT = 20
TOUCHED = {
    "rope": {"counts_per_knot": COUNTS_PER_KNOT},
    "button.end": {"command": "end-phase"},
    "button.one": {"command": "roll-move value=1"},
    "button.two": {"command": "roll-move value=2"},
    "button.three": {"command": "roll-move value=3"},
    "button.back": {"command": "undo"},
}
DIE_BUTTONS = {"1": "button.one", "2": "button.two", "3": "button.three"}


class Player:
    """Whatever there is a sensor or a button for is felt, and only the rest is said."""

    def __init__(self, test, table, game):
        self.test = test
        self.table = table
        self.game = game

    def play(self):
        for number, step in enumerate(self.game.steps, 1):
            step.forget_speed()
            with self.test.subTest(self.game.name, step=number, verb=step.verb):
                self.mark = len(self.table.client.messages)
                self.test.assertEqual(self.take(step), step.expected)
        self.check_end()

    def take(self, step):
        """Does it; returns what came of it."""
        sensors = self.table.sensors
        feel = {
            "ball-left": sensors.fire,
            "toppled": lambda: sensors.topple(step.fields["piece"]),
            "raised": lambda: sensors.raise_up(step.fields["piece"]),
            "window-over": lambda: sensors.press("button.end"),
            "end-phase": lambda: sensors.press("button.end"),
            "undo": lambda: sensors.press("button.back"),
            "roll-move": lambda: sensors.press(DIE_BUTTONS[step.fields["value"]]),
        }.get(step.verb)
        if step.verb == "window-over" and step.refused:
            return step.expected  # there is no way to say it
        if step.refused:
            return [sorted(["refused", *self.table.refused(step.verb, **step.fields).split()])]
        if step.verb == "move":
            self.pull(float(step.fields.pop("knots")))
        if feel:
            feel()
            return self.await_events(len(step.expected))
        if step.verb == "new-game":
            told = self.table.do("start-game", **self.game.setup)
        else:
            told = self.table.do(step.verb, **step.fields)
        return [sorted(line.split()) for line in told]

    def pull(self, knots):
        """The rope; the move after it says nothing of the knots."""
        self.table.sensors.pull(round(knots * COUNTS_PER_KNOT))
        self.table.await_said("rope", lambda it: it["knots"] == knots, self.mark)

    def await_events(self, count):
        self.table.client.until(
            lambda: len(self.table.events_since(self.mark)) >= count, f"{count} events"
        )
        return [sorted(tell(event).split()) for event in self.table.events_since(self.mark)]

    def check_end(self):
        """The ranking of the last event is in the state and in the score, too."""
        over = self.table.await_event("game-over")
        state = self.table.state(over["seq"])
        score = self.table.await_said("score", lambda it: it["seq"] == over["seq"])
        self.test.assertEqual((state["phase"], state["winners"]), ("over", over["winners"]))
        self.test.assertEqual(score["winners"], over["winners"])
        points = {it["player"]: it["points"] for it in over["ranking"]}
        self.test.assertEqual({it["id"]: it["score"] for it in score["scores"]}, points)
        self.test.assertEqual({it["id"]: it["score"] for it in state["players"]}, points)


class Games(TableTest):
    def test_every_scenario_is_played_to_its_end(self):
        for path in sorted(script.GAMES.glob("*.game")):
            with self.subTest(path.stem):
                Player(self, self.table(**TOUCHED), script.Script(path)).play()


if __name__ == "__main__":
    harness.main()
