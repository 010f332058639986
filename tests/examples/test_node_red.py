"""The Node-RED example in a real Node-RED: test_node_red.py PROJECT BUILD_DIR PLACE.

PLACE has the node_modules; everything listens on loopback.
"""
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import time
import unittest
import urllib.request

from run_table import Table

PROJECT, BUILD, PLACE = sys.argv[1:4]
FLOW = f"{PROJECT}/docs/examples/node-red-flow.json"
START_S = 60
ANSWER_S = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class NodeRed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = os.path.join(PLACE, "run")
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        cls.table = Table(PROJECT, BUILD, os.path.join(scratch, "table"))
        cls.addClassCleanup(cls.table.end)
        cls.table.hear_all()
        cls.web = free_port()
        cls.start_node_red(scratch)

    @classmethod
    def start_node_red(cls, scratch):
        """With the example as it is, but at the port of our broker."""
        with open(FLOW, encoding="utf-8") as file:
            flow = json.load(file)
        for node in flow:
            if node["type"] == "mqtt-broker":
                node.update(broker="127.0.0.1", port=cls.table.port())
        with open(f"{scratch}/flows.json", "w", encoding="utf-8") as file:
            json.dump(flow, file)
        with open(f"{scratch}/settings.js", "w", encoding="utf-8") as file:
            file.write("module.exports = {flowFile: 'flows.json', uiHost: '127.0.0.1', "
                       f"uiPort: {cls.web}, telemetry: {{enabled: false}}}};\n")
        with open(f"{scratch}/node-red.log", "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [f"{PLACE}/node_modules/.bin/node-red", "--userDir", scratch], stdout=log, stderr=log)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.terminate)
        cls.log = f"{scratch}/node-red.log"
        cls.wait_for_log("Connected to broker")

    @classmethod
    def wait_for_log(cls, words):
        ends = time.monotonic() + START_S
        while True:
            with open(cls.log, encoding="utf-8") as file:
                said = file.read()
            if words in said:
                return
            assert time.monotonic() < ends, said
            time.sleep(0.1)

    def ask(self, path, method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.web}{path}", method=method)
        with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
            return answer.status, answer.read().decode()

    def play(self, *words):
        return subprocess.run(
            [f"{BUILD}/daemon/ctl/shipahoyctl", "--config", f"{self.table.directory}/table.ini", *words],
            capture_output=True, text=True, check=True).stdout

    def wait_for_score(self, claim):
        ends = time.monotonic() + ANSWER_S
        while not claim(score := json.loads(self.ask("/shipahoy/score")[1] or "{}")):
            self.assertLess(time.monotonic(), ends, score)
            time.sleep(0.1)

    def test_a_turn_is_announced_as_a_sentence(self):
        with subprocess.Popen(["mosquitto_sub", "-p", self.table.port(), "-t", "announce/shipahoy"],
                              stdout=subprocess.PIPE, text=True) as listener:
            # Events are not retained: games begin until both sides have subscribed.
            for _ in range(ANSWER_S):
                self.play("send", "new-game", "first=2", "abandon=true")
                if select.select([listener.stdout], [], [], 1)[0]:
                    break
            listener.terminate()
            self.assertEqual(listener.stdout.readline().strip(), "It is Player 2's turn.")

    def test_the_score_is_answered_as_it_stands(self):
        self.play("send", "new-game", "first=1", "abandon=true")
        self.play("send", "fire")
        self.play("send", "topple", "piece=blue-tower")
        self.wait_for_score(lambda score: score["scores"][0]["score"] == 2)

    def test_the_button_ends_the_step(self):
        self.play("send", "new-game", "first=1", "abandon=true")
        self.wait_for_score(lambda score: score["phase"] == "shooting")
        self.assertEqual(self.ask("/shipahoy/end-step", "POST")[0], 202)
        self.wait_for_score(lambda score: score["phase"] == "moving")


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{max(result.testsRun - failed, 0)} passed, {failed} failed")
    sys.exit(failed > 0)
