"""MQTT 5 packets by hand, also those that no library would send, and a connection for them."""

import select
import socket
import struct

CONNECT, PUBLISH, SUBSCRIBE, PINGREQ = 0x10, 0x30, 0x82, 0xC0
USER, PASSWORD, CLEAN = 0x80, 0x40, 0x02
RESPONSE_TOPIC, CORRELATION_DATA = b"\x08", b"\x09"
RETAIN = 1
TIMEOUT_S = 5


def number(value):
    """A variable byte integer."""
    encoded = b""
    while True:
        value, low = divmod(value, 128)
        encoded += bytes([low | (0x80 if value else 0)])
        if not value:
            return encoded


def text(value):
    raw = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">H", len(raw)) + raw


def packet(kind, body):
    return bytes([kind]) + number(len(body)) + body


def connect(name, user, password):
    flags = USER | PASSWORD | CLEAN
    head = text("MQTT") + bytes([5, flags]) + struct.pack(">H", 0) + number(0)
    return packet(CONNECT, head + text(name) + text(user) + text(password))


def subscribe(topic):
    return packet(SUBSCRIBE, struct.pack(">H", 1) + number(0) + text(topic) + b"\x00")


def publish(topic, payload, qos=0, retain=False, response=None, correlation=None, properties=b""):
    if response is not None:
        properties += RESPONSE_TOPIC + text(response)
    if correlation is not None:
        properties += CORRELATION_DATA + text(correlation)
    payload = payload if isinstance(payload, bytes) else payload.encode()
    packet_id = struct.pack(">H", 1) if qos else b""
    body = text(topic) + packet_id + number(len(properties)) + properties + payload
    return packet(PUBLISH | qos << 1 | (RETAIN if retain else 0), body)


class Connection:
    """A login at a broker whose answers are read and forgotten."""

    def __init__(self, port, user, name=""):
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        self.open = True
        self.socket.sendall(connect(name, *user))
        answer = self.socket.recv(64)
        if len(answer) < 4 or answer[3]:
            self.close()
            raise ConnectionError(f"no welcome: {answer!r}")

    def send(self, data):
        """False when the connection has ended, or the broker takes nothing any more."""
        try:
            self.socket.sendall(data)
            while select.select([self.socket], [], [], 0)[0]:
                if not self.socket.recv(1 << 16):
                    raise ConnectionError("closed by the broker")
        except OSError:
            self.close()
        return self.open

    def close(self):
        self.open = False
        self.socket.close()
