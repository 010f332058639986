"""A pen for circuit diagrams in SVG: boxes, wires and the few symbols that the hardware book needs.

Coordinates are pixels, y goes down. A drawing has its own paper in both colour schemes, so that it can
be read on a light and on a dark page, whatever the viewer makes of the scheme.
"""
from xml.sax.saxutils import escape

STYLE = """
svg { --paper: #fbfaf7; --ink: #22303c; --soft: #66747f; --box: #e9eef2; --warn: #b3261e;
      --red: #c8352b; --blue: #2463b5; --green: #2c7a3d; --yellow: #a87900; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #18222b; --ink: #e6ecf1; --soft: #9fb0bd; --box: #26343f; --warn: #ff8a80;
        --red: #ff7b72; --blue: #79b2ff; --green: #6fcf83; --yellow: #f0c04a; }
}
text { font: 13px sans-serif; fill: var(--ink); }
.title { font-weight: bold; font-size: 15px; }
.soft { fill: var(--soft); }
.warn { fill: var(--warn); font-weight: bold; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.paper { fill: var(--paper); }
.box { fill: var(--box); stroke: var(--ink); stroke-width: 1.5; }
.wire { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.dashed { fill: none; stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 5 4; }
.dot { fill: var(--ink); }
.part { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
.red { fill: var(--red); } .blue { fill: var(--blue); } .green { fill: var(--green); }
.yellow { fill: var(--yellow); }
""".strip()


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.items = []

    def add(self, item):
        self.items.append(item)

    def text(self, x, y, words, kind=""):
        self.add(f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>')

    def lines(self, x, y, rows, kind="", step=18):
        for i, words in enumerate(rows):
            self.text(x, y + i * step, words, kind)

    def box(self, x, y, width, height, *words, kind="box"):
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" '
                 f'class="{kind}"/>')
        first = y + height / 2 + 5 - 9 * (len(words) - 1)
        self.lines(x + width / 2, first, words, "middle")

    def wire(self, *points, kind="wire"):
        self.add(f'<polyline points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" class="{kind}"/>')

    def circle(self, x, y, radius, kind="part"):
        self.add(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{kind}"/>')

    def dot(self, x, y):
        self.circle(x, y, 3.5, "dot")

    def pin(self, x, y, name, side="left"):
        """The end of a wire at the header of the Raspberry Pi."""
        self.circle(x, y, 4.5)
        self.text(*((x - 10, y + 5, name, "end") if side == "left" else (x + 10, y + 5, name)))

    def ground(self, x, y):
        self.wire((x, y), (x, y + 8))
        for i, half in enumerate((10, 6, 2)):
            self.wire((x - half, y + 8 + 4 * i), (x + half, y + 8 + 4 * i))

    def supply(self, x, y, words="3.3 V"):
        self.wire((x - 10, y), (x + 10, y))
        self.text(x, y - 6, words, "middle")

    def resistor(self, x, y, words, length=60, upright=True):
        """From (x, y) down, or to the right."""
        lead = (length - 30) / 2
        if upright:
            self.wire((x, y), (x, y + length))
            self.add(f'<rect x="{x - 6:g}" y="{y + lead:g}" width="12" height="30" class="part"/>')
            self.text(x + 12, y + length / 2 + 5, words)
        else:
            self.wire((x, y), (x + length, y))
            self.add(f'<rect x="{x + lead:g}" y="{y - 6:g}" width="30" height="12" class="part"/>')
            self.text(x + length / 2, y - 12, words, "middle")

    def capacitor(self, x, y, words, length=50):
        middle = y + length / 2
        self.wire((x, y), (x, middle - 4))
        self.wire((x - 11, middle - 4), (x + 11, middle - 4))
        self.wire((x - 11, middle + 4), (x + 11, middle + 4))
        self.wire((x, middle + 4), (x, y + length))
        self.text(x + 16, middle + 5, words)

    def switch(self, x, y, words, length=50, closed=False):
        self.wire((x, y), (x, y + 12))
        self.wire((x, y + length - 12), (x, y + length))
        self.wire((x, y + length - 12), (x if closed else x - 14, y + 13))
        self.circle(x, y + 12, 3)
        self.circle(x, y + length - 12, 3)
        self.lines(x + 14, y + length / 2 + 5 - 9 * (len(words) - 1), words)

    def svg(self):
        body = "\n".join(self.items)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img">\n'
                f"<title>{escape(self.title)}</title>\n<style>\n{STYLE}\n</style>\n"
                f'<rect width="{self.width}" height="{self.height}" rx="8" class="paper"/>\n'
                f"{body}\n</svg>\n")
