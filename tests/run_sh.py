"""daemon/run.sh as a person uses it: run_sh.py PROJECT BUILD_DIR SCRATCH_DIR.

The programs are taken from BUILD_DIR.
"""
import os
import select
import shutil
import subprocess
import sys
import unittest

from run_table import START_S, Table

PROJECT, BUILD, SCRATCH = sys.argv[1:4]
DEMO_S = 180


class RunSh(unittest.TestCase):
    def start(self, name, *options):
        table = Table(PROJECT, BUILD, os.path.join(SCRATCH, name), *options)
        self.addCleanup(table.end)
        return table

    @staticmethod
    def shows_something(watch, play):
        """Whether watch prints anything; as it may look too late for one, games begin until then."""
        with subprocess.Popen(["sh", "-c", f"exec {watch}"], cwd=PROJECT,
                              stdout=subprocess.PIPE) as watching:
            for _ in range(START_S):
                subprocess.run(play, shell=True, cwd=PROJECT, check=True)
                has_printed = select.select([watching.stdout], [], [], 1)[0]
                if has_printed:
                    break
            watching.terminate()
        return bool(has_printed)

    def setUp(self):
        shutil.rmtree(SCRATCH, ignore_errors=True)

    def test_demo_plays_a_game_to_its_ranking_and_ctrl_c_leaves_nothing_running(self):
        table = self.start("demo", "--demo", "--pause", "0")
        table.hear("Place 3: Ben, points: 1", DEMO_S)
        self.assertIn("The game is over. Anna won.", table.said)
        self.assertIn("Place 1: Anna, points: 6", table.said)
        self.assertGreaterEqual(len(table.processes()), 3)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        self.assertEqual(table.processes(), [])

    def test_ctrl_c_in_the_middle_of_the_demo_leaves_nothing_running(self):
        table = self.start("stopped", "--demo", "--pause", "600")
        table.hear("The game begins", DEMO_S)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        self.assertEqual(table.processes(), [])

    def test_impatient_ctrl_c_leaves_nothing_running_either(self):
        table = self.start("impatient")
        table.hear_all()
        self.assertEqual(table.press_ctrl_c(times=3), 0, table.said)
        self.assertEqual(table.processes(), [])

    def test_commands_that_it_tells_work_and_the_next_start_resumes_the_game(self):
        table = self.start("table")
        table.hear_all()
        commands = table.commands()
        self.assertEqual(len(commands), 5, table.said)
        for command in commands[2:]:
            subprocess.run(command, shell=True, cwd=PROJECT, check=True, timeout=START_S)
        for command in commands[:2]:
            self.assertTrue(self.shows_something(command, f"{commands[2]} abandon=true"), command)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        again = self.start("table")
        again.hear("The game of last time goes on: turn 1, shooting;")

    def test_second_table_is_refused_in_the_same_place_and_fine_in_another(self):
        first = self.start("table")
        first.hear_all()
        refused = self.start("table")
        refused.hear("already")
        self.assertEqual(refused.process.wait(START_S), 69)
        other = self.start("other")
        other.hear_all()
        self.assertNotEqual(first.commands()[1], other.commands()[1])

    def test_wrong_options_are_refused(self):
        for options in (["--nonsense"], ["--nonsense", "value"], ["--pause"]):
            with self.subTest(options=options):
                self.assertEqual(
                    subprocess.run(["sh", f"{PROJECT}/daemon/run.sh", *options], check=False,
                                   stderr=subprocess.DEVNULL).returncode, 64)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
