"""One table as the outside sees it: a daemon, a client that records all it says, its sensors."""

import collections
import itertools
import json
import os
import pathlib

from client import Client
from daemon import Daemon
from sensors import Sensors
from waiting import poll

PREFIX = "shipahoy"
FIXED_KEYS = "v game seq at event_type turn player rule message evidence".split()
RETAINED = {"status", "info", "state", "choices", "score", "ready", "rope", "sensor", "pairing"}
QOS_0 = {"rope", "sensor", "homeassistant"}

numbers = itertools.count(1)


def new_id():
    return f"{os.getpid()}-{next(numbers)}"


def settings(name, port, folder, **sections):
    """The ini of a table. A section's keys may be set with section={"key": value}."""
    ini = {
        "table": {"name": name},
        "mqtt": {"host": "127.0.0.1", "port": port, "prefix": PREFIX},
        "game": {"first": 1},
        "timing": {"shot_window_ms": 3000, "tilt_settle_ms": 10, "button_ms": 2},
        "hw": {"backend": "sim", "socket": f"{folder}/sim.sock"},
        "rope": {"counts_per_knot": 4},
    }
    for section, keys in sections.items():
        ini.setdefault(section, {}).update(keys)
    return "".join(
        f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
        for section, keys in ini.items()
    )


def value_text(value):
    if isinstance(value, list):
        return "+".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def ranking_text(ranking):
    """Best first; those in one place are joined by = instead of a comma."""
    text = ""
    for before, rank in zip([None] + ranking, ranking):
        if before:
            text += "=" if before["place"] == rank["place"] else ","
        text += f"{rank['player']}:{rank['points']}"
    return text


def tell(event):
    """An event as tests/games writes it: "piece-moved piece=red-1 knots=2 cost=2 left=1 M4"."""
    words = [event["event_type"]]
    for key in sorted(event.keys() - FIXED_KEYS):
        value = event[key]
        if key == "ranking":
            value = ranking_text(value)
        if value is not None and value != []:
            words.append(f"{key}={value_text(value)}")
    return " ".join(words + [event["rule"] or ""]).rstrip()


