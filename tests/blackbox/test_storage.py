#!/usr/bin/python3
"""A disk that does not take what is written, or is read-only: refused, held, and back by itself.

Every operation that can fail, and every error, is tried in tests/table and tests/daemon.
"""

import os
import resource
import signal
import subprocess
import unittest

import harness
from harness import TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module


class Storage(TableTest):
    def refused_and_back(self, table, fail, mend):
        """The whole promise, for a disk that fails and works again."""
        table.new_game()
        before = table.state()
        mark = len(table.client.messages)
        fail()
        self.fill(table)
        self.assertTrue(table.await_said("info", lambda it: it["storage"], mark)["storage"])
        state = table.state()
        # A longer record than those that filled the disk: a shorter one may still have room.
        again = {"piece": "red-1", "id": "again".ljust(60, ".")}
        self.assertEqual(table.refused("aim", **again), "storage")
        table.sensors.topple("blue-1")
        table.await_said("sensor/blue-1/tilt", lambda it: it["value"] == 1)
        self.assertEqual(table.state(), state)
        mark = len(table.client.messages)
        mend()
        table.await_event("disturbance", mark)
        table.await_said("info", lambda it: it["storage"] is None, mark)
        self.assertTrue(table.send("aim", **again)["ok"])
        self.assertEqual(table.state()["game"], before["game"])

    def fill(self, table):
        """Until nothing can be recorded any more."""
        poll(lambda: table.send("aim", piece="red-1").get("error") == "storage", "a full disk")

    def test_a_file_that_may_not_grow_is_refused_until_it_may(self):
        table = self.idle_table()
        # The kernel's limit would end the process if it did not ignore the signal.
        table.daemon.start(preexec=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        table.await_status("online")
        limit = lambda size: resource.prlimit(  # noqa: E731
            table.daemon.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY)
        )
        self.refused_and_back(table, lambda: limit(4096), lambda: limit(resource.RLIM_INFINITY))

    def mounted(self, name, options):
        """A file system of our own, or a test that is skipped and says so."""
        folder = harness.Shared.folder / name
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", options, "none", folder]
        if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
            raise unittest.SkipTest("mounting a small file system needs more rights than we have")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        return folder

    def test_a_disk_that_is_read_only_at_the_start_says_so(self):
        folder = self.mounted("locked", "size=64k")
        (folder / "state").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        table = self.idle_table()
        table.daemon.state = folder / "state"
        table.daemon.launch()
        poll(lambda: not table.daemon.alive() or table.said("status"), "a start or an end")
        if not table.daemon.alive():
            self.assertEqual(table.daemon.wait(), 70)
            self.assertIn("games cannot be kept", table.daemon.log())
            return
        self.assertEqual(table.refused("new-game"), "storage")
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        table.new_game()


if __name__ == "__main__":
    harness.main()
