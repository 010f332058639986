"""shipahoyctl, run to its end or talked to while it runs."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios

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


class Terminal:
    """shipahoyctl on a terminal of its own; shown is all that was written to it so far."""

    def __init__(self, table, *words, kind="xterm"):
        self.shown = ""
        self.ours, self.theirs = os.openpty()
        self.resize(24, 80)
        self.modes = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen(
            [PROGRAM, "--config", table.daemon.configuration, *map(str, words)],
            stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, start_new_session=True,
            env=os.environ | SANITIZERS | {"TERM": kind, "LC_ALL": "C.UTF-8"},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip

    def resize(self, rows, columns):
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def shows(self, words, seconds=0.05):
        """Whether these words are shown, now or when it next writes something."""
        if words not in self.shown and select.select([self.ours], [], [], seconds)[0]:
            self.shown += os.read(self.ours, 65536).decode(errors="replace")
        return words in self.shown

    def see(self, words):
        """Reads until these words are shown."""
        deadline = Deadline(repr(words))
        while not self.shows(words, deadline.left(lambda: repr(self.shown))):
            pass

    def press(self, keys):
        os.write(self.ours, keys.encode())

    def end(self):
        """Its exit code, and whether the terminal has its modes again."""
        code = self.process.wait(Deadline("its end").left())
        return code, termios.tcgetattr(self.theirs) == self.modes

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


def ctl(*words, table=None, **more):
    """Runs it to its end; with a table, for that one."""
    at_table = ["--config", table.daemon.configuration] if table else []
    return subprocess.run(
        [PROGRAM, *map(str, [*at_table, *words])], capture_output=True, text=True, check=False,
        env=os.environ | SANITIZERS, timeout=Deadline("the end of shipahoyctl").left(), **more,
    )  # fmt: skip
