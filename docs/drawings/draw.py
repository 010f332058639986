"""draw.py [--check]: writes every drawing of the hardware book into docs/images/, or fails when one there
is not what it would write."""
import os
import sys

import mounting
import pins
import wiring

DOCS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMAGES = os.path.join(DOCS, "images")
WIRINGS = os.path.join(os.path.dirname(DOCS), "config", "wiring")


def stored(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main(check):
    different = []
    for name, draw in {**wiring.DRAWINGS, **mounting.DRAWINGS, **pins.drawings(WIRINGS)}.items():
        path = os.path.join(IMAGES, f"{name}.svg")
        svg = draw().svg()
        if check and stored(path) != svg:
            different.append(name)
        elif not check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(svg)
    if different:
        print(f"Out of step: {', '.join(different)}. Draw again: python3 docs/drawings/draw.py")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
