"""The games of tests/games: who plays, what is said and seen, and what comes of it."""

from daemon import ROOT

GAMES = ROOT / "tests" / "games"

# What follows the verb, in this order, when a line does not name its fields.
FIELDS = {
    "roll-move": ["value"],
    "move": ["piece", "knots"],
    "engage": ["attacker", "target"],
    "roll-combat": ["attacker", "target", "value"],
    "load-barrel": ["piece", "harbour"],
    "deliver-barrel": ["piece", "harbour"],
}


class Step:
    """One input with what is expected of it: a list of sorted words for each event or refusal."""

    def __init__(self, line):
        words = line.split()
        self.verb = words[0]
        self.fields = {}
        names = list(FIELDS.get(self.verb, ["piece"]))
        for word in words[1:]:
            key, equals, value = word.partition("=")
            if equals:
                self.fields[key] = value
            else:
                self.fields[names.pop(0)] = word
        self.expected = []

    @property
    def refused(self):
        return any("refused" in words for words in self.expected)

    def forget_speed(self):
        """It takes two beams to measure it, and the script to know it beforehand."""
        self.fields.pop("speed_mps", None)
        for words in self.expected:
            words[:] = [word for word in words if not word.startswith("speed_mps=")]

    def __repr__(self):
        return f"{self.verb} {self.fields}"


class Script:
    def __init__(self, path):
        self.name = path.stem
        self.setup = {"players": [], "barrels": {}}
        self.steps = []
        for line in path.read_text("utf-8").splitlines():
            text, _, results = line.partition("#")[0].partition("> ")
            if text.strip() and not self.read_setup(text.split()):
                self.steps.append(Step(text))
            for result in filter(None, results.split(", ")):
                self.steps[-1].expected.append(sort_words(result))
        if not self.setup["barrels"]:
            del self.setup["barrels"]

    def read_setup(self, words):
        match words:
            case ["rules" | "scenario" as key, value]:
                self.setup[key] = value
            case ["first", value]:
                self.setup["first"] = int(value)
            case ["player", name, colours, *team]:
                player = {"name": name, "harbours": colours.split("+")}
                if team:
                    player["team"] = int(team[1])
                    self.setup["teams"] = True
                self.setup["players"].append(player)
            case ["barrel", harbour, "to", destination]:
                self.setup["barrels"][harbour] = destination
            case _:
                return False
        return True


def sort_words(line):
    """The order of the fields says nothing."""
    return sorted(line.split())
