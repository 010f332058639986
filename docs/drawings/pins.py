"""The header of a Raspberry Pi with a wiring of config/wiring/, drawn from the file itself."""
import configparser
import re

from pen import Drawing

# The 40 pins, odd ones in the left row: what is printed beside them, or the number of a GPIO line.
HEADER = ["3.3 V", "5 V", 2, "5 V", 3, "ground", 4, 14, "ground", 15, 17, 18, 27, "ground", 22, 23,
          "3.3 V", 24, 10, "ground", 9, 25, 11, 8, "ground", 7, 0, 1, 5, "ground", 6, 12, 13, "ground",
          19, 16, 26, 20, "ground", 21]
KEPT = {0: "not for us", 1: "not for us", 2: "I2C", 3: "I2C", 14: "serial port", 15: "serial port"}
LINE_KEYS = ("beam", "beam2", "a", "b", "button", "tilt", "dock", "line")
RADIO = ("mqtt", "node")
EXPANDER = "mcp23017"
COLOURS = ("red", "blue", "green", "yellow")


def sensor_name(section, key):
    kind, _, name = section.partition(".")
    if kind == "piece":
        return f"{name}.{key}"
    return section if kind == "button" else f"{section}.{key}"


def read_wiring(path):
    """Sensor by line, as `17` or `mcp23017:5`; and the line of the expander's interrupt, or None. Sensors over
    radio have no line."""
    parser = configparser.ConfigParser(inline_comment_prefixes=(";", "#"), interpolation=None)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parser.read_string(text)
    wiring = {}
    for section in parser.sections():
        for key in set(LINE_KEYS) & set(parser[section]):
            place = parser[section][key].split()[0]
            if place in RADIO:
                continue
            wiring[place.removeprefix("GPIO")] = sensor_name(section, key)
    interrupt = re.search(r"gpiopin=(\d+)", text)
    return wiring, int(interrupt.group(1)) if interrupt else None


def colour_of(sensor):
    return next((colour for colour in COLOURS if re.search(rf"\b{colour}\b", sensor)), "")


def label_of(pin, wiring, interrupt):
    """What is wired to a pin, and how it is printed."""
    line = HEADER[pin - 1]
    if isinstance(line, str):
        return "", "soft"
    if line == interrupt:
        return "interrupt of the expander", ""
    if interrupt and line in (2, 3):
        return ("SDA" if line == 2 else "SCL") + " of the expander", ""
    sensor = wiring.get(str(line), "")
    if sensor:
        return sensor, colour_of(sensor)
    return KEPT.get(line, "free"), "soft"


def draw_header(drawing, wiring, interrupt, top):
    middle, step = 350, 24
    drawing.box(middle - 34, top - 18, 68, 20 * step + 12, kind="box")
    for pin in range(1, 41):
        side = -1 if pin % 2 else 1
        x, y = middle + side * 14, top + (pin - 1) // 2 * step
        line = HEADER[pin - 1]
        name = line if isinstance(line, str) else f"GPIO{line}"
        label, kind = label_of(pin, wiring, interrupt)
        end = " end" if side < 0 else ""
        drawing.circle(x, y, 5)
        drawing.text(middle + side * 44, y + 5, f"{pin}", f"soft{end}")
        drawing.text(middle + side * 72, y + 5, name, f"{'soft' if isinstance(line, str) else ''}{end}")
        drawing.text(middle + side * 140, y + 5, label, f"{kind}{end}")


def draw_expander(drawing, wiring, top):
    middle, step = 350, 24
    drawing.box(middle - 60, top - 18, 120, 8 * step + 12, kind="box")
    drawing.text(middle, top + 4 * step - 8, "MCP23017", "middle")
    for offset in range(16):
        side = -1 if offset < 8 else 1
        y = top + offset % 8 * step
        end = " end" if side < 0 else ""
        sensor = wiring.get(f"{EXPANDER}:{offset}", "")
        kind = colour_of(sensor) if sensor else "soft"
        label = sensor or ("output only" if offset % 8 == 7 else "free")
        drawing.circle(middle + side * 60, y, 5)
        drawing.text(middle + side * 72, y + 5, f"GP{'AB'[offset // 8]}{offset % 8}", end)
        drawing.text(middle + side * 140, y + 5, label, f"{kind}{end}")


def draw(path, title):
    wiring, interrupt = read_wiring(path)
    expanded = any(place.startswith(EXPANDER) for place in wiring)
    drawing = Drawing(700, 800 if expanded else 580, title)
    drawing.text(20, 28, title, "title")
    draw_header(drawing, wiring, interrupt, 70)
    if expanded:
        draw_expander(drawing, wiring, 590)
    return drawing


PLANS = {"pi-4-players-radio": "Four players, radio for what moves",
         "pi-4-players": "Four players on one Raspberry Pi",
         "pi-4-players-mcp23017": "Four players, with an expander"}


def drawings(folder):
    return {f"pins-{name}": lambda name=name, title=title: draw(f"{folder}/{name}.ini", title)
            for name, title in PLANS.items()}
