"""Score sheets with the real logbook and broker: the example games of tests/sheet, killed in the middle."""

import json
import pathlib
import re
import tempfile
import unittest

import harness
from daemon import ROOT
from harness import Shared
from logbook import Logbook
from table import PREFIX, new_id

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

NAMES = ("Anna", "Ben", "Cleo", "Dora")
SHEETS = ROOT / "config/sheets"


def example(name):
    """The first case of tests/sheet/NAME.txt, a whole game: its statements and what is said of each."""
    text = (ROOT / f"tests/sheet/{name}.txt").read_text()
    lines = text.split("\n\n")[0].splitlines()[1:]
    steps = []
    for line in lines:
        statement, _, outcome = (part.strip() for part in line.partition(">"))
        if statement:
            steps.append((statement, []))
        if outcome:
            steps[-1][1].append(outcome)
    return steps


def fields_of(statement):
    """`count points player=1 by=5` as verb and fields of a message."""
    verb, *words = statement.split()
    fields = {}
    if verb in ("count", "flag"):
        fields["counter" if verb == "count" else "flag"] = words.pop(0)
    for key, value in (word.split("=") for word in words):
        fields[key] = value == "yes" if key == "value" else int(value)
    return verb, fields


class SheetTest(unittest.TestCase):
    def logbook(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=Shared.folder))
        logbook = Logbook(folder, Shared.broker.port, sheets=SHEETS)
        self.addCleanup(self.close_logbook, logbook)
        logbook.start()
        return logbook

    def close_logbook(self, logbook):
        for sheet, state in self.states(logbook).items():
            if state:
                logbook.send("command", "close-sheet", sheet=sheet)
        self.assertEqual(logbook.close(), 0, logbook.log())
        self.assertFalse(logbook.faults(), logbook.log())

    def open(self, logbook, name, players, roles=None):
        seats = [{"name": NAMES[i]} | ({"role": roles[i]} if roles else {}) for i in range(players)]
        reply = logbook.send("command", "open-sheet", name=name, players=seats)
        self.assertTrue(reply["ok"], reply)
        return reply["sheet"]

    @staticmethod
    def states(logbook, mark=0):
        """The last retained state of each game; None: cleared."""
        base = f"{PREFIX}/logbook/sheet/"
        return {
            it.topic[len(base):]: it.json if it.payload else None
            for it in logbook.client.messages[mark:] if it.topic.startswith(base)
        }  # fmt: skip

    def state(self, logbook, sheet, seq):
        """The state after that change."""
        topic = f"{PREFIX}/logbook/sheet/{sheet}"
        fits = lambda it: it.topic == topic and it.payload and it.json["seq"] == seq  # noqa: E731
        return logbook.client.wait(fits, f"change {seq} of {sheet}").json


class Examples(SheetTest):
    def play(self, name):
        """Every command is sent twice. The logbook is killed while it carries out one, and at the end."""
        logbook = self.logbook()
        (opening, _), *steps = example(name)
        players = int(opening.split()[2])
        sheets = {it["name"]: it for it in logbook.ask("sheets")["sheets"]}
        sheet = self.open(logbook, name, players, sheets[name]["roles"][:players] or None)
        seq = 0
        for i, (statement, outcomes) in enumerate(steps):
            verb, fields = fields_of(statement)
            fields |= {"sheet": sheet, "id": new_id()}
            if i == len(steps) // 2:
                # Not answered yet: it may or may not have been stored when the logbook dies.
                logbook.client.publish(f"{PREFIX}/logbook/score/{verb}", json.dumps(fields)).wait_for_publish()
                logbook.kill()
                logbook.start()
            reply = logbook.send("score", verb, **fields)
            refusal = next((it for it in outcomes if it.startswith("refused: ")), None)
            if refusal:
                self.assertEqual((reply["ok"], f"refused: {reply['message']}"), (False, refusal))
                continue
            seq += 1
            self.assertEqual((reply["ok"], reply["seq"]), (True, seq), f"{statement}: {reply}")
            self.assertEqual(logbook.send("score", verb, **fields), reply)
            state = self.state(logbook, sheet, seq)
            hints = {hint["text"] for hint in state["hints"]}
            for outcome in outcomes:
                phase, _, ranking = outcome.partition(": ")
                if phase.startswith("hint"):
                    self.assertIn(ranking, hints)
                    continue
                self.assertEqual(state["phase"], phase)
                ranks = [
                    f"{it['player']} {it['place']}. {it['score']}" + (f" {it['title']}" if it["title"] else "")
                    for it in state["ranking"]
                ]
                self.assertEqual(", ".join(ranks), ranking)
        self.assertEqual(state["phase"], "over")
        self.check_end(logbook, sheet, name, state)

    def check_end(self, logbook, sheet, name, state):
        logbook.kill()
        mark = len(logbook.client.messages)
        logbook.start()
        again = logbook.client.wait(lambda it: it.topic.endswith(f"/sheet/{sheet}"), "the state again", mark)
        self.assertEqual(again.json, state)
        self.assertTrue(again.retain)
        reply = logbook.send("score", "round", sheet=sheet)
        self.assertEqual(reply["message"], "The game is over: only undo can change it.")
        entry = next(it for it in logbook.ask("games")["games"] if it["game"] == sheet)
        players = state["players"]
        self.assertEqual(
            (entry["sheet"], entry["table"], entry["scenario"], entry["seq"]), (name, None, None, state["seq"])
        )
        self.assertEqual(entry["points"], [player["score"] for player in players])
        self.assertEqual(entry["winners"], [players[id - 1]["name"] for id in state["winners"]])
        for player in players:
            counts = logbook.ask("statistics", player=player["name"])["statistics"][0]["by_game"]
            self.assertEqual(counts, {name: {"games": 1, "won": int(player["id"] in state["winners"])}})

    def test_brandi_ahoi(self):
        self.play("brandi-ahoi")

    def test_bremerhaven(self):
        self.play("bremerhaven")

    def test_plank(self):
        self.play("plank")

    def test_ahoy(self):
        self.play("ahoy")


