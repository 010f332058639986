"""A few rules, written down once more and independently, against random games over MQTT.

Each claim takes the state before a command and says what must be true of the state after it.
"""

import time

import campaign
from campaign import SECONDS, AttackTest

setUpModule = campaign.set_up_module
tearDownModule = campaign.tear_down_module

SHIP_POINTS, TOWER_POINTS, BARREL_POINTS = 1, 2, 2
CLAIMS = ("E1", "E1 together", "PS2", "PS3", "S5", "ME5 taken", "ME5 back")
TURNS = 12
GAMES_MAX = 200  # until each claim was met at least once


def is_tower(piece):
    return piece.endswith("tower")


class Position:
    """A published state, in the words of the rules."""

    def __init__(self, state):
        self.state = state
        self.pieces = state["pieces"]
        self.player = state["player"]
        side = "team" if state["teams"] else "id"
        self.team_of = {it["id"]: it[side] for it in state["players"]}

    def status(self, piece):
        return self.pieces[piece]["status"]

    def in_play(self, piece):
        return self.status(piece) in ("standing", "flat")

    def is_enemy(self, piece):
        owner = self.pieces[piece]["owner"]
        return owner is None or self.team_of[owner] != self.team_of[self.player]

    def fights(self, piece):
        return sum(piece in (it["attacker"], it["target"]) for it in self.state["combats"])

    def without_pieces(self):
        """The players of whom nothing is left."""
        alive = {it["owner"] for name, it in self.pieces.items() if self.in_play(name)}
        return {player for player in self.team_of if player not in alive}

    def marks_out(self):
        return {it["id"] for it in self.state["players"] if it["out"]}

    def points(self, player):
        """Points and captured towers, the order of E3."""
        taken = [name for name, it in self.pieces.items() if it["by"] == player]
        towers = sum(map(is_tower, taken))
        barrels = next(it["barrels"] for it in self.state["players"] if it["id"] == player)
        ships = len(taken) - towers
        points = ships * SHIP_POINTS + towers * TOWER_POINTS + barrels * BARREL_POINTS
        return points, towers

    def best(self):
        """E3, E4 for players, T2 for teams."""
        if self.state["teams"]:
            sums = {}
            for player, team in self.team_of.items():
                sums[team] = tuple(map(sum, zip(sums.get(team, (0, 0)), self.points(player))))
            return {it for it, team in self.team_of.items() if sums[team] == max(sums.values())}
        rest = {it: self.points(it) for it in self.team_of if it not in self.without_pieces()}
        return {it for it, points in rest.items() if points == max(rest.values())}


