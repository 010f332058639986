#!/usr/bin/python3
"""The program itself: options, exit codes, --check, SIGHUP, and its talk with systemd."""

import os
import pathlib
import shutil
import socket
import tempfile

import harness
from broker import free_port
from daemon import ROOT, run
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
        version = run("--version")
        self.assertEqual(version.returncode, FINE)
        self.assertRegex(version.stdout, r"^shipahoyd \d+\.\d+\.\d+\n$")
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

    def test_a_mistyped_option_is_told_with_the_nearest_one(self):
        self.assertIn("unknown option --chek; the nearest is --check;", run("--chek").stderr)

    def test_check_of_a_good_file_ends_with_0(self):
        for path in [ROOT / "config/shipahoy.ini", *(ROOT / "config/scenarios").glob("*.ini")]:
            with self.subTest(path.name):
                self.assertEqual(run("--check", "--config", path).returncode, FINE)

    def test_check_prints_every_problem_with_its_place_and_what_would_fit(self):
        path = self.ini(
            "[table]\nname = den of lions\n[mqtt]\nport = 0\nprot = 1\n[gaem]\n[timing]\n"
            "shot_window_ms = soon\n"
        )
        checked = run("--check", "--config", path)
        self.assertEqual(checked.returncode, CONFIG)
        lines = checked.stderr.splitlines()
        for line, words in {
            2: ("table", "name"),
            4: ("mqtt", "port", "65535"),
            5: ("mqtt", "prot", "port"),
            6: ("gaem", "game"),
            8: ("timing", "shot_window_ms", "100", "60000"),
        }.items():
            with self.subTest(line):
                told = [it for it in lines if it.startswith(f"{path}:{line}: ")]
                self.assertTrue(told, checked.stderr)
                for word in words:
                    self.assertIn(word, told[0])

    def test_a_broken_or_missing_configuration_ends_with_78_and_starts_nothing(self):
        for path in (self.ini("[mqtt]\nport = x\n"), self.folder / "missing.ini"):
            ended = run("--config", path, "--state-dir", self.folder / "state")
            self.assertEqual(ended.returncode, CONFIG)
            self.assertIn(str(path), ended.stderr)
            self.assertFalse((self.folder / "state").exists())

    def test_a_later_file_overrides_an_earlier_one(self):
        good = self.ini("[mqtt]\nport = 1884\n[game]\nscenario = kraken\n")
        self.assertEqual(run("--check", "--config", good).returncode, FINE)
        bad = self.ini("[game]\nscenario = squid\n")
        checked = run("--check", "--config", good, "--config", bad)
        self.assertEqual(checked.returncode, CONFIG)
        self.assertIn(f"{bad}:2: ", checked.stderr)

    def start_fails(self, code, state=None, **sections):
        path = self.ini(settings("t", free_port(), self.folder, **sections))
        ended = run("--config", path, "--state-dir", state or self.folder / "state")
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertTrue(ended.stderr)
        return ended.stderr

    def test_a_socket_that_cannot_be_opened_ends_with_69(self):
        said = self.start_fails(UNAVAILABLE, hw={"socket": f"{self.folder}/missing/sim.sock"})
        self.assertIn("sim.sock", said)

    def test_a_recording_that_cannot_be_written_ends_with_69(self):
        self.start_fails(UNAVAILABLE, hw={"record": f"{self.folder}/missing/edges.log"})

    def test_a_chip_that_does_not_exist_ends_with_69(self):
        path = self.ini("[hw]\nbackend = gpiod\n[cannon]\nbeam = no-such-chip:5\n")
        ended = run("--config", path, "--state-dir", self.folder / "state")
        self.assertEqual(ended.returncode, UNAVAILABLE, ended.stderr)
        self.assertIn(f"{path}:4: [cannon] beam: ", ended.stderr)

    def test_every_line_that_cannot_be_had_is_told_where_it_was_said(self):
        plan = self.ini("[hw]\nbackend = gpiod\n[piece.blue-2]\ntilt = NO1\n[button.horn]\n"
                        "line = NO2\ncommand = undo\n[harbour.red]\ndock = NO3\n")
        over = self.ini("[piece.blue-2]\n\ntilt = NO4\n")
        ended = run("--config", plan, "--config", over, "--state-dir", self.folder / "state")
        self.assertEqual(ended.returncode, UNAVAILABLE, ended.stderr)
        for place in (f"{over}:3: [piece.blue-2] tilt: ", f"{plan}:6: [button.horn] line: ",
                      f"{plan}:9: [harbour.red] dock: "):
            self.assertIn(place, ended.stderr)

    def test_authorities_that_cannot_be_read_end_with_78(self):
        self.start_fails(CONFIG, mqtt={"tls_ca": self.folder / "missing.crt"})

    def test_authorities_that_are_no_certificates_end_with_69(self):
        path = self.ini("no certificate\n")
        said = self.start_fails(UNAVAILABLE, mqtt={"tls_ca": path})
        self.assertIn(f"{path}: [mqtt] tls_ca: expected a PEM file", said)
        settings = self.ini(f"[mqtt]\ntls_ca = {path}\n")
        checked = run("--check", "--config", settings)
        self.assertEqual(checked.returncode, UNAVAILABLE)
        self.assertIn(f"{path}: [mqtt] tls_ca: expected a PEM file", checked.stderr)

    def test_a_password_that_is_too_long_is_refused_and_not_cut(self):
        path = self.ini("x" * 1024 + "\n")
        said = self.start_fails(UNAVAILABLE, mqtt={"username": "table", "password_file": path})
        self.assertIn(f"{path}: [mqtt] password_file: expected a password of at most 1023 bytes", said)

    def test_a_state_directory_that_is_a_file_ends_with_70(self):
        said = self.start_fails(INTERNAL, state=self.ini(""))
        self.assertIn("games cannot be kept", said)

    def test_a_pipe_is_no_file_and_blocks_nothing(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        ended = run("--config", pipe)
        self.assertEqual(ended.returncode, CONFIG)
        self.assertIn(f"{pipe}: cannot be read: not a regular file", ended.stderr)
        settings = {"username": "table", "password_file": pipe}
        self.assertIn("not a regular file", self.start_fails(UNAVAILABLE, mqtt=settings))
        self.assertIn("PEM file", self.start_fails(UNAVAILABLE, mqtt={"tls_ca": pipe}))
        self.assertIn("not a regular file", self.start_fails(UNAVAILABLE, hw={"record": pipe}))

    def test_a_pipe_in_the_state_directory_does_not_block_the_start(self):
        state = self.folder / "state-with-a-pipe"
        state.mkdir()
        os.mkfifo(state / "open-game")
        self.assertIn("games cannot be kept", self.start_fails(INTERNAL, state=state))

    def test_a_state_directory_that_cannot_be_made_ends_with_70(self):
        # Nobody, not even root, makes a folder in there.
        self.start_fails(INTERNAL, state="/proc/shipahoy")

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
        poll(lambda: "<5>broker: connected" in table.daemon.log(), "a line with its priority")


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

    def test_what_waits_for_the_next_game_waits(self):
        table = self.table(game={"first": 1, "scenario": "none"})
        table.do("new-game")
        self.change(table, "scenario = none", "scenario = kraken")
        poll(lambda: "from the next game on" in table.daemon.log(), "the log")
        self.assertEqual(table.state()["scenario"], "none")
        table.do("new-game", abandon=True)
        self.assertEqual(table.state()["scenario"], "kraken")

    def test_what_needs_a_restart_is_said(self):
        table = self.table()
        self.change(table, f"name = {table.name}", "name = elsewhere")
        poll(lambda: "needs a restart" in table.daemon.log(), "the log")
        table.new_game()
        self.assertEqual(table.state()["table"], table.name)

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
