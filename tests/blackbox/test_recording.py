#!/usr/bin/python3
"""What [hw] record wrote, replayed with shipahoyd --replay, gives the same game.

Edges are sent with their times, so the clock of the simulated table jumps from one to the next and
nothing has to be waited for but what follows from them.
"""

import os
import time

import harness
from daemon import run
from harness import Shared, TableTest
from sensors import QUADRATURE

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

BUTTONS = {
    "button.start": {"command": "new-game"},
    "button.end": {"command": "end-phase"},
    "button.two": {"command": "roll-move value=2"},
}
THREE_PLAYERS = {f"player.{i}": {"name": name} for i, name in enumerate(("Anna", "Ben", "Cleo"), 1)}
SECOND_US = 1000000


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


class Replay(TableTest):
    def play(self, table):
        """Each deed when the one before has had its effect."""
        for edges, (_, last) in zip(timed(DEEDS), DEEDS, strict=True):
            mark = len(table.client.messages)
            table.sensors.move(*[f"@{at} {edge}" for at, edge in edges])
            table.await_event(last, mark)

    def judge(self, recording, *files, game=None):
        """The sentences that are printed, without their times."""
        config = [word for file in files for word in ("--config", file)]
        ended = run("--replay", recording, *config, *(("--game", game) if game else ()))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertNotIn("refused", ended.stderr)
        return [line.split(" s  ", 1)[1] for line in ended.stdout.splitlines()]

    def told(self, table):
        return [f"{it['message']} ({it['rule']})" for it in table.events() if it["rule"]]

    def overlay(self, text):
        path = Shared.folder / "overlay.ini"
        path.write_text(text)
        return path

    def test_the_same_settings_give_the_same_game_and_others_another(self):
        path = Shared.folder / "edges"
        table = self.table(hw={"record": path}, game={"first": 1}, **BUTTONS, **THREE_PLAYERS)
        self.play(table)
        self.assertEqual(table.daemon.terminate(), 0)
        said = self.judge(path, table.daemon.configuration)
        self.assertEqual(said[: len(self.told(table))], self.told(table))
        self.assertIn("Anna captures blue-1. (S3)", said)
        overlay = self.overlay("[timing]\nbeam_min_us = 5000\n[rope]\ncounts_per_knot = 3\n")
        strict = self.judge(path, table.daemon.configuration, overlay)
        self.assertNotIn("Anna fires. (S2)", strict)  # a ball of 4 ms is a glitch now
        self.assertIn("Something fell without a shot: put blue-1 back up. (S7)", strict)
        self.assertIn("A ship moves; knots used: 2, left: 0. (M4)", strict)

    def test_what_is_no_recording_is_refused(self):
        wrong = self.overlay("@1 cannon.beam 1\n@2 cannon.bean 0\n")
        pipe = Shared.folder / "edges-pipe"
        os.mkfifo(pipe)
        table = self.idle_table()
        for path, sentence in ((wrong, f"{wrong}:2: "), (pipe, f"{pipe}: not a regular file")):
            ended = run("--replay", path, "--config", table.daemon.configuration)
            self.assertEqual((ended.returncode, ended.stdout), (69, ""))
            self.assertIn(sentence, ended.stderr)

    def test_what_people_said_comes_from_the_record_of_the_game(self):
        path = Shared.folder / "edges-said"
        table = self.table(hw={"record": path}, **THREE_PLAYERS)
        table.do("new-game", first=2, scenario="pirate-ship")
        table.sensors.fire()
        table.await_event("shot-fired")
        table.sensors.topple("red-1")
        table.await_event("piece-captured")
        table.do("end-phase")
        table.do("roll-move", value=3)
        table.do("move", piece="pirate", knots=2)
        self.assertEqual(table.daemon.terminate(), 0)
        game = table.daemon.state / "open-game"
        before = game.read_bytes()
        # The game in the record is the only one, whatever the settings say.
        autostart = self.overlay("[game]\nautostart = yes\n")
        said = self.judge(path, table.daemon.configuration, autostart, game=game)
        self.assertEqual(said[: len(self.told(table))], self.told(table))
        self.assertEqual(game.read_bytes(), before)

    def test_a_switch_that_was_silent_then_is_silent_again(self):
        path = Shared.folder / "edges-silent"
        table = self.table(hw={"record": path}, **{"piece.blue-1": {"tilt": "GPIO5"}})
        table.new_game()
        table.sensors.topple("blue-2")
        table.await_event("disturbance")
        table.await_said("sensor/blue-2/tilt", lambda it: it["edges"] > 0)
        for _ in range(2):
            table.do("topple", piece="blue-1")
            table.do("raise", piece="blue-1")
        table.do("topple", piece="blue-1")
        table.await_event("sensor-fault")
        table.do("end-phase")
        self.assertEqual(table.daemon.terminate(), 0)
        told = [it["message"] + (f" ({it['rule']})" if it["rule"] else "")
                for it in table.events()]  # fmt: skip
        game = table.daemon.state / "open-game"
        said = self.judge(path, table.daemon.configuration, game=game)
        self.assertEqual(said[: len(told)], told)

    def test_nothing_of_it_stays_in_the_temporary_folder(self):
        path = self.overlay("@1000000 button.start 1\n@1100000 button.start 0\n")
        table = self.table(**BUTTONS)
        folder = Shared.folder / "temporary"
        for exists, code in ((False, 69), (True, 0)):
            ended = run("--replay", path, "--config", table.daemon.configuration, TMPDIR=folder)
            self.assertEqual(ended.returncode, code, ended.stderr)
            self.assertEqual("game" in ended.stdout, exists)
            folder.mkdir(exist_ok=True)
            self.assertEqual(list(folder.iterdir()), [])


if __name__ == "__main__":
    harness.main()
