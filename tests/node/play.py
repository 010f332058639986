"""The node program with pins that follow commands: micropython play.py NODE_INI, commands on standard input.

    set SENSOR LEVEL        an edge now
    press SENSOR            a press of 50 ms that has just ended
    shot WIDTH_US GAP_US    a ball passes both beams
    pull EDGES PER_SECOND   edges of the encoder, in real time; prints `pulled` when the last one has happened
    wifi on|off             off also loses the connection
"""
import select
import sys
import time

import fake_machine
from boards import ScriptedBoard

fake_machine.install()
import main
import settings
from stream import Stream

# The levels of a and b, forwards.
QUADRATURE = (("a", 1), ("b", 1), ("a", 0), ("b", 0))


class Board(ScriptedBoard):
    def __init__(self):
        super().__init__()
        self.started_us = time.ticks_us()
        self.wifi = True
        self.stream = None
        self.input = select.poll()
        self.input.register(sys.stdin, select.POLLIN)
        self.turned = 0  # edges of the encoder so far
        self.pull = None  # (first edge, edges, per second, start)

    def clock_us(self):
        return time.ticks_us() - self.started_us

    def rest(self):
        self.turn()
        self.obey()
        time.sleep_ms(2)

    def blink(self, code):
        super().blink(code)
        print("blink", code)
        for _ in range(250):
            self.rest()

    def connect(self, host, port):
        self.stream = Stream(host, port, 5)
        return self.stream

    def disconnect(self):
        if self.stream:
            self.stream.close()
            self.stream = None

    def obey(self):
        while self.input.poll(0):
            words = sys.stdin.readline().split()
            if not words:
                sys.exit()
            getattr(self, "do_" + words[0])(*words[1:])

    def do_set(self, name, level):
        self.set(name, int(level))

    def do_press(self, name):
        now_us = self.clock_us()
        self.set(name, 1, now_us - 50000)
        self.set(name, 0, now_us)

    def do_shot(self, width_us, gap_us):
        width_us, gap_us = int(width_us), int(gap_us)
        start_us = self.clock_us()
        time.sleep_us(width_us + gap_us)
        starts = (("beam", start_us), ("beam2", start_us + gap_us))
        edges = [(at_us + late, name, level) for name, at_us in starts for late, level in ((0, 1), (width_us, 0))]
        for at_us, name, level in sorted(edges):
            self.set(name, level, at_us)

    def do_pull(self, edges, per_second):
        self.pull = (int(edges), int(per_second), self.clock_us(), self.turned)

    def turn(self):
        """The edges that are due, each with the time at which it was due."""
        if not self.pull:
            return
        edges, per_second, start_us, first = self.pull
        now_us = self.clock_us()
        while self.turned - first < edges:
            at_us = start_us + (self.turned - first) * 1000000 // per_second
            if at_us > now_us:
                return
            name, level = QUADRATURE[self.turned % 4]
            self.set(name, level, at_us)
            self.turned += 1
        self.pull = None
        print("pulled")

    def do_wifi(self, state):
        self.wifi = state == "on"
        if not self.wifi and self.stream:
            raise OSError("Wi-Fi is lost")


settings.FILE = sys.argv[1]
main.main(Board())
