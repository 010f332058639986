"""daemon/run.sh as a person uses it: run_sh.py PROJECT BUILD_DIR SCRATCH_DIR.

The programs are taken from BUILD_DIR.
"""
import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
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

    def await_stored_game(self, games):
        """Until the logbook has the winner; without a logbook the command would warn on stderr."""
        deadline = time.monotonic() + START_S
        while True:
            listed = subprocess.run(games, shell=True, cwd=PROJECT, check=True, capture_output=True, text=True)
            self.assertEqual(listed.stderr, "")
            if "Anna" in listed.stdout or time.monotonic() > deadline:
                break
        self.assertIn("Anna", listed.stdout)

    def setUp(self):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        os.makedirs(SCRATCH)

    def test_demo_plays_a_game_to_its_ranking_and_ctrl_c_leaves_nothing_running(self):
        table = self.start("demo", "--demo", "--pause", "0")
        table.hear("Place 3: Ben, points: 1", DEMO_S)
        self.assertIn("The game is over. Anna won.", table.said)
        self.assertIn("Place 1: Anna, points: 6", table.said)
        before_game, _ = table.said.split("The game begins")
        self.assertIn("To watch it", before_game)
        self.assertNotIn("END", table.said)  # the mark of a text in the script
        if os.path.exists(f"{PROJECT}/scoreboard/dist/scoreboard.html"):
            self.assertIn("/scoreboard.html#table=table\n", before_game)
        table.hear_all()
        self.await_stored_game(table.commands()[-1])
        self.assertGreaterEqual(len(table.processes()), 4)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        self.assertEqual(table.processes(), [])
        self.assertIn("The table is closed.", table.said)

    def test_ctrl_c_in_the_middle_of_the_demo_leaves_nothing_running_and_the_next_demo_plays(self):
        captured = "She rolls a three"  # what the demo says when blue-1 has been captured
        table = self.start("stopped", "--demo", "--pause", "1")
        table.hear(captured, DEMO_S)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        self.assertEqual(table.processes(), [])
        self.start("stopped", "--demo", "--pause", "0").hear(captured, DEMO_S)

    def test_demo_whose_daemon_dies_ends_with_it_and_says_nothing_else(self):
        table = self.start("dead", "--demo", "--pause", "0")
        table.hear("Anna fires", DEMO_S)
        os.kill(table.pid_of("shipahoyd"), signal.SIGKILL)
        table.hear("The daemon has stopped; its log is ")
        self.assertEqual(table.process.wait(START_S), 70)
        self.assertEqual(table.said.count("the daemon is offline"), 1, table.said)
        self.assertNotIn("still running", table.said)

    def test_impatient_ctrl_c_leaves_nothing_running_either(self):
        table = self.start("impatient")
        table.hear_all()
        self.assertEqual(table.press_ctrl_c(times=3), 0, table.said)
        self.assertEqual(table.processes(), [])

    def test_commands_that_it_tells_work_and_the_next_start_resumes_the_game(self):
        table = self.start("table")
        table.hear_all()
        commands = table.commands()
        self.assertEqual(len(commands), 7, table.said)
        for command in commands[2:]:
            subprocess.run(command, shell=True, cwd=PROJECT, check=True, timeout=START_S)
        for command in commands[:2]:
            self.assertTrue(self.shows_something(command, f"{commands[2]} abandon=true"), command)
        self.assertEqual(self.sheets(table), ["ahoy", "brandi-ahoi", "bremerhaven", "plank"])
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        again = self.start("table")
        again.hear("The last game continues as it was begun: turn 1, shooting. To abandon it and")
        again.hear("abandon=true")
        send = commands[2].rpartition(" new-game")[0]
        self.assertEqual(again.commands()[2:], [f"{send} --list", *commands[5:], f"{send} new-game abandon=true"])
        subprocess.run(f"{send} --list", shell=True, cwd=PROJECT, check=True, timeout=START_S)
        alias = re.search("alias (ship=.*), then", again.said).group(1)
        subprocess.run(f'{alias}; eval "$ship send --list"', shell=True, cwd="/", check=True, timeout=START_S)

    @staticmethod
    def sheets(table):
        """The names of the score sheets that its logbook offers."""
        answer = subprocess.run(
            ["mosquitto_rr", "-h", "127.0.0.1", "-p", table.port(), "-V", "5", "-W", str(START_S), "-m", "{}",
             "-t", "shipahoy/logbook/ask/sheets", "-e", "shipahoy/logbook/reply/run_sh"],
            check=True, capture_output=True, text=True).stdout
        return sorted(sheet["name"] for sheet in json.loads(answer)["sheets"])

    def test_damaged_logbook_is_reported_and_the_table_runs_without_it(self):
        os.makedirs(f"{SCRATCH}/table/logbook")
        with open(f"{SCRATCH}/table/logbook/logbook.db", "w", encoding="utf-8") as file:
            file.write("not a database" * 100)
        table = self.start("table")
        table.hear_all()
        self.assertIn(f"The logbook did not start, see {SCRATCH}/table/logbook.log.", table.said)
        subprocess.run(table.commands()[2], shell=True, cwd=PROJECT, check=True, timeout=START_S)
        self.assertEqual(table.press_ctrl_c(), 0, table.said)

    def test_place_with_an_odd_or_a_long_name_is_as_good_as_another(self):
        for name in ("it's a ; #place", "long" * 40):
            with self.subTest(name):
                table = self.start(name)
                table.hear_all()
                for command in table.commands()[2:]:
                    subprocess.run(command, shell=True, cwd=PROJECT, check=True, timeout=START_S)
                self.assertEqual(table.press_ctrl_c(), 0, table.said)

    def test_second_table_is_refused_in_the_same_place_and_fine_in_another(self):
        first = self.start("table")
        first.hear_all()
        refused = self.start("table")
        refused.hear("already")
        self.assertEqual(refused.process.wait(START_S), 69)
        other = self.start("other")
        other.hear_all()
        self.assertNotEqual(first.commands()[1], other.commands()[1])

    def refusal(self, *options):
        """What it says on stderr, and its exit code; nothing may be started or built for that."""
        ended = subprocess.run(["sh", f"{PROJECT}/daemon/run.sh", *options], check=False,
                               cwd=SCRATCH, capture_output=True, text=True, timeout=START_S)
        self.assertEqual(ended.stdout, "")
        return ended.stderr, ended.returncode

    def test_wrong_options_are_refused_by_name_with_the_nearest_one(self):
        for options, sentence in (
            (["--nonsense"], "unknown option --nonsense."),
            (["--demmo", "value"], "unknown option --demmo; the nearest is --demo."),
            (["--demo", "--pause"], "--pause needs a value."),
        ):
            with self.subTest(options=options):
                said, code = self.refusal(*options)
                self.assertEqual(code, 64)
                self.assertTrue(said.startswith(f"run.sh: {sentence}\n\nusage: "), said)

    def test_configuration_that_is_not_there_is_noticed_at_once(self):
        said, code = self.refusal("--config", "missing.ini")
        self.assertEqual((said, code), (f"run.sh: cannot read {SCRATCH}/missing.ini.\n", 78))

    def test_configuration_that_is_wrong_ends_with_78(self):
        path = os.path.join(SCRATCH, "wrong.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[game]\nscenario = squid\n")
        table = self.start("wrong", "--config", path)
        table.hear("wrong.ini:2: [game] scenario")
        self.assertEqual(table.process.wait(START_S), 78)

    def kill_script(self, table):
        """It leaves its programs behind, which are ended after the test if nobody else has."""
        os.kill(table.process.pid, signal.SIGKILL)
        table.process.wait(START_S)
        for pid in table.pids():
            self.addCleanup(self.end_orphan, table, pid)

    @staticmethod
    def end_orphan(table, pid):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{pid}/fd/9") == f"{table.directory}/lock":
                os.kill(pid, signal.SIGTERM)

    @staticmethod
    def programs(table):
        return [words for words in table.processes()
                if words.startswith("mosquitto ") or re.search("shipahoy(d|-logbook) --config", words)]

    def test_programs_that_a_killed_script_left_behind_are_ended_by_the_next_start(self):
        killed = self.start("table")
        killed.hear_all()
        self.kill_script(killed)
        self.assertEqual(len(self.programs(killed)), 3)
        again = self.start("table")
        again.hear_all()
        self.assertEqual(again.said.count("of an earlier start"), 3, again.said)
        self.assertEqual(len(self.programs(again)), 3)

    def test_process_that_has_got_the_number_of_a_dead_one_is_left_alone(self):
        with subprocess.Popen(["sleep", "600"]) as innocent:
            self.addCleanup(innocent.kill)
            killed = self.start("table")
            killed.hear_all()
            self.kill_script(killed)
            with open(f"{killed.directory}/processes", "a", encoding="utf-8") as file:
                file.write(f"{innocent.pid}\n")
            again = self.start("table")
            again.hear_all()
            self.assertIsNone(innocent.poll())
            innocent.kill()

    def answers_at(self, table, address):
        try:
            socket.create_connection((address, table.port()), START_S).close()
        except ConnectionRefusedError:
            return False
        return True

    def test_only_this_computer_can_reach_it_unless_lan_is_said(self):
        table = self.start("private")
        table.hear("with --lan phones can connect too")
        self.assertTrue(self.answers_at(table, "127.0.0.1"))
        self.assertFalse(self.answers_at(table, "127.0.0.2"))
        open_table = self.start("open", "--lan")
        open_table.hear("Everyone in your network can watch and play")
        self.assertTrue(self.answers_at(open_table, "127.0.0.2"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
