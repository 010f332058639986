#!/usr/bin/python3
"""Checks that docs/asyncapi.yaml and docs/schemas fit together.

Every reference leads somewhere, every schema is used, and every command of command.json has a
channel of its own. Prints what is wrong and ends with 1 if something is.
"""

import json
import pathlib
import sys

import yaml

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from references(item)


def leads_somewhere(document, reference):
    file, _, pointer = reference.partition("#")
    node = document
    if file:
        path = DOCS / file
        if not path.is_file():
            return False
        node = json.loads(path.read_text("utf-8"))
    for key in filter(None, pointer.split("/")):
        if not isinstance(node, dict) or key not in node:
            return False
        node = node[key]
    return True


def main():
    document = yaml.safe_load((DOCS / "asyncapi.yaml").read_text("utf-8"))
    found = set(references(document))
    problems = [f"{ref} leads nowhere" for ref in found if not leads_somewhere(document, ref)]

    used = {pathlib.Path(reference.partition("#")[0]).name for reference in found} | {"words.json"}
    schemas = {path.name for path in (DOCS / "schemas").glob("*.json")}
    problems += [f"schemas/{name} is not used" for name in schemas - used]

    addresses = {channel["address"] for channel in document["channels"].values()}
    commands = json.loads((DOCS / "schemas" / "command.json").read_text("utf-8"))["definitions"]
    problems += [
        f"command/{verb} has no channel"
        for verb in commands
        if "{prefix}/{table}/command/" + verb not in addresses
    ]
    for problem in sorted(problems):
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
