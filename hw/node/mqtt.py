"""The part of MQTT 3.1.1 that a node needs: connect with a last will, publish with QoS 1, acknowledgements.

There is no ping: the node publishes its levels more often than the keep-alive time.
"""

REFUSALS = {
    1: "it does not speak MQTT 3.1.1",
    2: "it refuses the client id",
    3: "it is not available",
    4: "it refuses the user name or the password",
    5: "it refuses this user",
}


class Refused(Exception):
    """The broker answers, but not with what we need. Trying again changes nothing until someone acts."""


def text(string):
    data = string.encode()
    return len(data).to_bytes(2, "big") + data


def packet(kind, *parts):
    body = b"".join(parts)
    size = len(body)
    length = bytearray()
    while True:
        digit = size & 0x7F
        size >>= 7
        length.append(digit | (0x80 if size else 0))
        if not size:
            return bytes([kind]) + bytes(length) + body


class Mqtt:
    """One connection. Every method raises OSError when it is lost."""

    def __init__(self, stream):
        """stream: send(bytes) sends all; receive() returns what has arrived, at once, possibly nothing."""
        self.stream = stream
        self.received = b""
        self.last_id = 0
        self.accepted = False

    def connect(self, client_id, will_topic, will, keep_alive_s, user, password):
        """Sends the request; `poll` sets `accepted`, or raises Refused."""
        flags = 0x02 | 0x04 | 0x08 | 0x20  # clean session; will with QoS 1, retained
        login = []
        if user:
            flags |= 0x80
            login.append(text(user))
            if password:
                flags |= 0x40
                login.append(text(password))
        self.stream.send(packet(0x10, text("MQTT"), bytes([4, flags]), keep_alive_s.to_bytes(2, "big"),
                                text(client_id), text(will_topic), text(will), *login))

    def publish(self, topic, payload, retain=False):
        """The id that `poll` returns when the broker has the message."""
        self.last_id = self.last_id % 0xFFFF + 1
        self.stream.send(packet(0x33 if retain else 0x32, text(topic), self.last_id.to_bytes(2, "big"),
                                payload.encode()))
        return self.last_id

    def poll(self):
        """The ids that have been acknowledged since the last call."""
        self.received += self.stream.receive()
        acknowledged = []
        # Both answers that a publisher can get have four bytes.
        while len(self.received) >= 4:
            answer, self.received = self.received[:4], self.received[4:]
            if answer[0] == 0x20 and not self.accepted:
                if answer[3]:
                    raise Refused(REFUSALS.get(answer[3], "it refuses with code %d" % answer[3]))
                self.accepted = True
            elif answer[0] == 0x40 and self.accepted:
                acknowledged.append(answer[2] << 8 | answer[3])
            else:
                raise Refused("it sends what is not MQTT 3.1.1")
        return acknowledged
