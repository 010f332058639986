"""Floods: the daemon keeps its memory, its log and its connection, and a player is still served."""

import json
import time

import campaign
from campaign import AttackTest, Flood
from packets import publish

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

BLOCK = 500  # packets that are sent at once
BLOCKS = 4  # of different ones, so that ids differ
LARGE_GAME = 300  # commands, so that its history is long


def blocks(make):
    """make(i) is the packet with the number i."""
    return [b"".join(make(n * BLOCK + i) for i in range(BLOCK)) for n in range(BLOCKS)]


class Floods(AttackTest):
    def large_game(self):
        table = self.attacked_table()
        table.new_game()
        for _ in range(LARGE_GAME):
            table.post("aim", {"piece": self.chance.choice(("red-1", "red-2", "red-3"))})
        return table

    def suffer(self, role, make, **how):
        """make(table, i) is one packet. A game with a long history is played meanwhile."""
        table = self.large_game()
        honest = self.honest(table)
        packets = blocks(lambda i: make(table, i))
        self.endure(Flood(role, packets, **how), table, honest)

    def history(self, table, fields, **how):
        return publish(table.topic("command/history"), json.dumps(fields), **how)

    def test_of_history(self):
        self.suffer("viewer", lambda table, i: self.history(table, {}))

    def test_of_history_with_states(self):
        self.suffer("viewer", lambda table, i: self.history(table, {"states": True}))

    def test_of_look_back(self):
        self.suffer("viewer", lambda table, i: publish(table.topic("command/look-back"), '{"seq":9}'))

    def test_of_games(self):
        self.suffer("viewer", lambda table, i: publish(table.topic("command/games"), '{"limit":50}'))

    def test_of_history_at_qos_1(self):
        self.suffer("viewer", lambda table, i: self.history(table, {}, qos=1))

    def test_of_history_with_ids(self):
        self.suffer("viewer", lambda table, i: self.history(table, {"id": f"flood-{i}"}))

    def test_of_history_to_many_response_topics(self):
        self.suffer(
            "viewer",
            lambda table, i: self.history(table, {}, response=table.topic(f"reply/flood-{i}")),
        )

    def test_of_lists_of_games(self):
        self.suffer("viewer", lambda table, i: publish(table.topic("command/games"), "{}"))

    def test_of_states_of_the_past(self):
        table = self.large_game()
        honest = self.honest(table)
        fields = {"game": table.state()["game"], "seq": LARGE_GAME}
        packet = publish(table.topic("command/look-back"), json.dumps(fields))
        self.endure(Flood("viewer", [packet * BLOCK]), table, honest)

    def ask_meanwhile(self, make):
        """make(table, i) is one packet of the flood."""
        table = self.large_game()
        honest = self.honest(table)
        honest.ask("history", **{"from": LARGE_GAME})
        ends = time.monotonic() + campaign.SECONDS
        with Flood("viewer", blocks(lambda i: make(table, i))):
            while time.monotonic() < ends:
                honest.ask("history", **{"from": LARGE_GAME})
        self.note(queries=len(honest.took_s), p99_ms=round(honest.p99_s() * 1000))
        self.assertLess(honest.p99_s(), campaign.HONEST_P99_S)

    def test_of_history_while_another_viewer_asks(self):
        self.ask_meanwhile(lambda table, i: self.history(table, {}))

    def test_of_history_to_many_response_topics_while_another_viewer_asks(self):
        self.ask_meanwhile(
            lambda table, i: self.history(table, {}, response=table.topic(f"reply/flood-{i}"))
        )

    def test_of_history_to_a_response_topic_with_64_KB_of_correlation_data(self):
        junk = b"c" * 65535
        self.suffer(
            "viewer",
            lambda table, i: self.history(
                table, {"from": 10**6}, response=table.topic(f"reply/flood-{i}"), correlation=junk
            ),
        )

    def test_of_history_to_a_response_topic_of_64_KB(self):
        name = "x" * 60000
        self.suffer(
            "viewer",
            lambda table, i: self.history(table, {}, response=table.topic(f"reply/{name}")),
        )

    def test_of_history_that_cannot_be_read(self):
        self.suffer("viewer", lambda table, i: publish(table.topic("command/history"), b"{" * 60))

    def test_of_retained_history(self):
        self.suffer("viewer", lambda table, i: self.history(table, {}, retain=True))

    def test_of_payloads_that_are_too_large(self):
        self.suffer(
            "viewer", lambda table, i: publish(table.topic("command/history"), b"x" * 30000)
        )

    def test_of_packets_that_the_daemon_does_not_accept_at_qos_1(self):
        """They are few: mosquitto counts 20 of them as never acknowledged, and waits."""
        table = self.attacked_table()
        table.new_game()
        honest = self.honest(table)
        packet = publish(table.topic("command/history"), b"x" * 70000, qos=1)
        self.endure(Flood("viewer", [packet * 50], connections=1), table, honest)

    def test_of_refused_commands_with_ids(self):
        self.suffer(
            "captain",
            lambda table, i: publish(table.topic("command/roll-move"), f'{{"id":"flood-{i}"}}'),
        )

    def test_of_refused_commands_to_many_response_topics(self):
        self.suffer(
            "captain",
            lambda table, i: publish(
                table.topic("command/roll-move"), "{}", response=table.topic(f"reply/flood-{i}")
            ),
        )

    def test_of_one_id_at_qos_1(self):
        self.suffer(
            "captain", lambda table, i: publish(table.topic("command/fire"), '{"id":"one"}', qos=1)
        )

    def test_of_retained_commands(self):
        self.suffer(
            "captain", lambda table, i: publish(table.topic("command/aim"), "{}", retain=True)
        )

    def test_of_setups_while_a_game_runs(self):
        setup = json.dumps({"players": [{"name": "x" * 30} for _ in range(4)], "anyway": True})
        self.suffer("captain", lambda table, i: publish(table.topic("command/start-game"), setup))

    def test_of_simulated_edges(self):
        self.suffer(
            "captain",
            lambda table, i: publish(table.topic(f"sim/blue-{i % 3 + 1}/tilt"), f"{i % 2}"),
        )

    def test_of_simulated_nonsense(self):
        self.suffer(
            "captain", lambda table, i: publish(table.topic("sim/no/such/sensor"), b"\xff" * 200)
        )
