"""Every command of the books is run, at a table of its own and with the programs of BUILD_DIR.

What would change this machine is run below SCRATCH_DIR. What cannot run here at all is in NOT_RUN_HERE, with
the reason and with what is looked at instead; nothing else is left out.
"""
import json
import os
import re
import select
import shlex
import shutil
import subprocess
import unittest

import pages
from pages import BUILD, CTL, DAEMON, FOLDERS, LOGBOOK, PAGES, PROJECT, RUN_S, SCRATCH, read, run
from run_table import Table

STAGE = os.path.join(SCRATCH, "stage")
# Refusals that mean that a command is written wrongly, and not only that it comes at a wrong time.
WRITTEN_WRONGLY = {"bad-json", "bad-value", "missing-field", "too-large", "unknown-command",
                   "unknown-piece"}


def commands(page):
    """The commands of all its sh blocks, each as one line."""
    for block in pages.blocks(page, "sh"):
        yield from block.replace("\\\n", " ").splitlines()


def words_of(command):
    """Without sudo, and without the user that it is given."""
    words = shlex.split(command)
    if words[:2] == ["sudo", "-u"]:
        return words[3:]
    return words[1:] if words[:1] == ["sudo"] else words


def test_names():
    """From the files of ctest, since a ctest within a ctest spoils the log of the outer one."""
    for folder, _, files in os.walk(BUILD):
        if "CTestTestfile.cmake" in files:
            with open(os.path.join(folder, "CTestTestfile.cmake"), encoding="utf-8") as file:
                yield from re.findall(r"^add_test\(\[?=*\[?\"?([\w-]+)", file.read(), re.M)


class NotRun:
    """What is looked at where a command cannot be run."""

    @staticmethod
    def files_exist(test, words):
        for word in words:
            if re.match(rf"({FOLDERS})/", word) and not pages.is_made(word):
                test.assertTrue(os.path.exists(os.path.join(PROJECT, word)), word)

    @staticmethod
    def options_exist(test, words):
        NotRun.files_exist(test, words)
        script = next(word for word in words if word.endswith(".sh"))
        test.assertLessEqual(pages.options_in(" ".join(words)), pages.options_in(read(script)))

    @staticmethod
    def presets_exist(test, words):
        if "--preset" in words:
            kind = ("testPresets" if words[0] == "ctest" else
                    "workflowPresets" if "--workflow" in words else
                    "buildPresets" if "--build" in words else "configurePresets")
            names = [preset["name"] for preset in json.loads(read("CMakePresets.json"))[kind]]
            test.assertIn(words[words.index("--preset") + 1], names)
        if "--target" in words:
            target = words[words.index("--target") + 1]
            known = run("cmake", "--build", BUILD, "--target", "help").stdout
            test.assertRegex(known, rf"(?m)^{target}:")
        if "-R" in words:
            pattern = words[words.index("-R") + 1]
            test.assertTrue(any(re.search(pattern, name) for name in test_names()), pattern)

    @staticmethod
    def scripts_exist(test, words):
        test.assertEqual(words[:3], ["npm", "--prefix", "scoreboard"])
        scripts = json.loads(read("scoreboard/package.json"))["scripts"]
        test.assertTrue(words[3:] == ["ci"] or words[3] == "run" and words[4] in scripts)

    @staticmethod
    def installed_files_exist(test, words):
        for word in words:
            if word.startswith("/usr/share/shipahoy/"):
                path = word.replace("/usr/share/shipahoy", f"{PROJECT}/config")
                test.assertTrue(os.path.exists(path), word)

    @staticmethod
    def packages_are_those_of_run_sh(test, words):
        needed = re.search(r"^packages='([^']*)'", read("daemon/run.sh"), re.MULTILINE).group(1)
        test.assertEqual(sorted(words[2:]), sorted(needed.split()))


