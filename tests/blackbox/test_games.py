#!/usr/bin/python3
"""Whole games of every scenario, to the end: once by commands alone, once by the sensors.

The scripts are those that the rules are tested with, so what happens is known to the last event.
"""

import harness
import script
from harness import TableTest
from table import tell

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

# What a command says in place of a sensor. A window is closed by the player who ends the step (S9).
SAID_INSTEAD = {
    "ball-left": "fire",
    "toppled": "topple",
    "raised": "raise",
    "window-over": "end-phase",
}

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
    """Plays a script at a table and compares what happens with what the script says."""

    def __init__(self, test, table, game):
        self.test = test
        self.table = table
        self.game = game

    def play(self):
        for number, step in enumerate(self.game.steps, 1):
            step.forget_speed()
            with self.test.subTest(self.game.name, step=number, verb=step.verb):
                self.mark = len(self.table.client.messages)
                self.take(step)

    def take(self, step):
        fields = self.game.setup if step.verb == "new-game" else step.fields
        if step.refused:
            told = [["refused"] + self.table.refused(step.verb, **fields).split()]
        else:
            told = [line.split() for line in self.table.do(step.verb, **fields)]
        self.compare(step, told)

    def compare(self, step, told):
        self.test.assertEqual([sorted(words) for words in told], step.expected)

    def check_end(self):
        """The ranking of the last event is in the state and in the score, too."""
        over = self.table.await_event("game-over")
        state = self.table.state(over["seq"])
        score = self.table.await_said("score", lambda it: it["seq"] == over["seq"])
        self.test.assertEqual(state["phase"], "over")
        self.test.assertEqual(over["winners"], state["winners"])
        self.test.assertEqual(over["winners"], score["winners"])
        points = {it["id"]: it["score"] for it in score["scores"]}
        self.test.assertEqual(
            points, {it["player"]: it["points"] for it in over["ranking"]}
        )
        self.test.assertEqual(points, {it["id"]: it["score"] for it in state["players"]})
        places = [it["place"] for it in over["ranking"]]
        self.test.assertEqual(places, sorted(places))


class Caller(Player):
    """No sensor works: everything is said."""

    left_out = 0  # events of the script that cannot come about by word of mouth

    def take(self, step):
        if step.verb == "window-over" and step.refused:
            return
        if self.is_only_seen(step):
            self.left_out += len(step.expected)
            return
        step.verb = SAID_INSTEAD.get(step.verb, step.verb)
        super().take(step)

    def is_only_seen(self, step):
        """What a person would not say, or could not: a late topple, a ball that may not fly."""
        if step.verb == "ball-left" and "S1" in step.expected[0]:
            self.test.assertFalse(self.table.send("fire")["ok"])
            return True
        return step.verb in ("toppled", "raised") and "S7" in step.expected[0] and (
            step.fields["piece"] not in self.disturbed()
        )

    def disturbed(self):
        """Those that the table is asked to put right, so that they can be raised."""
        pieces = self.table.state()["pieces"]
        return [piece for piece, it in pieces.items() if it["disturbed"]]

    def compare(self, step, told):
        if step.verb == "undo":
            step.expected = [[self.shifted(word) for word in step.expected[0]]]
        super().compare(step, told)

    def shifted(self, word):
        key, equals, value = word.partition("=")
        return f"{key}={int(value) - self.left_out}" if equals else word


class Toucher(Player):
    """Whatever there is a sensor or a button for is felt, and only the rest is said."""

    def take(self, step):
        feel = {
            "ball-left": lambda: self.table.sensors.fire(),
            "toppled": lambda: self.table.sensors.topple(step.fields["piece"]),
            "raised": lambda: self.table.sensors.raise_up(step.fields["piece"]),
            "window-over": lambda: self.table.sensors.press("button.end"),
            "end-phase": lambda: self.table.sensors.press("button.end"),
            "undo": lambda: self.table.sensors.press("button.back"),
            "roll-move": lambda: self.table.sensors.press(DIE_BUTTONS[step.fields["value"]]),
        }.get(step.verb)
        if step.verb == "window-over" and step.refused:
            return
        if step.verb == "move" and not step.refused:
            self.pull(step)
        if not feel or step.refused:
            super().take(step)
            return
        feel()
        self.compare(step, self.await_events(len(step.expected)))

    def pull(self, step):
        """The rope, and then a move without a word about the knots."""
        knots = float(step.fields.pop("knots"))
        self.table.sensors.pull(round(knots * COUNTS_PER_KNOT))
        self.table.await_said("rope", lambda it: it["knots"] == knots, self.mark)

    def await_events(self, count):
        prefix = self.table.topic("event/")
        self.table.client.until(
            lambda: sum(
                it.topic.startswith(prefix) for it in self.table.client.messages[self.mark :]
            )
            >= count,
            f"{count} events",
        )
        return [tell(event).split() for event in self.table.events_since(self.mark)]


class Games(TableTest):
    pass


def add_tests():
    """Two tests a script, so that each is a case of its own."""
    for path in sorted(script.GAMES.glob("*.game")):

        def by_commands(self, path=path):
            player = Caller(self, self.table(), script.Script(path))
            player.play()
            player.check_end()

        def by_sensors(self, path=path):
            player = Toucher(self, self.table(**TOUCHED), script.Script(path))
            player.play()
            player.check_end()

        setattr(Games, f"test_{path.stem}_is_played_by_commands_alone", by_commands)
        setattr(Games, f"test_{path.stem}_is_played_by_sensors", by_sensors)


add_tests()


if __name__ == "__main__":
    harness.main()
