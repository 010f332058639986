"""Reads node.ini: name, Wi-Fi, broker and inputs of the node. A mistake is a sentence with its line."""

FILE = "node.ini"
INPUTS_MAX = 8
LENGTH_MAX = 64
PULLS = {"pull-up": "up", "pull-down": "down"}

# section: {key: default}; None is required. Every key of [inputs] is the name of a sensor.
KEYS = {
    "node": {"name": None, "table": "table", "prefix": "shipahoy", "watchdog": "yes"},
    "wifi": {"name": None, "password": ""},
    "broker": {"host": None, "port": "1883", "user": "", "password": ""},
    "battery": {"pin": "", "divider": "2", "empty_v": "3.3", "full_v": "4.1"},
}


class Mistake(Exception):
    """A sentence for the person who wrote the file."""


class Input:
    def __init__(self, name, pin, pull, active_low):
        self.name = name
        self.pin = pin
        self.pull = pull
        self.active_low = active_low


class Settings:
    """values[section][key] as text, and the inputs."""

    def __init__(self):
        self.values = {section: {} for section in KEYS}
        self.inputs = []
        self.port = self.battery = None

    def get(self, section, key):
        return self.values[section][key]


def read(text, board):
    """The settings in the text of the file, for a board with `pins`, `adc_pins` and `counts_encoder`."""
    settings = Settings()
    section = None
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        line = line.strip()
        if not line or line[0] in ";#":
            continue
        try:
            if line[0] == "[":
                section = section_name(line)
            else:
                read_key(settings, section, line, board)
        except Mistake as mistake:
            raise Mistake("%s line %d: %s" % (FILE, number, mistake))
    try:
        complete(settings, board)
    except Mistake as mistake:
        raise Mistake("%s: %s" % (FILE, mistake))
    return settings


def section_name(line):
    name = line[1:-1].strip()
    if line[-1] != "]" or (name != "inputs" and name not in KEYS):
        raise Mistake("%s is not a section. Sections: [node], [wifi], [broker], [inputs], [battery]." % line)
    return name


def read_key(settings, section, line, board):
    key, equals, value = line.partition("=")
    key, value = key.strip(), value.strip()
    if section is None:
        raise Mistake("a section such as [wifi] must come first.")
    if not equals or not value:
        raise Mistake("expected `key = value`, got `%s`." % line)
    if section == "inputs":
        add_inputs(settings, key, value.split(), board)
        return
    if key not in KEYS[section]:
        raise Mistake("[%s] has no key `%s`. Keys: %s." % (section, key, ", ".join(sorted(KEYS[section]))))
    if key in settings.values[section]:
        raise Mistake("`%s` is set twice." % key)
    if len(value) > LENGTH_MAX:
        raise Mistake("`%s` is longer than %d characters." % (key, LENGTH_MAX))
    settings.values[section][key] = value


def add_inputs(settings, name, words, board):
    """`NAME = PIN [OPTION...]`, or `encoder = PIN PIN [OPTION...]` for the two sensors `a` and `b`."""
    check_name(name)
    names = ("a", "b") if name == "encoder" else (name,)
    if name == "encoder" and not board.counts_encoder:
        raise Mistake("this board loses edges of an encoder. Use a Pico W for it.")
    if len(words) < len(names):
        raise Mistake("`encoder` needs two pins.")
    pull, active_low = read_options(words[len(names):])
    for sensor, word in zip(names, words):
        pin = read_pin(word, board.pins)
        for other in settings.inputs:
            if other.name == sensor:
                raise Mistake("there are two inputs `%s`." % sensor)
            if other.pin == pin:
                raise Mistake("pin %s is already used by `%s`." % (word, other.name))
        if len(settings.inputs) == INPUTS_MAX:
            raise Mistake("a node has at most %d inputs." % INPUTS_MAX)
        settings.inputs.append(Input(sensor, pin, pull, active_low))


def check_name(name):
    good = name and len(name) <= 16 and all(c in "abcdefghijklmnopqrstuvwxyz0123456789-" for c in name)
    if not good:
        raise Mistake("`%s` is not a valid name: use up to 16 of a-z, 0-9 and -." % name)


def read_pin(word, pins):
    digits = word
    for start in ("GPIO", "GP"):
        if digits.upper().startswith(start):
            digits = digits[len(start):]
            break
    if not digits.isdigit() or int(digits) not in pins:
        raise Mistake("`%s` is not a usable pin. Pins: %s." % (word, ", ".join("GP%d" % pin for pin in pins)))
    return int(digits)


def read_options(words):
    pull, active_low = None, False
    for word in words:
        if word in PULLS and pull is None:
            pull = PULLS[word]
        elif word == "active-low" and not active_low:
            active_low = True
        else:
            raise Mistake("option `%s` is unknown or repeated. Options: pull-up or pull-down, "
                          "active-low." % word)
    return pull, active_low


def complete(settings, board):
    for section in sorted(KEYS):
        values = settings.values[section]
        for key, default in KEYS[section].items():
            if key not in values and default is None:
                raise Mistake("[%s] needs `%s`." % (section, key))
            values.setdefault(key, default)
    if not settings.inputs:
        raise Mistake("[inputs] is empty.")
    check_name(settings.get("node", "name"))
    for key in ("table", "prefix"):
        if any(c in "/+#" for c in settings.get("node", key)):
            raise Mistake("[node] %s must not contain / + or #." % key)
    if settings.get("node", "watchdog") not in ("yes", "no"):
        raise Mistake("[node] watchdog is yes or no.")
    port = settings.get("broker", "port")
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise Mistake("[broker] port is a number from 1 to 65535, not `%s`." % port)
    settings.port = int(port)
    if settings.get("battery", "pin"):
        settings.battery = read_battery(settings, board)


def read_battery(settings, board):
    """(pin, divider, empty_v, full_v)"""
    pin = read_pin(settings.get("battery", "pin"), board.adc_pins)
    if any(other.pin == pin for other in settings.inputs):
        raise Mistake("[battery] pin is also an input.")
    try:
        keys = ("divider", "empty_v", "full_v")
        divider, empty, full = [float(settings.get("battery", key)) for key in keys]
    except ValueError:
        raise Mistake("[battery] divider, empty_v and full_v are numbers such as 3.3.")
    if not (divider >= 1 and 0 < empty < full):
        raise Mistake("[battery] divider is at least 1, and empty_v is below full_v.")
    return pin, divider, empty, full
