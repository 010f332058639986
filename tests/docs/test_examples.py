"""The Home Assistant example names entities that the table announces, Node-RED's nodes fit together, and
ESPHome publishes what the book says."""
import json
import os
import re
import shutil
import unittest

import pages
import yaml
from pages import BUILD, PROJECT, SCRATCH, read, run
from run_table import Table

DASHBOARD = "docs/examples/home-assistant-dashboard.yaml"
FLOW = "docs/examples/node-red-flow.json"
SHIP = "docs/examples/esphome-ship.yaml"
ENTITY = re.compile(r"\b(?:sensor|binary_sensor|button|event)\.[a-z]\w+")
ACTIONS = {"button.press"}


def slug(text):
    """As Home Assistant makes ids of names."""
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def entities_of(discovery):
    return {f"{entity['platform']}.{slug(discovery['device']['name'] + ' ' + entity['name'])}"
            for entity in discovery["components"].values()}


class HomeAssistant(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        os.makedirs(SCRATCH)
        overlay = os.path.join(SCRATCH, "homeassistant.ini")
        with open(overlay, "w", encoding="utf-8") as file:
            file.write(pages.blocks("docs/examples/README.md", "ini")[0])
        table = Table(PROJECT, BUILD, os.path.join(SCRATCH, "table"), "--config", overlay)
        cls.addClassCleanup(table.end)
        table.hear_all()
        heard = run("mosquitto_sub", "-p", table.port(), "-C", "1", "-W", "30",
                    "-t", "homeassistant/device/+/config")
        cls.announced = entities_of(json.loads(heard.stdout))

    def test_dashboard_is_yaml_with_cards_that_say_what_they_are(self):
        def check(cards):
            for card in cards:
                self.assertIn("type", card)
                check(card.get("cards", []))
        for view in yaml.safe_load(read(DASHBOARD))["views"]:
            check(view["cards"])

    def test_every_entity_of_the_dashboard_is_announced(self):
        used = set(ENTITY.findall(read(DASHBOARD))) - ACTIONS
        self.assertGreater(len(used), 5)
        self.assertEqual(used - self.announced, set())

    def test_every_entity_that_is_announced_is_on_the_dashboard(self):
        self.assertEqual(self.announced - set(ENTITY.findall(read(DASHBOARD))), set())


class NodeRed(unittest.TestCase):
    def test_wires_lead_to_nodes_and_topics_are_those_of_the_contract(self):
        nodes = {node["id"]: node for node in json.loads(read(FLOW))}
        words = read("rules/include/rules/words.h")
        for node in nodes.values():
            for targets in node.get("wires", []):
                self.assertLessEqual(set(targets), set(nodes), node["id"])
            if node["type"].startswith("mqtt ") and node["topic"].startswith("shipahoy/"):
                self.assertRegex(node["topic"], r"^shipahoy/table/(event/\+|score|command/[a-z-]+)$")
            if node["type"] == "switch":
                for rule in node["rules"]:
                    self.assertIn(f'"{rule["v"]}"', words)


class EspHome(unittest.TestCase):
    def test_topics_in_the_book_are_those_that_the_file_publishes(self):
        loader = type("Loader", (yaml.SafeLoader,), {})
        loader.add_constructor("!secret", lambda loader, node: f"secret {node.value}")
        ship = yaml.load(read(SHIP), loader)
        name = ship["esphome"]["name"].replace("${ship}", ship["substitutions"]["ship"])
        sensor = ship["binary_sensor"][0]["name"]
        source = f"mqtt {name}/binary_sensor/{sensor}/state alive={name}/status"
        self.assertIn(f"[piece.{ship['substitutions']['ship']}]\n{sensor} = {source}\n",
                      read("docs/examples/README.md"))


if __name__ == "__main__":
    pages.main()
