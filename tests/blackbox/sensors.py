"""The simulated sensors of a table, moved over its socket."""

import contextlib
import socket
import time

from waiting import poll

BEAM_S = 0.001  # in the dark: longer than [timing] beam_min_us
BUTTON_S = 0.004  # longer than [timing] button_ms in the tests
REFRACTORY_S = 0.25  # what passes a beam earlier than this is the same ball again

# The order in which the two lines of the encoder change while the rope is pulled.
QUADRATURE = ((1, 0), (1, 1), (0, 1), (0, 0))


class Sensors:
    def __init__(self, path):
        self.socket = poll(lambda: self.connect(path), f"the socket {path}")
        self.stream = self.socket.makefile("rw", encoding="utf-8", newline="\n")
        self.rope_phase = len(QUADRATURE) - 1
        self.rope_lines = (0, 0)
        self.clear_at = {}

    @staticmethod
    def connect(path):
        client = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):
            client.connect(str(path))
            return client
        client.close()
        return None

    def ask(self, *lines):
        """Sends lines at once, and returns their answers."""
        self.stream.write("".join(line + "\n" for line in lines))
        self.stream.flush()
        return [self.stream.readline().rstrip("\n") for _ in lines]

    def move(self, *edges):
        """Edges such as "cannon.beam 1", all at once; all must be taken."""
        answers = self.ask(*edges)
        assert answers == ["ok"] * len(edges), answers

    def pulse(self, sensor, seconds):
        """Active for so long: here the time itself is what the sensor is to see."""
        self.move(f"{sensor} 1")
        time.sleep(seconds)
        self.move(f"{sensor} 0")

    def pass_beam(self, sensor):
        """A ball that cannot be taken for the one before."""
        time.sleep(max(0, self.clear_at.get(sensor, 0) - time.monotonic()))
        self.pulse(sensor, BEAM_S)
        self.clear_at[sensor] = time.monotonic() + REFRACTORY_S

    def fire(self):
        self.pass_beam("cannon.beam")

    def press(self, button, meanwhile=lambda: None):
        """meanwhile is done as soon as the button is down."""
        self.move(f"{button} 1")
        meanwhile()
        time.sleep(BUTTON_S)
        self.move(f"{button} 0")
        time.sleep(BUTTON_S)

    def topple(self, *pieces):
        """A tilt switch rattles before it rests."""
        self.move(*[f"{piece}.tilt {level}" for level in (1, 0, 1) for piece in pieces])

    def raise_up(self, *pieces):
        self.move(*[f"{piece}.tilt {level}" for level in (0, 1, 0) for piece in pieces])

    def set_rope(self, lines):
        names = ("rope.a", "rope.b")
        changed = [i for i in (0, 1) if lines[i] != self.rope_lines[i]]
        self.rope_lines = lines
        return [f"{names[i]} {lines[i]}" for i in changed]

    def pull(self, counts):
        """Out by so many counts, or back if negative."""
        edges = []
        step = 1 if counts > 0 else -1
        for _ in range(abs(counts)):
            self.rope_phase = (self.rope_phase + step) % len(QUADRATURE)
            edges += self.set_rope(QUADRATURE[self.rope_phase])
        self.move(*edges)

    def close(self):
        self.stream.close()
        self.socket.close()
