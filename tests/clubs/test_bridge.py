#!/usr/bin/python3
"""A table at home whose broker has a bridge to that of a club: config/mosquitto/bridge.conf and role bridge."""

import contextlib
import json
import pathlib
import re
import shutil
import signal
import tempfile
import unittest

import roles
from broker import Broker
from client import Client
from clusters import CHROOT, NatsCluster
from daemon import ROOT
from logbook import Logbook
from table import Table, new_id
from waiting import TooLate, poll

PASSWORD = "bridge-1"
ATTEMPTS, ATTEMPT_S = 10, 3
BUTTONS = {"button.end": {"command": "end-phase"}}


class ClubBroker(Broker):
    """mosquitto as shipahoy-user sets it up, with one listener for all, and with a login."""

    def configuration(self):
        (self.folder / "conf.d").mkdir(exist_ok=True)
        (self.folder / "mosquitto.conf").unlink(missing_ok=True)
        for words in (
            ("setup",), ("--password", PASSWORD, "add", "den-home", "bridge", "den"),
            ("--password", "table-1", "add", "club", "table"), ("--password", "book-1", "add", "book", "logbook"),
        ):  # fmt: skip
            done = roles.shipahoy_user(*words, folder=self.folder)
            assert done.returncode == 0, done
        return (
            f"listener {self.port} 127.0.0.1\nlistener {self.ws_port} 127.0.0.1\nprotocol websockets\n"
            f"allow_anonymous false\npassword_file {self.folder}/shipahoy.passwd\n"
            f"acl_file {self.folder}/shipahoy.acl\nuser root\nlog_type all\n"
            f"persistence true\npersistence_location {self.folder}/\n"
        )


class NatsClub:
    """The same on the recommended cluster; port is that of its first node."""

    def __init__(self, _folder):
        self.cluster = NatsCluster(chroot=bool(CHROOT))
        self.cluster.shipahoy_user("setup")
        for password, *words in ((PASSWORD, "den-home", "bridge", "den"), ("table-1", "club", "table"), ("book-1", "book", "logbook")):
            done = self.cluster.shipahoy_user("--password", password, "add", *words)
            assert done.returncode == 0, done
        self.cluster.has_users = True
        self.cluster.user = "club", "table-1"
        self.cluster.start()
        self.port = self.cluster.ports[0]

    def stop(self, _how=None):
        self.cluster.stop()

    def start(self):
        self.cluster.start()


class HomeBroker(Broker):
    """As shipahoy-user sets it up, with the bridge that is installed."""

    def __init__(self, folder, club, version, lets_play=False):
        text = (ROOT / "config/mosquitto/bridge.conf").read_text()
        text = text.replace("address club.local:1883", f"address 127.0.0.1:{club.port}")
        text = text.replace("remote_username den", "remote_username den-home")
        text = text.replace("change-this-password", PASSWORD)
        text = text.replace("mqttv311", version).replace("restart_timeout 5 60", "restart_timeout 1 2")
        self.bridge = re.sub("^#(topic command)", r"\1", text, flags=re.M) if lets_play else text
        super().__init__(folder, persistent=True)

    def configuration(self):
        return super().configuration() + self.bridge


