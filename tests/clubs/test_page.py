#!/usr/bin/python3
"""The page on the recommended cluster, through nginx with config/nats/nginx.conf, in Chromium: page.mjs."""

import contextlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from broker import answers
from clusters import CHROOT, HOST, NatsCluster, free_ports
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
        self.cluster = NatsCluster(chroot=bool(CHROOT))
        self.addCleanup(shutil.rmtree, self.cluster.folder)
        self.addCleanup(self.cluster.stop)
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
        host = f"{HOST}:{self.cluster.ports[1]}"
        login = {"host": host, "username": "den", "password_file": self.folder / "password"}

        def connect():
            with contextlib.suppress(OSError, TooLate):
                return Table(
                    self.folder / "table", 1883, "den", self.cluster.ports[2], ("shipahoy/den/#",),
                    version=4, user=("den", "den-1"), mqtt=login,
                )  # fmt: skip

        table = poll(connect, "the cluster", 60)
        self.addCleanup(table.close)
        return table.start()

    def test_a_captain_plays_on_although_the_node_of_the_page_was_killed(self):
        table, port = self.start_table(), self.start_nginx()
        table.new_game()
        address = f"http://{HOST}:{port}/scoreboard.html#table=den&view=captain&user=anna&password=anna-1"
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
