#!/usr/bin/python3
"""The broker with roles, as shipahoy-user sets it up: who may do what, tried through websockets."""

import json
import os
import re
import signal
import subprocess
import unittest
import urllib.request

import harness
import paho.mqtt.client as paho
from broker import Broker
from client import Client
from daemon import ROOT
from harness import Shared, TableTest
from table import new_id
from waiting import Deadline, poll

SCRIPT = ROOT / "config/mosquitto/shipahoy-user.sh"
PAGE = "<title>a page</title>\n"
VERBS = json.loads((ROOT / "docs/schemas/command.json").read_text("utf-8"))["definitions"]

FOR_REFEREES = {"undo", "new-game"}
OTHERS = (
    "status", "info", "state", "score", "event/game-over", "rope", "sensor/cannon/beam", "reply",
    "reply/somebody", "command", "command/end-phase/now", "sim/cannon/beam",
)  # fmt: skip


def shipahoy_user(*words, folder=None, **environment):
    folder = folder or Shared.folder / "broker"
    return subprocess.run(
        ["sh", SCRIPT, "--broker", folder, "--config", os.devnull, *words],
        capture_output=True, text=True, check=False, env=os.environ | environment,
    )  # fmt: skip


class RoleBroker(Broker):
    """With the drop-in that is installed, but for its ports and the folder of the page."""

    def configuration(self):
        pages = self.folder / "pages"
        pages.mkdir(exist_ok=True)
        (pages / "index.html").write_text(PAGE)
        (self.folder / "conf.d").mkdir(exist_ok=True)
        done = shipahoy_user("setup", folder=self.folder)
        assert done.returncode == 0, done
        text = (self.folder / "conf.d/shipahoy.conf").read_text()
        text = text.replace("listener 1883 ", f"listener {self.port} ")
        text = text.replace("listener 9001", f"listener {self.ws_port}")
        text = re.sub("http_dir .*", f"http_dir {pages}", text)
        return text + ("user root\n" if os.geteuid() == 0 else "") + "log_type all\n"


def setUpModule():
    harness.set_up_module(RoleBroker)


tearDownModule = harness.tear_down_module


def login(name, password):
    """The code of the broker's answer; 0 is welcome."""
    codes = []
    client = paho.Client(protocol=paho.MQTTv311, transport="websockets")
    client.on_connect = lambda _client, _context, _flags, code: codes.append(code)
    if name:
        client.username_pw_set(name, password)
    client.connect("127.0.0.1", Shared.broker.ws_port)
    poll(lambda: client.loop(0.05) is None or codes, "an answer to the login")
    client.disconnect()
    return codes[0]


class RoleTest(TableTest):
    def add(self, role):
        """A new user; its name and password."""
        name = f"{role}-{new_id()}"
        added = shipahoy_user("add", name, role)
        self.assertEqual(added.returncode, 0, added.stderr)
        password = re.search("password=([^&\n]+)", added.stdout)[1]
        Shared.broker.reload()
        poll(lambda: login(name, password) == 0, "the new user to be known")
        return name, password

    def enter(self, role):
        client = Client(Shared.broker.ws_port, user=self.add(role), transport="websockets")
        self.addCleanup(client.close)
        return client

    def ask(self, table, client, verb, **fields):
        """As the page does: the answer comes to a topic of one's own."""
        fields["id"] = new_id()
        mark = len(client.messages)
        topic = table.topic("reply/page")
        client.publish(table.topic(f"command/{verb}"), json.dumps(fields), answer_to=topic)
        is_ours = lambda it: it.topic == topic and it.json["id"] == fields["id"]  # noqa: E731
        return client.wait(is_ours, f"a reply to {verb}", mark).json

    def passed_on(self, table, client):
        """What the broker passes on of everything that a client tries to say at a table.

        The last of it may be said by everybody; when that has come, nothing else comes any more.
        """
        names = [f"command/{verb}" for verb in VERBS] + list(OTHERS)
        topics = [table.topic(name) for name in names] + ["homeassistant/device/x/config", "else"]
        last = new_id()
        mark = len(table.client.messages)
        for topic in topics:
            client.publish(topic, json.dumps({"id": "tried", "try": True}))
        client.publish(table.topic("command/history"), json.dumps({"id": last}))
        table.client.wait(lambda it: last.encode() in it.payload, "the last of it", mark)
        return {it.topic for it in table.client.messages[mark:] if b'"try"' in it.payload}


