#!/usr/bin/python3
"""What each broker can do of what the tables use, tried out: prints the table of docs/clubs.md.

matrix.py [--check docs/clubs.md] [BROKER...]: without names all; --check compares each cell with
that page, and counts as unittest does. Started by run.sh.
"""

import argparse
import contextlib
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from broker import Broker
from client import Client
from clusters import NatsCluster, RabbitCluster
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from waiting import TooLate, poll

V3_1_1 = 4
CONNECT_S = 60  # a node that has just started elects leaders first
SILENCE_S = 3  # what has not come after this long does not come
EXPIRY_S = 1


VIEWER = ("viewer", "viewer-1")  # may write probe/N/may and read probe/N/readable; without a login all is allowed


class OpenMosquitto(Broker):
    def configuration(self):
        (self.folder / "acl").write_text(
            "topic readwrite #\nuser viewer\ntopic write probe/+/may\ntopic read probe/+/readable\n"
        )
        subprocess.run(["mosquitto_passwd", "-b", "-c", self.folder / "passwords", *VIEWER], check=True)
        return super().configuration() + f"acl_file {self.folder}/acl\npassword_file {self.folder}/passwords\n"

    def kill(self):
        self.stop(signal.SIGKILL)

    def launch(self):
        self.start()

    def await_port(self):
        """start has waited for it."""


class Mosquitto:
    """One broker, to compare with; not a cluster."""

    version = 5

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-club-"))
        self.nodes = []

    def start(self):
        self.nodes = [OpenMosquitto(self.folder / "broker", persistent=True)]
        return self

    def stop(self):
        with contextlib.suppress(ProcessLookupError):
            self.nodes[0].stop()


class OpenNats(NatsCluster):
    def configuration(self, node):
        users = (
            "{ user: open, password: open }\n"
            "{ user: viewer, password: viewer-1, permissions: { publish: [probe.*.may]\n"
            '  subscribe: [probe.*.readable, "$MQTT.sub.>"] } }\n'
        )
        return super().configuration(node) + f"authorization {{ users: [\n{users}] }}\nno_auth_user: open\n"


class OpenRabbit(RabbitCluster):
    def await_ready(self):
        super().await_ready()
        for words in (
            ("add_user", *VIEWER),
            ("set_permissions", "viewer", ".*", ".*", ".*"),
            ("set_topic_permissions", "viewer", "amq.topic", r"^probe\.[0-9]+\.may$", r"^probe\.[0-9]+\.readable$"),
        ):
            done = self.ctl(self.nodes[0], *words)
            assert done.returncode == 0, done


class OneNode(Exception):
    """There is no other node."""


class Trial:
    """A running broker, and clients of it that are closed at the end of a probe."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.clients = []
        self.count = 0

    def node(self, number):
        if number >= len(self.cluster.nodes):
            raise OneNode
        return self.cluster.nodes[number]

    @property
    def other(self):
        """A node that is not the first, if there is one."""
        return min(1, len(self.cluster.nodes) - 1)

    def client(self, node, *topics, **how):
        """Connects as soon as the node accepts it."""
        port = how.pop("port", None) or self.node(node).port
        version = how.pop("version", self.cluster.version)

        def connect():
            with contextlib.suppress(OSError, TooLate):
                return Client(port, version=version, topics=topics or ("none",), **how)

        self.clients.append(poll(connect, f"a connection to node {node}", CONNECT_S))
        return self.clients[-1]

    def topic(self, name):
        """A new one, so that probes do not see each other's messages."""
        self.count += 1
        return f"probe/{self.count}/{name}"

    def close(self):
        while self.clients:
            self.clients.pop().close()


def hears(client, topic, payload=None, seconds=SILENCE_S):
    """The message, or None after a silence."""

    def fits(message):
        return message.topic == topic and payload in (None, message.payload)

    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        for message in list(client.messages):
            if fits(message):
                return message
        time.sleep(0.02)
    return None


def publish(client, *arguments, **how):
    message = client.publish(*arguments, **how)
    message.wait_for_publish(CONNECT_S)
    assert message.is_published(), arguments


def with_property(client, topic, payload, retain=False, **values):
    properties = Properties(PacketTypes.PUBLISH)
    for key, value in values.items():
        setattr(properties, key, value)
    client.paho.publish(topic, payload, 1, retain, properties).wait_for_publish(CONNECT_S)


def yes(claim):
    return "yes" if claim else "no"


# The rows of the table


def mqtt_5(trial):
    with contextlib.suppress(OSError, TooLate):
        client = Client(trial.node(0).port, version=5, topics=("none",))
        client.close()
        return "yes"
    return "no"


def qos_1_to_another_node(trial):
    topic = trial.topic("event")
    listener = trial.client(trial.other, topic)
    publish(trial.client(0), topic, "x")
    return yes(hears(listener, topic))


