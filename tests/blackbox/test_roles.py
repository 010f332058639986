#!/usr/bin/python3
"""The broker with roles, as shipahoy-user sets it up: who may do what, tried through websockets."""

import json
import os
import re
import signal
import subprocess
import unittest

import harness
import paho.mqtt.client as paho
from client import Client
from daemon import ROOT
from harness import Shared, TableTest
from roles import RoleBroker, add_user, login, shipahoy_user, shipahoy_user_command
from table import new_id
from waiting import Deadline, poll

VERBS = json.loads((ROOT / "docs/schemas/command.json").read_text("utf-8"))["definitions"]

ROLES = ("viewer", "captain", "referee")
QUERIES = {"history", "games", "look-back"}
FOR_REFEREES = {"undo", "new-game", "pair", "unpair"}
PLAY = set(VERBS) - QUERIES - FOR_REFEREES


def commands(verbs):
    return {f"shipahoy/den/command/{verb}" for verb in verbs}


# What each role may publish; it may also publish what the roles before it may.
MAY_PUBLISH = {
    "viewer": commands(QUERIES)
    | {f"shipahoy/logbook/ask/{verb}" for verb in ("games", "statistics", "sheets")},
    "captain": commands(PLAY)
    | {
        "shipahoy/den/sim/cannon/beam", "shipahoy/den/sim/harbour/red/dock",
        "shipahoy/den/page/form", "shipahoy/den/page/positions", "shipahoy/den/page/speaker",
        "shipahoy/den/page/told",
    }
    | {f"shipahoy/logbook/score/{verb}" for verb in ("count", "flag", "round", "finish")},
    "referee": commands(FOR_REFEREES)
    | {f"shipahoy/logbook/command/{verb}" for verb in ("open-sheet", "undo-sheet", "close-sheet", "merge", "backup", "start-round")},
}  # fmt: skip

# What only a table or the logbook may publish.
OF_TABLES = {
    f"shipahoy/{name}"
    for name in (
        "den/status", "den/info", "den/state", "den/score", "den/choices", "den/event/game-over",
        "den/homeassistant",
        "den/rope", "den/ready", "den/pairing", "den/sensor/cannon/beam", "den/reply",
        "den/reply/somebody", "den/node/reel/edges", "den/node/reel/status", "den/page",
        "den/page/else", "den/command", "den/command/else", "den/command/end-phase/now",
        "den/x/command/history", "den", "command/history", "logbook/status", "logbook/record",
        "logbook/reply", "logbook/reply/somebody", "logbook/else", "logbook/sheet/20260101-000000-1a2b3c4d", "logbook/tournament/20260101-000000-1a2b3c4d",
        "logbook/score", "logbook/score/count/now",
    )
} | {"homeassistant/device/x/config"}  # fmt: skip

# What nobody with a login may publish.
OF_NOBODY = {
    "else", "zigbee2mqtt/bridge/request/restart", "homeassistant/binary_sensor/x/config",
    "$SYS/broker/load", "shipahoys/den/command/history", "x/shipahoy/den/command/history",
    "Shipahoy/den/command/history", "/shipahoy/den/command/history",
}  # fmt: skip


def setUpModule():
    harness.set_up_module(RoleBroker)


tearDownModule = harness.tear_down_module


class RoleTest(TableTest):
    def add(self, role, *topics):
        """A new user; its name and password."""
        return add_user(f"{role}-{new_id()}", role, *topics)

    def enter(self, role, *topics, **how):
        client = Client(Shared.broker.ws_port, user=self.add(role, *topics), transport="websockets", **how)
        self.addCleanup(client.close)
        return client

    def near(self, topics=("#",)):
        """A client on the machine of the broker, which may do everything."""
        client = Client(Shared.broker.port, topics=topics)
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

    def passed_on(self, client, topics, last_topic="shipahoy/den/command/history"):
        """Those of the topics on which the broker passes on what a client publishes.

        The last message is allowed to everybody; when it has come, nothing else comes any more.
        """
        near = self.near(("#", "$SYS/broker/load"))
        mark, last = new_id(), new_id()
        for topic in sorted(topics):
            client.publish(topic, mark)
        client.publish(last_topic, last)
        near.wait(lambda it: it.payload.decode() == last, "the last message")
        return {it.topic for it in near.messages if it.payload.decode() == mark}


