"""The pages of the books, as the tests see them: PROJECT BUILD_DIR SCRATCH_DIR on the command line."""
import glob
import os
import re
import subprocess
import sys
import textwrap
import unittest

PROJECT, BUILD, SCRATCH = sys.argv[1:4]
PAGES = ["README.md", "CHANGELOG.md",
         *sorted(glob.glob("docs/**/*.md", root_dir=PROJECT, recursive=True))]
FOLDERS = "rules|hw|daemon|config|systemd|tests|docs|scoreboard"
RUN_S = 120  # with sanitizers, on a busy machine
DAEMON = f"{BUILD}/daemon/shipahoyd"
CTL = f"{BUILD}/daemon/ctl/shipahoyctl"
LOGBOOK = f"{BUILD}/daemon/logbook/shipahoy-logbook"

# A block may be part of a list and is then indented.
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def read(path):
    with open(os.path.join(PROJECT, path), encoding="utf-8") as file:
        return file.read()


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=RUN_S, **more)


def blocks(page, language):
    return [textwrap.dedent(block) for _, spoken, block in BLOCK.findall(read(page))
            if spoken == language]


def without_blocks(page):
    return BLOCK.sub("", read(page))


def code_spans(page):
    return re.findall(r"`([^`\n]+)`", without_blocks(page))


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def options_of(*program):
    return options_in(run(*program, "--help", cwd=PROJECT).stdout)


def is_made(path):
    """Whether a build makes it, so that a clone need not have it."""
    return path.startswith("scoreboard/dist/")


def main():
    os.chdir(PROJECT)  # as the books say
    unittest.main(argv=sys.argv[:1], verbosity=2)
