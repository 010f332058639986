"""The logbook: whoever may ask it cannot stop it, fill its memory or its log, or change what it has stored."""

import json
import pathlib
import sqlite3
import tempfile
import time

import campaign
from campaign import SECONDS, AttackTest, Flood, Honest, guest
from client import Client
from daemon import ROOT
from harness import Shared
from logbook import Logbook
from packets import publish
from table import PREFIX
from waiting import poll

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

BASE = f"{PREFIX}/logbook"
MEMORY_KIB = 4 * campaign.MEMORY_KIB  # MemoryMax of its service
BLOCK = 500
GAMES = 3
VERBS = {
    "ask": ("games", "game", "players", "statistics", "progress", "records", "badges", "sheets"),
    "command": ("merge", "unmerge", "backup", "undo-sheet", "close-sheet"),
    "score": ("count", "flag", "round", "finish"),
}
FIELDS = ("table", "player", "scenario", "from", "to", "before", "after", "limit", "game", "id",
          "into", "name", "players", "sheet", "counter", "flag", "by", "value")  # fmt: skip
TEXTS = ("'; DROP TABLE game; --", '" OR 1=1 --', "$1", "%s%n", "\\", "Anna", "x" * 3000, "", "é" * 300,
         "\u009f", "2026-05-01", "9999-99-99T99:99:99.999Z", "../../etc/passwd", "none")  # fmt: skip


class Door:
    """Where Honest sends its commands to."""

    def __init__(self, name):
        self.name = name

    def topic(self, name):
        return f"{BASE}/{name.replace('command/', f'{self.name}/')}"


