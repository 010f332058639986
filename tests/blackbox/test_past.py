#!/usr/bin/python3
"""Past games: asked of a real table over a restart and an outage, and with shipahoyctl."""

import json
import threading

import harness
from broker import Wire
from client import Client
from ctl import ctl
from harness import Shared, TableTest
from table import PREFIX
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

FINE, REFUSED, USAGE, UNAVAILABLE = 0, 1, 64, 69


def play(table, turns):
    """A game that the next one abandons; its id."""
    table.new_game()
    game = table.state()["game"]
    for _ in range(turns):
        table.do("end-phase")
        table.do("end-phase")
        table.do("end-phase")
    return game


def drawn(reply):
    """All states of a reply to history, as docs/mqtt.md says."""
    states = []
    for entry in reply["states"]:
        if "state" in entry:
            states.append(entry["state"])
        else:
            last, changes = states[-1], entry["changes"]
            pieces = {**last["pieces"], **changes.get("pieces", {})}
            states.append({**last, **changes, "pieces": pieces})
    return {state["seq"]: state for state in states}


class Past(TableTest):
    def check_game(self, table, game, published):
        """All that was published about a game can be asked for, whatever has become of it since."""
        events = [it for it in table.events() if it["game"] == game]
        reply = table.send("history", game=game, states=True)
        self.assertEqual(reply["events"], events)
        self.assertFalse(reply["more"])
        states = drawn(reply)
        self.assertEqual(max(states), events[-1]["seq"])
        self.assertGreater(len(published), 3)
        for seq, state in published.items():
            self.assertEqual(states[seq], state)
            self.assertEqual(table.send("look-back", game=game, seq=seq)["state"], state)
        self.assertEqual(table.send("look-back", game=game, seq=10**6)["error"], "bad-value")

    def test_what_was_published_can_be_asked_for_after_restart_and_outage(self):
        wire = Wire(Shared.broker.port)
        self.addCleanup(wire.close)
        table = self.table(port=wire.port)
        games = [play(table, 2), play(table, 3)]
        table.state(table.send("history")["seq"])
        published = {
            game: {it.json["seq"]: it.json for it in table.said("state") if it.json["game"] == game}
            for game in games
        }
        for after in ("game", "restart", "outage"):
            if after == "restart":
                table.kill()
                table.start()
            if after == "outage":
                mark = len(table.client.messages)
                wire.cut()
                poll(lambda: "trying again" in table.daemon.log(), "the loss to be noticed")
                wire.mend()
                table.await_status("online", mark)
            with self.subTest(after=after):
                listed = table.send("games", limit=5)
                self.assertEqual([it["game"] for it in listed["games"]], games[::-1])
                self.assertEqual([it["ended"] is None for it in listed["games"]], [True, False])
                self.assertEqual(table.send("games", before=games[0])["games"], [])
                for game in games:
                    self.check_game(table, game, published[game])
        self.assertEqual(table.refused("games", before="nobody"), "nothing-there")
        self.assertEqual(table.refused("look-back"), "missing-field")


class Logbook:
    """A client that answers as docs/logbook.md says, with scripted lists, and notes the questions."""

    def __init__(self, port, lists):
        self.lists = lists
        self.asked = []
        self.client = Client(port, topics=(f"{PREFIX}/logbook/ask/+", f"{PREFIX}/logbook/command/+"))
        self.client.publish(f"{PREFIX}/logbook/status", "online", retain=True).wait_for_publish()
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.answer)
        self.thread.start()

    def answer(self):
        done = 0
        while not self.ends.is_set():
            with self.client.changed:
                self.client.changed.wait_for(
                    lambda: len(self.client.messages) > done or self.ends.is_set()
                )
                new, done = self.client.messages[done:], len(self.client.messages)
            for message in new:
                question = message.json
                verb = message.topic.rpartition("/")[2]
                self.asked.append((message.topic.removeprefix(f"{PREFIX}/logbook/"), question))
                reply = {"id": question.pop("id"), "ok": True} | self.lists[verb].pop(0)
                self.client.publish(f"{PREFIX}/logbook/reply", json.dumps(reply))

    def close(self):
        self.client.publish(f"{PREFIX}/logbook/status", "", retain=True).wait_for_publish()
        self.ends.set()
        with self.client.changed:
            self.client.changed.notify_all()
        self.thread.join()
        self.client.close()


class Ctl(TableTest):
    def logbook(self, **lists):
        book = Logbook(Shared.broker.port, lists)
        self.addCleanup(book.close)
        return book

    def test_without_a_logbook_the_games_are_those_of_the_table(self):
        table = self.table()
        games = [play(table, 1), play(table, 1)]
        listed = ctl("games", table=table)
        self.assertEqual(listed.returncode, FINE, listed.stderr)
        self.assertIn(f"the games that the table {table.name} still has", listed.stderr)
        self.assertEqual([line.split()[-1] for line in listed.stdout.splitlines()[1:]], games[::-1])
        one = ctl("--json", "games", "limit=1", table=table)
        self.assertEqual([it["game"] for it in json.loads(one.stdout)["games"]], games[1:])
        refused = ctl("games", "player=Anna", table=table)
        self.assertEqual(refused.returncode, REFUSED)
        self.assertIn('Unknown field "player"', refused.stdout)
        for words in (["stats"], ["players", "merge", "A", "B"]):
            ended = ctl(*words, table=table)
            self.assertEqual(ended.returncode, UNAVAILABLE)
            self.assertIn("the logbook is not running", ended.stderr)
        self.assertEqual(ctl("players", "merge", "A", table=table).returncode, USAGE)
        self.assertEqual(ctl("games", "Anna", table=table).returncode, USAGE)

    def test_the_logbook_is_asked_and_lists_are_read_to_their_end(self):
        table = self.idle_table()
        book = self.logbook(
            games=[{"games": [{"game": "g-1", "players": ["Anna"], "winners": []}], "more": False}],
            statistics=[
                {"statistics": [{"player": "Anna"}], "more": True},
                {"statistics": [{"player": "Ben"}], "more": False},
            ],
            merge=[{"player": "Anna"}],
            unmerge=[{"player": "Ana"}],
        )
        for words, expected in (
            (["games", "player=Anna", "limit=3"], "g-1"),
            (["stats"], "Ben"),
            (["players", "merge", "Ana", "Anna"], "Accepted: Anna"),
            (["players", "unmerge", "Ana"], "Accepted: Ana"),
        ):
            ended = ctl(*words, table=table)
            self.assertEqual((ended.returncode, ended.stderr), (FINE, ""))
            self.assertIn(expected, ended.stdout)
        self.assertEqual(
            book.asked,
            [
                ("ask/games", {"player": "Anna", "limit": 3}),
                ("ask/statistics", {}),
                ("ask/statistics", {"after": "Anna"}),
                ("command/merge", {"player": "Ana", "into": "Anna"}),
                ("command/unmerge", {"player": "Ana"}),
            ],
        )


if __name__ == "__main__":
    harness.main()
