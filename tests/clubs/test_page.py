#!/usr/bin/python3
"""The page on a cluster, over websockets, in Chromium: page.mjs.

On NATS with logins and nginx, as docs/clubs.md describes it. RabbitMQ has a retained message on one node only, so
there the page is on the node of its table, and the other node is killed. CLUB names the cluster.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from broker import answers
from clusters import CLUSTERS, HOST, NatsCluster, free_ports
from daemon import ROOT
from table import Table
from waiting import TooLate, poll

NGINX = """daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    include /etc/nginx/mime.types;
    access_log off;
{site}
}}
"""


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.cluster = CLUSTERS[os.environ["CLUB"]]()
        self.addCleanup(shutil.rmtree, self.cluster.folder)
        self.addCleanup(self.cluster.stop)
        self.has_logins = isinstance(self.cluster, NatsCluster)
        if self.has_logins:
            self.cluster.shipahoy_user("setup")
            self.cluster.add_user("den", "table")
            self.cluster.add_user("anna", "captain")
            self.cluster.has_users = True
        self.cluster.start()

    def start_nginx(self):
        (port,) = free_ports(1)
        site = (ROOT / "config/nats/nginx.conf").read_text()
        for node in self.cluster.nodes:
            site = site.replace(f"192.168.1.1{node.number}:9001", f"{HOST}:{node.ws_port}")
        site = site.replace("listen 80 default_server", f"listen {HOST}:{port}")
        site = re.sub("root .*;", f"root {ROOT}/scoreboard/dist;", site)
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, site=site))
        nginx = subprocess.Popen(["/usr/sbin/nginx", "-c", self.folder / "nginx.conf"])
        self.addCleanup(nginx.wait)
        self.addCleanup(nginx.terminate)
        poll(lambda: answers(port), "nginx")
        return port

    def start_table(self):
        (self.folder / "password").write_text("den-1\n")
        login = {"username": "den", "password_file": self.folder / "password"} if self.has_logins else {}
        mqtt = {"host": f"{HOST}:{self.cluster.ports[1]}", **login}

        def connect():
            with contextlib.suppress(OSError, TooLate):
                return Table(
                    self.folder / "table", 1883, "den", self.cluster.ports[2], ("shipahoy/den/#",),
                    version=self.cluster.version, user=("den", "den-1") if login else None, mqtt=mqtt,
                )  # fmt: skip

        table = poll(connect, "the cluster", 60)
        self.addCleanup(table.close)
        return table.start()

    def address(self):
        base = f"http://{HOST}:{self.start_nginx()}/scoreboard.html#table=den&view=captain"
        if self.has_logins:
            return f"{base}&user=anna&password=anna-1"
        return f"{base}&broker=ws://{HOST}:{self.cluster.nodes[1].ws_port}/mqtt"

    def test_a_captain_plays_on_although_a_node_was_killed(self):
        """With nginx it is the node of the page."""
        table, address = self.start_table(), self.address()
        table.new_game()
        page = subprocess.Popen(
            ["node", ROOT / "tests/clubs/page.mjs", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(page.communicate)
        self.addCleanup(page.kill)
        self.assertEqual(page.stdout.readline(), "sees the table\n")
        self.assertEqual(page.stdout.readline(), "has played\n")
        table.await_said("state", lambda it: it["phase"] == "moving")
        self.cluster.nodes[0].kill()
        page.stdin.write("\n")
        page.stdin.flush()
        self.assertEqual(page.stdout.readline(), "has played on\n")
        table.await_said("state", lambda it: it["phase"] == "combat")
        self.assertEqual(page.wait(60), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