class LogbookAttack(AttackTest):
    def setUp(self):
        super().setUp()
        folder = pathlib.Path(tempfile.mkdtemp(dir=Shared.folder))
        self.logbook = Logbook(folder, Shared.broker.port, sheets=ROOT / "config/sheets")
        self.addCleanup(self.logbook.close)
        # What attackers ask is more than Python can read.
        self.logbook.client.close()
        self.logbook.client = Client(
            Shared.broker.port, topics=(f"{BASE}/status", f"{BASE}/reply")
        )
        self.logbook.start()
        self.book = self.logbook.state / "logbook.db"

    def store_games(self):
        """A few short games; returns the id of the last one."""
        table = self.attacked_table()
        for _ in range(GAMES):
            table.new_game(players=2)
            table.do("fire")
            table.do("topple", piece="green-1")
            table.do("end-phase")
        event = table.events()[-1]
        asking = self.asking()
        seen = {"game": event["game"], "from": event["seq"]}
        poll(lambda: asking.ask("game", **seen).get("states"), "the last state in the logbook")
        return event["game"]

    def asking(self, door="ask"):
        made = Honest(Door(door), "referee")
        self.addCleanup(made.close)
        return made

    def contents(self):
        """All that is stored of games, if the file is whole."""
        with sqlite3.connect(f"file:{self.book}?mode=ro", uri=True) as book:
            self.assertEqual(book.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            return {name: book.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()
                    for name in ("game", "event", "seat", "person")}  # fmt: skip

    def endure_asks(self, flood, honest, verb, **fields):
        """Asks honestly during a flood, then checks what must hold during each of them."""
        honest.ask(verb, **fields)
        honest.took_s.clear()
        lines, mark = self.logbook.log().count("\n"), len(self.logbook.client.messages)
        began = time.monotonic()
        with flood:
            while time.monotonic() < began + SECONDS:
                honest.ask(verb, **fields)
        took_s = time.monotonic() - began
        logged = self.logbook.log().count("\n") - lines
        peak_kib = self.logbook.status("VmHWM")
        self.note(
            sent_MB_s=round(flood.bytes / took_s / 1e6, 1), asked=len(honest.took_s),
            p99_ms=round(honest.p99_s() * 1000), log_lines=logged, peak_MiB=peak_kib // 1024,
        )  # fmt: skip
        self.assertTrue(self.logbook.alive(), self.logbook.log()[-2000:])
        self.assertLess(peak_kib, MEMORY_KIB)
        self.assertLess(logged, campaign.LOG_LINES + took_s)
        heard = self.logbook.client.messages[mark:]
        self.assertNotIn(b"offline", [it.payload for it in heard if it.topic == f"{BASE}/status"])
        if flood.role == "viewer":
            self.assertLess(honest.p99_s(), campaign.HONEST_P99_S)


class Floods(LogbookAttack):
    def flood_of(self, verb, fields=None, **how):
        game = self.store_games()
        before = self.contents()
        fields = {} if fields is None else fields
        payload = fields if isinstance(fields, bytes) else json.dumps(fields).replace("GAME", game)
        block = publish(f"{BASE}/ask/{verb}", payload, **how) * BLOCK
        self.endure_asks(Flood("viewer", [block]), self.asking(), "players")
        self.assertEqual(self.contents(), before)

    def test_of_lists(self):
        self.flood_of("games", {"limit": 100})

    def test_of_statistics_at_qos_1(self):
        self.flood_of("statistics", qos=1)

    def test_of_whole_games(self):
        self.flood_of("game", {"game": "GAME"})

    def test_of_records_to_response_topics(self):
        self.flood_of("records", response=f"{BASE}/reply/flood")

    def test_of_lists_to_many_response_topics(self):
        self.store_games()
        block = b"".join(
            publish(f"{BASE}/ask/games", "{}", response=f"{BASE}/reply/flood-{i}")
            for i in range(BLOCK)
        )
        self.endure_asks(Flood("viewer", [block]), self.asking(), "players")

    def test_of_asks_that_cannot_be_read(self):
        self.flood_of("games", b"[" * 2000)

    def test_of_asks_that_are_too_large(self):
        self.flood_of("games", b" " * 30000)

    def test_of_64_KB_of_correlation_data(self):
        self.flood_of("games", response=f"{BASE}/reply/flood", correlation=b"c" * 65535)

    def test_of_retained_asks(self):
        self.flood_of("games", retain=True)
        guest("viewer").send(publish(f"{BASE}/ask/games", "", retain=True))

    def test_of_unknown_verbs(self):
        self.flood_of("x" * 60)

    def open_sheet(self):
        players = [{"name": "Anna"}, {"name": "Ben"}]
        reply = self.asking("command").ask("open-sheet", name="plank", players=players)
        self.assertTrue(reply["ok"], reply)
        return reply["sheet"]

    def test_of_asks_while_a_captain_counts(self):
        """Counting is playing: asks must not delay it."""
        self.store_games()
        sheet = self.open_sheet()
        block = publish(f"{BASE}/ask/statistics", "{}") * BLOCK
        change = {"sheet": sheet, "counter": "ones", "to": 20}
        self.endure_asks(Flood("viewer", [block]), self.asking("score"), "count", **change)

    def test_of_changes_of_a_sheet(self):
        """They end at the length of a game, which is then still there after a restart."""
        sheet = self.open_sheet()
        fields = json.dumps({"sheet": sheet, "counter": "doubloons", "player": 1, "to": 1})
        block = publish(f"{BASE}/score/count", fields) * BLOCK
        self.endure_asks(Flood("captain", [block]), self.asking(), "players")
        self.logbook.kill()
        began = time.monotonic()
        self.logbook.start()
        self.note(restart_s=round(time.monotonic() - began, 2))
        reply = self.asking("command").ask("close-sheet", sheet=sheet)
        self.assertTrue(reply["ok"], reply)


class Injections(LogbookAttack):
    def test_a_reply_goes_nowhere_else(self):
        self.store_games()
        listener = Client(Shared.broker.port, topics=("#",))
        self.addCleanup(listener.close)
        honest = self.asking()
        honest.ask("players")
        used = []
        foreign = ["zigbee2mqtt/bridge/request/restart", "homeassistant/device/x/config", "a/b", "$SYS/x",
                   f"{PREFIX}/table/reply/x", f"{BASE}/status", f"{BASE}/record", f"{BASE}/sheet/x",
                   f"{BASE}/reply/", f"{BASE}/reply/a/b", f"{BASE}/reply/" + "x" * 65, f"{BASE}/reply/a.b",
                   "/".join("x" * 300), f"{BASE}/ask/games", f"{BASE}/command/merge", "", "#",
                   f"{BASE}/reply/+"]  # fmt: skip
        for topic in foreign:
            heard = len(listener.messages)
            packet = publish(f"{BASE}/ask/games", "{}", response=topic, correlation=b"c")
            self.connection("viewer").send(packet)
            honest.ask("players")
            used += [it.topic[:80] for it in listener.messages[heard:] if b'"ok"' in it.payload
                     and it.topic not in (f"{BASE}/reply", honest.topic)]  # fmt: skip
        self.assertEqual(used, [])
        self.assertTrue(self.logbook.alive())

    def field(self):
        kinds = (
            lambda: self.chance.choice(TEXTS),
            lambda: self.chance.choice((0, 1, -1, 2**31, 2**63 - 1, 1e300, True, None)),
            lambda: [self.chance.choice(TEXTS)] * self.chance.randrange(9),
            lambda: [{"name": self.chance.choice(TEXTS), "role": self.chance.choice(TEXTS)}] * 3,
        )
        return self.chance.choice(kinds)()

    def test_no_text_of_anybody_is_run_as_sql(self):
        """Random fields at every door: each is answered, and games are as they were."""
        game = self.store_games()
        before = self.contents()
        doors = {door: self.asking(door) for door in VERBS}
        count = refused = 0
        ends = time.monotonic() + 2 * SECONDS
        while time.monotonic() < ends:
            door = self.chance.choice(list(VERBS))
            verb = self.chance.choice(VERBS[door])
            names = self.chance.sample(FIELDS, self.chance.randrange(4))
            fields = {name: self.field() for name in names}
            if self.chance.random() < 0.3:
                fields["game"] = game
            fields.pop("id", None)
            if len(json.dumps(fields)) > 4000:
                continue
            reply = doors[door].ask(verb, **fields)
            count += 1
            refused += not reply["ok"]
        self.note(asked=count, refused=refused)
        self.assertEqual(self.contents()["event"], before["event"])
        self.assertEqual(self.contents()["game"], before["game"])
        self.assertFalse(self.logbook.faults(), self.logbook.log()[-2000:])
