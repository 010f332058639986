"""How the parts sit in the pieces, in the rope reel and at the cannon."""
import math

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


def draw_spiral(drawing, x, y, inner, outer, turns):
    """A flat spring around (x, y), as a line of short pieces."""
    steps = 24 * turns
    points = []
    for i in range(steps + 1):
        angle = 2 * math.pi * i / 24
        radius = inner + (outer - inner) * i / steps
        points.append((round(x + radius * math.cos(angle), 1), round(y + radius * math.sin(angle), 1)))
    drawing.wire(*points)


def draw_reel_from_the_side(drawing):
    drawing.box(40, 80, 250, 230, kind="box")
    drawing.circle(150, 190, 84)
    drawing.circle(150, 190, 48, "box")
    drawing.circle(150, 190, 6, "dot")
    drawing.circle(150, 190, 53, "dashed")
    drawing.text(150, 172, "spool", "middle")
    # The rope leaves the spool at the bottom, through the slot.
    drawing.wire((150, 243), (390, 243))
    drawing.circle(268, 236, 6, "part")
    drawing.circle(268, 250, 6, "part")
    for mark in (330, 385):
        drawing.circle(mark, 243, 5, "dot")
    drawing.circle(402, 243, 11, "part")
    drawing.text(402, 271, "ring", "middle")
    drawing.lines(300, 264, ["slot with two", "smooth pins"], "soft", 16)
    drawing.box(196, 62, 60, 18, kind="part")
    drawing.text(262, 76, "button, under the thumb")
    drawing.box(244, 96, 36, 120, kind="part")
    drawing.wire((280, 150), (330, 150))
    drawing.lines(334, 146, ["Pico W,", "USB socket", "outwards"], "", 16)
    drawing.box(40, 310, 250, 44, "cell 18650 and charger", kind="box")
    drawing.text(40, 376, "from the side; held like a tape measure", "soft")


def draw_reel_across(drawing):
    """A cut along the axle."""
    drawing.box(500, 84, 10, 220, kind="box")
    drawing.box(720, 84, 10, 220, kind="box")
    drawing.wire((506, 190), (724, 190))
    drawing.box(514, 150, 40, 80, kind="part")
    draw_spiral(drawing, 534, 190, 3, 18, 4)
    drawing.box(566, 106, 8, 168, kind="box")
    drawing.box(574, 142, 40, 96, kind="part")
    drawing.box(614, 106, 8, 168, kind="box")
    for x in range(579, 613, 7):
        drawing.wire((x, 142), (x, 238))
    drawing.box(652, 155, 54, 70, "en-", "coder")
    drawing.wire((622, 190), (652, 190))
    drawing.text(534, 252, "spring", "middle")
    drawing.text(594, 96, "spool", "middle")
    drawing.wire((630, 142), (642, 142))
    drawing.wire((630, 238), (642, 238))
    drawing.wire((636, 142), (636, 238))
    drawing.text(636, 258, "D", "middle")
    drawing.text(500, 328, "cut along the axle, between two walls", "soft")
    drawing.lines(500, 350, ["spring: fixed to the wall and the spool", "encoder: body fixed to the wall, shaft",
                             "turns with the spool"], "soft", 16)


def reel():
    drawing = Drawing(760, 480, "The rope reel in the hand, with encoder, spring, button and battery")
    drawing.text(20, 28, "The rope reel: a tape measure for knots", "title")
    drawing.text(20, 50, "Hold the ring where the ship was and lead the reel along its way; then press the button.", "soft")
    draw_reel_from_the_side(drawing)
    draw_reel_across(drawing)
    drawing.text(20, 418, "counts_per_knot = 4 · P · K / (π · (D + d))", "title")
    drawing.lines(20, 442, [
        "P pulses a turn, each of four counts; K distance of two knots; D diameter of the spool; d thickness of "
        "the rope.",
        "One layer only: on a second one a turn would be longer by 2π·d. Five turns on D = 48 mm are 78 cm."])
    return drawing


def draw_bracket_from_the_side(drawing):
    drawing.box(20, 140, 150, 60, "barrel", kind="box")
    drawing.box(160, 104, 170, 22, kind="box")
    drawing.box(160, 214, 170, 22, kind="box")
    drawing.box(160, 104, 16, 36, kind="box")
    drawing.box(160, 200, 16, 36, kind="box")
    for x, name in ((220, "beam"), (290, "beam2")):
        drawing.box(x - 8, 92, 16, 24, kind="part")
        drawing.box(x - 8, 224, 16, 24, kind="part")
        drawing.wire((x, 116), (x, 224), kind="dashed")
        drawing.text(x, 84, name, "middle")
    drawing.circle(255, 170, 17)
    drawing.wire((274, 170), (352, 170))
    drawing.wire((344, 165), (352, 170), (344, 175))
    drawing.text(255, 175, "ball", "middle")
    drawing.wire((220, 262), (290, 262))
    drawing.wire((220, 256), (220, 268))
    drawing.wire((290, 256), (290, 268))
    drawing.text(255, 282, "beam_gap_mm", "middle")
    drawing.box(20, 236, 130, 30, "Pico W", kind="part")
    drawing.box(20, 266, 130, 30, "cell, charger", kind="part")
    drawing.wire((150, 250), (212, 250), (212, 244))
    drawing.text(20, 330, "from the side: the bracket is clamped to the barrel", "soft")


def draw_bracket_from_the_front(drawing):
    drawing.circle(560, 170, 66, "box")
    drawing.circle(560, 170, 46)
    drawing.circle(560, 170, 17)
    drawing.box(552, 86, 16, 40, kind="part")
    drawing.box(552, 214, 16, 40, kind="part")
    drawing.wire((560, 126), (560, 153), kind="dashed")
    drawing.wire((560, 187), (560, 214), kind="dashed")
    drawing.text(580, 98, "emitter")
    drawing.lines(580, 256, ["receiver, in a black", "tube of 10 mm"], "", 16)
    drawing.text(500, 330, "from the front", "soft")


def cannon():
    drawing = Drawing(760, 420, "The bracket with two light beams at the muzzle of the cannon")
    drawing.text(20, 28, "The cannon: two beams in front of the muzzle", "title")
    drawing.text(20, 50, "Emitters above, receivers below: lamps do not shine into them.", "soft")
    draw_bracket_from_the_side(drawing)
    draw_bracket_from_the_front(drawing)
    drawing.lines(20, 364, [
        "The whole ball has left the barrel before it reaches the first beam; the loaded ball is outside both.",
        "The opening is at least twice as wide as the ball: a ball that touches the bracket flies elsewhere.",
        "Weigh the cannon with the bracket; it must not tip forward."])
    return drawing


DRAWINGS = {"mounting-piece": piece, "mounting-reel": reel, "mounting-cannon": cannon}
