#!/usr/bin/python3
"""The program itself: options, exit codes, --check, SIGHUP, and its talk with systemd."""

import os
import pathlib
import re
import shutil
import socket
import tempfile

import harness
from broker import free_port
from daemon import run
from harness import TableTest
from table import settings
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

FINE, USAGE, UNAVAILABLE, INTERNAL, CONFIG = 0, 64, 69, 70, 78


class Program(TableTest):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def ini(self, text):
        path = self.folder / f"{len(list(self.folder.iterdir()))}.ini"
        path.write_text(text)
        return path

    def test_version_and_help_end_with_0(self):
        self.assertRegex(run("--version").stdout, r"^shipahoyd \d+\.\d+\.\d+\n$")
        usage = run("--help")
        self.assertEqual(usage.returncode, FINE)
        for option in ("--config", "--check", "--state-dir", "--replay", "--version", "--help"):
            self.assertIn(option, usage.stdout)

    def test_wrong_usage_ends_with_64(self):
        for arguments in (["--what"], ["extra"], ["--config"], ["--check", "extra"], ["--game", "x"]):
            with self.subTest(arguments):
                ended = run(*arguments)
                self.assertEqual(ended.returncode, USAGE)
                self.assertRegex(ended.stderr, "^shipahoyd: .*; see shipahoyd --help\n$")
        self.assertIn("unknown option --chek; the nearest is --check;", run("--chek").stderr)

    def test_check_prints_every_problem_of_all_files_or_nothing(self):
        good = self.ini("[mqtt]\nport = 1884\n[game]\nscenario = kraken\n")
        self.assertEqual(run("--check", "--config", good).returncode, FINE)
        bad = self.ini("[game]\nscenario = squid\n[mqtt]\nprot = 1\n")
        checked = run("--check", "--config", good, "--config", bad)
        self.assertEqual(checked.returncode, CONFIG)
        self.assertIn(f"{bad}:2: [game] scenario = squid", checked.stderr)
        self.assertIn(f"{bad}:4: [mqtt] prot", checked.stderr)

    def start_fails(self, code, sentence, ini=None, state=None, **sections):
        ini = ini or self.ini(settings("t", free_port(), self.folder, **sections))
        ended = run("--config", ini, "--state-dir", state or self.folder / "state")
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertIn(sentence, ended.stderr)

    def test_a_start_that_fails_says_why_and_has_its_exit_code(self):
        missing, text, pipe = self.folder / "missing", self.ini("x" * 1024 + "\n"), self.folder / "pipe"
        os.mkfifo(pipe)
        for code, sentence, sections in (
            (UNAVAILABLE, "sim.sock", {"hw": {"socket": missing / "sim.sock"}}),
            (UNAVAILABLE, "edges.log", {"hw": {"record": missing / "edges.log"}}),
            (UNAVAILABLE, "not a regular file", {"hw": {"record": pipe}}),
            (CONFIG, "missing", {"mqtt": {"tls_ca": missing}}),
            (UNAVAILABLE, f"{text}: [mqtt] tls_ca: expected a PEM file", {"mqtt": {"tls_ca": text}}),
            (UNAVAILABLE, "PEM file", {"mqtt": {"tls_ca": pipe}}),
            (UNAVAILABLE, "not a regular file", {"mqtt": {"username": "t", "password_file": pipe}}),
            (UNAVAILABLE, "expected a password of at most 1023 bytes",
             {"mqtt": {"username": "t", "password_file": text}}),
        ):  # fmt: skip
            with self.subTest(sections):
                self.start_fails(code, sentence, **sections)
        for path, sentence in ((missing, "missing: cannot be read"), (pipe, "not a regular file"),
                               (self.ini("[mqtt]\nport = x\n"), ":2: [mqtt] port = x")):  # fmt: skip
            with self.subTest(path):
                self.start_fails(CONFIG, sentence, path, self.folder / "untouched")
        self.assertFalse((self.folder / "untouched").exists())

    def test_a_check_finds_authorities_that_are_no_certificates(self):
        path = self.ini("no certificate\n")
        checked = run("--check", "--config", self.ini(f"[mqtt]\ntls_ca = {path}\n"))
        self.assertEqual(checked.returncode, UNAVAILABLE)

    def test_every_line_that_cannot_be_had_is_told_where_it_was_said(self):
        plan = self.ini("[hw]\nbackend = gpiod\n[piece.blue-2]\ntilt = NO1\n[button.horn]\n"
                        "line = NO2\ncommand = undo\n[cannon]\nbeam = no-such-chip:5\n")
        over = self.ini("[piece.blue-2]\n\ntilt = NO4\n")
        ended = run("--config", plan, "--config", over, "--state-dir", self.folder / "state")
        self.assertEqual(ended.returncode, UNAVAILABLE, ended.stderr)
        for place in (f"{over}:3: [piece.blue-2] tilt: ", f"{plan}:6: [button.horn] line: ",
                      f"{plan}:9: [cannon] beam: "):
            self.assertIn(place, ended.stderr)

    def test_a_state_directory_that_cannot_be_used_ends_with_70(self):
        blocked = self.folder / "state-with-a-pipe"
        blocked.mkdir()
        os.mkfifo(blocked / "open-game")
        # Nobody, not even root, makes a folder in /proc.
        for state in (self.ini(""), blocked, "/proc/shipahoy"):
            with self.subTest(state):
                self.start_fails(INTERNAL, "games cannot be kept", state=state)
        # As systemd names it.
        ini = self.ini(settings("t", free_port(), self.folder))
        ended = run("--config", ini, STATE_DIRECTORY="/proc/shipahoy")
        self.assertEqual(ended.returncode, INTERNAL, ended.stderr)
        self.assertIn("games cannot be kept in /proc/shipahoy", ended.stderr)

    def test_a_broker_that_is_down_is_no_error(self):
        table = self.idle_table(port=free_port())
        table.daemon.start()
        poll(lambda: "trying again" in table.daemon.log(), "the first try")
        self.assertTrue(table.daemon.alive())

    def test_SIGTERM_leaves_offline_and_ends_with_0(self):
        table = self.table()
        mark = len(table.client.messages)
        self.assertEqual(table.daemon.terminate(), FINE)
        table.await_status("offline", mark)

    def test_a_killed_daemon_leaves_its_last_will(self):
        table = self.table()
        mark = len(table.client.messages)
        table.kill()
        table.await_status("offline", mark)


