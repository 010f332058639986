#!/usr/bin/env python3
"""campaign.py DATABASE SECONDS SEED: two tables play at random while the logbook, the broker, the tables and the
database are killed at random moments, the disk is full and the database is read-only or damaged for a while. At the end,
what is stored is compared with what the tables have: nothing twice, nothing missing.

DATABASE is sqlite or postgresql. Run by run.sh.
"""

import collections
import contextlib
import itertools
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/blackbox"))
import counted  # noqa: E402
from broker import Broker  # noqa: E402
from client import Client  # noqa: E402
from logbook import Logbook  # noqa: E402
from run_postgres import Server  # noqa: E402
from table import PREFIX, Table, new_id  # noqa: E402
from test_logbook import draw  # noqa: E402
from waiting import poll  # noqa: E402

PATIENCE_S = 180  # until everything is stored in the end
DISK_MIB = 512  # of PostgreSQL
LISTS = {"pieces": "piece", "targets": "target", "harbours": "harbour", "values": "value"}
NOT_FIELDS = ("to", "message", "disturbance")
WEIGHTS = {"undo": 0.1, "topple": 6, "fire": 6, "roll-combat": 4}  # so that games come to an end
NAMES = (("Anna", "anna", "AN NA"), ("Ben", "BEN"), ("Cléo", "CLÉO"), ("Dan",))

# A game's figures are copies of these views, made whenever the game has changed.
WRONG_FIGURES = """SELECT COUNT(*) FROM (
    SELECT game, seat, person, ended, finished, place, points, won, shots, hits, fastest, ships, towers, pirate,
        combats_won, combats_lost, knots FROM {}
    EXCEPT SELECT game, seat, person, ended, finished, place, points, won, shots, hits, fastest, ships, towers, pirate,
        combats_won, combats_lost, knots FROM {}) AS wrong"""


class Player(threading.Thread):
    """Plays one of the commands that the table offers, again and again, whether or not anybody hears it."""

    def __init__(self, table, seed):
        super().__init__(daemon=True)
        self.table = table
        self.chance = random.Random(seed)
        self.is_ending = threading.Event()
        self.client = Client(table.client_port, topics=[table.topic("choices")])

    def run(self):
        while not self.is_ending.wait(self.chance.uniform(0.002, 0.06)):
            verb, fields = self.choose()
            self.client.publish(self.table.topic(f"command/{verb}"), json.dumps(fields | {"id": new_id()}))
            del self.client.messages[:-1]

    def choose(self):
        offered = self.client.messages[-1].json["choices"] if self.client.messages else []
        offered = [entry for entry in offered if not entry.get("foul")]
        if not offered or self.chance.random() < 0.004:
            return "new-game", self.setup()
        weights = [WEIGHTS.get(entry["verb"], 1) for entry in offered]
        (entry,) = self.chance.choices(offered, weights)
        fields = {}
        for key, value in entry.items():
            if key in LISTS:
                fields[LISTS[key]] = self.chance.choice(value)
            elif key != "verb" and key not in NOT_FIELDS and value is not None:
                fields[key] = value
        return entry["verb"], fields

    def setup(self):
        people = self.chance.sample(NAMES, self.chance.choice((2, 3, 4)))
        return {
            "players": [{"name": self.chance.choice(spellings)} for spellings in people],
            "scenario": self.chance.choice(("none", "none", "kraken", "pirate-ship", "merchant")),
            "dice": "table", "abandon": True, "anyway": True,
        }  # fmt: skip

    def end(self):
        self.is_ending.set()
        self.join()
        self.client.close()


