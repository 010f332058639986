#!/usr/bin/python3
"""Checks that docs/schemas agree with the lists of the program, which print_words writes to stdin."""

import json
import pathlib
import sys

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schemas"


def load(name):
    return json.loads((SCHEMAS / name).read_text("utf-8"))


def fields_of(schema):
    return sorted(schema.get("properties", {})), sorted(schema.get("required", []))


def main():
    program = json.load(sys.stdin)
    problems = []

    def compare(name, schema, expected):
        if schema != expected:
            problems.append(f"{name}: {schema} in the schema, {expected} in the program")

    definitions = load("words.json")["definitions"]
    for name, words in program["words"].items():
        compare(name, definitions[name]["enum"], words)
    rows = load("event.json")["allOf"]
    compare("events", [row["if"]["properties"]["event_type"]["const"] for row in rows], list(program["events"]))
    for row, (name, fields) in zip(rows, program["events"].items()):
        # The speed is there only where it was measured.
        compare(name, fields_of(row["then"]), (sorted(fields), sorted(set(fields) - {"speed_mps"})))
    commands = load("command.json")["definitions"]
    compare("commands", sorted(commands), sorted([*program["commands"], "start-game", "pair", "unpair"]))
    for name, command in program["commands"].items():
        del commands[name]["properties"]["id"]
        if name != "new-game":  # whose fields are a setup's
            compare(name, fields_of(commands[name]), (sorted(command["fields"]), sorted(command["needs"])))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
