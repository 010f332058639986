"""Brokers other than mosquitto, each in a folder of its own, on loopback."""

import os
import shutil
import signal
import subprocess

from broker import Broker, answers
from waiting import Deadline, poll

START_S = 120  # RabbitMQ takes 8 s, and much longer on a busy machine


def program(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")


class Nats(Broker):
    """JetStream keeps the sessions and retained messages of its MQTT clients."""

    def start(self):
        settings = self.folder / "nats.conf"
        settings.write_text(
            "server_name: trial\n"
            f'host: 127.0.0.1\nport: {self.tls_port}\njetstream {{ store_dir: "{self.folder}" }}\n'
            f"mqtt {{ host: 127.0.0.1, port: {self.port} }}\n"
        )
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [program("nats-server"), "-c", settings], stdout=log, stderr=log
            )
        self.await_port()

    def await_port(self):
        poll(
            lambda: self.process.poll() is not None or answers(self.port), "the broker", START_S
        )
        if self.process.poll() is not None:
            raise ChildProcessError(self.log_path.read_text())


class Rabbit(Nats):
    """A node and the port mapper (epmd) that it needs, both of its own."""

    SETTINGS = (
        "listeners.tcp = none\n"
        "mqtt.listeners.tcp.1 = 127.0.0.1:{port}\n"
        "mqtt.allow_anonymous = true\n"
        "distribution.listener.interface = 127.0.0.1\n"
        "log.console = true\n"
    )

    def __init__(self, folder):
        self.mapper = None
        super().__init__(folder)

    def environment(self):
        return os.environ | {
            "HOME": str(self.folder),  # the cookie
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self.ws_port),
            "RABBITMQ_NODENAME": "trial@localhost",
            "RABBITMQ_DIST_PORT": str(self.tls_port),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self.folder / "log"),
            "RABBITMQ_LOGS": "-",
            # So that the script becomes the node instead of waiting for it: one process, one pid.
            "RABBITMQ_ALLOW_INPUT": "1",
            "RABBITMQ_SERVER_START_ARGS": "-noinput",
        }

    def start(self):
        (self.folder / "rabbitmq.conf").write_text(self.SETTINGS.format(port=self.port))
        (self.folder / "enabled_plugins").write_text("[rabbitmq_mqtt].\n")
        with open(self.log_path, "ab") as log:
            if not self.mapper or self.mapper.poll() is not None:
                self.mapper = subprocess.Popen(
                    [program("epmd")], env=self.environment(), stdout=log, stderr=log
                )
            poll(lambda: answers(self.ws_port), "the port mapper")
            self.process = subprocess.Popen(
                # Not the one in /usr/sbin, which wants to be another user.
                ["/usr/lib/rabbitmq/bin/rabbitmq-server"],
                env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self.await_port()

    def stop(self, how=signal.SIGTERM):
        super().stop(how)
        if how == signal.SIGTERM:
            self.mapper.terminate()
            self.mapper.wait(Deadline("the end of the port mapper").left())
