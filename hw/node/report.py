"""The messages of the node protocol: the payloads of `edges` and `info`."""
import json

import micropython

FIRMWARE = "shipahoy-node 1"
EDGES_MAX = 64  # in one message: below two kilobytes, and 32 ms of the fastest encoder


class Message:
    """One numbered message of `edges`. It is formatted when it is sent, and again when it is sent again,
    because the ages in it count from that moment."""

    def __init__(self, number, edges, levels, made_us):
        self.number = number
        self.edges = edges  # flat: 2 * input + level, age at made_us; oldest first
        self.levels = levels
        self.made_us = made_us
        self.id = self.sent_ms = 0  # of its last transmission


class Report:
    def __init__(self, boot, names, edges, clock):
        self.boot = boot
        self.names = names
        self.edges = edges
        self.clock = clock
        self.number = 0
        self.lost = 0
        # The levels that the sent edges lead to. Levels read now could be ahead of them.
        self.levels = edges.levels()
        # The text between two ages, so that the loop formats nothing else: it runs 2000 times a second.
        self.starts = ['],["%s",%d,' % (name, level) for name in names for level in (0, 1)]

    def next_message(self):
        """The oldest edges and the levels after them; without edges only the levels."""
        now_us, now_ticks = self.clock.now()
        edges = self.edges.take(EDGES_MAX, now_ticks, self.clock.ticks_diff)
        self.apply(edges)
        self.number += 1
        self.mark_loss()
        self.follow_levels()
        return Message(self.number, edges, list(self.levels), now_us)

    @micropython.native
    def apply(self, edges):
        levels = self.levels
        for i in range(0, len(edges), 2):
            event = edges[i]
            levels[event >> 1] = event & 1

    def mark_loss(self):
        """Dropped edges become a gap in the numbers: the daemon then marks the lines as lossy."""
        lost = self.edges.lost()
        if lost != self.lost:
            self.lost = lost
            self.number += 1

    def follow_levels(self):
        """After a loss the edges do not lead to the real levels; once all are sent, the real ones count."""
        real = self.edges.levels()
        if not self.edges.count():  # otherwise an interrupt may have changed them after the last edge taken
            self.levels = real

    def payload(self, message):
        now_us, _ = self.clock.now()
        older_us = now_us - message.made_us
        edges = self.edges_text(message.edges, older_us)
        levels = ['"%s":%d' % (name, message.levels[i]) for i, name in enumerate(self.names)]
        return '{"boot":"%s","n":%d,"t":%d,"edges":[%s],"levels":{%s}}' % (
            self.boot, message.number, now_us, edges, ",".join(levels))

    @micropython.native
    def edges_text(self, edges, older_us):
        starts = self.starts
        parts = []
        append = parts.append
        for i in range(0, len(edges), 2):
            append(starts[edges[i]])
            append(str(edges[i + 1] + older_us))
        return "".join(parts)[2:] + "]" if parts else ""

    def info(self, battery, rssi):
        info = {"v": 1, "sensors": self.names, "firmware": FIRMWARE, "lost": self.edges.lost()}
        if battery is not None:
            info["battery"] = battery
        if rssi is not None:
            info["rssi"] = rssi
        return json.dumps(info)


class Clock:
    """Microseconds since the start, which never wrap, from ticks that wrap after 18 minutes."""

    def __init__(self, ticks_us, ticks_diff):
        self.ticks_us = ticks_us
        self.ticks_diff = ticks_diff
        self.last = ticks_us()
        self.total_us = 0

    def now(self):
        """(microseconds, ticks) of this moment. Must be called at least every eight minutes."""
        ticks = self.ticks_us()
        self.total_us += self.ticks_diff(ticks, self.last)
        self.last = ticks
        return self.total_us, ticks
