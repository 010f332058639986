"""How each sensor is wired, as circuit diagrams."""
from pen import Drawing


def beam():
    drawing = Drawing(660, 300, "A light beam: emitter and receiver with an open collector")
    drawing.text(20, 28, "Light beam: receiver with an open collector", "title")
    drawing.box(40, 100, 90, 70, "IR", "emitter")
    drawing.supply(85, 70)
    drawing.wire((85, 70), (85, 100))
    drawing.wire((85, 170), (85, 190))
    drawing.ground(85, 190)
    drawing.wire((135, 135), (255, 135), kind="dashed")
    drawing.text(195, 125, "beam", "soft middle")
    drawing.box(260, 100, 100, 70, "IR", "receiver")
    drawing.supply(310, 70)
    drawing.wire((310, 70), (310, 100))
    drawing.wire((310, 170), (310, 190))
    drawing.ground(310, 190)
    drawing.wire((360, 135), (560, 135))
    drawing.text(372, 128, "signal")
    drawing.supply(460, 62)
    drawing.resistor(460, 62, "10 kΩ", 73)
    drawing.dot(460, 135)
    drawing.pin(565, 135, "GPIO17", "right")
    drawing.lines(20, 248, [
        "The output only pulls down, so the resistor decides how high the line gets. It goes to 3.3 V,"])
    drawing.lines(20, 266, ["also when the receiver is fed with 5 V. A pull-up to 5 V destroys the input."],
                  "warn")
    drawing.text(20, 284, "Measure the signal before it is connected: never more than 3.3 V.", "soft")
    return drawing


def tilt():
    drawing = Drawing(660, 330, "A tilt switch, without and with a filter")
    drawing.text(20, 28, "Tilt switch: closed while the piece stands", "title")
    drawing.text(40, 58, "without a filter")
    drawing.box(40, 80, 110, 60, "pull-up inside", "the Pi, 50 kΩ")
    drawing.wire((150, 110), (230, 110))
    drawing.pin(150, 110, "", "right")
    drawing.text(162, 102, "GPIO5")
    drawing.wire((230, 110), (230, 140))
    drawing.switch(230, 140, ["SW-520D"], 56, closed=True)
    drawing.wire((230, 196), (230, 210))
    drawing.ground(230, 210)
    drawing.text(520, 58, "with a filter")
    drawing.pin(380, 130, "GPIO5", "left")
    drawing.wire((380, 130), (560, 130))
    drawing.supply(440, 72)
    drawing.resistor(440, 72, "10 kΩ", 58)
    drawing.dot(440, 130)
    drawing.wire((440, 130), (440, 150))
    drawing.capacitor(440, 150, "100 nF", 50)
    drawing.ground(440, 200)
    drawing.resistor(560, 130, "1 kΩ", 50)
    drawing.switch(560, 180, ["SW-520D"], 50, closed=True)
    drawing.ground(560, 230)
    drawing.lines(20, 268, [
        "10 kΩ and 100 nF smooth what is shorter than about 1 ms; the daemon smooths the rest",
        "(tilt_settle_ms). 1 kΩ keeps the charge of the capacitor from burning the contact.",
        "A plug that is pulled out looks like a piece that lies."])
    return drawing


def encoder():
    drawing = Drawing(660, 330, "A rotary encoder with its filter")
    drawing.text(20, 28, "Rotary encoder of the rope", "title")
    drawing.box(40, 90, 110, 150, "encoder", "EC11 type")
    for y, line, label in ((120, "GPIO22", "A"), (190, "GPIO23", "B")):
        drawing.text(142, y + 5, label, "end")
        drawing.wire((150, y), (250, y))
        drawing.dot(210, y)
        drawing.resistor(250, y, "10 kΩ", 80, upright=False)
        drawing.wire((330, y), (430, y))
        drawing.dot(370, y)
        drawing.capacitor(370, y, "10 nF", 40)
        drawing.ground(370, y + 40)
        drawing.pin(435, y, line, "right")
    drawing.supply(210, 62)
    drawing.resistor(210, 62, "10 kΩ", 58)
    drawing.wire((210, 190), (210, 204))
    drawing.resistor(210, 204, "10 kΩ", 50)
    drawing.wire((200, 254), (220, 254))
    drawing.text(226, 259, "3.3 V")
    drawing.text(70, 232, "C")
    drawing.wire((75, 240), (75, 258))
    drawing.ground(75, 258)
    drawing.lines(530, 100, ["Button of the", "shaft: between", "GPIO24 and", "ground."], "soft")
    drawing.lines(20, 302, [
        "The filter (0.1 ms when a contact closes, 0.2 ms when it opens) takes the bounces off. An optical",
        "encoder with open collectors needs the 10 kΩ to 3.3 V alone."])
    return drawing


def switches():
    drawing = Drawing(660, 230, "Push buttons and docks")
    drawing.text(20, 28, "Push button, and the dock of a harbour", "title")
    dock = ["reed contact,", "magnet in the ship"]
    for x, line, words in ((120, "GPIO25", ["push", "button"]), (420, "GPIO12", dock)):
        drawing.pin(x, 80, line, "left")
        drawing.wire((x, 80), (x + 60, 80), (x + 60, 95))
        drawing.switch(x + 60, 95, words)
        drawing.ground(x + 60, 145)
    drawing.lines(20, 200, [
        "The pull-up inside the Pi is enough for a short cable; a long one gets 10 kΩ to 3.3 V."])
    return drawing


