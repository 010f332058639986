#!/usr/bin/env python3
"""run_postgres.py COMMAND...: starts a PostgreSQL server of its own, and runs the command with its URL in
$LOGBOOK_DATABASE. Ends with the code of the command.

The server listens on a socket in a temporary directory only. It refuses to run as root, so it runs as the
user nobody then.
"""

import contextlib
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

START_S = 60


class Server:
    def __init__(self, disk_mib=None):
        """disk_mib: its data are on a disk of their own, of this size, which can be filled. Only root can mount it."""
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not programs:
            sys.exit("PostgreSQL is not installed.")
        self.programs = programs[-1]
        self.folder = tempfile.mkdtemp(prefix="shipahoy-postgres-")
        self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.url = f"postgresql:///postgres?host={self.folder}&user=logbook"
        self.data = f"{self.folder}/data"
        self.is_mounted = disk_mib is not None
        if self.is_mounted:
            os.mkdir(self.data)
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={disk_mib}m,uid={self.user.pw_uid},gid={self.user.pw_gid},mode=700",
                            "shipahoy-postgres", self.data], check=True)
        self.process = None
        # Small segments, so that a new one is soon needed: a full disk is noticed there, too.
        self.run("initdb", "-D", self.data, "-U", "logbook", "-A", "trust", "--no-sync", "-E", "UTF8",
                 "--locale", "C.UTF-8", "--wal-segsize", "1")

    def drop_root(self):
        if self.user:
            os.setgid(self.user.pw_gid)
            os.setuid(self.user.pw_uid)

    def run(self, program, *arguments):
        subprocess.run([f"{self.programs}/{program}", *arguments], check=True, stdout=subprocess.DEVNULL,
                       preexec_fn=self.drop_root, cwd=self.folder)

    def is_ready(self):
        return subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", self.folder], check=False).returncode == 0

    def start(self):
        """Again and again: after kill -9, the old processes hold on to their memory for a moment."""
        deadline = time.monotonic() + START_S
        while not self.tries_to_start(deadline):
            if time.monotonic() > deadline:
                sys.exit(f"PostgreSQL did not start: {self.log()}")
            time.sleep(0.1)

    def tries_to_start(self, deadline):
        """Whether it accepts connections; else it has ended, or the deadline is over."""
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                [f"{self.programs}/postgres", "-D", self.data, "-k", self.folder, "-c",
                 "listen_addresses=", "-c", "fsync=off", "-c", "max_wal_size=8MB", "-c", "min_wal_size=2MB"], stdout=log, stderr=log, preexec_fn=self.drop_root, cwd=self.folder)
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return self.process.poll() is None

    def stop(self, how=signal.SIGINT):
        """SIGINT ends connections, too."""
        self.process.send_signal(how)
        self.process.wait()

    def log(self):
        with open(f"{self.folder}/log", encoding="utf-8") as log:
            return log.read()

    def fill_disk(self):
        with open(f"{self.data}/filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(bytes(4096))

    def free_disk(self):
        """Without room for its log of changes, the server ends."""
        os.unlink(f"{self.data}/filler")
        if not self.is_ready():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
        if self.process.poll() is not None:
            self.start()

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop()
        if self.is_mounted:
            subprocess.run(["umount", self.data], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    server = Server()
    try:
        server.start()
        return subprocess.run(sys.argv[1:], check=False,
                              env=os.environ | {"LOGBOOK_DATABASE": server.url}).returncode
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