# A command (the whole line), why it is not run here, and what is looked at instead.
NOT_RUN_HERE = [
    (r"sudo apt update", "changes the machine", NotRun.files_exist),
    (r"sudo apt install gcc .*", "installs packages", NotRun.packages_are_those_of_run_sh),
    (r"sudo apt install dpkg-dev .*", "installs packages", NotRun.files_exist),
    (r"sudo apt (install \./build/package/shipahoy_\*\.deb|(remove|purge) shipahoy)",
     "changes the machine; tests/package/run.sh does it", NotRun.files_exist),
    (r"cmake --workflow --preset package", "loads packages; tests/package/run.sh does it",
     NotRun.presets_exist),
    (r"sudo sh systemd/image/build.sh", "makes a card image", NotRun.options_exist),
    (r"sudo shipahoy-kiosk (setup|remove)", "installs packages; tests/image/run.sh does it", NotRun.files_exist),
    (r"sh systemd/image/repository.sh .*", "needs a key; tests/home/run.sh does it", NotRun.options_exist),
    (r"(sudo )?sh tests/(package|vm|arm64|image|home)/run.sh.*", "makes whole machines", NotRun.options_exist),
    (r"(cmake|ctest) (--build )?--preset (dev|fuzz)( .*)?",
     "are the build and the test run that this test is part of", NotRun.presets_exist),
    (r"python3 docs/drawings/draw.py", "writes into the sources; docs_wiring compares",
     NotRun.files_exist),
    (r"build/fuzz/.*", "needs the fuzz build; tests/run.sh makes it and fuzzes", NotRun.files_exist),
    (r"sh tests/run.sh( --quick| --slow)?", "this test is part of it", NotRun.options_exist),
    (r"sh tests/attack/run.sh.*", "attacks for minutes", NotRun.options_exist),
    (r"sh tests/logbook/run.sh.*", "lets programs fail for minutes", NotRun.options_exist),
    (r"sh tests/bench/run.sh", "measures for minutes", NotRun.options_exist),
    (r"sh tests/examples/run.sh", "loads Node-RED with npm", NotRun.options_exist),
    (r"(sudo )?sh tests/(node|radio)/\w+\.sh", "loads MicroPython or Zigbee2MQTT", NotRun.options_exist),
    (r"sudo sh tests/clubs/run.sh.*", "starts clusters for minutes", NotRun.options_exist),
    (r"build/release/tests/table/radio_faults .*", "takes too long with sanitizers; table_radio_faults runs fewer",
     NotRun.files_exist),
    (r"npm --prefix scoreboard .*", "loads packages; tests/scoreboard/run.sh does it",
     NotRun.scripts_exist),
    (r"(sudo )?(systemctl|journalctl)\b.*",
     "needs systemd; tests/vm/run.sh runs the service", NotRun.files_exist),
    (r"python3 -m http.server .*", "does not end", NotRun.files_exist),
    (r"sudo apt install nats-server .*", "installs packages", NotRun.files_exist),
    (r"(sudo )?(cd|cp|echo|for|install|ln|mkdir|nano|rm|tar) .*(club|nats|nginx|password|bridge).*|"
     r"mkdir -p book|\(echo 'listener .*|sed .* (table\.ini|/usr/share/shipahoy/mosquitto/bridge\.conf) >\w+\.\w+|"
     r"/usr/sbin/mosquitto -c home\.conf|shipahoy[\w-]+ --config (table|loft|book|attic)\.ini .*|for piece in .*|"
     r"(/usr/sbin/)?nats-server -c .*|(sudo |/usr/sbin/)shipahoy-user --cluster .*",
     "needs three brokers; tests/clubs/run.sh starts them with these files", NotRun.installed_files_exist),
    (r"sudo -u postgres create(user|db) .*", "needs a server of PostgreSQL on this machine", NotRun.files_exist),
]


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        os.makedirs(f"{STAGE}/var/lib/shipahoy")
        os.makedirs(f"{STAGE}/var/lib/shipahoy-logbook")
        os.makedirs(f"{STAGE}/var/backups")
        os.makedirs(f"{STAGE}/tmp")
        os.makedirs(f"{STAGE}/etc/shipahoy")
        os.makedirs(f"{STAGE}/etc/mosquitto/conf.d")
        os.makedirs(f"{STAGE}/etc/nginx/conf.d")
        shutil.copy(f"{PROJECT}/config/shipahoy.ini", f"{STAGE}/etc/shipahoy")
        with open(f"{STAGE}/var/lib/shipahoy/edges", "w", encoding="utf-8") as file:
            file.write("@1000000 cannon.beam 1\n@1004000 cannon.beam 0\n")
        os.makedirs(f"{STAGE}/etc/systemd/system")
        with open(f"{STAGE}/var/lib/shipahoy-logbook/logbook-backup.db", "w", encoding="utf-8"):
            pass  # an empty file is an empty database
        cls.table = Table(PROJECT, BUILD, os.path.join(SCRATCH, "table"))
        cls.addClassCleanup(cls.table.end)
        cls.table.hear_all()
        # What README tells to save.
        with open(os.path.join(SCRATCH, "family.ini"), "w", encoding="utf-8") as file:
            file.write(pages.blocks("README.md", "ini")[0])

    def test_blocks_are_written_for_sh(self):
        for page in PAGES:
            for block in pages.blocks(page, "sh"):
                with self.subTest(page=page, block=block):
                    self.assertEqual(run("sh", "-n", "-c", block).returncode, 0)

    def test_commands_hide_in_no_other_block(self):
        for page in PAGES:
            for language in ("", "bash", "shell", "console"):
                for block in pages.blocks(page, language):
                    with self.subTest(page=page, block=block):
                        self.assertNotRegex(block, r"(?m)^(\$|sudo|sh|cmake|shipahoy(d|ctl) (-|\w+ \w+=)) ")

    def test_commands_do_what_they_are_said_to(self):
        for page in PAGES:
            for command in commands(page):
                with self.subTest(page=page, command=command):
                    look = next((look for pattern, _, look in NOT_RUN_HERE
                                 if re.fullmatch(pattern, command)), None)
                    if look:
                        look(self, words_of(command))
                    else:
                        self.run_command(command)

    def test_commands_of_the_readme_work_one_after_the_other(self):
        table = Table(PROJECT, BUILD, os.path.join(SCRATCH, "typed"))
        self.addCleanup(table.end)
        table.hear_all()
        typed = [words_of(command) for command in commands("README.md")]
        played = [words[1:] for words in typed if words[0] == "shipahoyctl" and words[1] != "watch"]
        self.assertGreater(len(played), 5)
        for words in played:
            with self.subTest(words):
                self.run_well(CTL, "--config", f"{table.directory}/table.ini", *words)

    def test_nothing_is_excused_that_is_not_there(self):
        told = [command for page in PAGES for command in commands(page)]
        for pattern, reason, _ in NOT_RUN_HERE:
            with self.subTest(pattern=pattern, reason=reason):
                self.assertTrue(any(re.fullmatch(pattern, command) for command in told))

    def run_command(self, command):
        words = words_of(command)
        runner = {"shipahoyctl": self.run_ctl, "mosquitto_sub": self.run_listener,
                  "mosquitto_pub": self.run_publisher,
                  "sh": self.run_table}.get(os.path.basename(words[0]))
        if runner:
            runner(words[1:])
        else:
            self.run_in_stage(re.sub(r"^sudo (-u \w+ )?", "", command))

    def run_well(self, *words, **more):
        result = run(*words, **more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def run_ctl(self, words):
        if words[0] in ("backup", "restore"):
            path = f"{os.path.dirname(LOGBOOK)}:{os.environ['PATH']}"
            self.run_well("sh", f"{PROJECT}/systemd/backup/backup.sh", "--root", STAGE, "--version", "1", words[0],
                          STAGE + words[1], env=os.environ | {"PATH": path})
            return
        at_table = ["--config", f"{self.table.directory}/table.ini",
                    "--state-dir", f"{self.table.directory}/state"]
        ctl = [CTL, *at_table, *words]
        if words[0] == "watch":
            self.run_until_it_prints(ctl)
        elif words[0] == "send":
            result = run(*ctl, "--json")
            self.assertIn(result.returncode, (0, 1), result.stderr)
            self.assertNotIn(json.loads(result.stdout).get("error"), WRITTEN_WRONGLY)
        else:
            self.run_well(*ctl, cwd=SCRATCH if "family.ini" in words else PROJECT)

    def run_until_it_prints(self, words):
        with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as program:
            # It may look too late for one game: they begin until it has seen one.
            for _ in range(RUN_S):
                run(CTL, "--config", f"{self.table.directory}/table.ini", "send", "new-game",
                    "abandon=true", "anyway=true")
                has_printed = select.select([program.stdout], [], [], 1)[0]
                if has_printed:
                    break
            program.terminate()
        self.assertTrue(has_printed)

    def run_listener(self, words):
        self.run_well("mosquitto_sub", "-p", self.table.port(), "-C", "1", "-W", "10", *words)

    def run_publisher(self, words):
        self.run_well("mosquitto_pub", "-p", self.table.port(), *words)

    def run_table(self, words):
        """daemon/run.sh with these options, in a place of its own, until it has said everything."""
        self.assertEqual(words[0], "daemon/run.sh")
        options = [re.sub(r"^family\.ini$", f"{SCRATCH}/family.ini", word) for word in words[1:]]
        if "--demo" in options:
            options += ["--pause", "0"]
        for given in ("--build-dir", "--dir"):  # ours come first
            if given in options:
                at = options.index(given)
                del options[at:at + 2]
        table = Table(PROJECT, BUILD, os.path.join(SCRATCH, "another"), *options)
        self.addCleanup(table.end)
        table.hear_all()
        self.assertEqual(table.press_ctrl_c(), 0, table.said)
        shutil.rmtree(os.path.join(SCRATCH, "another"))

    def run_in_stage(self, command):
        """With the programs of BUILD_DIR; what is written or saved stays below SCRATCH."""
        command = re.sub(r"(?<![\w/])/(etc|var|tmp)/", rf"{STAGE}/\1/", command)
        command = command.replace("/usr/share/shipahoy/config", f"{PROJECT}/config")
        command = command.replace("mkdir -p build/found", f"mkdir -p {SCRATCH}/found")
        command = re.sub(r"^build/\w+", BUILD, command)
        command = re.sub(r"^shipahoyd\b", DAEMON, command)
        command = re.sub(r"^shipahoy-logbook\b", f"{LOGBOOK} --config config/shipahoy.ini "
                         f"--state-dir {STAGE}/var/lib/shipahoy-logbook", command)
        command = re.sub(r"^shipahoy-user\b", "sh config/mosquitto/shipahoy-user.sh "
                         f"--broker {STAGE}/etc/mosquitto --web {STAGE}/etc/nginx --config config/shipahoy.ini", command)
        self.run_well("sh", "-c", command, cwd=PROJECT)


if __name__ == "__main__":
    pages.main()
