#!/usr/bin/python3
"""A file that may not grow: refused, held, and back by itself; and a disk that is slow.

Every operation that can fail, and every error, is tried in tests/table and tests/daemon.
"""

import resource
import signal
import subprocess
import time

import daemon
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


class SlowDisk(TableTest):
    SYNC_S = 1.2
    SOURCE = """
        #include <sys/syscall.h>
        #include <unistd.h>
        int fdatasync(int fd) {
            if (access(SLOW, F_OK) == 0) usleep(%d);
            return (int)syscall(SYS_fdatasync, fd);
        }
    """

    def slow_table(self, **sections):
        """A table whose syncs take SYNC_S while the file slow is there."""
        table = self.idle_table(**sections)
        slow, library = table.daemon.folder / "slow", table.daemon.folder / "slow.so"
        subprocess.run(["cc", "-shared", "-fPIC", f'-DSLOW="{slow}"', "-x", "c", "-", "-o", library],
                       input=self.SOURCE % (self.SYNC_S * 1e6), text=True, check=True)  # fmt: skip
        sanitizers = daemon.SANITIZERS["ASAN_OPTIONS"] + ":verify_asan_link_order=0"
        table.daemon.start(LD_PRELOAD=str(library), ASAN_OPTIONS=sanitizers)
        table.await_status("online")
        return table, slow

    def test_falls_during_a_sync_count_before_the_shot_is_over(self):
        table, slow = self.slow_table(timing={"shot_window_ms": 1000, "tilt_settle_ms": 400})
        table.new_game()
        mark = len(table.client.messages)
        slow.touch()
        # The times are what is tested: blue-2 settles while blue-1 is being synced. Each edge has its own, so
        # that a busy machine does not move it out of the window.
        edges = ((0, "cannon.beam 1"), (0.002, "cannon.beam 0"), (0.3, "blue-1.tilt 1"), (0.9, "blue-2.tilt 1"))
        begin = time.monotonic()
        for at, edge in edges:
            time.sleep(max(0, begin + at - time.monotonic()))
            # Without waiting for the answers: those to the ball come after its sync.
            table.sensors.socket.sendall(f"@{int((begin + at) * 1e6)} {edge}\n".encode())
        table.await_event("shot-over", mark)
        names = [(it.json["event_type"], it.json.get("piece")) for it in table.client.messages[mark:]
                 if "/event/" in it.topic]  # fmt: skip
        captures = [it for it in names if it[0] in ("piece-captured", "shot-over")]
        self.assertEqual(captures, [("piece-captured", "blue-1"), ("piece-captured", "blue-2"), ("shot-over", None)])
        slow.unlink()
        for _ in edges:
            self.assertEqual(table.sensors.stream.readline(), "ok\n")


if __name__ == "__main__":
    harness.main()