class Secrets(SheetTest):
    def test_a_secret_number_is_in_no_message_before_the_end(self):
        logbook = self.logbook()
        sheet = self.open(logbook, "plank", 2)
        mark = len(logbook.client.messages)
        reply = logbook.send("score", "count", sheet=sheet, counter="doubloons", player=1, by=29)
        state = self.state(logbook, sheet, reply["seq"])
        logbook.ask("games")
        logbook.ask("game", game=sheet)
        logbook.ask("statistics")
        anna = state["players"][0]
        self.assertEqual((anna["counters"], anna["score"]), ({"doubloons": None}, None))
        self.assertEqual(anna["secret"], {"doubloons": [reply["seq"]]})
        sent = f"{PREFIX}/logbook/score/count"
        said = [it.payload.decode() for it in logbook.client.messages[mark:] if it.topic != sent]
        numbers = [number for text in said for number in re.findall(r"(?<![\w.:-])29(?![\w.:-])", text)]
        self.assertEqual(numbers, [])
        logbook.send("score", "count", sheet=sheet, counter="fins", to=0)
        reply = logbook.send("score", "finish", sheet=sheet)
        self.assertEqual(self.state(logbook, sheet, reply["seq"])["players"][0]["counters"], {"doubloons": 29})


class Hostile(SheetTest):
    def test_wrong_messages_are_refused_or_ignored_and_change_nothing(self):
        logbook = self.logbook()
        sheet = self.open(logbook, "ahoy", 2, ["Bluefin Squadron", "Mollusk Union"])
        good = {"sheet": sheet, "counter": "fame", "player": 1, "by": 1}
        wrong = [
            good | {"counter": "honour"}, good | {"by": 100}, good | {"player": 3}, good | {"player": -1},
            good | {"by": "1"}, good | {"by": None}, good | {"by": [1]}, good | {"sheet": [sheet]},
            good | {"sheet": "x" * 4000}, good | {"counter": "x" * 3000}, good | {"more": 1},
            good | {"sheet": f"{sheet}'; DROP TABLE sheet; --"}, good | {"sheet": f"{sheet}/../x"},
            good | {"counter": "promised"},
        ]  # fmt: skip
        for fields in wrong:
            reply = logbook.send("score", "count", **fields)
            self.assertFalse(reply["ok"], fields)
            self.assertTrue(reply["message"].endswith("."), reply)
        for payload in ("", "{", "[" * 4000, "null", "\0", json.dumps(good)[:-1], json.dumps({"id": "x" * 65} | good)):
            mark = len(logbook.client.messages)
            logbook.client.publish(f"{PREFIX}/logbook/score/count", payload)
            reply = logbook.client.wait(lambda it: it.topic == f"{PREFIX}/logbook/reply", payload[:20], mark)
            self.assertFalse(reply.json["ok"])
        # Too large, and on topics that are not for it.
        logbook.client.publish(f"{PREFIX}/logbook/score/count", json.dumps(good | {"x": "y" * 100000}))
        logbook.client.publish(f"{PREFIX}/logbook/score/count/now", json.dumps(good))
        logbook.client.publish(f"{PREFIX}/logbook/ask/count", json.dumps(good))
        logbook.client.publish(f"{PREFIX}/logbook/command/count", json.dumps(good))
        reply = logbook.send("score", "count", **good)
        self.assertEqual((reply["ok"], reply["seq"]), (True, 1))
        logbook.send("command", "undo-sheet", sheet=sheet)
        self.assertEqual(self.state(logbook, sheet, 2)["players"][0]["counters"]["fame"], 0)

    def test_a_closed_game_is_cleared(self):
        logbook = self.logbook()
        sheet = self.open(logbook, "plank", 2)
        mark = len(logbook.client.messages)
        self.assertTrue(logbook.send("command", "close-sheet", sheet=sheet)["ok"])
        self.assertIsNone(self.states(logbook, mark)[sheet])
        self.assertEqual(logbook.send("score", "round", sheet=sheet)["error"], "not-found")

    def test_a_bad_file_is_logged_with_its_line(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=Shared.folder))
        (folder / "mine.ini").write_text("[sheet]\ntitle = Mine\nplayers = many\n")
        logbook = Logbook(folder, Shared.broker.port, sheets=folder)
        self.addCleanup(self.close_logbook, logbook)
        logbook.start()
        self.assertIn(f"{folder}/mine.ini:3: [sheet] players = many", logbook.log())


if __name__ == "__main__":
    harness.main()
