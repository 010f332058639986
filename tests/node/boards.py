"""Boards with scripted pins, in place of hw/node/board.py. Their clock has the 30 bits of a Pico's."""
from edges import record

TICKS = 1 << 30

# node.ini of two nodes.
CANNON = """
[node]
name = cannon
[wifi]
name = table
password = a;b#c
[broker]
host = 192.168.1.10
[inputs]
beam = GP14 pull-up active-low
beam2 = GPIO15 pull-up active-low
"""
REEL = CANNON.replace("cannon", "reel").replace("beam = GP14", "encoder = GP2 3").replace("beam2", "button")


def ticks_diff(later, earlier):
    return (later - earlier + TICKS // 2) % TICKS - TICKS // 2


class ScriptedBoard:
    pins = tuple(range(23)) + (26, 27, 28)
    adc_pins = (26, 27, 28)
    counts_encoder = True

    def __init__(self):
        self.inputs = {}
        self.edges = None
        self.charge = None
        self.codes = []  # blink codes so far
        self.restarted = False

    def ticks_us(self):
        return self.clock_us() % TICKS

    def ticks_ms(self):
        return self.clock_us() // 1000 % TICKS

    def ticks_diff(self, later, earlier):
        return ticks_diff(later, earlier)

    def start(self, settings):
        if settings.battery:
            self.charge = 87

    def watch(self, inputs, edges):
        self.inputs = {one.name: i for i, one in enumerate(inputs)}
        self.edges = edges

    def set(self, name, level, at_us=None):
        """What the interrupt of a pin does; the time may lie a little back."""
        at_us = self.clock_us() if at_us is None else at_us
        record(self.edges.ring, self.inputs[name], level, at_us % TICKS)

    def blink(self, code):
        self.codes.append(code)

    def join_wifi(self, name, password):
        if not self.wifi:
            raise OSError("not in range, or it refuses the password")

    def rssi(self):
        return -61

    def battery(self):
        return self.charge

    def disconnect(self):
        pass

    def restart(self):
        self.restarted = True


class VirtualBoard(ScriptedBoard):
    """Without time and network: the clock moves when somebody rests, and the broker is a list of packets."""

    def __init__(self):
        super().__init__()
        self.now_us = TICKS - 3000000  # the ticks wrap early in every test
        self.wifi = True
        self.broker = VirtualBroker()
        self.script = []  # (microseconds, function) that are still to come
        self.rests_left = 20000

    def clock_us(self):
        return self.now_us

    def finish(self):
        raise Finished()

    def after(self, ms, act):
        self.script.append((self.now_us + 1000 * ms, act))

    def rest(self):
        self.rests_left -= 1
        if not self.rests_left:
            self.finish()
        self.pause(2)

    def pause(self, ms):
        self.now_us += 1000 * ms
        while self.script and self.script[0][0] <= self.now_us:
            self.script.pop(0)[1]()

    def blink(self, code):
        super().blink(code)
        self.pause(500 * code + 1000)

    def connect(self, host, port):
        self.broker.connect()
        return self.broker


class Finished(Exception):
    """The script is over."""


class VirtualBroker:
    def __init__(self):
        self.packets = []   # that it has received, over all connections
        self.answers = b""
        self.connack = b"\x20\x02\x00\x00"
        self.reachable = True
        self.acknowledges = True

    def connect(self):
        self.answers = b""
        if not self.reachable:
            raise OSError("connection refused")

    def send(self, data):
        if not self.reachable:
            raise OSError("connection reset")
        self.packets.append(data)
        if data[0] == 0x10:
            self.answers += self.connack
        elif self.acknowledges:
            self.answers += b"\x40\x02" + self.fields(data)[1]

    def receive(self):
        if not self.reachable:
            raise OSError("connection reset")
        answers, self.answers = self.answers, b""
        return answers

    def fields(self, data):
        """(topic, id, payload) of a PUBLISH"""
        at = 1
        while data[at] & 0x80:
            at += 1
        at += 1
        end = at + 2 + (data[at] << 8 | data[at + 1])
        return data[at + 2:end].decode(), data[end:end + 2], data[end + 2:].decode()

    def published(self, topic):
        """Payloads of a topic, by its last word."""
        fields = [self.fields(data) for data in self.packets if data[0] & 0xF0 == 0x30]
        return [payload for name, _, payload in fields if name.endswith("/" + topic)]