class Rights(RoleTest):
    def test_every_verb_is_given_to_a_role(self):
        given = set()
        for role in ("viewer", "captain", "referee"):
            text = (ROOT / f"config/mosquitto/roles/{role}.acl").read_text()
            given |= set(re.findall(r"^topic write shipahoy/\+/command/(\S+)$", text, re.M))
        self.assertEqual(given, set(VERBS))

    def test_a_viewer_only_asks(self):
        table = self.table()
        heard = self.passed_on(table, self.enter("viewer"))
        self.assertEqual(heard, {table.topic("command/history")})

    def test_a_captain_plays_but_neither_undoes_nor_abandons(self):
        table = self.table()
        heard = self.passed_on(table, self.enter("captain"))
        verbs = set(VERBS) - FOR_REFEREES
        expected = {table.topic(f"command/{verb}") for verb in verbs}
        self.assertEqual(heard, expected | {table.topic("sim/cannon/beam")})

    def test_a_referee_says_every_command_and_nothing_else(self):
        table = self.table()
        heard = self.passed_on(table, self.enter("referee"))
        expected = {table.topic(f"command/{verb}") for verb in VERBS}
        self.assertEqual(heard, expected | {table.topic("sim/cannon/beam")})

    def test_everybody_hears_the_table(self):
        table = self.table()
        for role in ("viewer", "captain", "referee"):
            with self.subTest(role):
                client = self.enter(role)
                for name in ("status", "info", "state", "score"):
                    client.wait(lambda it: it.topic == table.topic(name), name)  # noqa: B023


class Play(RoleTest):
    def test_a_captain_starts_a_game_and_only_a_referee_leaves_it(self):
        table = self.table()
        captain, referee = self.enter("captain"), self.enter("referee")
        self.assertTrue(self.ask(table, captain, "start-game", first=1)["ok"])
        game = table.await_event("game-started")["game"]
        captain.publish(table.topic("command/new-game"), '{"abandon":true}')
        self.assertEqual(self.ask(table, captain, "start-game")["error"], "game-running")
        self.assertEqual(self.ask(table, captain, "start-game", abandon=True)["error"], "bad-value")
        self.assertEqual(table.state()["game"], game)
        self.assertTrue(self.ask(table, referee, "new-game", abandon=True)["ok"])
        table.await_said("state", lambda state: state["game"] not in (None, game))

    def test_a_captain_takes_nothing_back_and_a_referee_does(self):
        table = self.table()
        captain, referee = self.enter("captain"), self.enter("referee")
        self.ask(table, captain, "start-game", first=1)
        self.assertTrue(self.ask(table, captain, "end-phase")["ok"])
        captain.publish(table.topic("command/undo"), "{}")
        self.ask(table, captain, "history")
        self.assertEqual(table.state()["phase"], "moving")
        self.assertTrue(self.ask(table, referee, "undo")["ok"])
        table.await_event("undone")

    def test_an_answer_is_no_pen_for_topics_that_one_may_not_write(self):
        table = self.table()
        viewer = self.enter("viewer")
        mark = len(table.client.messages)
        for name in ("status", "command/undo", "state"):
            viewer.publish(table.topic("command/history"), "{}", answer_to=table.topic(name))
        viewer.publish(
            table.topic("command/history"), '{"id":"end"}', answer_to=table.topic("reply/end")
        )
        table.client.wait(lambda it: it.topic == table.topic("reply/end"), "the end", mark)
        answered = [it.topic for it in table.client.messages[mark:] if b'"no-game"' in it.payload]
        self.assertEqual(answered, [table.topic("reply")] * 3 + [table.topic("reply/end")])

    def test_a_table_elsewhere_logs_in_as_a_table(self):
        name = f"far-{new_id()}"
        added = shipahoy_user("--password", "far-away", "add", name, "table")
        self.assertIn(f"username = {name}", added.stdout)
        Shared.broker.reload()
        poll(lambda: login(name, "far-away") == 0, "the table's user")
        far = Client(Shared.broker.ws_port, user=(name, "far-away"), transport="websockets")
        self.addCleanup(far.close)
        near = Client(Shared.broker.port)
        self.addCleanup(near.close)
        far.publish("shipahoy/attic/state", "{}")
        far.publish("else", "{}")
        far.publish("homeassistant/device/shipahoy-attic/config", "{}")
        near.wait(lambda it: it.topic.startswith("homeassistant/"), "the table's news")
        self.assertIn("shipahoy/attic/state", [it.topic for it in near.messages])
        self.assertNotIn("else", [it.topic for it in near.messages])
        near.publish("shipahoy/attic/command/fire", "{}")
        far.wait(lambda it: it.topic == "shipahoy/attic/command/fire", "a command")


