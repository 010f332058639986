#!/usr/bin/python3
"""The roles on a NATS cluster: each role may do what it may on mosquitto, and nothing else.

What each role may is in tests/blackbox/test_roles.py, which tries the same on mosquitto.
"""

import contextlib
import shutil
import unittest

import paho.mqtt.client as paho
from client import Client
from clusters import CHROOT, NatsCluster
from table import new_id
from test_roles import MAY_PUBLISH, OF_NOBODY, OF_TABLES, ROLES, commands
from waiting import TooLate, poll

V3_1_1 = 4
CONNECT_S = 60
# NATS ends the connection of a client that uses one of these, which the other tests do not want.
NO_TOPICS = {"/shipahoy/den/command/history", "$SYS/broker/load"}
ALL = set().union(*MAY_PUBLISH.values(), OF_TABLES, OF_NOBODY) - NO_TOPICS
SENSOR_TOPICS = ("zigbee2mqtt/#", "ship/+", "office/a.b")
USERS = {role: () for role in (*ROLES, "table", "logbook", "node")} | {"gateway": SENSOR_TOPICS}
KINDS = {"node": "sensor", "gateway": "sensor"}


class Club:
    cluster = None


def setUpModule():
    Club.cluster = NatsCluster(chroot=bool(CHROOT))
    done = Club.cluster.shipahoy_user("setup")
    assert done.returncode == 0, done
    Club.cluster.add_user("table", "table")
    Club.cluster.has_users = True
    Club.cluster.start()


def tearDownModule():
    Club.cluster.stop()
    shutil.rmtree(Club.cluster.folder)


class RoleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name, topics in USERS.items():
            Club.cluster.add_user(name, KINDS.get(name, name), *topics)
        Club.cluster.reload()

    def enter(self, name, *topics, node=0, **how):
        def connect():
            with contextlib.suppress(OSError, TooLate):
                return Client(
                    Club.cluster.nodes[node].ws_port, version=V3_1_1, topics=topics or ("none",),
                    user=(name, f"{name}-1"), transport="websockets", **how,
                )  # fmt: skip

        client = poll(connect, f"a connection of {name}", CONNECT_S)
        self.addCleanup(client.close)
        return client

    def passed_on(self, name, topics, last_topic="shipahoy/den/command/history"):
        """Those of the topics on which the cluster passes on what a client publishes on another node.

        When the last message has come, which is allowed, nothing else comes any more.
        """
        near, client = self.enter("table", "#"), self.enter(name, node=1)
        mark, last = new_id(), new_id()
        for topic in sorted(topics):
            client.publish(topic, mark)
        client.publish(last_topic, last)
        near.wait(lambda it: it.payload.decode() == last, "the last message")
        self.assertEqual(client.connections, 1, "the client was disconnected")
        return {it.topic for it in near.messages if it.payload.decode() == mark}

