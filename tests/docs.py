"""The books keep their word: docs.py PROJECT BUILD_DIR SCRATCH_DIR.

Links lead somewhere, files that are named exist, snippets of configuration are accepted, and the
commands are those of real programs. What can be run without changing this machine is run, with the
programs of BUILD_DIR and at a table of its own; of the rest, programs, options, presets, targets and
packages are compared with what there is.
"""
import errno
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from run_table import Table

PROJECT, BUILD, SCRATCH = sys.argv[1:4]
PAGES = ["README.md", "CHANGELOG.md", *sorted(glob.glob("docs/*.md", root_dir=PROJECT))]
FOLDERS = "rules|hw|daemon|config|systemd|tests|docs|scoreboard"
README_LINES_MAX = 150
SPOKEN_MIN = 12  # what is shorter is found anywhere
RUN_S = 60

# Of these only the program and, with shipahoy's files, the paths are looked at.
SYSTEM_PROGRAMS = {"cp", "install", "journalctl", "mkdir", "systemctl", "systemd-sysusers", "udevadm"}
# Refusals that mean that a command is written wrongly, and not only that it comes at a wrong time.
WRITTEN_WRONGLY = {"bad-json", "bad-value", "missing-field", "too-large", "unknown-command",
                   "unknown-piece"}
CMAKE_OPTIONS = {"--preset", "--build", "--install", "--target"}


def read(path):
    with open(os.path.join(PROJECT, path), encoding="utf-8") as file:
        return file.read()


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=RUN_S, **more)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)


def without_blocks(page):
    return re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL)


def code_spans(page):
    return re.findall(r"`([^`\n]+)`", without_blocks(page))