class Rules(AttackTest):
    def setUp(self):
        super().setUp()
        self.counts = dict.fromkeys(CLAIMS, 0)

    # The claims

    def check_aim(self, before, piece, reply):
        if piece == "pirate" and before.state["shot"] == "none":
            may = before.status("pirate") == "standing" and not before.fights("pirate")
            self.assertEqual(reply["ok"], may, f"PS2: {reply} in {before.state}")
            self.counts["PS2"] += 1

    def check_topple(self, before, piece, after):
        """S3, S5, PS3 and A1 of a piece that stood, by a ball of this turn."""
        if before.state["shot"] == "none" or before.status(piece) != "standing":
            return
        by_pirate = before.state["shooter"] == "pirate"
        advanced = before.state["rules"] == "advanced"
        if not before.is_enemy(piece) or (by_pirate and piece == "pirate"):
            expected = "standing", None
            self.counts["S5"] += 1
        elif advanced:
            expected = "flat", None
        elif by_pirate:
            expected = "lost", None
            self.counts["PS3"] += 1
        else:
            expected = "captured", before.player
        self.assertEqual((after.status(piece), after.pieces[piece]["by"]), expected, piece)

    def check_flag(self, before, winner, loser, after):
        """C2, and ME5 for what the loser carried."""
        self.assertEqual(after.pieces[loser]["by"], before.player)
        barrel = before.pieces[loser]["cargo"]
        if before.state["scenario"] != "merchant" or not barrel:
            return
        others = before.fights(winner) - 1
        if is_tower(winner) or before.pieces[winner]["cargo"] or others:
            self.assertEqual(after.pieces[winner]["cargo"], before.pieces[winner]["cargo"])
            self.assertEqual(len(after.state["barrels"]), len(before.state["barrels"]) + 1)
            self.counts["ME5 back"] += 1
        else:
            self.assertEqual(after.pieces[winner]["cargo"], barrel)
            self.counts["ME5 taken"] += 1

    def check_end(self, after):
        """E1: everybody without pieces is out, and the game over, unless a shot is still open."""
        gone = after.without_pieces()
        if gone and after.state["shot"] == "open" and after.state["phase"] == "shooting":
            gone = set()
        self.assertEqual(after.marks_out(), gone)
        self.assertEqual(after.state["phase"] == "over", bool(gone))
        if gone:
            self.assertEqual(set(after.state["winners"]), after.best(), after.state)
            self.counts["E1"] += 1
            self.counts["E1 together"] += len(gone) > 1

    # A random player

    def act(self, verb, **fields):
        """The state after it, or None if it was refused."""
        before = self.position
        reply = self.table.send(verb, **fields)
        if verb == "aim":
            self.check_aim(before, fields["piece"], reply)
        if not reply["ok"]:
            return None
        self.position = after = Position(self.table.state(reply["seq"]))
        if verb == "topple":
            self.check_topple(before, fields["piece"], after)
        if verb == "roll-combat" and fields["value"] == "flag":
            pair = fields["attacker"], fields["target"]
            winner, loser = pair if not before.is_enemy(pair[0]) else pair[::-1]
            if not before.is_enemy(winner):
                self.check_flag(before, winner, loser, after)
        self.check_end(after)
        return after

    def playing(self, phase):
        return self.position.state["phase"] == phase

    def shoot(self):
        pieces = list(self.position.pieces)
        mine = [it for it in pieces if not self.position.is_enemy(it)]
        self.act("aim", piece=self.chance.choice(mine + ["pirate"] * 4 * ("pirate" in pieces)))
        if self.chance.random() < 0.8:
            self.act("fire")
        targets = self.chance.sample(pieces, self.chance.randrange(len(pieces)))
        for piece in targets if self.chance.random() < 0.5 else targets[:2]:
            if self.playing("shooting"):
                self.act("topple", piece=piece)

    def move(self):
        self.act("roll-move", value=3)
        if self.position.state["scenario"] == "merchant":
            mine = [it for it in self.position.pieces if not self.position.is_enemy(it)]
            for harbour in self.position.state["barrels"]:
                self.act("load-barrel", piece=self.chance.choice(mine), harbour=harbour)
        if self.position.state["scenario"] == "pirate-ship":
            self.act("move", piece="pirate", knots=1)

    def fight(self):
        pieces = list(self.position.pieces)
        carriers = [it for it in pieces if self.position.pieces[it]["cargo"]]
        for _ in range(4):
            if self.playing("combat"):
                target = self.chance.choice(carriers * 4 + pieces)
                attacker = self.chance.choice(
                    [it for it in pieces if not self.position.is_enemy(it)] or pieces
                )
                self.act("engage", attacker=attacker, target=target)
        self.roll_all()

    def roll_all(self):
        for combat in list(self.position.state["combats"]):
            if self.playing("combat"):
                value = self.chance.choice(("flag", "swords", "swords"))
                pair = {key: combat[key] for key in ("attacker", "target")}
                self.act("roll-combat", value=value, **pair)

    def play_turn(self):
        steps = {"shooting": self.shoot, "moving": self.move, "combat": self.fight}
        for phase, play in steps.items():
            if self.playing(phase):
                play()
            if self.playing(phase) and not self.act("end-phase"):
                # Nothing but a close combat that is due keeps a step from its end (C5).
                self.roll_all()
                self.act("end-phase")
        if self.playing("repair"):
            self.act("end-phase")

    def test_random_games_agree_with_the_claims(self):
        self.table = self.attacked_table(timing={"shot_window_ms": 60000})
        ends = time.monotonic() + 4 * SECONDS
        games = 0
        while time.monotonic() < ends or (games < GAMES_MAX and not all(self.counts.values())):
            self.table.client.messages.clear()
            players = self.chance.choice((2, 3, 4, 4))
            self.table.new_game(
                players, scenario=self.chance.choice(("pirate-ship", "merchant", "none")),
                rules=self.chance.choice(("basic", "basic", "advanced")),
                teams=players == 4 and self.chance.random() < 0.3,
            )  # fmt: skip
            self.position = Position(self.table.state())
            games += 1
            for _ in range(TURNS):
                if not self.playing("over"):
                    self.play_turn()
        self.note(games=games, **{it.replace(" ", "_"): self.counts[it] for it in self.counts})
        self.assertEqual([it for it, count in self.counts.items() if not count], [], "never met")
