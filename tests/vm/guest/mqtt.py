"""As much of MQTT 3.1.1 as a test needs: subscribe to everything, publish, keep what came."""

import json
import socket
import threading
import time


def text(string):
    data = string.encode()
    return len(data).to_bytes(2, "big") + data


def packet(first, body):
    length, size = len(body), b""
    while True:
        length, low = divmod(length, 128)
        size += bytes([low | (128 if length else 0)])
        if not length:
            return bytes([first]) + size + body


class Message:
    def __init__(self, topic, payload, at_ns):
        self.topic = topic
        self.payload = payload
        self.at_ns = at_ns

    @property
    def json(self):
        return json.loads(self.payload)


class Mqtt:
    def __init__(self, *topics):
        self.messages = []
        self.changed = threading.Condition()
        self.socket = socket.create_connection(("127.0.0.1", 1883))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        self.socket.sendall(packet(0x10, text("MQTT") + b"\x04\x02\x00\x00" + text("")))
        for topic in topics:
            self.socket.sendall(packet(0x82, b"\x00\x01" + text(topic) + b"\x00"))
        threading.Thread(target=self.listen, daemon=True).start()

    def read_packet(self):
        first = self.stream.read(1)[0]
        length = shift = 0
        while True:
            byte = self.stream.read(1)[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return first, self.stream.read(length)

    def listen(self):
        """Until the broker goes."""
        while self.stream.peek(1):
            first, body = self.read_packet()
            at_ns = time.monotonic_ns()
            if first & 0xF0 == 0x30:
                end = 2 + int.from_bytes(body[:2], "big")
                with self.changed:
                    self.messages.append(Message(body[2:end].decode(), body[end:], at_ns))
                    self.changed.notify_all()

    def publish(self, topic, payload):
        self.socket.sendall(packet(0x30, text(topic) + payload.encode()))

    def wait(self, accepts, what, since=0, seconds=30):
        """The first message from the since-th on that is accepted."""
        ends = time.monotonic() + seconds
        with self.changed:
            while True:
                while since < len(self.messages):
                    if accepts(self.messages[since]):
                        return self.messages[since]
                    since += 1
                left = ends - time.monotonic()
                assert left > 0, f"waited in vain for {what}"
                self.changed.wait(left)