def expander():
    drawing = Drawing(700, 400, "An MCP23017 at the Raspberry Pi")
    drawing.text(20, 28, "MCP23017: fourteen more inputs", "title")
    drawing.box(40, 60, 100, 230, "Raspberry", "Pi")
    drawing.box(300, 60, 170, 230, kind="box")
    drawing.lines(455, 200, ["MCP23017", "address 0x20"], "end")
    rows = (("3.3 V, pin 1", "VDD", 85), ("GPIO2, pin 3", "SDA", 120), ("GPIO3, pin 5", "SCL", 155),
            ("GPIO4, pin 7", "INTA", 190), ("ground, pin 9", "VSS", 272))
    for left, right, y in rows:
        drawing.wire((140, y), (300, y))
        drawing.text(150, y - 5, left)
        drawing.text(308, y + 5, right)
    drawing.wire((300, 225), (270, 225))
    drawing.text(262, 230, "3.3 V", "end")
    drawing.text(308, 230, "RESET")
    drawing.wire((300, 248), (280, 248), (280, 272))
    drawing.dot(280, 272)
    drawing.text(308, 253, "A0 A1 A2")
    drawing.wire((470, 150), (600, 150))
    drawing.text(462, 155, "GPA0…6", "end")
    drawing.supply(545, 80)
    drawing.resistor(545, 80, "10 kΩ", 70)
    drawing.dot(545, 150)
    drawing.switch(600, 150, ["SW-520D"], 60, closed=True)
    drawing.ground(600, 210)
    drawing.lines(480, 262, ["the same for GPB0…6:", "14 switches, 14 resistors"], "soft")
    drawing.text(20, 330, "GPA0…6 are lines 0 to 6, GPB0…6 are lines 8 to 14 of the chip with the label mcp23017.")
    drawing.text(20, 350, "GPA7 and GPB7 (7 and 15) are outputs only: leave them open.", "warn")
    drawing.text(20, 370, "Leave INTB open: the overlay mirrors both interrupts on INTA.", "soft")
    return drawing


def draw_power(drawing):
    drawing.box(30, 70, 110, 44, "18650 cell", kind="part")
    drawing.wire((140, 92), (170, 92))
    drawing.box(170, 70, 110, 44, "charger", "TP4056", kind="part")
    drawing.wire((280, 92), (310, 92), (322, 80))
    drawing.circle(310, 92, 3)
    drawing.circle(330, 92, 3)
    drawing.text(320, 72, "switch", "middle")
    drawing.wire((330, 92), (346, 92))
    drawing.add('<path d="M346 84V100L362 92Z M362 84V100" class="part"/>')
    drawing.text(384, 112, "1N5817", "middle")
    drawing.wire((362, 92), (410, 92))
    drawing.pin(410, 92, "VSYS (39)", "right")
    drawing.dot(340, 92)
    drawing.wire((340, 92), (340, 140))
    drawing.resistor(340, 140, "100 kΩ", 56)
    drawing.dot(340, 200)
    drawing.wire((340, 196), (340, 200), (410, 200))
    drawing.pin(410, 200, "GP26 (31)", "right")
    drawing.resistor(340, 200, "100 kΩ", 56)
    drawing.ground(340, 256)


def node():
    drawing = Drawing(760, 450, "A Pico W as a node, with battery, beams or encoder")
    drawing.text(20, 28, "A node: Pico W with battery", "title")
    drawing.text(20, 48, "In brackets: the pin of the Pico. Ground: pins 3, 8, 13, 18, 23, 28, 38.", "soft")
    draw_power(drawing)
    drawing.box(404, 66, 126, 290, kind="dashed")
    drawing.text(467, 230, "Pico W", "title middle")
    for y, name in ((150, "3V3 OUT (36)"), (260, "GP14 (19)"), (300, "GP15 (20)"), (340, "GP13 (17)")):
        drawing.circle(530, y, 4.5)
        drawing.text(520, y + 5, name, "end")
    drawing.wire((530, 150), (552, 150))
    drawing.lines(558, 146, ["emitters, each through 150 Ω", "receivers"], "", 18)
    drawing.lines(558, 256, ["cannon: receiver of beam", "reel: A of the encoder"], "", 16)
    drawing.lines(558, 296, ["cannon: receiver of beam2", "reel: B of the encoder"], "", 16)
    drawing.text(558, 345, "reel: push button to ground")
    for y in (260, 300, 340):
        drawing.wire((530, y), (552, y))
    drawing.lines(20, 382, [
        "Each signal line has 10 kΩ to 3V3 OUT, as in the drawings of the sensors; the encoder also 10 nF to ground.",
        "The minus of the charger goes to ground. The diode keeps USB from charging the cell through the Pico. The two",
        "100 kΩ resistors measure the charge (section [battery] of node.ini)."])
    drawing.lines(20, 438, ["Switch the node off while the cell is charged. Use a charger board with protection."], "warn")
    return drawing


DRAWINGS = {"wiring-beam": beam, "wiring-tilt": tilt, "wiring-encoder": encoder,
            "wiring-switches": switches, "wiring-expander": expander, "wiring-node": node}