def commands(page):
    """The commands of all its sh blocks, as lists of words, without sudo."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line)
            if words[:1] == ["sudo"]:
                words = words[3:] if words[1] == "-u" else words[1:]
            yield words


def built(path):
    """What is called build/PRESET/... in the books, in our build directory."""
    return re.sub(r"^build/\w+", BUILD, path)


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def options_of(*program):
    return options_in(run(*program, "--help", cwd=PROJECT).stdout)


def anchors(page):
    titles = re.findall(r"^#+ (.*)$", without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_names():
    """From the files of ctest, since a ctest within a ctest spoils the log of the outer one."""
    for path in glob.glob("**/CTestTestfile.cmake", root_dir=BUILD, recursive=True):
        with open(os.path.join(BUILD, path), encoding="utf-8") as file:
            yield from re.findall(r"^add_test\(\[?=*\[?\"?([\w-]+)", file.read(), re.M)


def is_made(path):
    """Whether a build makes it, so that a clone need not have it."""
    return path.startswith("scoreboard/dist/")


class Books(unittest.TestCase):
    def test_relative_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                with self.subTest(page=page, target=target):
                    path, _, anchor = target.partition("#")
                    path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                    self.assertTrue(os.path.exists(os.path.join(PROJECT, path)))
                    if anchor:
                        self.assertIn(anchor, anchors(path))

    def test_files_that_are_named_exist(self):
        for page in PAGES:
            for span in code_spans(page):
                # A word in capitals stands for a name of your own; a name may lack its suffix.
                path = re.match(rf"(?:{FOLDERS})/[\w./*-]*$", span)
                if path and not re.search(r"\b[A-Z]{3,}\b", span) and not is_made(span):
                    with self.subTest(page=page, path=span):
                        self.assertTrue(glob.glob(span, root_dir=PROJECT) or
                                        glob.glob(f"{span}.*", root_dir=PROJECT))

    def test_configuration_in_the_books_is_accepted(self):
        path = os.path.join(SCRATCH, "snippet.ini")
        for page in PAGES:
            for block in blocks(page, "ini"):
                with self.subTest(page=page, block=block), open(path, "w", encoding="utf-8") as file:
                    file.write(block)
                    file.flush()
                    check = run(f"{BUILD}/daemon/shipahoyd", "--check", "--config", path)
                    self.assertEqual(check.returncode, 0, check.stderr)

    def test_options_that_are_named_exist(self):
        known = CMAKE_OPTIONS.union(
            options_of(f"{BUILD}/daemon/shipahoyd"), options_of(f"{BUILD}/daemon/ctl/shipahoyctl"),
            options_of("sh", "daemon/run.sh"), options_of("sh", "tests/run.sh"),
            options_of("sh", "tests/bench/run.sh"),
            options_of(f"{BUILD}/tests/random/random_play"))
        for page in PAGES:
            for span in code_spans(page):
                with self.subTest(page=page, span=span):
                    self.assertLessEqual(options_in(span), known)

    def test_messages_that_are_explained_are_those_of_the_programs(self):
        sources = glob.glob("daemon/**/*.c", root_dir=PROJECT, recursive=True)
        sources += glob.glob("hw/*.c", root_dir=PROJECT)
        # A string may go on in the next line of the source; what the system says is known too.
        said = re.sub(r'"\s+"', "", "".join(map(read, sources)))
        said += "".join(map(os.strerror, errno.errorcode))
        for message in re.findall(r"^\| `([^`]+)`", read("docs/operations.md"), re.MULTILINE):
            for part in re.split(r"…|\b[A-Z]+\b|[0-9.]+|[:;,] ", message):
                with self.subTest(message=message, part=part):
                    self.assertTrue(len(part) < SPOKEN_MIN or part.strip() in said)

    def test_readme_is_short(self):
        self.assertLess(len(read("README.md").splitlines()), README_LINES_MAX)

    def setUp(self):
        os.makedirs(SCRATCH, exist_ok=True)


class Commands(unittest.TestCase):
    """Each command of the books, by the program that it calls."""

    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        os.makedirs(SCRATCH)
        cls.table = Table(PROJECT, BUILD, os.path.join(SCRATCH, "table"))
        cls.addClassCleanup(cls.table.end)
        cls.table.hear_all()
        # What README tells to save.
        with open(os.path.join(SCRATCH, "family.ini"), "w", encoding="utf-8") as file:
            file.write(blocks("README.md", "ini")[0])

    def test_blocks_are_written_for_sh(self):
        for page in PAGES:
            for block in blocks(page, "sh"):
                with self.subTest(page=page, block=block):
                    self.assertEqual(run("sh", "-n", "-c", block).returncode, 0)

    def test_commands_do_what_they_are_said_to(self):
        judges = {"shipahoyctl": self.judge_ctl, "shipahoyd": self.judge_daemon,
                  "mosquitto_sub": self.judge_listening, "sh": self.judge_script,
                  "cmake": self.judge_cmake, "ctest": self.judge_ctest, "apt": self.judge_apt,
                  "npm": self.judge_npm}
        for page in PAGES:
            for words in commands(page):
                with self.subTest(page=page, command=shlex.join(words)):
                    program = os.path.basename(words[0])
                    if program in judges:
                        judges[program](words[1:])
                    elif words[0].startswith("build/"):
                        self.judge_tool(words)
                    else:
                        self.assertIn(program, SYSTEM_PROGRAMS)
                        self.check_paths(words)

    def check_paths(self, words):
        for word in words:
            if re.match(rf"({FOLDERS})/", word) and not is_made(word):
                self.assertTrue(os.path.exists(os.path.join(PROJECT, word)), word)

    def run_well(self, *words, **more):
        result = run(*words, **more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def judge_ctl(self, words):
        at_table = ["--config", f"{self.table.directory}/table.ini",
                    "--state-dir", f"{self.table.directory}/state"]
        ctl = [f"{BUILD}/daemon/ctl/shipahoyctl", *at_table, *words]
        if words[0] == "watch":
            self.run_well(*ctl, "--help")
        elif words[0] == "send":
            result = run(*ctl, "--json")
            self.assertIn(result.returncode, (0, 1), result.stderr)
            self.assertNotIn(json.loads(result.stdout).get("error"), WRITTEN_WRONGLY)
        else:
            self.run_well(*ctl, cwd=SCRATCH)

    def judge_daemon(self, words):
        sample = f"{PROJECT}/config/shipahoy.ini"
        self.assertIn("--check", words)
        self.run_well(f"{BUILD}/daemon/shipahoyd",
                      *(sample if word.startswith("/etc/") else word for word in words))

    def judge_listening(self, words):
        self.run_well("mosquitto_sub", "-p", self.table.port(), "-C", "1", "-W", "10", *words)

    def judge_script(self, words):
        self.check_paths(words)
        options = options_in(" ".join(words))
        if options:
            self.assertLessEqual(options, options_of("sh", words[0]))

    def judge_cmake(self, words):
        if words[0] == "--install":
            stage = os.path.join(SCRATCH, "stage")
            self.run_well("cmake", "--install", BUILD, env={**os.environ, "DESTDIR": stage})
            for program in ("shipahoyd", "shipahoyctl"):
                self.assertTrue(glob.glob(f"{stage}/**/bin/{program}", recursive=True), program)
        self.check_preset("configurePresets" if "--build" not in words else "buildPresets", words)
        if "--target" in words:
            target = words[words.index("--target") + 1]
            self.assertRegex(run("cmake", "--build", BUILD, "--target", "help").stdout,
                             rf"(?m)^{target}:")

    def judge_ctest(self, words):
        self.check_preset("testPresets", words)
        if "-R" in words:
            pattern = words[words.index("-R") + 1]
            self.assertTrue(any(re.search(pattern, name) for name in test_names()), pattern)

    def check_preset(self, kind, words):
        if "--preset" in words:
            names = [preset["name"] for preset in json.loads(read("CMakePresets.json"))[kind]]
            self.assertIn(words[words.index("--preset") + 1], names)

    def judge_apt(self, words):
        needed = re.search(r"^packages='([^']*)'", read("daemon/run.sh"), re.MULTILINE).group(1)
        self.assertEqual(sorted(words[1:]), sorted(needed.split()))

    def judge_npm(self, words):
        self.assertEqual(words[:2], ["--prefix", "scoreboard"])
        scripts = json.loads(read("scoreboard/package.json"))["scripts"]
        self.assertTrue(words[2:] == ["ci"] or words[2] == "run" and words[3] in scripts)

    def judge_tool(self, words):
        self.check_paths(words)
        name = os.path.basename(words[0])
        if name.startswith("fuzz_"):
            self.assertTrue(os.path.exists(f"{PROJECT}/tests/fuzz/{name}.c"))
        elif name == "random_play":
            self.assertLessEqual(options_in(" ".join(words)), options_of(built(words[0])))
        else:
            self.run_well(built(words[0]), *words[1:], cwd=PROJECT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