class Bridge:
    """For each kind of club: its class names the broker, and the version of the bridge."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.club = self.kind(self.folder / "club")
        self.addCleanup(self.club.stop)

    def begin(self, **how):
        self.home = HomeBroker(self.folder / "home", self.club, self.version, **how)
        self.addCleanup(self.home.stop)
        self.table = Table(self.folder / "table", self.home.port, "den", **BUTTONS)
        self.addCleanup(self.table.close)
        self.table.start()
        self.guest = self.enter("#", name="guest")

    def enter(self, *topics, **how):
        client = poll(lambda: self.attempt(*topics, **how), "the broker of the club", 60)
        self.addCleanup(client.close)
        return client

    def attempt(self, *topics, **how):
        try:
            return Client(self.club.port, self.client_version, topics, user=("club", "table-1"), **how)
        except (OSError, AssertionError):
            return None

    def heard(self):
        return {it.topic.removeprefix("shipahoy/den/").split("/")[0] for it in self.guest.messages}

    def events(self, client):
        found = {}
        for it in list(client.messages):
            if it.topic.startswith("shipahoy/den/event/"):
                found.setdefault((it.json["game"], it.json["seq"]), it.json)
        return list(found.values())

    def ask(self, verb, **fields):
        """Repeats it, because the bridge may still be subscribing; a table carries out an id once."""
        fields["id"] = new_id()
        replies = lambda: [  # noqa: E731
            it.json for it in list(self.guest.messages)
            if it.topic == "shipahoy/den/reply" and it.json["id"] == fields["id"]
        ]  # fmt: skip
        for _ in range(ATTEMPTS):
            self.guest.publish(f"shipahoy/den/command/{verb}", json.dumps(fields))
            with contextlib.suppress(TooLate):
                return poll(replies, f"a reply to {verb}", ATTEMPT_S)[0]
        raise TooLate(f"no reply to {verb}")

    def test_the_club_sees_the_game_asks_for_it_and_cannot_play(self):
        self.begin()
        self.table.new_game()
        self.table.sensors.fire()
        self.guest.wait(lambda it: it.topic == "shipahoy/den/event/shot-fired", "the shot in the club")
        self.table.client.publish("shipahoy/den/sim/rope/a", "1")
        self.table.client.publish("shipahoy/attic/state", "{}", retain=True)
        for verb in ("undo", "end-phase", "new-game"):
            self.guest.publish(f"shipahoy/den/command/{verb}", '{"abandon":true}')
        events = self.ask("history", **{"from": 1})["events"]  # after these, so they did not get through
        self.assertEqual(events, self.table.events())
        self.guest.until(lambda: len(self.events(self.guest)) == len(events), "all events in the club")
        self.assertEqual(self.events(self.guest), events)
        allowed = {"status", "info", "state", "score", "choices", "ready", "event", "reply", "command"}
        self.assertLessEqual(self.heard(), allowed)
        home = [it.topic for it in self.table.client.messages if it.topic.startswith("shipahoy/den/command/")]
        self.assertEqual(set(home), {"shipahoy/den/command/new-game", "shipahoy/den/command/history"})
        commands = [it for it in self.guest.messages if "/command/new-game" in it.topic]
        self.assertEqual(len(commands), 1, "what is played at home came to the club, or its own came back")

    def test_what_happens_while_the_club_is_away_comes_later(self):
        self.begin()
        self.table.new_game()
        self.guest.wait(lambda it: it.topic == "shipahoy/den/event/game-started", "the game in the club")
        self.club.stop(signal.SIGTERM)
        self.table.end_phases(6)
        self.assertEqual(self.table.state()["turn"], 3)
        self.club.start()
        count = len(self.table.events())
        # The session of the guest may be over with its broker, that of the bridge is at home.
        late = self.enter("shipahoy/den/#")
        late.wait(lambda it: it.topic == "shipahoy/den/state" and it.json["turn"] == 3, "the state", 0)
        self.guest.until(lambda: len(self.events(self.guest)) == count, "all events in the club")
        self.assertEqual([it["seq"] for it in self.events(self.guest)], list(range(1, count + 1)))

    def test_the_club_plays_if_the_home_lets_it(self):
        self.begin(lets_play=True)
        self.assertTrue(self.ask("start-game", first=1)["ok"])
        self.table.await_event("game-started")

    def test_the_logbook_of_the_club_has_the_game(self):
        book = Logbook.__new__(Logbook)
        folder = self.folder / "logbook"
        folder.mkdir()
        (folder / "password").write_text("book-1\n")
        ini = f"[mqtt]\nhost = 127.0.0.1\nport = {self.club.port}\nusername = book\npassword_file = {folder}/password\n"
        super(Logbook, book).__init__(folder, ini)
        book.state.mkdir()
        self.begin()
        self.table.new_game()
        self.table.end_phases(3)  # before there was a logbook
        self.guest.until(lambda: len(self.events(self.guest)) == len(self.table.events()), "all events")
        super(Logbook, book).start()
        self.addCleanup(book.kill)
        book.client = self.enter("shipahoy/logbook/#")
        self.table.end_phases(3)
        game = self.table.state()["game"]
        self.assertEqual(book.await_game(game, len(self.table.events()))["events"], self.table.events())

    def test_the_role_publishes_for_its_table_alone(self):
        self.begin()
        bridge = Client(self.club.port, 4, ("none",), user=("den-home", PASSWORD))
        self.addCleanup(bridge.close)
        for topic in ("shipahoy/attic/state", "shipahoy/den/command/undo", "shipahoy/logbook/ask/games", "else"):
            bridge.publish(topic, "forged")
        bridge.publish("shipahoy/den/reply/x", "last")
        self.guest.wait(lambda it: it.payload == b"last", "the last message")
        self.assertNotIn(b"forged", {it.payload for it in self.guest.messages})


class ToMosquitto(Bridge, unittest.TestCase):
    kind = ClubBroker
    version = "mqttv50"
    client_version = 5


class ToNats(Bridge, unittest.TestCase):
    kind = NatsClub
    version = "mqttv311"
    client_version = 4


if __name__ == "__main__":
    unittest.main(verbosity=2)
