"""Commands that no page would send: setups, mutations of everything, a game without an end."""

import json
import time

import campaign
from campaign import SECONDS, AttackTest
from daemon import ROOT
from table import new_id

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

COLOURS = ("red", "blue", "green", "yellow")
PIECES = [f"{colour}-{n}" for colour in COLOURS for n in (1, 2, 3, "tower")]
PIECES += ["pirate", "monster", "kraken", "wind"]
SCENARIOS = ("none", "treasure-island", "pirate-ship", "sea-monster", "heavy-wind", "merchant",
             "kraken")  # fmt: skip
SCHEMAS = json.loads((ROOT / "docs/schemas/command.json").read_text("utf-8"))["definitions"]
VALUES = {
    "piece": PIECES,
    "attacker": PIECES,
    "target": PIECES,
    "harbour": COLOURS,
    "value": (1, 2, 3, 4, "flag", "swords"),
    "knots": (0, 0.5, 1, 3, 99),
}
LONG_GAME_COMMANDS = 20_000  # more than any game may have
WINDOW = 200  # commands that wait for their reply
RESTART_S = 10


class Invention:
    """Random fields: mostly of the right kind, sometimes of none."""

    def __init__(self, chance):
        self.chance = chance

    def junk(self, depth=0):
        choices = [None, True, -1, 0, 2**31, 2**63, 1e308, "", "x" * 200, "\u0000", "\u009f", "é"]
        if depth < 3:
            inner = self.junk(depth + 1)
            choices += [[inner] * self.chance.randrange(40), {"a": inner}]
        return self.chance.choice(choices)

    def harbours(self):
        count = self.chance.choice((0, 1, 1, 2, 2, 3, 4, 9))
        return [self.chance.choice(COLOURS) for _ in range(count)]

    def player(self):
        player = {
            "name": self.chance.choice(("Anna", "", "x" * 300, "\u0007")),
            "harbours": self.harbours(),
            "team": self.chance.choice((None, 1, 2, 3)),
        }
        return {key: player[key] for key in player if self.chance.random() < 0.7}

    def setup(self):
        count = self.chance.choice((0, 1, 2, 3, 4, 4, 5, 60))
        setup = {
            "rules": self.chance.choice(("basic", "advanced")),
            "scenario": self.chance.choice(SCENARIOS),
            "teams": self.chance.choice((True, False)),
            "dice": self.chance.choice(("table", "daemon")),
            "first": self.chance.choice(("draw", 1, 2, 4, 5, 0)),
            "players": [self.player() for _ in range(count)],
            "barrels": {colour: self.chance.choice(COLOURS) for colour in COLOURS},
        }
        setup = {key: setup[key] for key in setup if self.chance.random() < 0.6}
        if self.chance.random() < 0.2:
            setup[self.chance.choice(list(setup) or ["players"])] = self.junk()
        return setup | {"anyway": True}

    def command(self):
        """A verb and its payload."""
        verb = self.chance.choice(list(SCHEMAS))
        if verb in ("new-game", "start-game"):
            fields = names = self.setup()
        else:
            names = SCHEMAS[verb].get("properties", {})
            fields = {
                name: self.chance.choice(VALUES.get(name, (0, 1, "x")))
                for name in names
                if name != "id" and self.chance.random() < 0.9
            }
        if self.chance.random() < 0.1:
            fields[self.chance.choice(["id", "piece", *names])] = self.junk()
        return verb, self.mutate(json.dumps(fields))

    def mutate(self, text):
        payload = bytearray(text.encode())
        if self.chance.random() < 0.8:
            return bytes(payload)
        kind = self.chance.randrange(4)
        at = self.chance.randrange(len(payload))
        if kind == 0:
            payload[at] = self.chance.randrange(256)
        elif kind == 1:
            del payload[at:]
        elif kind == 2:
            payload[at:at] = payload[: self.chance.randrange(len(payload))]
        else:
            payload[at:at] = self.chance.choice((b"[", b"{")) * self.chance.choice((1, 1500))
        return bytes(payload)


def overlapping(setup):
    """Whether two players claim one harbour, or one player claims it twice."""
    claimed = [it for player in setup.get("players", []) for it in player.get("harbours", [])]
    return len(claimed) != len(set(claimed))


