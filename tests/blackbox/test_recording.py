#!/usr/bin/python3
"""What [hw] record wrote, played again through another daemon, gives the same game.

Edges are sent with their times, so the clock of the simulated table jumps from one to the next and
nothing has to be waited for but what follows from them.
"""

import time

import harness
from harness import Shared, TableTest
from sensors import QUADRATURE
from table import tell

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BUTTONS = {
    "button.start": {"command": "new-game"},
    "button.end": {"command": "end-phase"},
    "button.two": {"command": "roll-move value=2"},
}
THREE_PLAYERS = {f"player.{i}": {"name": name} for i, name in enumerate(("Anna", "Ben", "Cleo"), 1)}
SECOND_US = 1000000
PAUSE_US = SECOND_US // 2  # what is further apart was done one after the other


def press(button):
    return [(0, f"{button} 1"), (300, f"{button} 0"), (400, f"{button} 1"), (9000, f"{button} 0")]


def fly_through(beam):
    return [(0, f"{beam} 1"), (4000, f"{beam} 0")]


def rattle(*pieces):
    return [(at, f"{piece}.tilt {level}") for at, level in ((0, 1), (2000, 0), (5000, 1))
            for piece in pieces]  # fmt: skip


def pull_and_confirm(counts):
    edges, lines = [], (0, 0)
    for i in range(counts):
        after = QUADRATURE[i % len(QUADRATURE)]
        name = "rope.a" if after[0] != lines[0] else "rope.b"
        edges.append((i * 2000, f"{name} {after[0] if name == 'rope.a' else after[1]}"))
        lines = after
    return edges + [(100000 + at, edge) for at, edge in press("rope.button")]


# What is done at the table, and the event that it ends with.
DEEDS = (
    (press("button.start"), "game-started"),
    (fly_through("cannon.beam"), "shot-fired"),
    (rattle("blue-1"), "piece-captured"),
    (press("button.end"), "phase-started"),
    (press("button.two"), "move-rolled"),
    (pull_and_confirm(4), "piece-moved"),
    (press("button.end"), "phase-started"),
    (press("button.end"), "turn-started"),
    (rattle("red-1", "red-2", "green-1"), "disturbance"),
    (fly_through("cannon.beam"), "shot-fired"),
    (rattle("green-2"), "piece-captured"),
)


def soon_us():
    return time.monotonic_ns() // 1000 + SECOND_US


def timed(deeds):
    """The deeds' edges with times, a second apart."""
    start_us = soon_us()
    return [[(start_us + i * SECOND_US + at, edge) for at, edge in edges]
            for i, (edges, _) in enumerate(deeds)]  # fmt: skip


def recorded(text):
    """The edges of a recording, deed by deed, moved to now."""
    edges = []
    for line in text.splitlines():
        if not line.startswith("#"):
            at, edge = line.split(" ", 1)
            edges.append((int(at.removeprefix("@")), edge))
    shift_us = soon_us() - edges[0][0]
    deeds = [[]]
    for i, (at, edge) in enumerate(edges):
        if i and at - edges[i - 1][0] > PAUSE_US:
            deeds.append([])
        deeds[-1].append((at + shift_us, edge))
    return deeds


class Recording(TableTest):
    def play(self, table, deeds):
        """Each deed when the one before has had its effect; returns what was told."""
        for edges, (_, last) in zip(deeds, DEEDS, strict=True):
            mark = len(table.client.messages)
            table.sensors.move(*[f"@{at} {edge}" for at, edge in edges])
            table.await_event(last, mark)
        return [(tell(event), self.grounds(event)) for event in table.events()]

    @staticmethod
    def grounds(event):
        """The evidence but for its time."""
        return {key: value for key, value in (event["evidence"] or {}).items() if key != "at_us"}

    def test_a_recording_played_again_gives_the_same_game(self):
        sections = {**BUTTONS, **THREE_PLAYERS}
        path = Shared.folder / "edges"
        table = self.table(hw={"record": path}, **sections)
        game = self.play(table, timed(DEEDS))
        self.assertEqual(table.daemon.terminate(), 0)
        again = self.play(self.table(**sections), recorded(path.read_text()))
        self.assertEqual(again, game)
        self.assertIn("piece-moved cost=1 knots=1 left=1", " ".join(told for told, _ in game))


if __name__ == "__main__":
    harness.main()