class Campaign:
    def __init__(self, kind, seconds, seed):
        self.kind = kind
        self.seconds = seconds
        self.chance = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-logbook-"))
        self.counts = collections.Counter()
        self.games = []  # in the end: when they began, their events and a state
        self.server = None
        if kind == "postgresql":
            self.server = Server(disk_mib=DISK_MIB if os.geteuid() == 0 else None)
            self.server.start()
        self.broker = Broker(self.folder / "broker", persistent=True)
        self.logbook = Logbook(self.folder / "logbook", self.broker.port, database=self.server and self.server.url)
        self.tables = []
        for name in ("den", "loft"):
            table = Table(self.folder / name, self.broker.port, name, topics=[f"{PREFIX}/{name}/status", f"{PREFIX}/{name}/reply"],
                          journal={"keep_games": 10000, "keep_kib": 1048576})
            table.client_port = self.broker.port
            self.tables.append(table.start())
        self.logbook.start()
        self.players = [Player(table, self.chance.random()) for table in self.tables]

    # What happens to them

    def pause(self):
        time.sleep(self.chance.expovariate(1.0))

    def kill_logbook(self):
        self.logbook.kill()
        self.pause()
        self.logbook.launch(preexec=ignore_full_disk)

    def kill_broker(self):
        self.broker.stop(signal.SIGKILL)
        self.pause()
        self.broker.start()

    def kill_table(self):
        table = self.chance.choice(self.tables)
        table.daemon.kill()
        self.pause()
        table.daemon.launch()

    def kill_database(self):
        self.server.stop(signal.SIGKILL)
        self.pause()
        self.server.start()

    def forbid_writing(self):
        """PostgreSQL says what a read-only disk says."""
        for setting in ("on", "off"):
            self.sql("SET default_transaction_read_only = off",
                     f"ALTER SYSTEM SET default_transaction_read_only = {setting}", "SELECT pg_reload_conf()")
            self.pause()

    def fill_disk_of_database(self):
        self.server.fill_disk()
        self.pause()
        self.server.free_disk()

    def fill_disk(self):
        """A limit on the size of its files stands for the disk."""
        pid = self.logbook.process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (16384, resource.RLIM_INFINITY))
        self.pause()
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def damage_and_restore(self):
        """The last backup is restored, and what came after it is read from the tables."""
        file = self.logbook.state / "logbook.db"
        backup = self.logbook.state / "logbook-backup.db"
        reply = self.logbook.send("command", "backup")
        assert reply["ok"] and reply["file"] == str(backup), reply
        self.pause()
        self.logbook.kill()
        self.spoil(backup, damage, "it is damaged")
        self.spoil(backup, lambda path: set_version(path, 99), "it has version 99")
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        shutil.copy(backup, file)
        self.logbook.launch(preexec=ignore_full_disk)

    def spoil(self, file, how, sentence):
        """A copy of a database is spoilt, and a start with it ends with a sentence."""
        other = self.folder / "spoilt"
        shutil.rmtree(other, ignore_errors=True)
        other.mkdir()
        shutil.copy(file, other / "logbook.db")
        how(other / "logbook.db")
        done = subprocess.run([self.logbook.program, "--config", self.logbook.configuration, "--state-dir", other],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 69 and sentence in done.stderr, done

    def harm(self):
        harms = [self.kill_logbook, self.kill_broker, self.kill_table]
        if self.server:
            harms += [self.kill_database, self.kill_database, self.forbid_writing]
            harms += [self.fill_disk_of_database] * 2 if self.server.is_mounted else []
        else:
            harms += [self.fill_disk, self.fill_disk]
            if self.logbook_answers() and self.chance.random() < 0.3:
                harms = [self.damage_and_restore]
        harm = self.chance.choice(harms)
        self.counts[harm.__name__] += 1
        harm()

    def logbook_answers(self):
        mark = len(self.logbook.client.messages)
        self.logbook.client.publish(f"{PREFIX}/logbook/ask/records", "{}")
        with contextlib.suppress(AssertionError):
            return poll(lambda: any(it.topic.endswith("/reply") for it in self.logbook.client.messages[mark:]), "a reply", 3)
        return False

    # What must hold in the end

    def sql(self, *statements):
        """The first column of the last row, as text."""
        if self.server:
            options = [word for statement in statements for word in ("-c", statement)]
            done = subprocess.run(["psql", "-qAt", self.server.url, *options], capture_output=True, text=True, check=True)
            return done.stdout.strip().split("\n")[-1]
        with contextlib.closing(sqlite3.connect(self.logbook.state / "logbook.db", timeout=60)) as database:
            return str(database.execute(*statements).fetchone()[0])

    def ask(self, target, verb, **fields):
        """Asked until there is a reply: the broker may have been killed just before."""
        replies = []

        def has_reply():
            with contextlib.suppress(AssertionError):
                replies.append(target(verb, **fields))
            return replies

        poll(has_reply, verb, PATIENCE_S)
        assert replies[-1]["ok"], (verb, fields, replies[-1])
        return replies[-1]

    def events_of_table(self, table, game):
        events, states, more = [], [], True
        while more:
            reply = self.ask(table.send, "history", game=game, states=True, **{"from": len(events) + 1})
            events += reply["events"]
            states += reply["states"]
            more = reply["more"]
        return events, draw(states)

    def compare_game(self, table, entry, is_open):
        game = entry["game"]
        events, states = self.events_of_table(table, game)
        poll(lambda: self.is_stored(game, entry["seq"]), f"event {entry['seq']} of {game} in the logbook", PATIENCE_S)
        stored = self.logbook.game(game)
        undone = set()
        for event in events:
            if event["event_type"] == "undone":
                undone |= set(range(event["from"], event["to"] + 1))
        self.games.append((stored["game"]["began"], [dict(event) for event in stored["events"]], stored["states"][0]["state"]))
        if is_open:  # it may have gone on meanwhile, by what the sensors report
            events, stored["events"] = (them[: entry["seq"]] for them in (events, stored["events"]))
            states = {seq: state for seq, state in states.items() if seq < entry["seq"]}
            stored["states"] = [state for state in stored["states"] if state["seq"] in states]
        marked = {event["seq"] for event in stored["events"] if event.pop("undone", False)}
        assert stored["events"] == events, f"{game}: {first_other(stored['events'], events)}"
        assert marked == undone, f"{game}: {marked} are marked as undone, and {undone} are"
        drawn = draw(stored["states"])
        assert drawn == states, f"{game}: {differences(drawn, states)}"
        self.counts["games"] += 1
        self.counts["events"] += len(events)
        self.counts["finished"] += stored["game"]["ended"] is not None

    def is_stored(self, game, seq):
        reply = self.logbook.send("ask", "game", game=game, **{"from": seq})
        return reply["ok"] and reply["events"] and reply["states"]

    def compare(self):
        for table in self.tables:
            before = {}
            more = True
            while more:
                reply = self.ask(table.send, "games", **before)
                for entry in reply["games"]:
                    self.compare_game(table, entry, is_open=not before)
                    before = {"before": entry["game"]}
                more = reply["more"]
        assert self.sql("SELECT COUNT(*) FROM (SELECT game, seq FROM event GROUP BY game, seq HAVING COUNT(*) > 1) AS t") == "0"
        assert self.sql("SELECT COUNT(*) FROM (SELECT game FROM game GROUP BY game HAVING COUNT(*) > 1) AS t") == "0"
        self.logbook.ask("records")  # brings the figures up to date
        for views in (("game_figure", "figure"), ("figure", "game_figure")):
            assert self.sql(WRONG_FIGURES.format(*views)) == "0", f"figures differ: {views}"
        assert self.counts["events"] > 0

    def compare_statistics(self):
        """With the events of the tables, with two players merged, and as before the merge."""
        before = self.told()
        assert before == counted.count(self.games), (before, counted.count(self.games))
        assert self.logbook.send("command", "merge", player="d a n", into="BEN")["ok"]
        merged = counted.count(self.games, merged={"dan": "ben"})
        assert self.told() == merged, (self.told(), merged)
        assert self.logbook.send("command", "unmerge", player="Dan")["ok"]
        assert self.told() == before

    def told(self):
        entries, more = [], True
        while more:
            reply = self.logbook.ask("statistics", **({"after": entries[-1]["player"]} if entries else {}))
            entries += reply["statistics"]
            more = reply["more"]
        return counted.told(entries)

    # The whole

    def run(self):
        for player in self.players:
            player.start()
        ends = time.monotonic() + self.seconds
        while time.monotonic() < ends:
            self.pause()
            self.harm()
        for player in self.players:
            player.end()
        for daemon in (self.logbook, *(table.daemon for table in self.tables)):
            assert daemon.alive(), daemon.log()
        poll(self.logbook_answers, "an answer of the logbook", PATIENCE_S)
        for table, player in zip(self.tables, self.players):
            # A new game in which nothing goes on by itself, as a shot does.
            self.ask(table.send, "new-game", **player.setup())
        self.compare()
        self.compare_statistics()

    def close(self):
        faults = []
        for daemon in (self.logbook, *(table.daemon for table in self.tables)):
            if daemon.alive():
                daemon.terminate()
            faults += daemon.faults()
        self.logbook.client.close()
        for table in self.tables:
            table.client.close()
        self.broker.stop()
        if self.server:
            self.counts["panics of PostgreSQL"] = self.server.log().count("PANIC:  ")
            self.counts["writes without room"] = self.server.log().count("No space left on device")
            self.server.close()
        shutil.rmtree(self.folder)
        return faults


def ignore_full_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def first_other(stored, events):
    for one, other in itertools.zip_longest(stored, events):
        if one != other:
            return f"{one} is stored, and the table has {other}"
    return "no difference"


def differences(drawn, states):
    """The first state that differs: what is stored and what the table has."""
    for seq in sorted(drawn.keys() | states.keys()):
        one, other = drawn.get(seq), states.get(seq)
        if not one or not other:
            return f"state {seq} {'is missing' if other else 'exists only in the logbook'}"
        keys = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
        if keys:
            return f"state {seq}: " + "; ".join(f"{key} {one.get(key)}, not {other.get(key)}" for key in keys)
    return "no difference"


def damage(path):
    """All but the first page."""
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))


def set_version(path, version):
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE logbook SET version = ?", (version,))
        database.commit()


def main():
    kind, seconds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    began = time.monotonic()
    campaign = Campaign(kind, seconds, seed)
    try:
        campaign.run()
    except AssertionError:
        print(campaign.logbook.log()[-3000:])
        raise
    finally:
        faults = campaign.close()
    assert not faults, faults
    print(f"{kind}, seed {seed}, {time.monotonic() - began:.0f} s: "
          + ", ".join(f"{count} {what}" for what, count in sorted(campaign.counts.items())))


if __name__ == "__main__":
    main()