class Systemd(TableTest):
    def test_ready_and_stopping_are_told(self):
        table = self.table()
        table.daemon.process.terminate()
        table.daemon.await_notice("STOPPING=1")
        self.assertEqual(table.daemon.wait(), FINE)

    def test_the_watchdog_is_fed_while_nothing_happens(self):
        table = self.idle_table()
        table.start(WATCHDOG_USEC="400000")
        for _ in range(5):
            table.daemon.await_notice("WATCHDOG=1")

    def test_a_manager_that_does_not_read_blocks_nothing(self):
        table = self.idle_table()

        def fill():
            full = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            full.setblocking(False)
            try:
                while True:
                    full.sendto(b"full", str(table.daemon.folder / "notify"))
            except BlockingIOError:
                pass

        table.daemon.launch(preexec=fill)
        table.await_status("online")
        table.daemon.await_notice("READY=1")

    def test_priorities_are_told_to_the_journal_only(self):
        table = self.idle_table()
        table.start(JOURNAL_STREAM="8:1")
        poll(lambda: re.search("^<5>broker .*: connected, MQTT", table.daemon.log(), re.M),
             "a line with its priority")


class Reload(TableTest):
    def change(self, table, old, new):
        path = table.daemon.configuration
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        table.daemon.reload()

    def test_what_can_apply_live_does(self):
        table = self.table(mqtt={"commands": "yes"})
        table.new_game()
        self.change(table, "commands = yes", "commands = no")
        poll(lambda: "commands has changed and is in force" in table.daemon.log(), "the log")
        mark = len(table.client.messages)
        table.post("end-phase", {})
        table.client.publish(table.topic("sim/blue-1/tilt"), "1")
        table.await_event("disturbance", mark)
        self.assertEqual(table.said("reply", mark), [])

    def test_reloading_again_and_again_keeps_what_needs_a_restart(self):
        table = self.table(game={"first": 1, "scenario": "none"})
        self.change(table, f"name = {table.name}", "name = elsewhere")
        poll(lambda: "needs a restart" in table.daemon.log(), "the log")
        self.change(table, "scenario = none", "scenario = merchant")
        poll(lambda: table.daemon.log().count("needs a restart") == 2, "the log")
        table.do("new-game")
        self.assertEqual(table.state()["table"], table.name)
        self.assertEqual(table.state()["scenario"], "merchant")

    def test_a_broken_new_file_changes_nothing(self):
        table = self.table(game={"first": 1, "scenario": "none"})
        self.change(table, "scenario = none", "scenario = kraken\nfist = 1")
        poll(lambda: "stays as it was" in table.daemon.log(), "the log")
        log = table.daemon.log()
        self.assertIn(str(table.daemon.configuration), log)
        self.assertIn("first", log)
        table.do("new-game")
        self.assertEqual(table.state()["scenario"], "none")


if __name__ == "__main__":
    harness.main()