class Rights(RoleTest):
    def test_each_role_publishes_what_it_may_and_nothing_else(self):
        allowed = set()
        for role in ROLES:
            with self.subTest(role):
                allowed |= MAY_PUBLISH[role]
                self.assertEqual(self.passed_on(role, ALL), allowed)

    def test_a_table_publishes_below_the_prefix_and_for_home_assistant(self):
        below = set().union(*MAY_PUBLISH.values(), OF_TABLES)
        self.assertEqual(self.passed_on("table", ALL), below)

    def test_the_logbook_asks_tables_and_answers_and_writes_nothing_else(self):
        own = {f"shipahoy/logbook/{name}" for name in ("status", "record", "reply", "reply/somebody", "sheet/20260101-000000-1a2b3c4d", "tournament/20260101-000000-1a2b3c4d")}
        self.assertEqual(self.passed_on("logbook", ALL), own | commands({"games", "history"}))

    def test_a_sensor_writes_its_own_topics_and_those_of_nodes_alone(self):
        own = {"zigbee2mqtt/blue-1", "zigbee2mqtt/bridge/state", "ship/state", "office/a.b"}
        nodes = {"shipahoy/den/node/reel/edges", "shipahoy/den/node/reel/status"}
        others = {"ship/x/y", "office/a/b"}
        passed = self.passed_on("gateway", ALL | own | others, "ship/state")
        self.assertEqual(passed, own | nodes | {"zigbee2mqtt/bridge/request/restart"})
        passed = self.passed_on("node", ALL | own, "shipahoy/den/node/reel/edges")
        self.assertEqual(passed, nodes)

    def assert_hears(self, name, topics, to_publish, expected):
        """NATS keeps the order within a subscription only, so all that is expected is waited for."""
        table = self.enter("table")
        client = self.enter(name, *topics, node=2)
        mark = new_id()
        heard = lambda: {it.topic for it in client.messages if it.payload.decode() == mark}  # noqa: E731
        for topic in sorted(to_publish):
            table.publish(topic, mark)
        client.until(lambda: heard() >= expected, f"{expected} for {name}")
        self.assertEqual(heard(), expected)

    def test_commands_and_what_is_entered_on_sheets_is_not_for_all_to_read(self):
        """A subscription that contains more than is allowed is refused as a whole, unlike on mosquitto."""
        secret = {"shipahoy/den/command/undo", "shipahoy/logbook/score/count", "shipahoy/logbook/command/merge"}
        public = {"shipahoy/den/event/game-over", "shipahoy/den/reply/others", "shipahoy/logbook/record"}
        wide = ("#", "shipahoy/#", "+/+/+/+", "shipahoy/+/command/+", "$JS/#", "$MQTT/#", "$SYS/#")
        narrow = ("shipahoy/+/status", "shipahoy/+/event/+", "shipahoy/+/reply/+", "shipahoy/logbook/record")
        for role in ROLES:
            with self.subTest(role):
                self.assert_hears(role, wide + narrow, secret | public, public)

    def test_the_logbook_hears_what_it_stores_and_what_it_is_asked(self):
        to_hear = {"shipahoy/den/event/game-over", "shipahoy/den/reply", "shipahoy/den/reply/logbook1",
                   "shipahoy/logbook/ask/games", "shipahoy/logbook/command/merge", "shipahoy/logbook/score/count"}  # fmt: skip
        topics = ("shipahoy/+/status", "shipahoy/+/event/+", "shipahoy/+/reply", "shipahoy/+/reply/+", "shipahoy/logbook/ask/+", "shipahoy/logbook/command/+", "shipahoy/logbook/score/+", "shipahoy/+/command/+")
        others = {"shipahoy/den/command/fire", "shipahoy/den/node/reel/edges"}
        self.assert_hears("logbook", topics, to_hear | others, to_hear)

    def test_a_last_will_is_no_way_around_the_access_list(self):
        near = self.enter("table", "#")
        for role in ROLES:
            with self.subTest(role):
                client = paho.Client(protocol=paho.MQTTv311, transport="websockets")
                client.username_pw_set(role, f"{role}-1")
                client.will_set("shipahoy/den/status", "will", 1, True)
                codes = []
                client.on_connect = lambda *words: codes.append(words[3])  # noqa: B023
                client.connect("127.0.0.1", Club.cluster.nodes[0].ws_port)
                poll(lambda: client.loop(0.05) is None or codes, "an answer")  # noqa: B023
                client._sock_close()  # without a goodbye
                last = new_id()
                self.enter(role).publish("shipahoy/den/command/history", last)
                near.wait(lambda it: last.encode() in it.payload, "the end")  # noqa: B023
        self.assertNotIn(b"will", {it.payload for it in near.messages})


class Logins(RoleTest):
    def code(self, *user, port=None):
        """Of the answer to a login; None if the node closes the connection instead."""
        codes = []
        client = paho.Client(protocol=paho.MQTTv311)
        client.on_connect = lambda *words: codes.append(words[3])
        if user:
            client.username_pw_set(*user)
        client.connect("127.0.0.1", port or Club.cluster.ports[0])
        poll(lambda: client.loop(0.05) or codes, "an answer")
        client.disconnect()
        return codes[0] if codes else None

    def test_without_a_login_nobody_gets_in(self):
        self.enter("viewer")
        self.assertEqual(self.code("viewer", "viewer-1"), 0)
        for user in ((), ("viewer", "viewer-2"), ("nobody", "viewer-1")):
            with self.subTest(user):
                self.assertNotEqual(self.code(*user), 0)

    def test_who_was_removed_is_out_and_does_not_come_back(self):
        Club.cluster.add_user("anna", "captain")
        Club.cluster.reload()
        anna = self.enter("anna")
        self.assertEqual(Club.cluster.shipahoy_user("remove", "anna").returncode, 0)
        Club.cluster.reload()
        poll(lambda: not anna.paho.is_connected(), "the end of the connection")
        self.assertNotEqual(self.code("anna", "anna-1"), 0)

    def test_a_cluster_without_users_lets_nobody_in(self):
        for name in USERS:
            Club.cluster.shipahoy_user("remove", name)
        Club.cluster.reload()
        try:
            self.assertEqual(Club.cluster.shipahoy_user("list").stdout, "")
            self.assertNotEqual(self.code(), 0)
            self.assertNotEqual(self.code("viewer", "viewer-1"), 0)
        finally:
            self.setUpClass()


if __name__ == "__main__":
    unittest.main(verbosity=2)
