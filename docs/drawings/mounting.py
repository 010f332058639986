"""How the parts sit in the pieces and at the rope."""
from pen import Drawing


def draw_piece(drawing, x, y, degrees):
    """From the side, standing on the middle of its base at (x, y) and turned about it."""
    drawing.add(f'<g transform="translate({x} {y}) rotate({degrees})">'
                '<rect x="-5" y="-180" width="10" height="180" rx="5" class="box"/>'
                '<rect x="-45" y="0" width="90" height="12" rx="5" class="box"/>')
    for side in (-1, 1):
        drawing.add(f'<g transform="translate({22 * side} -35) rotate({30 * side})">'
                    '<rect x="-6" y="-14" width="12" height="24" rx="3" class="part"/>'
                    '<path d="M-3 10V18M3 10V18" class="wire"/></g>')
    drawing.add("</g>")


def piece():
    drawing = Drawing(700, 390, "Two tilt switches in a piece that stands, and in one that lies")
    drawing.text(20, 28, "Two switches in series, tilted apart", "title")
    drawing.text(70, 60, "standing: both closed")
    draw_piece(drawing, 140, 260, 0)
    drawing.wire((140, 272), (140, 296), (230, 296))
    drawing.box(230, 287, 36, 18, kind="part")
    drawing.wire((266, 296), (320, 296))
    drawing.text(248, 280, "plug", "middle")
    drawing.text(20, 326, "side view: the piece on its base, one switch in front and one behind", "soft")
    drawing.text(390, 60, "lying: at least one is open")
    draw_piece(drawing, 600, 230, -104)
    drawing.wire((380, 279), (690, 279), kind="dashed")
    drawing.lines(390, 150, ["The card hangs past the horizontal", "by atan(half base / height)."], "soft")
    drawing.lines(20, 354, [
        "One upright switch alone ends up nearly horizontal, where its contact may be open or closed. The two",
        "share one line: wired in a row, the line opens when either of them does."])
    return drawing


def spool():
    drawing = Drawing(700, 330, "The rope on its spool, with the encoder on the axle")
    drawing.text(20, 28, "The rope's spool", "title")
    drawing.box(60, 100, 80, 100, "encoder")
    drawing.wire((140, 150), (200, 150))
    drawing.box(200, 70, 14, 160, kind="box")
    drawing.box(214, 92, 70, 116, kind="part")
    drawing.box(284, 70, 14, 160, kind="box")
    for x in range(222, 282, 8):
        drawing.wire((x, 92), (x, 208))
    drawing.wire((252, 92), (252, 70), (520, 70))
    drawing.circle(450, 70, 9, "box")
    drawing.text(450, 52, "eye", "middle")
    for knot in (500, 560, 620):
        drawing.circle(knot, 70, 5, "dot")
    drawing.wire((520, 70), (660, 70))
    drawing.wire((500, 90), (560, 90))
    drawing.text(530, 108, "K: one knot", "middle")
    drawing.wire((310, 92), (340, 92))
    drawing.wire((310, 208), (340, 208))
    drawing.wire((332, 92), (332, 208))
    drawing.text(342, 155, "D: diameter of the spool; d: thickness of the rope")
    drawing.text(20, 268, "counts_per_knot = 4 · P · K / (π · (D + d))", "title")
    drawing.lines(20, 292, [
        "P pulses a turn, each of four counts. P = 20, K = 100 mm, D = 48 mm, d = 2 mm: 8000 / 157 = 51.",
        "One layer only: on a second one a turn would be longer by 2π·d."])
    return drawing


DRAWINGS = {"mounting-piece": piece, "mounting-spool": spool}
