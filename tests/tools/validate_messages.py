#!/usr/bin/python3
"""Validates messages against docs/schemas.

Reads lines of TOPIC<tab>PAYLOAD from the files named, or from standard input. A topic may have any
base before its name (shipahoy/den/event/aimed, event/aimed). Prints every message that does not fit
and ends with 1 if there was one, or if there was no message at all.

Commands and simulated edges are what others say to the daemon, and may be wrong on purpose: they
are validated with --commands only. Topics of Home Assistant have their own definition elsewhere.
"""

import fileinput
import json
import pathlib
import re
import sys

import jsonschema

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schemas"

TOPIC = re.compile(
    r"(?:^|/)(?:(?P<plain>status|info|state|choices|score|ready|rope|reply|pairing|homeassistant)"
    r"|(?P<kind>event|sensor|command|sim)/(?P<name>[^. ]+))$"
)


def bundle():
    """All schemas as definitions of one, so that references between files need no resolver."""
    files = {path.stem: json.loads(path.read_text("utf-8")) for path in SCHEMAS.glob("*.json")}
    for schema in files.values():
        jsonschema.Draft7Validator.check_schema(schema)

    def local(node, stem):
        if isinstance(node, list):
            return [local(item, stem) for item in node]
        if not isinstance(node, dict):
            return node
        node = {key: local(value, stem) for key, value in node.items() if key != "$schema"}
        if isinstance(node.get("$ref"), str):
            file, _, pointer = node["$ref"].partition("#")
            node["$ref"] = f"#/definitions/{file[:-len('.json')] or stem}{pointer}"
        return node

    return {stem: local(schema, stem) for stem, schema in files.items()}


class Validator:
    def __init__(self):
        self.definitions = bundle()
        self.by_pointer = {}

    def errors(self, pointer, value):
        if pointer not in self.by_pointer:
            schema = {"$ref": f"#/definitions/{pointer}", "definitions": self.definitions}
            self.by_pointer[pointer] = jsonschema.Draft7Validator(schema)
        return [
            f"{'/'.join(map(str, error.absolute_path)) or 'payload'}: {error.message}"
            for error in self.by_pointer[pointer].iter_errors(value)
        ]

    def problems(self, kind, name, payload):
        """What is wrong with a payload; an empty list if nothing is."""
        if kind == "status":
            return self.errors(kind, payload)
        if kind == "sensor" and not payload:
            return []  # it is not configured any more
        try:
            value = json.loads(payload) if payload or kind != "command" else {}
        except ValueError as error:
            return [f"payload: {error}"]
        if kind == "command":
            if name not in self.definitions["command"]["definitions"]:
                return [f"topic: there is no command {name}"]
            return self.errors(f"command/definitions/{name}", value)
        problems = self.errors("event" if kind == "homeassistant" else kind, value)
        if kind == "event" and not problems and value["event_type"] != name:
            problems.append(f"event_type: {value['event_type']} on the topic of {name}")
        return problems


def main(arguments):
    commands = "--commands" in arguments
    files = [argument for argument in arguments if argument != "--commands"]
    validator = Validator()
    seen = wrong = 0
    for line in fileinput.input(files, openhook=fileinput.hook_encoded("utf-8")):
        topic, _, payload = line.rstrip("\n").partition("\t")
        match = TOPIC.search(topic)
        kind = match and (match["plain"] or match["kind"])
        if topic.startswith("homeassistant/") or (kind in ("command", "sim") and not commands):
            continue
        seen += 1
        problems = (
            validator.problems(kind, match["name"], payload) if match else ["no such topic"]
        )
        wrong += bool(problems)
        for problem in problems:
            print(f"{fileinput.filelineno()}: {topic}: {problem}")
    print(f"{seen} messages, {wrong} wrong")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