class Games(AttackTest):
    def test_a_harbour_belongs_to_one_player(self):
        """The worst of it has sixteen harbours, for which barrels were drawn once."""
        table = self.attacked_table()
        for count in (4, 3, 2):
            for harbours in (list(COLOURS), ["red"] * 4, ["red", "blue"], ["red"]):
                for scenario in SCENARIOS:
                    setup = {"scenario": scenario, "players": [{"harbours": harbours}] * count}
                    reply = table.send("start-game", anyway=True, **setup)
                    self.assertEqual(reply.get("error"), "bad-value", f"{reply} for {setup}")
        self.check_memory(table)

    def test_random_setups_are_judged_before_anything_is_drawn(self):
        table = self.attacked_table()
        invention = Invention(self.chance)
        ends = time.monotonic() + SECONDS
        accepted = count = 0
        while time.monotonic() < ends:
            setup = invention.setup()
            if len(json.dumps(setup)) > 4000:
                continue
            mark = len(table.client.messages)
            table.post("new-game", {"abandon": True} | setup)
            reply = table.await_said(table.reply_name, since=mark)  # unreadable ones have no id
            count += 1
            accepted += reply["ok"]
            players = setup.get("players")
            if reply["ok"] and isinstance(players, list):
                self.assertFalse(overlapping(setup), setup)
                self.assertIn(len(players), (2, 3, 4), setup)
        self.note(setups=count, accepted=accepted)
        self.assertGreater(accepted, 0)
        self.check_memory(table)

    def test_mutations_of_every_command_leave_the_daemon_whole(self):
        """Each is answered or ignored, and what was published is what the daemon remembers."""
        table = self.attacked_table()
        table.new_game(dice="daemon")
        invention = Invention(self.chance)
        ends = time.monotonic() + 2 * SECONDS
        mark = len(table.client.messages)
        count = 0
        while time.monotonic() < ends:
            for _ in range(50):
                verb, payload = invention.command()
                table.client.publish(table.topic(f"command/{verb}"), payload)
                count += 1
            table.send("history", **{"from": 10**6})
        self.note(commands=count, events=len(table.all_events()))
        self.check_online(table, mark)
        self.check_memory(table)
        published = [it for it in table.events() if it["game"] == table.state()["game"]]
        self.assertEqual(table.history()[: len(published)], published)

    def aim_until_refused(self, table):
        """The number of commands until the game is too long, or None."""
        for done in range(0, LONG_GAME_COMMANDS, WINDOW):
            mark = len(table.client.messages)
            for i in range(WINDOW):
                table.post("aim", {"piece": f"red-{i % 2 + 1}", "id": f"{new_id()}".ljust(64, "x")})
            # Of many refusals at once some may be dropped.
            errors = lambda m=mark: [it.json.get("error") for it in table.said(table.reply_name, m)]  # noqa: E731
            table.client.until(
                lambda e=errors: "too-long" in e() or len(e()) >= WINDOW, "all replies"
            )
            if "too-long" in errors():
                return done
        return None

    def test_a_game_without_end_is_ended_and_the_daemon_starts_again_in_its_memory(self):
        table = self.attacked_table()
        table.new_game()
        with self.watched(table):
            length = self.aim_until_refused(table)
        size = max(it.stat().st_size for it in table.daemon.state.rglob("*") if it.is_file())
        self.note(commands=length, file_KiB=size // 1024)
        self.assertIsNotNone(length, "no limit was met")
        self.check_memory(table)
        table.kill()
        began = time.monotonic()
        with self.watched(table):
            table.start()
        self.note(restart_s=round(time.monotonic() - began, 2))
        self.assertLess(time.monotonic() - began, RESTART_S)
        self.check_memory(table)
        self.assertEqual(table.send("end-phase")["error"], "too-long")
        lines = table.daemon.log().count("\n")
        for _ in range(20):
            table.sensors.topple("blue-1")
            table.sensors.raise_up("blue-1")
        self.assertTrue(table.send("undo")["ok"])
        self.assertLess(table.daemon.log().count("\n") - lines, 3)
        self.assertTrue(table.send("new-game", abandon=True, anyway=True)["ok"])
        self.check_memory(table)