def wildcards(trial):
    topic = trial.topic("event/shot-fired")
    base = topic.split("/event")[0]
    plus = trial.client(trial.other, f"{base}/event/+")
    hash_ = trial.client(trial.other, f"{base}/#")
    publish(trial.client(0), topic, "x")
    return yes(hears(plus, topic) and hears(hash_, topic))


def retained(pattern, node):
    def probe(trial):
        topic = trial.topic("state")
        publish(trial.client(0), topic, "x", retain=True)
        return yes(hears(trial.client(node, pattern(topic)), topic))

    return probe


def retained_after_kill(trial):
    topic = trial.topic("state")
    publish(trial.client(0), topic, "x", retain=True)
    time.sleep(SILENCE_S)
    trial.close()
    restart_all(trial)
    return yes(hears(trial.client(0, topic), topic))


def restart_all(trial):
    for node in trial.cluster.nodes:
        node.kill()
    for node in trial.cluster.nodes:
        node.launch()
    for node in trial.cluster.nodes:
        node.await_port()


def retained_deleted(trial):
    topic = trial.topic("state")
    table = trial.client(0)
    publish(table, topic, "x", retain=True)
    publish(table, topic, "", retain=True)
    time.sleep(SILENCE_S)
    return yes(not hears(trial.client(0, topic), topic))


def last_will(trial):
    topic = trial.topic("status")
    listener = trial.client(trial.other, topic)
    dying_client(trial, topic).close()
    heard = hears(listener, topic, b"offline", CONNECT_S)
    late = hears(trial.client(0, topic), topic, b"offline")
    return yes(heard) if not heard or late else "not retained"


def dying_client(trial, topic):
    """Connected with a will; closing its socket ends it without a word."""
    identity = f"dying-{trial.count}".encode()
    text = lambda it: len(it).to_bytes(2, "big") + it  # noqa: E731
    is_v5 = trial.cluster.version == 5
    body = text(b"MQTT") + bytes([trial.cluster.version, 0b00101110]) + (60).to_bytes(2, "big")
    body += b"\0" if is_v5 else b""
    body += text(identity) + (b"\0" if is_v5 else b"") + text(topic.encode()) + text(b"offline")

    def connect():
        with contextlib.suppress(OSError):
            one = socket.create_connection(("127.0.0.1", trial.node(0).port), CONNECT_S)
            one.sendall(bytes([0x10, len(body)]) + body)
            if one.recv(4)[:1] == b"\x20":
                return one
            one.close()

    return poll(connect, "a connection with a will", CONNECT_S)


def response_topic(trial):
    if trial.cluster.version != 5:
        return "no"
    topic, heard = trial.topic("command/aim"), []
    listener = trial.client(trial.other, topic)
    on_message = listener.paho.on_message
    listener.paho.on_message = lambda *it: (heard.append(it[2].properties), on_message(*it))
    with_property(trial.client(0), topic, "x", ResponseTopic="probe/reply", CorrelationData=b"7")
    hears(listener, topic)
    it = heard[0]
    return yes((it.ResponseTopic, it.CorrelationData) == ("probe/reply", b"7"))


def message_expiry(trial):
    if trial.cluster.version != 5:
        return "no"
    topic = trial.topic("event")
    trial.client(trial.other, topic, name=f"expiry-{trial.count}").close()
    with_property(trial.client(0), topic, "x", MessageExpiryInterval=EXPIRY_S)
    time.sleep(EXPIRY_S + SILENCE_S)
    return yes(not hears(trial.client(trial.other, topic, name=f"expiry-{trial.count}"), topic))


def session(node):
    """A client that was away gets what was published at QoS 1 meanwhile, in order."""

    def probe(trial):
        topic, name = trial.topic("event"), f"session-{trial.count}"
        trial.node(node)
        wanted = [str(i).encode() for i in range(20)]
        trial.client(0, topic, name=name).close()
        publisher = trial.client(trial.other)
        for payload in wanted:
            publish(publisher, topic, payload)
        trial.node(0).kill()
        try:
            if node == 0:
                trial.node(0).launch()
                trial.node(0).await_port()
            listener = trial.client(node, topic, name=name)
            if not hears(listener, topic, wanted[-1], CONNECT_S / 2):
                return "no"
            came = list(dict.fromkeys(it.payload for it in listener.messages))
            return "yes" if came == wanted else "not in order"
        finally:
            if node != 0:
                trial.node(0).launch()
                trial.node(0).await_port()

    return probe


def websockets(trial):
    topic = trial.topic("state")
    try:
        page = trial.client(0, topic, port=trial.node(0).ws_port, transport="websockets")
    except TooLate:
        return "no"
    publish(trial.client(0), topic, "x")
    return yes(hears(page, topic))


def viewer_of(trial):
    """RabbitMQ disconnects who subscribes to what is forbidden, so it subscribes to something."""
    return trial.client(trial.other, trial.topic("readable"), user=VIEWER, version=V3_1_1)


