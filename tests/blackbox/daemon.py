"""A shipahoyd process of a test's own: its files, its notifications, its end."""

import os
import pathlib
import signal
import socket
import subprocess

from waiting import Deadline

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHIPAHOYD", str(ROOT / "build/dev/daemon/shipahoyd"))

# A sanitized daemon keeps what was freed for a while, which is no leak of ours.
SANITIZERS = {"ASAN_OPTIONS": "quarantine_size_mb=1:malloc_context_size=3"}
FAULTS = ("AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "runtime error:", "Assertion ")


def run(*arguments, **environment):
    """Runs the daemon to its end, for what should not start it."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False,
        env=os.environ | SANITIZERS | environment, timeout=Deadline("the daemon's end").left(),
    )  # fmt: skip


class Daemon:
    """Started with start(); everything it needs is in its folder."""

    program = PROGRAM

    def __init__(self, folder, configuration, state=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.configuration = self.folder / "table.ini"
        self.configuration.write_text(configuration)
        self.state = state or self.folder / "state"
        self.log_path = self.folder / "shipahoyd.log"
        self.process = None
        self.notices = None

    def launch(self, preexec=None, **environment):
        """Starts it and does not wait."""
        path = self.folder / "notify"
        path.unlink(missing_ok=True)
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(path))
        environment = os.environ | SANITIZERS | {"NOTIFY_SOCKET": str(path)} | environment
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--config", self.configuration, "--state-dir", self.state],
                stderr=log, env=environment, preexec_fn=preexec,
            )  # fmt: skip

    def start(self, preexec=None, **environment):
        self.launch(preexec, **environment)
        self.await_notice("READY=1")

    def await_notice(self, text):
        deadline = Deadline(f"{text} from the daemon")
        while True:
            # In slices, because a daemon that has died says nothing more.
            self.notices.settimeout(min(deadline.left(self.log), 0.2))
            try:
                heard = self.notices.recv(4096).decode()
            except TimeoutError:
                if self.process.poll() is not None:
                    raise AssertionError(f"ended instead of {text}: {self.log()}") from None
                continue
            if text in heard.split("\n"):
                return

    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def wait(self):
        """Its exit code, minus the signal if one ended it."""
        code = self.process.wait(Deadline("the daemon's end").left())
        self.notices.close()
        return code

    def kill(self):
        self.process.kill()
        self.wait()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def reload(self):
        self.process.send_signal(signal.SIGHUP)
        self.await_notice("RELOADING=1")
        self.await_notice("READY=1")

    def faults(self):
        """What a sanitizer or an assertion has said."""
        return [line for line in self.log().splitlines() if any(word in line for word in FAULTS)]

    def status(self, key):
        """A number from the kernel's account of the process, such as VmRSS in KiB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1])
        raise KeyError(key)

    def cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
