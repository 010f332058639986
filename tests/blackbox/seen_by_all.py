#!/usr/bin/python3
"""What all tests of the black box have seen together: it fits the schemas, and nothing is missing.

Runs after them, on the files that harness.py has left in BLACKBOX_SEEN.
"""

import json
import os
import pathlib
import sys
import unittest

from daemon import ROOT

sys.path.append(str(ROOT / "tests" / "tools"))

import validate_messages  # noqa: E402

SCHEMAS = ROOT / "docs" / "schemas"
WORDS = json.loads((SCHEMAS / "words.json").read_text("utf-8"))["definitions"]
VERBS = json.loads((SCHEMAS / "command.json").read_text("utf-8"))["definitions"]
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
        self.nothing_missing(subjects, [path.stem for path in FILES])

    def test_every_message_fits_its_schema(self):
        validator = validate_messages.Validator()
        wrong = []
        count = 0
        for topic, payload, *_ in seen():
            match = validate_messages.TOPIC.search(topic)
            if topic == "asked" or topic.startswith("homeassistant/"):
                continue
            count += 1
            problems = (
                validator.problems(match["plain"] or match["kind"], match["name"], payload)
                if match
                else ["no such topic"]
            )
            wrong += [f"{topic} {payload}: {problem}" for problem in problems]
        print(f"{count} different messages")
        self.assertEqual(wrong, [])
        self.assertGreater(count, 0)

    def test_every_event_was_seen(self):
        names = [topic.partition("/")[2] for topic, *_ in seen() if topic.startswith("event/")]
        self.nothing_missing(WORDS["event"]["enum"], names)

    def test_every_refusal_was_seen(self):
        codes = {json.loads(payload).get("error") for topic, payload, *_ in seen() if topic == "reply"}
        self.nothing_missing(WORDS["refusal"]["enum"], codes)

    def test_every_verb_was_accepted_and_refused(self):
        asked = [fields for topic, *fields in seen() if topic == "asked"]
        self.nothing_missing(VERBS, [verb for verb, result in asked if result == "ok"])
        self.nothing_missing(VERBS, [verb for verb, result in asked if result != "ok"])

    def test_every_health_of_a_simulated_sensor_was_seen(self):
        healths = {
            json.loads(payload)["health"]
            for topic, payload, *_ in seen()
            if topic.startswith("sensor/")
        }
        self.nothing_missing(("ok", "stuck", "chattering"), healths)


if __name__ == "__main__":
    unittest.main(verbosity=2)
