"""The socket of the simulated sensors: a local user without any sense of manners."""

import contextlib
import socket
import time

import campaign
from campaign import SECONDS, AttackTest
from sensors import Sensors
from waiting import poll

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

IDLE = 100
SERVED_S = 5


class Socket(AttackTest):
    def intruder(self, table):
        made = Sensors.connect(table.folder / "sim.sock")
        if made:
            self.addCleanup(made.close)
            made.settimeout(1)
        return made

    def check_served(self, table):
        """Somebody who comes now is answered."""

        def is_answered():
            with contextlib.suppress(OSError):
                newcomer = self.intruder(table)
                newcomer.sendall(b"cannon.beam 0\n")
                return newcomer.recv(64) == b"ok\n"
            return False

        poll(is_answered, "an answer on the socket", SERVED_S)
        self.check_memory(table)

    def test_idle_clients_lock_nobody_out(self):
        table = self.attacked_table()
        idle = [self.intruder(table) for _ in range(IDLE)]
        self.note(clients=sum(it is not None for it in idle))
        self.check_served(table)

    def test_half_lines_lock_nobody_out(self):
        table = self.attacked_table()
        for _ in range(IDLE):
            with contextlib.suppress(OSError, AttributeError):
                self.intruder(table).sendall(b"cannon.be")
        self.check_served(table)

    def test_an_endless_line_needs_no_memory(self):
        table = self.attacked_table()
        sent = self.pour(table, b"x" * 65536)
        self.note(sent_MB=sent // 10**6)
        self.check_served(table)

    def test_somebody_who_reads_no_answer_needs_no_memory(self):
        table = self.attacked_table()
        sent = self.pour(table, b"nonsense 1\n" * 5000)
        self.note(sent_MB=sent // 10**6)
        self.check_served(table)

    def test_bytes_lock_nobody_out(self):
        table = self.attacked_table()
        table.new_game()
        lines = table.daemon.log().count("\n")
        self.pour(table, self.chance.randbytes(65536))
        self.assertLess(table.daemon.log().count("\n") - lines, 5 * SECONDS)
        self.check_served(table)

    def pour(self, table, data):
        """The same bytes over and over; a connection that is ended or stuck is made anew."""
        sent = 0
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            intruder = self.intruder(table)
            with contextlib.suppress(OSError, AttributeError):
                while time.monotonic() < ends:
                    sent += intruder.send(data, socket.MSG_NOSIGNAL)
        return sent
