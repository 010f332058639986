"""Clusters of brokers on loopback: three nodes each, in folders of their own, ended by their pids.

A cluster that is in Debian 13 only runs in a chroot (CLUBS_CHROOT, made by run.sh). Its folders are
inside that chroot, so that one path means the same file to the node and to the test.
"""

import contextlib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile

import paho.mqtt.client as paho
from broker import answers
from daemon import ROOT
from waiting import Deadline, TooLate, poll

START_S = 180  # RabbitMQ takes 20 s, and much longer on a busy machine
CONNECT_S = 30
ANSWER_S = 10  # NATS gives up after four
NODES = 3
HOST = "127.0.0.1"
CHROOT = os.environ.get("CLUBS_CHROOT", "")
PORTS = range(20000, 32768)

given_ports = set()


def is_free(port):
    with contextlib.suppress(OSError), socket.create_server((HOST, port)):
        return True
    return False


def free_ports(count):
    """Each once, and none of those that the kernel gives to connections: these could take it before its node does."""
    ports = []
    while len(ports) < count:
        port = random.choice(PORTS)
        if port not in given_ports and is_free(port):
            given_ports.add(port)
            ports.append(port)
    return ports


def connects(node, user=None):
    client = paho.Client(protocol=paho.MQTTv311)
    if user:
        client.username_pw_set(*user)
    with contextlib.suppress(OSError):
        client.connect(node.host, node.port)
        while client.loop(ANSWER_S) == 0 and not client.is_connected():
            pass
    is_connected = client.is_connected()
    client.disconnect()
    return is_connected


class Node:
    """One broker of a cluster: port is MQTT, ws_port MQTT over websockets."""

    def __init__(self, cluster, number):
        self.cluster = cluster
        self.number = number
        self.name = f"node{number}"
        self.port, self.ws_port, self.client_port, self.cluster_port = free_ports(4)
        self.folder = cluster.folder / self.name
        self.folder.mkdir()
        self.log_path = self.folder / "log"
        self.host = HOST
        self.prefix = []  # of its command
        self.process = None

    @property
    def inside(self):
        """Its folder, as the node itself sees it."""
        return self.cluster.inside(self.folder)

    def launch(self):
        """Starts it and does not wait."""
        command, environment = self.cluster.command(self)
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                self.prefix + self.cluster.enter(command), env=os.environ | environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def await_port(self):
        def is_up_or_ended():
            return self.process.poll() is not None or self.is_listening()

        poll(is_up_or_ended, f"{self.name}, see {self.log_path}", START_S)
        if self.process.poll() is not None:
            raise ChildProcessError(self.log_path.read_text(errors="replace"))

    def is_listening(self):
        return answers(self.port) and (not self.cluster.has_websockets or answers(self.ws_port))

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, how)  # its session: a node may have helpers
        if self.process:
            self.process.wait(Deadline(f"the end of {self.name}", START_S).left())

    def kill(self):
        self.stop(signal.SIGKILL)


class Cluster:
    """Given chroot = True, the programs are those of Debian 13."""

    has_websockets = True
    node_of_retained = 1  # where a table on the first node is found: on RabbitMQ only there
    version = 4  # of MQTT: 4 is 3.1.1

    def __init__(self, chroot=False, nodes=NODES):
        self.root = CHROOT if chroot else ""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-club-", dir=self.root + "/tmp"))
        self.nodes = [Node(self, number + 1) for number in range(nodes)]

    def inside(self, path):
        return pathlib.Path("/") / path.relative_to(self.root or "/")

    def enter(self, command):
        """A node does not outlive its test, however that ends."""
        root = ["chroot", self.root] if self.root else []
        return ["setpriv", "--pdeathsig", "KILL", *root, *map(str, command)]

    def run(self, command, environment):
        return subprocess.run(
            self.enter(command), env=os.environ | environment, check=False, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=START_S,
        )  # fmt: skip

    def launch_all(self):
        for node in self.nodes:
            node.launch()

    def start(self):
        self.launch_all()
        for node in self.nodes:
            node.await_port()
        self.await_ready()
        return self

    def stop(self):
        """Nothing of it is needed afterwards, so it is not asked to end in good order."""
        for node in self.nodes:
            node.kill()

    @property
    def ports(self):
        return [node.port for node in self.nodes]

    @property
    def hosts(self):
        """For [mqtt] host."""
        return ", ".join(f"{HOST}:{port}" for port in self.ports)


