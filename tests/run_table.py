"""A table that daemon/run.sh has started, for tests that use it as a person does."""
import contextlib
import os
import re
import signal
import subprocess
import time

START_S = 60  # with sanitizers, on a busy machine
END_S = 30
TYPING_S = 0.02  # between two keys; signals that come together are one


class Table:
    """Programs are taken from a build directory; said is all that the script has said so far."""

    def __init__(self, project, build, directory, *options):
        self.directory = directory
        self.said = ""
        self.process = subprocess.Popen(
            ["sh", f"{project}/daemon/run.sh", "--no-install", "--build-dir", build,
             "--dir", directory, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def hear(self, words, within_s=START_S):
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

    def hear_all(self):
        """Until it has said how to watch and play."""
        self.hear("The websocket port")

    def press_ctrl_c(self, times=1):
        """A SIGINT for the whole process group, as a terminal sends it. Its exit code."""
        for _ in range(times):
            os.killpg(self.process.pid, signal.SIGINT)
            time.sleep(TYPING_S)
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

    def pids(self):
        """Of the programs that it has started, also of those that have ended."""
        with open(f"{self.directory}/processes", encoding="utf-8") as file:
            return [int(pid) for pid in file.read().split()[1:]]

    def pid_of(self, program):
        """Of the one program with this name; others may have ended, as nothing takes them off the list."""
        for pid in self.pids():
            with contextlib.suppress(OSError):
                if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == program:
                    return pid
        raise AssertionError(f"{program} is not running:\n{self.said}")

    def commands(self):
        """The command lines that it has told people to use."""
        return re.findall(r"^  (\S*shipahoyctl .*|mosquitto_sub .*)$", self.said, re.MULTILINE)

    def port(self):
        return re.search(r"mosquitto_sub .* -p (\d+)", self.said).group(1)

    def end(self):
        if self.process.poll() is None:
            self.press_ctrl_c()
        self.process.stdout.close()
