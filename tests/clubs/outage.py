#!/usr/bin/python3
"""How long an event takes when the node of its table fails. See --help.

Each node is in a network namespace of its own, on one bridge, so that it can vanish as well as be killed.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import paho.mqtt.client as paho
from clusters import START_S, NatsCluster, connects
from daemon import Daemon
from sensors import Sensors
from table import settings
from waiting import poll

EPILOG = """
A node fails, each in turn; the table that is connected to it gets an input at the same moment. Measured is the time until
the event of that input has reached subscribers on both other nodes: at QoS 0, as the page and the logbook, and at QoS
1 with a persistent session. Then the node comes back, and the table starts at the next one."""

NAME = f"club{os.getpid() % 10000}"
NETWORK = "198.51.100"  # a block for documentation: in nobody's network
ARRIVAL_S = 120
BACK_S = 15  # for a node to get what it lacks
EVENT = "shipahoy/den/event/+"
WAYS = ("killed", "vanished")


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class SpreadCluster(NatsCluster):
    """NATS 2.10; node n has the address NETWORK.n, and the tables and subscribers are at NETWORK.254."""

    def __init__(self):
        super().__init__(chroot=True)
        ip("link", "add", NAME, "type", "bridge")
        ip("address", "add", f"{NETWORK}.254/24", "dev", NAME)
        ip("link", "set", NAME, "up")
        for node in self.nodes:
            node.host = f"{NETWORK}.{node.number}"
            node.link = f"{NAME}-{node.number}"
            node.prefix = ["ip", "netns", "exec", node.link]
            ip("netns", "add", node.link)
            ip("link", "add", node.link, "type", "veth", "peer", "name", "eth0", "netns", node.link)
            ip("link", "set", node.link, "master", NAME, "up")
            ip("-netns", node.link, "address", "add", f"{node.host}/24", "dev", "eth0")
            for link in ("eth0", "lo"):
                ip("-netns", node.link, "link", "set", link, "up")

    def launch_all(self):
        for node in self.nodes:
            node.launch()
            time.sleep(1)  # one after the other

    def start(self):
        self.launch_all()
        self.await_ready()
        return self

    def stop(self):
        super().stop()
        for node in self.nodes:
            ip("netns", "delete", node.link)
        ip("link", "delete", NAME)
        shutil.rmtree(self.folder)


class Subscriber:
    """On one node, for ever. Notes when the events came first."""

    def __init__(self, node, qos):
        self.arrived = {}
        self.is_subscribed = False
        self.client = paho.Client(f"at-{node.name}-{qos}", clean_session=qos == 0, protocol=paho.MQTTv311)
        self.client.on_connect = lambda *_: self.client.subscribe(EVENT, qos)
        self.client.on_message = lambda _client, _context, it: self.arrived.setdefault(it.payload, time.monotonic())
        self.client.on_subscribe = lambda *_: setattr(self, "is_subscribed", True)
        self.client.reconnect_delay_set(1, 1)
        self.client.connect(node.host, node.port, keepalive=5)
        self.client.loop_start()


class Table:
    def __init__(self, folder, hosts):
        self.daemon = Daemon(folder, settings("den", 1883, folder, mqtt={"host": hosts}, game={"autostart": "yes"}, **{"button.end": {"command": "end-phase"}}))
        self.daemon.start()
        poll(lambda: f"{hosts.partition(',')[0]}: connected" in self.daemon.log(), "the table", START_S)
        self.sensors = Sensors(folder / "sim.sock")

    def close(self):
        self.daemon.terminate()


def fail(node, how):
    if how == "killed":
        node.kill()
    else:
        ip("link", "set", node.link, "down")


def come_back(node, how):
    if how == "killed":
        node.launch()
    else:
        ip("link", "set", node.link, "up")
    poll(lambda: connects(node), node.name, START_S)
    time.sleep(BACK_S)


def measure(cluster, place, how, folder):
    """Seconds until the event was at both other nodes, by QoS."""
    nodes = cluster.nodes[place:] + cluster.nodes[:place]
    table = Table(folder, ", ".join(f"{it.host}:{it.port}" for it in nodes))
    subscribers = {qos: [Subscriber(node, qos) for node in nodes[1:]] for qos in (0, 1)}
    everyone = [it for some in subscribers.values() for it in some]
    poll(lambda: all(it.is_subscribed for it in everyone), "the subscribers", START_S)
    table.sensors.press("button.end")
    poll(lambda: all(it.arrived for it in everyone), "a first event", ARRIVAL_S)
    time.sleep(1)
    marks = [len(it.arrived) for it in everyone]
    fail(nodes[0], how)
    failed = time.monotonic()
    table.sensors.press("button.end")
    poll(lambda: all(len(it.arrived) > mark for it, mark in zip(everyone, marks)), "the event", ARRIVAL_S)
    found = {
        qos: max(list(it.arrived.values())[marks[everyone.index(it)]] - failed for it in some)
        for qos, some in subscribers.items()
    }
    for it in everyone:
        it.client.disconnect()
        it.client.loop_stop()
    table.close()
    come_back(nodes[0], how)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EPILOG)
    parser.add_argument("--times", type=int, default=12, help="how often each way of failing is tried (12)")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="of failing (all)")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-outage-"))
    cluster = SpreadCluster()
    try:
        cluster.start()
        print("| the node | times | QoS | median | longest | all, s | load |\n|---|---|---|---|---|---|---|")
        for how in options.ways:
            (folder / how).mkdir()
            found = [measure(cluster, i % len(cluster.nodes), how, folder / how / str(i)) for i in range(options.times)]
            for qos in (0, 1):
                times = sorted(it[qos] for it in found)
                every = " ".join(f"{it:.1f}" for it in times)
                print(f"| {how} | {len(times)} | {qos} | {statistics.median(times):.1f} s | {times[-1]:.1f} s | {every} | {os.getloadavg()[0]:.1f} |", flush=True)
    finally:
        cluster.stop()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
