"""The edges of all inputs in one ring buffer: interrupts write it, the main loop reads it.

One writer, one reader: only `record` moves the head, only the main loop moves the tail, so neither needs a lock.
The buffer is one array of integers, because indexing it is what MicroPython does fastest.
"""
from array import array

import micropython
from micropython import const

# The array: four numbers, the level of each input, then two numbers for each edge (ticks, 2 * input + level).
_HEAD = const(0)
_TAIL = const(1)
_END = const(2)
_OVERFLOWED = const(3)
_LEVELS = const(4)
_EDGES = const(12)


@micropython.viper
def record(ring: ptr32, index: int, level: int, ticks: int):  # noqa: F821
    """Runs in a hard interrupt, compiled to machine code. It must not allocate memory. An unchanged level is a
    pulse that was shorter than the delay of the interrupt."""
    if ring[_LEVELS + index] == level:
        return
    ring[_LEVELS + index] = level
    head = int(ring[_HEAD])
    following = head + 2
    if following == ring[_END]:
        following = _EDGES
    if following == ring[_TAIL]:
        ring[_OVERFLOWED] += 1
        return
    ring[head] = ticks
    ring[head + 1] = 2 * index + level
    ring[_HEAD] = following


class Edges:
    def __init__(self, inputs, capacity=2048):
        """Room for capacity - 1 edges: a second of an encoder with 2000 edges a second."""
        self.inputs = inputs
        self.ring = array("i", bytes(4 * (_EDGES + 2 * capacity)))
        self.ring[_HEAD] = self.ring[_TAIL] = _EDGES
        self.ring[_END] = _EDGES + 2 * capacity
        self.outdated = 0

    def lost(self):
        return self.ring[_OVERFLOWED] + self.outdated

    def set_level(self, index, level):
        """The level at the start, which is not an edge."""
        self.ring[_LEVELS + index] = level

    def levels(self):
        return list(self.ring[_LEVELS:_LEVELS + self.inputs])

    def count(self):
        used = self.ring[_HEAD] - self.ring[_TAIL]
        return (used if used >= 0 else used + self.ring[_END] - _EDGES) // 2

    @micropython.native
    def take(self, count_max, now, ticks_diff):
        """Removes the oldest edges, at most count_max: a flat list of 2 * input + level, age at the ticks now."""
        ring = self.ring
        tail, head, end = ring[_TAIL], ring[_HEAD], ring[_END]
        taken = []
        append = taken.append
        while tail != head and count_max:
            append(ring[tail + 1])
            append(ticks_diff(now, ring[tail]))
            tail += 2
            if tail == end:
                tail = _EDGES
            count_max -= 1
        ring[_TAIL] = tail
        return taken

    def forget(self, now, ticks_diff, age_max):
        """Removes the edges that are older, and counts them as lost."""
        ring = self.ring
        while self.count() and ticks_diff(now, ring[ring[_TAIL]]) > age_max:
            self.take(1, now, ticks_diff)
            self.outdated += 1
