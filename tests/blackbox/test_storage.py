#!/usr/bin/python3
"""A file that may not grow: refused, held, and back by itself.

Every operation that can fail, and every error, is tried in tests/table and tests/daemon.
"""

import resource
import signal

import harness
from harness import TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module


class Storage(TableTest):
    def limit(self, table, size):
        limits = (size, resource.RLIM_INFINITY)
        resource.prlimit(table.daemon.process.pid, resource.RLIMIT_FSIZE, limits)

    def test_a_file_that_may_not_grow_is_refused_until_it_may(self):
        table = self.idle_table()
        # The kernel's limit would end the process if it did not ignore the signal.
        table.daemon.start(preexec=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        table.await_status("online")
        table.new_game()
        before = table.state()
        mark = len(table.client.messages)
        self.limit(table, 4096)
        poll(lambda: table.send("aim", piece="red-1").get("error") == "storage", "a full disk")
        self.assertTrue(table.await_said("info", lambda it: it["storage"], mark)["storage"])
        state = table.state()
        # A longer record than those that filled the disk: a shorter one may still have room.
        again = {"piece": "red-1", "id": "again".ljust(60, ".")}
        self.assertEqual(table.refused("aim", **again), "storage")
        table.sensors.topple("blue-1")
        table.await_said("sensor/blue-1/tilt", lambda it: it["value"] == 1)
        self.assertEqual(table.state(), state)
        mark = len(table.client.messages)
        self.limit(table, resource.RLIM_INFINITY)
        table.await_event("disturbance", mark)
        table.await_said("info", lambda it: it["storage"] is None, mark)
        self.assertTrue(table.send("aim", **again)["ok"])
        self.assertEqual(table.state()["game"], before["game"])


if __name__ == "__main__":
    harness.main()