class Rights(RoleTest):
    def test_each_role_publishes_what_it_may_and_nothing_else(self):
        topics = set().union(*MAY_PUBLISH.values(), OF_TABLES, OF_NOBODY)
        allowed = set()
        for role in ROLES:
            with self.subTest(role):
                allowed |= MAY_PUBLISH[role]
                self.assertEqual(self.passed_on(self.enter(role), topics), allowed)

    def test_a_table_publishes_below_the_prefix_and_for_home_assistant(self):
        below = set().union(*MAY_PUBLISH.values(), OF_TABLES)
        table = self.enter("table")
        self.assertEqual(self.passed_on(table, below | OF_NOBODY), below)
        self.enter("captain").publish("shipahoy/den/command/fire", "{}")
        table.wait(lambda it: it.topic == "shipahoy/den/command/fire", "a command")

    def test_a_table_reads_sensors_and_discovery(self):
        near = self.near()
        table = self.enter("table")
        for topic in ("zigbee2mqtt/blue-1", "homeassistant/binary_sensor/x/contact/config"):
            near.publish(topic, "{}")
            table.wait(lambda it: it.topic == topic, topic)  # noqa: B023

    def test_the_logbook_asks_tables_and_answers_and_writes_nothing_else(self):
        topics = set().union(*MAY_PUBLISH.values(), OF_TABLES, OF_NOBODY)
        games = ("sheet/20260101-000000-1a2b3c4d", "tournament/20260101-000000-1a2b3c4d")
        own = {f"shipahoy/logbook/{name}" for name in ("status", "record", "reply", "reply/somebody", *games)}
        self.assertEqual(self.passed_on(self.enter("logbook"), topics), own | commands({"games", "history"}))

    def test_the_logbook_hears_what_it_stores_and_what_it_is_asked(self):
        logbook, near = self.enter("logbook"), self.near()
        to_hear = {
            f"shipahoy/{name}"
            for name in (
                "den/status", "den/event/game-over", "den/reply", "den/reply/logbook1",
                "logbook/ask/games", "logbook/command/merge", "logbook/score/count",
            )
        }  # fmt: skip
        for topic in ("shipahoy/den/command/fire", "shipahoy/den/node/reel/edges", "zigbee2mqtt/x", *sorted(to_hear)):
            near.publish(topic, "x")
        for topic in to_hear:
            logbook.wait(lambda it: it.topic == topic, topic)  # noqa: B023
        heard = {it.topic for it in logbook.messages if it.payload == b"x"}
        self.assertEqual(heard, to_hear)

    def test_sheets_and_tournaments_are_for_all_to_read_and_what_is_entered_for_the_logbook_alone(self):
        near = self.near()
        viewer, referee, logbook = self.enter("viewer"), self.enter("referee"), self.enter("logbook")
        near.publish("shipahoy/logbook/score/count", "29")
        near.publish("shipahoy/logbook/sheet/game", "{}")
        near.publish("shipahoy/logbook/tournament/cup", "{}")
        logbook.wait(lambda it: it.topic == "shipahoy/logbook/score/count", "a change")
        for client in (viewer, referee):
            client.wait(lambda it: it.topic == "shipahoy/logbook/sheet/game", "the state of a sheet")
            client.wait(lambda it: it.topic == "shipahoy/logbook/tournament/cup", "the state of a tournament")
            self.assertFalse([it for it in client.messages if it.topic == "shipahoy/logbook/score/count"])

    def test_a_sensor_writes_its_own_topics_and_those_of_nodes_alone(self):
        topics = set().union(*MAY_PUBLISH.values(), OF_TABLES, OF_NOBODY)
        own = {"zigbee2mqtt/blue-1", "zigbee2mqtt/bridge/state", "ship/state"}
        nodes = {"shipahoy/den/node/reel/edges", "shipahoy/den/node/reel/status"}
        sensor = self.enter("sensor", "zigbee2mqtt/#", "ship/+")
        may = own | nodes | {"zigbee2mqtt/bridge/request/restart"}
        passed = self.passed_on(sensor, topics | own | {"ship/x/y"}, "ship/state")
        self.assertEqual(passed, may)
        node = self.enter("sensor")
        self.assertEqual(self.passed_on(node, topics | own, "shipahoy/den/node/reel/edges"), nodes)
        near = self.near()
        for topic in own | nodes:
            near.publish(topic, "x")
        self.assertFalse([it for it in sensor.messages if it.topic in own | nodes])
        listed = shipahoy_user("list").stdout
        self.assertRegex(listed, r"sensor-\S+ sensor zigbee2mqtt/# ship/\+\n")
        self.assertEqual(shipahoy_user("refresh").returncode, 0)
        self.assertEqual(shipahoy_user("list").stdout, listed)

    def test_topics_of_a_sensor_that_would_let_it_play_are_refused(self):
        for topic in ("#", "+/den/command/fire", "shipahoy/#", "shipahoy/den/sim/x", "shipahoy/+", "a b", "*", ""):
            with self.subTest(topic):
                refused = shipahoy_user("add", "gateway", "sensor", topic)
                self.assertEqual(refused.returncode, 64, refused)
        self.assertEqual(shipahoy_user("add", "anna", "captain", "zigbee2mqtt/#").returncode, 64)
        self.assertNotIn("gateway", shipahoy_user("list").stdout)

    def test_a_last_will_is_no_way_around_the_access_list(self):
        near = self.near()
        for role in ROLES:
            with self.subTest(role):
                client = paho.Client(protocol=paho.MQTTv311, transport="websockets")
                client.username_pw_set(*self.add(role))
                client.will_set("shipahoy/den/status", "offline", 1, True)
                codes = []
                client.on_connect = lambda *words: codes.append(words[3])  # noqa: B023
                client.connect("127.0.0.1", Shared.broker.ws_port)
                poll(lambda: client.loop(0.05) is None or codes, "an answer")  # noqa: B023
                client._sock_close()  # without a goodbye
                last = new_id()
                self.enter(role).publish("shipahoy/den/command/history", last)
                near.wait(lambda it: last.encode() in it.payload, "the end")  # noqa: B023
        self.assertNotIn("shipahoy/den/status", {it.topic for it in near.messages})

    def test_everybody_hears_the_tables_and_nothing_else(self):
        table = self.table()
        near = self.near()
        topics = ("#", "$SYS/#", "+/+/+", "zigbee2mqtt/+", "shipahoys/#", "$share/all/else")
        for role in ROLES:
            with self.subTest(role):
                client = self.enter(role, topics=topics)
                for name in ("status", "info", "state", "score"):
                    client.wait(lambda it: it.topic == table.topic(name), name)  # noqa: B023
                last = new_id()
                for topic in ("else", "zigbee2mqtt/x", "shipahoys/x", "a/b/c"):
                    near.publish(topic, "{}")
                for topic in ("logbook/record", "den/reply/others", "den/command/undo"):
                    near.publish(f"shipahoy/{topic}", "{}")
                near.publish("homeassistant/device/x/config", last)
                client.wait(lambda it: last.encode() in it.payload, "the end")  # noqa: B023
                heard = {it.topic for it in client.messages}
                self.assertLessEqual({"shipahoy/logbook/record", "shipahoy/den/reply/others"}, heard)
                self.assertNotIn("shipahoy/den/command/undo", heard)
                readable = ("shipahoy/", "homeassistant/device/")
                self.assertEqual({it for it in heard if not it.startswith(readable)}, set())

    def test_the_broker_limits_the_size_of_packets(self):
        limits = []
        client = paho.Client(protocol=paho.MQTTv5, transport="websockets")
        client.on_connect = lambda *words: limits.append(words[4].MaximumPacketSize)
        client.username_pw_set(*self.add("viewer"))
        client.connect("127.0.0.1", Shared.broker.ws_port)
        poll(lambda: client.loop(0.05) is None or limits, "an answer")
        client.disconnect()
        self.assertEqual(limits, [512 * 1024])


