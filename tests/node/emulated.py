"""The node program on an emulated Pico, without Wi-Fi: emulate.mjs fills in FILES and EDGES and types it in.

Prints READY, then counts the edges that the program publishes.
"""
import gc
import sys
import time


class Module:
    """An instance in sys.modules is a module for `import`."""


class Network(Module):
    STA_IF = 0

    class WLAN:
        PM_NONE = 0

        def __init__(self, interface):
            pass

        def active(self, on):
            pass

        def config(self, pm):
            pass

        def isconnected(self):
            return True

        def status(self, what):
            return -60


class Broker:
    """In place of the TCP connection: acknowledges everything at once."""

    def __init__(self, host, port, timeout_s):
        self.answers = b""
        self.edges = self.messages = 0

    def send(self, data):
        if data[0] == 0x10:
            self.answers = b"\x20\x02\x00\x00"
            return
        at = 1
        while data[at] & 0x80:
            at += 1
        end = at + 3 + (data[at + 1] << 8 | data[at + 2])
        self.answers += b"\x40\x02" + data[end:end + 2]
        self.edges += data.count(b'",1,') + data.count(b'",0,')
        self.messages += 1

    def receive(self):
        answers, self.answers = self.answers, b""
        return answers


class Intervals:
    """The shortest and longest time between two edges, in microseconds."""

    def __init__(self, report):
        self.least, self.most, self.last = 1 << 29, 0, None
        self.make = report.next_message
        report.next_message = self.next_message

    def next_message(self):
        message = self.make()
        for age in message.edges[1::2]:
            at = message.made_us - age
            if self.last is not None:
                self.least, self.most = min(self.least, at - self.last), max(self.most, at - self.last)
            self.last = at
        return message


def load(name, text):
    values = {"__name__": name}
    exec(text, values)
    module = Module()
    for key in values:
        setattr(module, key, values[key])
    sys.modules[name] = module
    return module


def run(files, edges_wanted, settings, measures_intervals):
    sys.modules["network"], sys.modules["stream"] = Network(), Module()
    sys.modules["stream"].Stream = Broker
    modules = {name: load(name, text) for name, text in files}
    board = modules["board"].Board()
    chosen = modules["settings"].read(settings, board)
    node = modules["node"].Node(board, chosen, "a1f3")
    intervals = Intervals(node.report) if measures_intervals else None
    node.connect(chosen.values["broker"])
    started = time.ticks_us()
    gc.collect()
    print("a garbage collection takes %d us" % time.ticks_diff(time.ticks_us(), started))
    print("READY")
    first = None
    idle_us = 0
    while board.stream.edges < edges_wanted and not node.edges.lost():
        node.step()
        before = time.ticks_us()
        board.rest()
        if board.stream.edges:
            first = first or before
            idle_us += time.ticks_diff(time.ticks_us(), before)
    took_us = time.ticks_diff(time.ticks_us(), first)
    print("%d edges, %d lost, %d messages, idle for %d %% of the time" % (
        board.stream.edges, node.edges.lost(), board.stream.messages, 100 * idle_us // took_us))
    if intervals:
        print("between two edges %d to %d us" % (intervals.least, intervals.most))
    print("END")