class NatsCluster(Cluster):
    """With the configuration that is installed, but for its addresses, and without users at first."""

    program = "/usr/sbin/nats-server"

    def __init__(self, chroot=False, nodes=NODES):
        super().__init__(chroot, nodes)
        self.has_users = False
        self.user = None  # any one of them
        self.is_old = not chroot  # 2.9 of Debian 12

    def configuration(self, node):
        text = (ROOT / "config/nats/shipahoy.conf").read_text()
        routes = "".join(
            f'"nats://node:change-this-password@{it.host}:{it.cluster_port}"\n' for it in self.nodes
        )
        for old, new in (
            ("server_name: node1", f"server_name: {node.name}"),
            ("port: 4222", f"port: {node.client_port}"),
            ("store_dir: /var/lib/nats", f'store_dir: "{node.inside}/store"'),
            ("port: 6222", f"host: {node.host}, port: {node.cluster_port}"),
            ("port: 1883", f"host: {node.host}, port: {node.port}"),
            ("port: 9001", f"host: {node.host}, port: {node.ws_port}"),
            ("include shipahoy-users.conf", "include ../users/shipahoy-users.conf"),
            ('sync_interval: "2s"', "" if self.is_old else 'sync_interval: "2s"'),
        ):
            assert old in text, old
            text = text.replace(old, new)
        text = re.sub(r"routes: \[[^]]*]", f"routes: [\n{routes}]", text)
        return text if self.has_users else text.partition("authorization {\n    include")[0]

    def shipahoy_user(self, *words):
        """The users are in a folder that all nodes share, as if it were copied to them."""
        folder = self.folder / "users"
        folder.mkdir(exist_ok=True)
        return subprocess.run(
            ["sh", ROOT / "config/mosquitto/shipahoy-user.sh", "--cluster", "--broker", folder,
             "--config", os.devnull, *words],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def add_user(self, name, role, *topics):
        """Its name and password; a node knows it after reload()."""
        done = self.shipahoy_user("--password", f"{name}-1", "add", name, role, *topics)
        assert done.returncode == 0, done
        self.user = name, f"{name}-1"
        return self.user

    def reload(self):
        for node in self.nodes:
            before = node.log_path.read_text(errors="replace").count("Reloaded server config")
            node.process.send_signal(signal.SIGHUP)
            poll(
                lambda: node.log_path.read_text(errors="replace").count("Reloaded server config")  # noqa: B023
                > before,  # noqa: B023
                "the configuration to be read",
            )

    def command(self, node):
        (node.folder / "nats.conf").write_text(self.configuration(node))
        return [self.program, "-c", node.inside / "nats.conf"], {}

    def launch_all(self):
        """One after the other, as a person would."""
        for node in self.nodes:
            node.launch()
            poll(lambda: answers(node.cluster_port), f"{node.name}, see {node.log_path}", START_S)  # noqa: B023

    def await_ready(self):
        """Of three new nodes, one sometimes does not hear another, and nobody can connect. docs/clubs.md has the remedy:
        to restart them one after the other.
        """
        for node in self.nodes:
            if self.accepts_clients():
                return
            print(f"{node.name} is restarted, because nobody can connect: {self.folder}", file=sys.stderr)
            node.stop()
            node.launch()
            node.await_port()
        assert self.accepts_clients(), self.folder

    def accepts_clients(self):
        with contextlib.suppress(TooLate):
            for node in self.nodes:
                poll(lambda: connects(node, self.user), "a connection", CONNECT_S)  # noqa: B023
            return True
        return False


class RabbitCluster(Cluster):
    """Sessions are quorum queues. The nodes share a port mapper (epmd) of their own."""

    program = "/usr/lib/rabbitmq/bin/rabbitmq-server"
    node_of_retained = 0

    def __init__(self, chroot=False, nodes=NODES):
        super().__init__(chroot, nodes)
        self.version = 5 if chroot else 4
        (self.epmd_port,) = free_ports(1)
        self.mapper = None
        cookie = self.folder / ".erlang.cookie"
        cookie.write_text("club")
        cookie.chmod(0o400)

    def configuration(self, node):
        peers = "".join(
            f"cluster_formation.classic_config.nodes.{it.number} = {it.name}@localhost\n"
            for it in self.nodes
        )
        return f"""
listeners.tcp = none
mqtt.listeners.tcp.1 = {HOST}:{node.port}
mqtt.allow_anonymous = true
mqtt.durable_queue_type = quorum
web_mqtt.tcp.ip = {HOST}
web_mqtt.tcp.port = {node.ws_port}
web_mqtt.ws_path = /mqtt
distribution.listener.interface = {HOST}
cluster_formation.peer_discovery_backend = classic_config
cluster_partition_handling = pause_minority
{peers}log.console = true
"""

    def environment(self, node):
        return {
            "HOME": str(self.inside(self.folder)),
            "ERL_EPMD_ADDRESS": HOST,
            "ERL_EPMD_PORT": str(self.epmd_port),
            "RABBITMQ_NODENAME": f"{node.name}@localhost",
            "RABBITMQ_DIST_PORT": str(node.cluster_port),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_CONFIG_FILE": str(node.inside / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(node.inside / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(node.inside / "mnesia"),
            "RABBITMQ_LOG_BASE": str(node.inside / "logs"),
            "RABBITMQ_LOGS": "-",
            # So that the script becomes the node instead of waiting for it: one process, one pid.
            "RABBITMQ_ALLOW_INPUT": "1",
            "RABBITMQ_SERVER_START_ARGS": "-noinput",
        }

    def command(self, node):
        (node.folder / "rabbitmq.conf").write_text(self.configuration(node))
        (node.folder / "enabled_plugins").write_text("[rabbitmq_mqtt,rabbitmq_web_mqtt].\n")
        return [self.program], self.environment(node)

    def start(self):
        self.mapper = subprocess.Popen(
            self.enter(["epmd"]), env=os.environ | self.environment(self.nodes[0]),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        poll(lambda: answers(self.epmd_port), "the port mapper")
        return super().start()

    def ctl(self, node, *arguments):
        return self.run(
            ["/usr/lib/rabbitmq/bin/rabbitmqctl", "--node", f"{node.name}@localhost", *arguments],
            self.environment(node),
        )

    def await_ready(self):
        def is_whole():
            said = self.ctl(self.nodes[0], "cluster_status", "--formatter", "json").stdout
            running = said.partition('"running_nodes":[')[2].partition("]")[0]
            return all(node.name in running for node in self.nodes)

        poll(is_whole, "all nodes in the cluster", START_S)

    def stop(self):
        super().stop()
        self.mapper.kill()
        self.mapper.wait()


CLUSTERS = {
    "NATS 2.9": NatsCluster,
    "NATS 2.10": lambda: NatsCluster(chroot=True),
    "RabbitMQ 3.10": RabbitCluster,
    "RabbitMQ 4.0": lambda: RabbitCluster(chroot=True),
}