class Table:
    def __init__(
        self, folder, port, name, client_port=None, topics=("#",), version=5, session="", user=None,
        **sections,
    ):  # fmt: skip
        """Its client has this version, user and, if it has a session, this name."""
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.name = name
        self.base = f"{PREFIX}/{name}"
        self.daemon = Daemon(self.folder, settings(name, port, self.folder, **sections))
        self.client = Client(client_port or port, version, topics, session, user)
        self.reply_name = "reply"  # or "reply/NAME" for replies that nobody else gets
        self.asked = []  # (verb, "ok" or the code of the refusal)
        self.open_sensors = None

    def start(self, **environment):
        mark = len(self.client.messages)
        self.daemon.start(**environment)
        self.await_status("online", mark)
        return self

    @property
    def sensors(self):
        if not self.open_sensors:
            self.open_sensors = Sensors(self.folder / "sim.sock")
        return self.open_sensors

    # What it says

    def topic(self, name):
        return f"{self.base}/{name}"

    def await_status(self, text, since=0):
        self.client.wait(
            lambda it: it.topic == self.topic("status") and it.payload == text.encode(),
            f"status {text}", since,
        )  # fmt: skip

    def said(self, name, since=0):
        return [it for it in self.client.messages[since:] if it.topic == self.topic(name)]

    def await_said(self, name, fits=lambda value: True, since=0):
        """The first payload on a topic that fits."""
        return self.client.wait(
            lambda it: it.topic == self.topic(name) and fits(it.json), f"{name} that fits", since
        ).json

    def state(self, seq=None):
        """The state that contains the event seq, by default the last that was heard of.

        Who was disconnected may never get that event, but gets the state.
        """
        if seq:
            topics = (self.topic("event/"), self.topic("state"))
            self.client.wait(
                lambda it: it.topic.startswith(topics) and it.json["seq"] >= seq, f"seq {seq}"
            )
        events = self.events()
        seq = seq or (events[-1]["seq"] if events else 0)
        game = events[-1]["game"] if events else None
        fits = lambda it: it["seq"] >= seq and it["game"] == game  # noqa: E731
        self.await_said("state", fits)
        return [it.json for it in self.said("state") if fits(it.json)][-1]

    def all_events(self):
        """As they came, repetitions included."""
        prefix = self.topic("event/")
        return [it.json for it in list(self.client.messages) if it.topic.startswith(prefix)]

    def events(self):
        """In the order of their first coming, each once."""
        first = {}
        for it in self.all_events():
            first.setdefault((it["game"], it["seq"]), it)
        return list(first.values())

    def await_event(self, name, since=0, fits=lambda event: True):
        return self.client.wait(
            lambda it: it.topic == self.topic(f"event/{name}") and fits(it.json), name, since
        ).json

    def await_seq(self, seq, since=0, game=None):
        """All events up to seq have come, of that game or, by default, of any."""
        prefix = self.topic("event/")
        fits = lambda event: event["seq"] >= seq and game in (None, event["game"])  # noqa: E731
        self.client.wait(
            lambda it: it.topic.startswith(prefix) and fits(it.json), f"event {seq}", since
        )

    # What it is told

    def post(self, verb, fields, **how):
        """Publishes a command and does not wait; returns its id."""
        fields = {"id": new_id()} | fields
        if self.reply_name != "reply":
            how.setdefault("answer_to", self.topic(self.reply_name))
        self.client.publish(self.topic(f"command/{verb}"), json.dumps(fields), **how)
        return fields["id"]

    def await_reply(self, command_id, since=0):
        return self.await_said(self.reply_name, lambda reply: reply["id"] == command_id, since)

    def send(self, verb, **fields):
        mark = len(self.client.messages)
        reply = self.await_reply(self.post(verb, fields), mark)
        self.asked.append((verb, "ok" if reply["ok"] else reply["error"]))
        return reply

    def do(self, verb, **fields):
        """A command that must be accepted; returns what happened, as told by tell()."""
        mark = len(self.client.messages)
        reply = self.send(verb, **fields)
        assert reply["ok"], f"{verb} {fields}: {reply}"
        game = None
        if verb in ("new-game", "start-game"):
            game = self.await_new_game(mark)
        if verb not in ("history", "games", "look-back"):
            self.await_seq(reply["seq"], mark, game)
        return [tell(event) for event in self.events_since(mark) if game in (None, event["game"])]

    def await_new_game(self, mark):
        """Its id. Events of the last game may still be on their way when a reply has come."""
        states = [it for it in self.client.messages[:mark] if it.topic == self.topic("state")]
        known = {None} | {it.json["game"] for it in states}
        return self.await_said("state", lambda it: it["game"] not in known, mark)["game"]

    def history(self):
        """All events of the game, as the daemon has them."""
        parts = [self.send("history")]
        while parts[-1].get("more"):
            parts.append(self.send("history", **{"from": parts[-1]["events"][-1]["seq"] + 1}))
        return [event for part in parts for event in part["events"]]

    def refused(self, verb, **fields):
        """A command that must be refused, without any event: "code" or "code RULE"."""
        mark = len(self.client.messages)
        reply = self.send(verb, **fields)
        assert not reply["ok"], f"{verb} {fields} was accepted"
        assert reply["message"], reply
        assert self.events_since(mark) == [], self.events_since(mark)
        return f"{reply['error']} {reply['rule'] or ''}".rstrip()

    def events_since(self, mark):
        """Those that came first then; a repetition is no news."""
        prefix = self.topic("event/")
        key = lambda it: (it.json["game"], it.json["seq"])  # noqa: E731
        known = {key(it) for it in self.client.messages[:mark] if it.topic.startswith(prefix)}
        came = [it for it in self.client.messages[mark:] if it.topic.startswith(prefix)]
        return [it.json for it in came if key(it) not in known]

    def new_game(self, players=4, **fields):
        colours = (
            [["red", "blue"], ["green", "yellow"]]
            if players == 2
            else [["red"], ["blue"], ["green"], ["yellow"]][:players]
        )
        seats = [
            {"name": name, "harbours": harbours}
            for name, harbours in zip(("Anna", "Ben", "Cleo", "Dan"), colours)
        ]
        at_once = {"abandon": True, "anyway": True}
        return self.do("new-game", **{"players": seats, "first": 1} | at_once | fields)

    def end_phases(self, count):
        for _ in range(count):
            self.do("end-phase")

    # What must hold whatever happened

    def problems(self):
        return (
            self.flag_problems()
            + self.order_problems()
            + self.retained_problems()
            + self.daemon.faults()
        )

    def flag_problems(self):
        found = []
        for it in list(self.client.messages):
            if not it.topic.startswith(self.base + "/"):
                continue
            kind = it.topic[len(self.base) + 1 :].split("/")[0]
            if kind in ("command", "sim", "node"):
                continue
            if "." in it.topic or " " in it.topic:
                found.append(f"not every broker accepts the topic of {it}")
            if self.client.version != 5:
                continue
            if bool(it.retain) != (kind in RETAINED) or it.qos != (0 if kind in QOS_0 else 1):
                found.append(f"retain {it.retain}, QoS {it.qos} of {it}")
        return found

    def order_problems(self):
        """seq goes up by one in each game, and what comes again is what came before."""
        found = []
        last = collections.defaultdict(int)
        first_told = {}
        for event in self.all_events():
            key = (event["game"], event["seq"])
            if key in first_told:
                if event != first_told[key]:
                    found.append(f"{key} came again as {event}, not {first_told[key]}")
                continue
            first_told[key] = event
            if event["seq"] != last[event["game"]] + 1:
                found.append(f"seq {event['seq']} after {last[event['game']]}: {event}")
            last[event["game"]] = event["seq"]
        return found

    def retained_problems(self):
        """state and score have the same seq in turn, and in a game it never goes back.

        A client that connects again may get what the broker has kept from before, and between the
        two the old score.
        """
        found = []
        last = {}
        connection = 1
        is_first_score = False
        for it in list(self.client.messages):
            name = it.topic.removeprefix(self.base + "/")
            if name not in ("state", "score"):
                continue
            now = (it.json["game"], it.json["seq"])
            if it.connection != connection:
                connection, last, is_first_score = it.connection, {}, True
            if name == "score" and is_first_score:
                is_first_score = False
            elif name == "score" and now != last.get("state"):
                found.append(f"score {now} after state {last.get('state')}")
            if last.get(name, now)[0] == now[0] and last.get(name, now)[1] > now[1]:
                found.append(f"{name} {now} after {last[name]}")
            last[name] = now
        return found

    def close_sensors(self):
        if self.open_sensors:
            self.open_sensors.close()
            self.open_sensors = None

    def kill(self):
        self.close_sensors()
        self.daemon.kill()

    def close(self):
        self.close_sensors()
        code = self.daemon.terminate() if self.daemon.alive() else 0
        poll(lambda: not self.daemon.alive(), "the daemon's end")
        self.client.close()
        return code
