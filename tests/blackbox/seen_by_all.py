#!/usr/bin/python3
"""What all tests of the black box have seen together: it fits the schemas, and nothing is missing.

Runs after them, on the files that harness.py has left in BLACKBOX_SEEN.
"""

import json
import os
import pathlib
import re
import sys
import unittest

from daemon import ROOT

sys.path.append(str(ROOT / "tests" / "tools"))

import validate_messages  # noqa: E402

SCHEMAS = ROOT / "docs" / "schemas"
WORDS = json.loads((SCHEMAS / "words.json").read_text("utf-8"))["definitions"]
VERBS = json.loads((SCHEMAS / "command.json").read_text("utf-8"))["definitions"]

# Messages that differ in these alone, each of the right form, are alike to every schema.
COUNTED = re.compile(
    r'"(?:seq|turn|edges|at_us|width_us|settle_us|bounces)":(?:[1-9]\d*)(?=[,}])'
    r'|"(?:at|since)":"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z"'
    r'|"game":"[\w-]+"|"id":"\d+-\d+"'
)

RELEASE_ONLY = {"test_other_brokers"}

FILES = sorted(pathlib.Path(os.environ["BLACKBOX_SEEN"]).glob("*.txt"))


def seen():
    for path in FILES:
        for line in path.read_text("utf-8").splitlines():
            yield line.split("\t")


class SeenByAll(unittest.TestCase):
    def nothing_missing(self, expected, reached):
        self.assertEqual(sorted(set(expected) - set(reached)), [], "never reached")

    def test_every_test_of_the_black_box_has_left_its_messages(self):
        subjects = [path.stem for path in pathlib.Path(__file__).parent.glob("test_*.py")]
        self.nothing_missing(set(subjects) - RELEASE_ONLY, [path.stem for path in FILES])

    def test_every_message_fits_its_schema(self):
        validator = validate_messages.Validator()
        kinds = {}
        for topic, payload, *_ in seen():
            if topic != "asked" and not topic.startswith("homeassistant/"):
                kinds[topic, COUNTED.sub("", payload)] = payload
        wrong = []
        for (topic, _), payload in kinds.items():
            match = validate_messages.TOPIC.search(topic)
            problems = (
                validator.problems(match["plain"] or match["kind"], match["name"], payload)
                if match
                else ["no such topic"]
            )
            wrong += [f"{topic} {payload}: {problem}" for problem in problems]
        print(f"{len(kinds)} kinds of messages", end=" ")
        self.assertEqual(wrong, [])
        self.assertGreater(len(kinds), 0)

    def test_every_event_was_seen(self):
        names = [topic.partition("/")[2] for topic, *_ in seen() if topic.startswith("event/")]
        self.nothing_missing(WORDS["event"]["enum"], names)

    def test_every_refusal_was_seen(self):
        replies = [payload for topic, payload, *_ in seen() if topic == "reply"]
        codes = {json.loads(payload).get("error") for payload in replies}
        self.nothing_missing(WORDS["refusal"]["enum"], codes)

    def test_every_verb_was_accepted_and_refused(self):
        asked = [fields for topic, *fields in seen() if topic == "asked"]
        self.nothing_missing(VERBS, [verb for verb, result in asked if result == "ok"])
        self.nothing_missing(VERBS, [verb for verb, result in asked if result != "ok"])

    def test_every_health_of_a_simulated_sensor_was_seen(self):
        healths = {
            json.loads(payload)["health"]
            for topic, payload, *_ in seen()
            if topic.startswith("sensor/") and payload  # without one, a sensor was removed
        }
        self.nothing_missing(("ok", "stuck", "chattering"), healths)


if __name__ == "__main__":
    unittest.main(verbosity=2)