def restricted_publishing(trial):
    may = trial.topic("may")
    listener = trial.client(0, may.replace("/may", "/+"))
    viewer = viewer_of(trial)
    viewer.publish(may.replace("/may", "/not"), "x", qos=0)  # at 1 it would be sent again after a disconnect
    poll(lambda: publish_again(viewer, may) and hears(listener, may, seconds=1), "what is allowed", CONNECT_S)
    return yes(not hears(listener, may.replace("/may", "/not")))


def publish_again(client, topic):
    """True; it may have been disconnected."""
    client.publish(topic, "x")
    return True


def stays_connected(trial):
    viewer = viewer_of(trial)
    viewer.publish(trial.topic("not"), "x", qos=0)
    time.sleep(SILENCE_S)
    viewer.publish(trial.topic("may"), "x")
    time.sleep(SILENCE_S)
    return yes(viewer.connections == 1 and viewer.paho.is_connected())


def restricted_reading(trial):
    readable = trial.topic("readable")
    secret = readable.replace("/readable", "/secret")
    viewer = trial.client(trial.other, readable, user=VIEWER)
    with contextlib.suppress(OSError, TooLate):
        trial.clients.append(Client(trial.node(trial.other).port, trial.cluster.version, (secret,), user=VIEWER))
    publisher = trial.client(0)
    publish(publisher, secret, "x")
    publish(publisher, readable, "x")
    return yes(hears(viewer, readable) and not any(hears(it, secret) for it in trial.clients[:2]))


ROWS = {
    "MQTT 5": mqtt_5,
    "QoS 1, also from node to node": qos_1_to_another_node,
    "wildcards `+`, `#`": wildcards,
    "retained message, subscribed by name": retained(lambda topic: topic, 0),
    "the same on another node": retained(lambda topic: topic, 1),
    "retained message, subscribed with `+`": retained(lambda topic: topic.replace("probe/", "+/"), 0),
    "retained message, deleted": retained_deleted,
    "retained message, after all nodes were killed": retained_after_kill,
    "last will, heard on other nodes, retained on its own": last_will,
    "response topic and correlation data": response_topic,
    "message expiry": message_expiry,
    "persistent session after its node was killed": session(0),
    "persistent session on another node while its node is down": session(1),
    "websockets": websockets,
    "access list for publishing": restricted_publishing,
    "access list for reading": restricted_reading,
    "a forbidden publication leaves its client connected": stays_connected,
}

BROKERS = {
    "mosquitto 2.0": Mosquitto,
    "NATS 2.9": OpenNats,
    "NATS 2.10": lambda: OpenNats(chroot=True),
    "RabbitMQ 3.10": OpenRabbit,
    "RabbitMQ 4.0": lambda: OpenRabbit(chroot=True),
}


def column(make):
    """The cells of a broker, from the top."""
    cluster = make().start()
    trial = Trial(cluster)
    cells = []
    try:
        for name, probe in ROWS.items():
            try:
                cells.append(probe(trial))
            except OneNode:
                cells.append("one node")
            except Exception as error:  # noqa: BLE001 # a cell that cannot be tried is seen
                cells.append(f"failed: {error!r:.300}")
            finally:
                trial.close()
            print(f"{name}: {cells[-1]}", file=sys.stderr, flush=True)
    finally:
        cluster.stop()
        shutil.rmtree(cluster.folder, ignore_errors=True)
    return cells


def documented(path):
    """The cells of the table on the page, by row and broker."""
    rows = [line.strip("| \n").split(" | ") for line in open(path, encoding="utf-8") if line.startswith("| ")]
    heads = next((row for row in rows if row[-1] == list(BROKERS)[-1]), [])
    return {
        (row[0], broker): cell
        for row in rows if row[0] in ROWS
        for broker, cell in zip(heads, row[1:])
    }  # fmt: skip


def compare(path, names, columns, began):
    known = documented(path)
    wrong = 0
    for name, cells in zip(names, columns):
        for row, cell in zip(ROWS, cells):
            if known.get((row, name)) != cell:
                wrong += 1
                print(f"FAIL: {row}, {name}: {cell}, the page says {known.get((row, name))}")
    print(f"Ran {len(ROWS) * len(names)} tests in {time.monotonic() - began:.0f}s")
    print(f"FAILED (failures={wrong})" if wrong else "OK")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check")
    parser.add_argument("brokers", nargs="*")
    options = parser.parse_args()
    names = options.brokers or list(BROKERS)
    began = time.monotonic()
    columns = []
    for name in names:
        print(f"== {name}", file=sys.stderr, flush=True)
        columns.append(column(BROKERS[name]))
    print("| | " + " | ".join(names) + " |")
    print("|---|" + "---|" * len(names))
    for row, cells in zip(ROWS, zip(*columns)):
        print(f"| {row} | " + " | ".join(cells) + " |")
    raise SystemExit(1 if options.check and compare(options.check, names, columns, began) else 0)


if __name__ == "__main__":
    main()