class Play(RoleTest):
    def test_a_captain_starts_a_game_and_only_a_referee_leaves_it(self):
        table = self.table()
        captain, referee = self.enter("captain"), self.enter("referee")
        self.assertTrue(self.ask(table, captain, "start-game", first=1)["ok"])
        game = table.await_event("game-started")["game"]
        captain.publish(table.topic("command/new-game"), '{"abandon":true}')
        self.assertEqual(self.ask(table, captain, "start-game")["error"], "game-running")
        captain.publish(table.topic("command/undo"), "{}")
        self.assertEqual(self.ask(table, captain, "start-game", abandon=True)["error"], "bad-value")
        self.assertEqual(table.state()["game"], game)
        self.assertEqual([it["event_type"] for it in table.events()].count("undone"), 0)
        self.assertTrue(self.ask(table, referee, "new-game", abandon=True)["ok"])
        table.await_said("state", lambda state: state["game"] not in (None, game))


class Logins(RoleTest):
    def test_without_a_login_nobody_gets_in_from_outside(self):
        name, password = self.add("viewer")
        self.assertEqual(login(name, password), 0)
        self.assertNotEqual(login(None, None), 0)
        self.assertNotEqual(login(name, password + "x"), 0)
        self.assertNotEqual(login("nobody", password), 0)

    def test_who_was_removed_is_out(self):
        name, password = self.add("captain")
        shipahoy_user("--password", password, "add", name, "viewer")
        mine = [line for line in shipahoy_user("list").stdout.splitlines() if line.startswith(name)]
        self.assertEqual(mine, [f"{name} viewer"])
        self.assertEqual(shipahoy_user("remove", name).returncode, 0)
        self.assertNotIn(name, shipahoy_user("list").stdout)
        Shared.broker.reload()
        poll(lambda: login(name, password) != 0, "the login to be refused")

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
            shipahoy_user_command(self.folder, *words),
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
        address = "http://pi.local/#table=den&user=anna&password=abc&view=captain"
        self.assertEqual(said, f"drawn: {address}, called with -t ANSIUTF8\n{address}\n")

    def test_topics_begin_with_the_configured_prefix(self):
        ini = self.folder / "table.ini"
        ini.write_text("[mqtt]\nprefix = club/ships ; ours\n[table]\nname=attic\n")
        self.run_helper("setup")
        said = self.run_helper("--config", str(ini), "add", "anna", "viewer").stdout
        self.assertRegex(said, "#table=attic&user=anna&password=[a-z0-9]+&prefix=club/ships\n")
        topics = re.findall("^topic .*", (self.folder / "shipahoy.acl").read_text(), re.M)
        self.assertIn("topic read club/ships/+/state", topics)
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
                words = ("--password", "s3cret", "add", "eve", "viewer")
                process = self.start_helper(*words, PATH=path)
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

    def test_a_full_disk_costs_no_user(self):
        self.run_helper("setup")
        self.run_helper("add", "ben", "viewer")
        before = self.files()
        path = self.stub("sync", "echo no space left >&2; exit 1")
        for words in (("add", "anna", "viewer"), ("remove", "ben"), ("refresh",)):
            with self.subTest(words):
                self.assertEqual(self.run_helper(*words, PATH=path).returncode, 70)
                self.assertEqual(self.files(), before)

    def test_setup_keeps_each_setting_of_the_web_server_until_it_is_given_again(self):
        site = self.folder / "web/conf.d/shipahoy.conf"
        for words, settings in (
            ((), "http 80 443"),
            (("--http-port", "8080", "--https-port", "8443"), "http 8080 8443"),
            (("--http-port", "81"), "http 81 8443"),
            (("--http-port", "80", "--host", "den.lan"), "http 80 8443 den.lan"),
            ((), "http 80 8443 den.lan"),
            (("--host", "attic.lan"), "http 80 8443 attic.lan"),
        ):
            with self.subTest(words=words):
                self.assertEqual(self.run_helper(*words, "setup").returncode, 0)
                self.assertEqual(re.search("^# settings: (.*?) *$", site.read_text(), re.M)[1], settings)

    def test_a_certificate_keeps_the_name_of_the_setup(self):
        self.assertEqual(self.run_helper("--host", "den.lan", "setup", "--https").returncode, 0)
        path = self.folder / "web/shipahoy-https/server.pem"
        before = path.read_bytes()
        self.assertEqual(self.run_helper("renew").returncode, 0)
        self.assertEqual(path.read_bytes(), before)
        names = subprocess.run(["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", path],
                               capture_output=True, text=True, check=True).stdout  # fmt: skip
        self.assertIn("DNS:den.lan", names)

    def test_with_https_only_this_computer_has_the_page_over_http(self):
        said = self.run_helper("--host", "den.lan", "setup", "--https-only").stdout
        self.assertIn("https://den.lan/", said)
        said = self.run_helper("--host", "localhost", "add", "kiosk", "viewer").stdout
        self.assertTrue(said.splitlines()[-1].startswith("http://localhost/#"), said)

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