class Logins(RoleTest):
    def test_without_a_login_nobody_gets_in_from_outside(self):
        name, password = self.add("viewer")
        self.assertEqual(login(name, password), 0)
        self.assertNotEqual(login(None, None), 0)
        self.assertNotEqual(login(name, password + "x"), 0)
        self.assertNotEqual(login("nobody", password), 0)

    def test_the_page_itself_needs_no_login(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{Shared.broker.ws_port}/") as answer:
            self.assertEqual(answer.read().decode(), PAGE)

    def test_who_was_removed_is_out(self):
        name, password = self.add("captain")
        self.assertIn(f"{name} captain", shipahoy_user("list").stdout.splitlines())
        self.assertEqual(shipahoy_user("remove", name).returncode, 0)
        self.assertNotIn(name, shipahoy_user("list").stdout)
        Shared.broker.reload()
        poll(lambda: login(name, password) != 0, "the login to be refused")

    def test_a_new_role_takes_the_place_of_the_old_one(self):
        name, _ = self.add("referee")
        shipahoy_user("add", name, "viewer")
        mine = [line for line in shipahoy_user("list").stdout.splitlines() if line.startswith(name)]
        self.assertEqual(mine, [f"{name} viewer"])

    def test_passwords_and_access_list_are_for_the_broker_alone(self):
        _, password = self.add("viewer")
        for name in ("shipahoy.passwd", "shipahoy.acl"):
            path = Shared.folder / "broker" / name
            self.assertEqual(path.stat().st_mode & 0o077, 0, name)
            self.assertNotIn(password, path.read_text())


class Helper(unittest.TestCase):
    """shipahoy-user on a folder of its own, with no broker behind it."""

    def setUp(self):
        self.folder = Shared.folder / f"helper-{new_id()}"
        (self.folder / "conf.d").mkdir(parents=True)

    def run_helper(self, *words, **environment):
        return shipahoy_user(*words, folder=self.folder, **environment)

    def stub(self, program, script):
        """The PATH that finds a script in place of a program."""
        stubs = self.folder / "stubs"
        stubs.mkdir()
        (stubs / program).write_text(f"#!/bin/sh\n{script}\n")
        (stubs / program).chmod(0o755)
        return f"{stubs}:{os.environ['PATH']}"

    def start_helper(self, *words, **environment):
        return subprocess.Popen(
            ["sh", SCRIPT, "--broker", self.folder, "--config", os.devnull, *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env=os.environ | environment,
        )  # fmt: skip

    def files(self):
        """Every file of the broker, by its name."""
        found = (it for it in self.folder.rglob("*") if it.is_file() and it.parent.name != "stubs")
        return {str(it.relative_to(self.folder)): it.read_text() for it in found}

    def test_the_address_is_drawn_for_phones(self):
        path = self.stub("qrencode", 'echo "drawn: $(cat), called with $*"')
        self.run_helper("setup")
        said = self.run_helper(
            "--host", "pi.local", "--table", "den", "--password", "abc", "add", "anna", "captain",
            PATH=path,
        ).stdout  # fmt: skip
        address = "http://pi.local:9001/#table=den&user=anna&password=abc&view=captain"
        self.assertEqual(said, f"drawn: {address}, called with -t ANSIUTF8\n{address}\n")

    def test_topics_begin_with_the_configured_prefix(self):
        ini = self.folder / "table.ini"
        ini.write_text("[mqtt]\nprefix = club/ships ; ours\n[table]\nname=attic\n")
        self.run_helper("setup")
        said = self.run_helper("--config", str(ini), "add", "anna", "viewer").stdout
        self.assertRegex(said, "#table=attic&user=anna&password=[a-z0-9]+&prefix=club/ships\n")
        topics = re.findall("^topic .*", (self.folder / "shipahoy.acl").read_text(), re.M)
        self.assertIn("topic read club/ships/#", topics)
        self.assertNotIn("shipahoy", " ".join(topics))

    def test_a_broker_with_rules_of_its_own_is_left_alone(self):
        other = self.folder / "conf.d/mine.conf"
        other.write_text("listener 1883\n  allow_anonymous true\n# port 5\n")
        tried = self.run_helper("setup")
        self.assertEqual(tried.returncode, 69)
        self.assertIn("mine.conf:1:listener 1883\n", tried.stdout)
        self.assertIn("mine.conf:2:  allow_anonymous true\n", tried.stdout)
        self.assertNotIn("port 5", tried.stdout)
        self.assertEqual(os.listdir(self.folder / "conf.d"), ["mine.conf"])

    def test_nothing_is_written_for_what_makes_no_sense(self):
        self.run_helper("setup")
        before = (self.folder / "shipahoy.acl").read_text()
        for code, *words in (
            (64, "add", "anna", "king"),
            (64, "add", "an na", "viewer"),
            (64, "add", "", "viewer"),
            (64, "--password", "a&b", "add", "anna", "viewer"),
            (64, "--password", "a" * 129, "add", "anna", "viewer"),
            (64, "--table", "a&user=b", "add", "anna", "viewer"),
            (64, "--host", "pi local", "add", "anna", "viewer"),
            (64, "add", "-x", "viewer"),
            (64, "add", "a" * 65, "viewer"),
            (64, "add", "\N{LATIN SMALL LETTER A WITH DIAERESIS}nn", "viewer"),
            (64, "add", "anna\nuser ben", "viewer"),
            (64, "add", "anna"),
            (64, "dance"),
            (64, "--host"),
            (69, "remove", "anna"),
        ):
            with self.subTest(words):
                self.assertEqual(self.run_helper(*words).returncode, code)
        self.assertEqual((self.folder / "shipahoy.acl").read_text(), before)
        self.assertEqual((self.folder / "shipahoy.passwd").read_text(), "")

    def test_a_prefix_that_would_open_other_topics_is_refused(self):
        self.run_helper("setup")
        ini = self.folder / "table.ini"
        for prefix in ("+", "x/+", "a//b", "/a", "a/", "a|b", "a b", "a\\1"):
            with self.subTest(prefix):
                ini.write_text(f"[mqtt]\nprefix = {prefix}\n")
                tried = self.run_helper("--config", str(ini), "add", "anna", "viewer")
                self.assertEqual(tried.returncode, 78, tried)
        self.assertNotIn("anna", self.run_helper("list").stdout)

    def test_users_that_are_made_at_the_same_time_are_all_there(self):
        self.run_helper("setup")
        names = [f"user-{i}" for i in range(8)]
        for process in [self.start_helper("add", name, "viewer") for name in names]:
            self.assertEqual(process.wait(Deadline("shipahoy-user").left()), 0)
        self.assertCountEqual(
            self.run_helper("list").stdout.splitlines(), [f"{name} viewer" for name in names]
        )
        passwords = (self.folder / "shipahoy.passwd").read_text()
        self.assertCountEqual([it.split(":")[0] for it in passwords.splitlines()], names)

    def test_whoever_ends_it_finds_no_password_and_no_change(self):
        self.run_helper("setup")
        self.run_helper("add", "ben", "viewer")
        before = self.files()
        path = self.stub("mosquitto_passwd", f"touch '{self.folder}/stubs/called'; exec sleep 600")
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            with self.subTest(how):
                process = self.start_helper("--password", "s3cret", "add", "eve", "viewer", PATH=path)
                called = self.folder / "stubs/called"
                poll(called.exists, "the password to be made")
                called.unlink()
                os.killpg(process.pid, how)
                process.wait(Deadline("shipahoy-user").left())
                after = self.files()
                self.assertNotIn("s3cret", str(after))
                self.assertEqual(after | before, after)
                if how != signal.SIGKILL:
                    self.assertEqual(after, before)
        self.run_helper("add", "eve", "viewer")
        self.assertEqual(self.files().keys(), before.keys())
        self.assertIn("eve viewer", self.run_helper("list").stdout)

    def test_a_user_whose_password_cannot_be_made_is_not_made(self):
        self.run_helper("setup")
        self.run_helper("add", "ben", "viewer")
        before = self.files()
        path = self.stub("mosquitto_passwd", "echo no luck; exit 1")
        tried = self.run_helper("add", "anna", "viewer", PATH=path)
        self.assertEqual((tried.returncode, tried.stdout), (70, ""))
        self.assertIn("no luck", tried.stderr)
        self.assertEqual(self.files(), before)

    def test_a_full_disk_costs_no_user(self):
        self.run_helper("setup")
        self.run_helper("add", "ben", "viewer")
        before = self.files()
        path = self.stub("sync", "echo no space left >&2; exit 1")
        for words in (("add", "anna", "viewer"), ("remove", "ben"), ("refresh",)):
            with self.subTest(words):
                self.assertEqual(self.run_helper(*words, PATH=path).returncode, 70)
                self.assertEqual(self.files(), before)

    def test_a_folder_with_odd_letters_is_named_as_it_is(self):
        self.folder = self.folder / "a & b | c"
        (self.folder / "conf.d").mkdir(parents=True)
        self.assertEqual(self.run_helper("setup").returncode, 0)
        text = (self.folder / "conf.d/shipahoy.conf").read_text()
        self.assertIn(f"acl_file {self.folder}/shipahoy.acl\n", text)

    def test_refresh_gives_every_user_what_the_role_has_now(self):
        self.run_helper("setup")
        self.run_helper("add", "anna", "viewer")
        self.run_helper("add", "ben", "referee")
        path = self.folder / "shipahoy.acl"
        whole = path.read_text()
        path.write_text("".join(it for it in whole.splitlines(True) if "topic" not in it))
        self.run_helper("refresh")
        self.assertEqual(path.read_text(), whole)

    def test_before_the_setup_users_are_refused(self):
        tried = self.run_helper("add", "anna", "viewer")
        self.assertEqual(tried.returncode, 69)
        self.assertIn("shipahoy-user setup", tried.stderr)


if __name__ == "__main__":
    harness.main()
