"""The broker as shipahoy-user sets it up: a login and a role for everybody but this machine."""

import os
import re
import subprocess

import paho.mqtt.client as paho
from broker import Broker
from daemon import ROOT
from harness import Shared
from waiting import poll

SCRIPT = ROOT / "config/mosquitto/shipahoy-user.sh"


def shipahoy_user_command(folder, *words):
    """The broker's configuration is in this folder, and that of the web server in one below it."""
    (folder / "web/conf.d").mkdir(parents=True, exist_ok=True)
    return ["sh", SCRIPT, "--broker", folder, "--web", folder / "web", "--config", os.devnull, *words]


def shipahoy_user(*words, folder=None, **environment):
    return subprocess.run(
        shipahoy_user_command(folder or Shared.folder / "broker", *words),
        capture_output=True, text=True, check=False, env=os.environ | environment,
    )  # fmt: skip


class RoleBroker(Broker):
    """With the drop-in that is installed, but for its ports."""

    def configuration(self):
        (self.folder / "conf.d").mkdir(exist_ok=True)
        # The file of an earlier start would be at odds with the drop-in.
        (self.folder / "mosquitto.conf").unlink(missing_ok=True)
        done = shipahoy_user("setup", folder=self.folder)
        assert done.returncode == 0, done
        text = (self.folder / "conf.d/shipahoy.conf").read_text()
        text = text.replace("listener 1883 ", f"listener {self.port} ")
        text = text.replace("listener 9001", f"listener {self.ws_port}")
        return text + ("user root\n" if os.geteuid() == 0 else "") + "log_type all\n"


def login(name, password):
    """The code of the broker's answer; 0 is welcome."""
    codes = []
    client = paho.Client(protocol=paho.MQTTv311, transport="websockets")
    client.on_connect = lambda _client, _context, _flags, code: codes.append(code)
    if name:
        client.username_pw_set(name, password)
    client.connect("127.0.0.1", Shared.broker.ws_port)
    poll(lambda: client.loop(0.05) is None or codes, "an answer to the login")
    client.disconnect()
    return codes[0]


def add_user(name, role, *topics):
    """Its name and password, once the broker knows them."""
    added = shipahoy_user("add", name, role, *topics)
    assert added.returncode == 0, added.stderr
    shown = re.search(r"password[= ]([^&\n]+)", added.stdout)[1]
    password = shown.rstrip(".")
    Shared.broker.reload()
    poll(lambda: login(name, password) == 0, "the new user to be known")
    return name, password
