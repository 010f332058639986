#!/usr/bin/python3
"""shipahoyctl as a user runs it, at a real table."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest.mock

import harness
from broker import Broker
from ctl import PROGRAM, Dialogue, Terminal, ctl
from daemon import ROOT, SANITIZERS
from harness import TableTest
from waiting import Deadline, poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

FINE, REFUSED, USAGE, UNAVAILABLE, CONFIG = 0, 1, 64, 69, 78


class Words(TableTest):
    def test_what_is_mistyped_is_told_with_the_nearest_one(self):
        for words, nearest in ((["--tabel", "x"], "--table"), (["wacth"], "watch")):
            with self.subTest(words):
                ended = ctl(*words)
                self.assertEqual(ended.returncode, USAGE)
                self.assertIn(f"the nearest is {nearest};", ended.stderr)

    def test_the_help_of_a_subcommand_lists_its_own_options(self):
        said = ctl("log", "--help").stdout
        self.assertIn("--inputs", said)
        for foreign in ("--write", "--socket", "--host"):
            self.assertNotIn(foreign, said)
        self.assertEqual(ctl("help", "log").stdout, said)
        self.assertEqual(ctl("help").stdout, ctl("--help").stdout)
        self.assertNotRegex(ctl("watch", "--help").stdout, "(?m) $")

    def test_the_help_of_a_subcommand_says_what_an_option_does_for_it(self):
        said = ctl("--help").stdout
        self.assertIn("  --list                log: list games; send: list what the table would accept now\n", said)
        subcommands = re.findall(r"^  (\w+).*\n      ", said, re.MULTILINE)
        for subcommand in subcommands:
            self.assertNotRegex(ctl(subcommand, "--help").stdout, rf"(?m)^  --.*\b({'|'.join(subcommands)})[,:]")
        for subcommand, row in (
            ("log", "--list                list games"),
            ("send", "--list                list what the table would accept now"),
            ("backup", "--force               overwrite an existing file"),
            ("restore", "--force               also during a game"),
        ):
            self.assertIn(f"  {row}\n", ctl(subcommand, "--help").stdout)

    def test_an_option_of_another_subcommand_is_refused(self):
        for words, refusal in (
            (["watch", "--once"], "--once is not an option of watch, only of doctor;"),
            (["--force", "watch"], "--force is not an option of watch, only of calibrate, backup, restore;"),
            (["backup", "--state-dir", "s"], "--state-dir is not an option of backup, only of log, restore;"),
            (["log", "--socket", "s"], "--socket is not an option of log, only of sim;"),
            (["watch", "--version"], "--version is not an option of watch;"),
        ):
            with self.subTest(words):
                ended = ctl(*words)
                self.assertEqual((ended.returncode, ended.stdout), (USAGE, ""))
                self.assertEqual(ended.stderr, f"shipahoyctl: {refusal} see shipahoyctl --help\n")
        with tempfile.TemporaryDirectory() as folder:
            # Those that name the table may stand before each of them.
            of_a_table = ["--host", "pi", "--port", "1", "--table", "x", "--socket", "s", "--timeout", "1"]
            self.assertEqual(ctl(*of_a_table, "--state-dir", folder, "log").returncode, FINE)
            self.assertEqual(ctl(*of_a_table, "check", f"{ROOT}/config/shipahoy.ini").returncode, FINE)

    def test_a_directory_without_games_is_told_with_the_option_that_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            nowhere = f"{folder}/nowhere"
            config = pathlib.Path(folder) / "table.ini"
            config.write_text("")
            for words, missing in (
                ([], "; name the table with --config FILE or --state-dir DIR"),
                (["--config", config], "; say where the games are with --state-dir DIR"),
                (["--config", config, "--state-dir", nowhere], ""),
            ):
                with self.subTest(words), unittest.mock.patch.dict(os.environ, STATE_DIRECTORY=nowhere):
                    told = ctl("log", *words)
                    self.assertEqual(told.returncode, UNAVAILABLE)
                    self.assertEqual(told.stderr, f"shipahoyctl: {nowhere}: no such directory{missing}\n")


class Sim(TableTest):
    def says(self, table, words):
        done = ctl("sim", *words.split(), table=table)
        self.assertEqual(done.returncode, FINE, done.stderr)
        return done.stdout

    def test_what_lies_is_known_and_all_can_be_raised(self):
        table = self.table()
        self.assertIn("blue-1 falls over.", self.says(table, "topple blue-1"))
        behind = ctl("sim", "topple", "blue-1", "--config", table.daemon.configuration)
        self.assertEqual("blue-1 lies already.\n", behind.stdout, behind.stderr)
        self.says(table, "topple pirate")
        self.assertIn("Stood up: blue-1, pirate.", self.says(table, "raise all"))
        started = ctl("send", "new-game", "first=1", table=table)
        self.assertEqual(started.returncode, FINE, started.stderr)  # the table has noticed it
        self.assertEqual("blue-1 stands already.\n", self.says(table, "raise blue-1"))

    def test_a_table_that_is_not_ready_has_advice_if_its_sensors_are_simulated_here(self):
        table = self.table()
        table.sensors.topple("blue-1")
        table.await_said("ready", lambda it: not it["ready"])
        advice = f": {PROGRAM} --config {table.daemon.configuration} sim raise all\n"
        refused = ctl("send", "new-game", table=table)
        self.assertEqual(refused.returncode, REFUSED)
        self.assertIn(advice, refused.stdout)
        real = table.folder / "real.ini"
        real.write_text("[hw]\nbackend = gpiod\n[rope]\na = GPIO5\nb = GPIO6\n")
        refused = ctl("--config", real, "send", "new-game", table=table)
        self.assertIn("not-ready", refused.stdout, refused.stderr)
        self.assertNotIn("sim raise", refused.stdout)

    def test_after_a_restart_pieces_lie_as_in_the_game(self):
        table = self.table(timing={"shot_window_ms": 20000})  # it does not end meanwhile
        table.new_game(rules="advanced")
        table.do("fire")
        table.sensors.topple("blue-1")  # at once: sim pauses in between, on a busy machine for too long
        seq = table.await_event("piece-toppled")["seq"]
        table.kill()
        table.start()
        self.assertEqual("blue-1 lies already.\n", self.says(table, "topple blue-1"))
        self.assertEqual(table.state()["seq"], seq)
        self.assertIn("blue-1 is stood up.", self.says(table, "raise blue-1"))
        table.await_event("disturbance")


class ReadOnlyBroker(Broker):
    def configuration(self):
        rights = self.folder / "rights.acl"
        rights.write_text("topic read #\n")
        # Without a limit mosquitto 2.0.11 ends a connection instead of refusing the message.
        settings = super().configuration().replace("max_queued_messages 0\n", "")
        return f"{settings}acl_file {rights}\n"


class Send(TableTest):
    def test_what_the_broker_does_not_allow_is_said(self):
        folder = tempfile.TemporaryDirectory(prefix="shipahoy-")
        self.addCleanup(folder.cleanup)
        broker = ReadOnlyBroker(f"{folder.name}/broker")
        self.addCleanup(broker.stop)
        sent = ctl("--timeout", "1", "send", "fire", table=self.idle_table(port=broker.port))
        self.assertEqual(sent.returncode, UNAVAILABLE)
        self.assertIn("the broker refuses something (Not authorized)", sent.stderr)

    def setUp(self):
        super().setUp()
        self.played = self.table()
        ctl("send", "start-game", "first=1", table=self.played)

    def test_what_is_possible_is_listed_accepted_and_told_after_a_refusal(self):
        lines = ctl("send", "--list", table=self.played).stdout.splitlines()
        self.assertEqual(lines[0], "aim piece=red-1|red-2|red-3|red-tower")
        self.assertEqual(ctl("send", "aim", "piece=red-tower", table=self.played).returncode, FINE)
        refused = ctl("send", "roll-move", "value=3", table=self.played)
        self.assertEqual(refused.returncode, REFUSED)
        self.assertIn("Possible now: aim, fire, topple, end-phase", refused.stdout)

    def test_without_a_verb_all_are_listed(self):
        refused = ctl("send", table=self.played)
        self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
        lines = refused.stderr.splitlines()
        self.assertEqual(lines[0], "The commands with their fields, those in brackets optional:")
        self.assertIn("  move [piece=] [knots=]", lines)
        at_table = f"{PROGRAM} --config {self.played.daemon.configuration}"
        self.assertEqual(lines[-2], f"To list those that the table would accept now: {at_table} send --list")
        self.assertEqual(lines[-1], "shipahoyctl: send needs one of these commands; see shipahoyctl --help")

    def test_a_mistyped_verb_is_told_with_the_nearest_one(self):
        for verb, nearest in (("aimm", "aim"), ("start", "start-game")):
            refused = ctl("send", verb, "red-1", table=self.played)
            self.assertEqual(refused.returncode, USAGE)
            self.assertIn(f"{verb}: no such command; the nearest is {nearest};", refused.stderr)

    def test_a_mistyped_value_is_told_with_the_nearest_one(self):
        for word, sentence in (
            ("abandon=ture", '"abandon" must be true, false, "yes" or "no"; did you mean true?'),
            ('players=[{},{"nam":"B"}]', 'Unknown field of a player "nam"; did you mean "name"?'),
        ):
            with self.subTest(word):
                refused = ctl("send", "new-game", word, table=self.played)
                self.assertEqual(refused.returncode, REFUSED)
                self.assertIn(f"{sentence} (bad-value)\n", refused.stdout)

    def complete(self, *words):
        """What bash offers for the last of the words, typed behind `shipahoyctl --config FILE`."""
        script = f"""
            . {ROOT}/daemon/ctl/completion/shipahoyctl.bash
            COMP_WORDS=(shipahoyctl --config "$@") COMP_CWORD=$(($# + 1))
            _shipahoyctl shipahoyctl "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD - 1]}}"
            echo "${{COMPREPLY[*]}}"
        """
        path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=True,
            env=os.environ | SANITIZERS | {"PATH": path}, timeout=Deadline("bash").left(),
        ).stdout.split()  # fmt: skip

    def test_the_shell_completes_what_is_possible(self):
        file = self.played.daemon.configuration
        verbs = self.complete(file, "send", "")
        self.assertEqual(
            set(verbs),
            {"aim", "fire", "topple", "end-phase", "new-game", "start-game", "history", "games", "look-back"},
        )
        pieces = self.complete(file, "send", "aim", "piece", "=", "red-t")
        self.assertEqual(pieces, ["red-tower"])
        self.assertEqual(len(self.complete(file, "send", "aim", "piece", "=")), 4)


class Screen(TableTest):
    def show(self, table, *words, **more):
        terminal = Terminal(table, *words, **more)
        self.addCleanup(terminal.close)
        return terminal

    def test_the_terminal_is_given_back_after_q_ctrl_c_and_sigterm(self):
        table = self.table()
        ends = {"q": lambda it: it.press("q"), "Ctrl-C": lambda it: it.press("\x03"),
                "SIGTERM": lambda it: it.process.terminate()}  # fmt: skip
        for subcommand, shown in (("watch", "Live, event"), ("doctor", "q quits")):
            for name, end in ends.items():
                with self.subTest(f"{subcommand}, {name}"):
                    terminal = self.show(table, subcommand)
                    terminal.see(shown)
                    end(terminal)
                    terminal.see("\x1b[?1049l")
                    self.assertEqual(terminal.end(), (FINE, True))

    def test_the_scoreboard_follows_the_game_and_the_size_of_the_window(self):
        table = self.table()
        terminal = self.show(table, "watch")
        terminal.see("send new-game")
        table.new_game(players=2)
        terminal.see("▲3")
        terminal.resize(5, 30)
        terminal.see("Needs 40 columns, 10 rows.")

    def test_a_terminal_without_a_cursor_gets_plain_lines(self):
        table = self.table()
        watch = self.show(table, "watch", kind="dumb")
        poll(lambda: table.new_game() and watch.shows("The game begins"), "an event")
        doctor = self.show(table, "doctor", kind="dumb")
        doctor.see("All sensors are simulated, and none has moved yet")
        self.assertEqual(doctor.end(), (FINE, True))
        self.assertNotIn("\x1b", watch.shown + doctor.shown)


class Doctor(TableTest):
    def test_sensors_that_moved_are_shown_and_ok(self):
        table = self.table()
        table.sensors.fire()
        table.sensors.topple("blue-2")
        table.await_said("sensor/cannon/beam", lambda it: it["value"] == 0)
        table.await_said("sensor/blue-2/tilt", lambda it: it["value"] == 1)
        looked = ctl("doctor", table=table)
        self.assertEqual(looked.returncode, FINE, looked.stderr)
        self.assertRegex(looked.stdout, r"(?m)^ cannon\.beam +0 +2 .* ok ")
        self.assertRegex(looked.stdout, r"(?m)^ blue-2\.tilt +1 +3 .* ok ")
        self.assertIn("2 sensors: 2 ok, 0 faulty, 0 without a signal", looked.stdout)
        self.assertLessEqual(max(map(len, looked.stdout.splitlines())), 80)

    def test_a_faulty_sensor_has_advice_and_exit_code_1(self):
        table = self.table()
        for _ in range(20):
            table.sensors.move(*["cannon.beam 1", "cannon.beam 0"] * 100)
        table.await_said("sensor/cannon/beam", lambda it: it["health"] == "chattering")
        looked = ctl("doctor", table=table)
        self.assertEqual(looked.returncode, REFUSED)
        self.assertRegex(looked.stdout, r"(?m)^ cannon\.beam .* chattering")
        self.assertIn("too many edges\n", looked.stdout)

    def test_a_daemon_that_is_offline_is_said(self):
        table = self.table()
        table.daemon.terminate()
        table.await_status("offline")
        looked = ctl("doctor", table=table)
        self.assertEqual(looked.returncode, UNAVAILABLE)
        self.assertIn("The daemon is offline", looked.stdout)


class Calibrate(TableTest):
    def begin(self, table, *words):
        dialogue = Dialogue(table, "calibrate", *words)
        self.addCleanup(dialogue.close)
        return dialogue

    def pull(self, table, counts):
        mark = len(table.client.messages)
        self.counts += counts
        table.sensors.pull(counts)
        table.await_said("rope", lambda it: it["counts"] == self.counts, mark)

    def calibrate(self, table, lengths, *words):
        """Pulls by these counts and back, marked by Enter; its exit code."""
        dialogue = self.begin(table, *words)
        self.counts = 0
        dialogue.hear("Wind the rope back")
        dialogue.press_enter()
        for out, back in lengths:
            dialogue.hear("pull it out")
            self.pull(table, out)
            dialogue.press_enter()
            dialogue.hear("Wind it back")
            self.pull(table, -back)
            dialogue.press_enter()
        code = dialogue.end()
        return code, dialogue.said

    def test_the_button_of_the_rope_marks_too_and_the_rope_may_move_while_it_is_down(self):
        table = self.table()
        dialogue = self.begin(table, 4)
        dialogue.hear("Wind the rope back")
        for presses, counts in enumerate([-92, 92] * 3 + [0], start=1):
            table.sensors.press("rope.button", lambda counts=counts: table.sensors.pull(counts))
            table.await_said("rope", lambda it, presses=presses: it["presses"] == presses)
        self.assertEqual(dialogue.end(), FINE, dialogue.said)
        self.assertIn("[rope]\ncounts_per_knot = 23\nreverse = yes\n", dialogue.said)

    def test_what_is_written_is_taken_by_the_daemon_and_not_written_over(self):
        table = self.table()
        path = table.folder / "rope.ini"
        code, said = self.calibrate(table, [(100, 100)] * 3, "--write", path)
        self.assertEqual(code, FINE, said)
        self.assertEqual(ctl("check", path).returncode, FINE)
        written = path.read_text()
        self.assertIn("counts_per_knot = 20\n", written)
        again = ctl("calibrate", "--write", path, table=table)
        self.assertEqual(again.returncode, USAGE)
        self.assertIn("--force", again.stderr)
        self.assertEqual(path.read_text(), written)

    def test_a_daemon_that_leaves_meanwhile_is_told(self):
        table = self.table()
        dialogue = self.begin(table)
        dialogue.hear("Wind the rope back")
        table.daemon.terminate()
        table.await_status("offline")
        dialogue.press_enter()
        self.assertEqual(dialogue.end(), UNAVAILABLE)
        self.assertIn("The daemon is offline", dialogue.said)

    def test_it_ends_when_the_button_begins_to_confirm_moves(self):
        table = self.table()
        table.new_game()
        dialogue = self.begin(table)
        dialogue.hear("Wind the rope back")
        table.end_phases(1)
        self.assertEqual(dialogue.end(), REFUSED)
        self.assertIn("end-phase", dialogue.said)


if __name__ == "__main__":
    harness.main()
