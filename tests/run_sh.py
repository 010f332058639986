"""daemon/run.sh as a person uses it: run_sh.py PROJECT BUILD_DIR SCRATCH_DIR.

The programs are taken from BUILD_DIR. Ctrl-C is a SIGINT for the whole process group, as a terminal
sends it.
"""
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import unittest

PROJECT, BUILD, SCRATCH = sys.argv[1:4]
START_S = 60  # with sanitizers, on a busy machine
DEMO_S = 180
END_S = 30


class Table:
    """A table that run.sh has started, with all that it has said so far."""

    def __init__(self, name, *options):
        self.directory = os.path.join(SCRATCH, name)
        self.said = ""
        self.process = subprocess.Popen(
            ["sh", f"{PROJECT}/daemon/run.sh", "--no-install", "--build-dir", BUILD,
             "--dir", self.directory, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def hear(self, words, within_s):
        """Reads until it has said this; fails when it ends or takes too long."""
        signal.signal(signal.SIGALRM, self.complain)
        signal.alarm(within_s)
        try:
            while words not in self.said:
                line = self.process.stdout.readline()
                if not line:
                    raise AssertionError(f"it ended without {words!r}:\n{self.said}")
                self.said += line
        finally:
            signal.alarm(0)

    def complain(self, *_):
        raise AssertionError(f"it took too long and said:\n{self.said}")

    def press_ctrl_c(self):
        """Its exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.said += self.process.communicate(timeout=END_S)[0]
        return self.process.returncode

    def processes(self):
        """Command lines of everything that has to do with its directory, but not of this test."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                    words = file.read().replace("\0", " ")
            except OSError:
                continue
            if self.directory in words and int(pid) != os.getpid():
                found.append(words)
        return found

    def commands(self):
        """The command lines that it has told people to use."""
        return re.findall(r"^  (\S*shipahoyctl .*|mosquitto_sub .*)$", self.said, re.MULTILINE)

    def end(self):
        if self.process.poll() is None:
            self.press_ctrl_c()
        self.process.stdout.close()


class RunSh(unittest.TestCase):
    def start(self, name, *options):
        table = Table(name, *options)
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

    def test_commands_that_it_tells_work_and_the_next_start_resumes_the_game(self):
        table = self.start("table")
        table.hear("over websockets", START_S)
        commands = table.commands()
        self.assertEqual(len(commands), 5, table.said)
        for command in commands[2:]:
            subprocess.run(command, shell=True, cwd=PROJECT, check=True, timeout=START_S)
        for command in commands[:2]:
            self.assertTrue(self.shows_something(command, f"{commands[2]} abandon=true"), command)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        again = self.start("table")
        again.hear("The game of last time goes on: turn 1, shooting.", START_S)

    def test_second_table_is_refused_in_the_same_place_and_fine_in_another(self):
        first = self.start("table")
        first.hear("over websockets", START_S)
        refused = self.start("table")
        refused.hear("already", START_S)
        self.assertEqual(refused.process.wait(START_S), 69)
        other = self.start("other")
        other.hear("over websockets", START_S)
        self.assertNotEqual(first.commands()[1], other.commands()[1])

    def test_wrong_options_are_refused(self):
        for options in (["--nonsense"], ["--nonsense", "value"], ["--pause"]):
            with self.subTest(options=options):
                self.assertEqual(
                    subprocess.run(["sh", f"{PROJECT}/daemon/run.sh", *options], check=False,
                                   stderr=subprocess.DEVNULL).returncode, 64)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
