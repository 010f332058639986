"""shipahoyctl, run to its end or talked to while it runs."""

import os
import subprocess

from daemon import ROOT, SANITIZERS
from waiting import Deadline

PROGRAM = os.environ.get("SHIPAHOYCTL", str(ROOT / "build/dev/daemon/ctl/shipahoyctl"))


class Dialogue:
    """shipahoyctl while it asks; said is all that it has said so far."""

    def __init__(self, table, *words):
        self.said = ""
        self.process = subprocess.Popen(
            [PROGRAM, "--config", table.daemon.configuration, *map(str, words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=os.environ | SANITIZERS, text=True, bufsize=1,
        )  # fmt: skip

    def hear(self, words):
        """Reads up to the next line with these words."""
        line = ""
        while words not in line:
            line = self.process.stdout.readline()
            assert line, f"it ended without {words!r}: {self.said}"
            self.said += line

    def press_enter(self):
        self.process.stdin.write("\n")

    def end(self):
        """Its exit code, after all that it has to say."""
        self.said += self.process.communicate(timeout=Deadline("its end").left())[0]
        return self.process.returncode

    def close(self):
        self.process.kill()
        self.process.communicate()


def ctl(*words, table=None, **more):
    """Runs it to its end; with a table, for that one."""
    at_table = ["--config", table.daemon.configuration] if table else []
    return subprocess.run(
        [PROGRAM, *map(str, [*at_table, *words])], capture_output=True, text=True, check=False,
        env=os.environ | SANITIZERS, timeout=Deadline("the end of shipahoyctl").left(), **more,
    )  # fmt: skip
