"""The figures of the players, counted in the events of the tables: an independent opinion on the views of the logbook."""

import collections


class Figures:
    def __init__(self):
        self.counts = collections.Counter()
        self.fastest = None
        self.run = 0
        self.scenarios = collections.Counter()
        self.beat = collections.Counter()


def key_of(name):
    return "".join(name.lower().split())


def count_shot(figures, shot, is_hit):
    figures.counts["shots"] += 1
    figures.counts["hits"] += is_hit
    figures.run = figures.run + 1 if is_hit else 0
    figures.counts["longest_hits"] = max(figures.counts["longest_hits"], figures.run)
    if shot.get("speed_mps") is not None:
        figures.fastest = max(figures.fastest or 0, shot["speed_mps"])


def count_loss(event, before, owner):
    """A close combat is lost with a piece, unless that piece toppled just before."""
    in_combat = event["event_type"] == "piece-captured" and event["how"] == "combat"
    taken = event["event_type"] == "piece-lost" and (not before or before["event_type"] != "piece-toppled")
    if owner and (in_combat or taken):
        owner.counts["combats_lost"] += 1


def kind_of(piece):
    return "pirate" if piece == "pirate" else "towers" if piece.endswith("-tower") else "ships" if piece[-1].isdigit() else None


def count_end(over, seats, scenario):
    for rank in over["ranking"]:
        player = seats[rank["player"]]
        player.counts.update(games=1, won=rank["place"] == 1, points=rank["points"])
        if rank["place"] == 1:
            player.scenarios[scenario] += 1
        for other in over["ranking"]:
            if other["place"] > rank["place"]:
                player.beat[seats[other["player"]]] += 1


def count_game(events, state, figures_of):
    """Events of one game, each with undone where that holds, and one of its states."""
    seats = {player["id"]: figures_of(player["name"]) for player in state["players"]}
    colours = {colour: seats[player["id"]] for player in state["players"] for colour in player["harbours"]}
    valid = [event for event in events if not event.get("undone")]
    by_seq = {event["seq"]: event for event in events}
    for at, event in enumerate(valid):
        kind = event["event_type"]
        if kind == "shot-fired":
            later = (it for it in valid[at:] if it["turn"] == event["turn"])
            count_shot(seats[event["player"]], event, any(it["event_type"] == "piece-toppled" for it in later))
        elif kind == "piece-moved":
            seats[event["player"]].counts["milliknots"] += round(event["knots"] * 1000)
        elif kind in ("piece-captured", "piece-lost"):
            count_loss(event, by_seq.get(event["seq"] - 1), colours.get(event["piece"].split("-")[0]))
            if kind == "piece-captured":
                winner = seats[event["by"]]
                winner.counts[kind_of(event["piece"])] += 1
                winner.counts["combats_won"] += event["how"] == "combat"
    ends = [event for event in valid if event["event_type"] == "game-over"]
    if ends:
        count_end(ends[-1], seats, state["scenario"])


def count(games, merged=()):
    """Statistics as the logbook tells them, by key of the player. games: (began, events, state)."""
    merged = dict(merged)
    people = {}

    def figures_of(name):
        key = key_of(name)
        return people.setdefault(merged.get(key, key), Figures())

    for _, events, state in sorted(games, key=lambda game: game[0]):
        count_game(events, state, figures_of)
    keys = {figures: key for key, figures in people.items()}
    return {key: as_told(figures, keys) for key, figures in people.items()}


def as_told(figures, keys):
    counts = figures.counts
    told = {name: counts[name] for name in
            ("games", "won", "points", "shots", "hits", "combats_won", "combats_lost", "longest_hits")}
    return told | {
        "hit_share": int(counts["hits"] / counts["shots"] * 1000 + 0.5) / 1000 if counts["shots"] else None,
        "fastest_mps": figures.fastest,
        "captured": {kind: counts[kind] for kind in ("ships", "towers", "pirate")},
        "knots": counts["milliknots"] / 1000,
        "won_by_scenario": dict(figures.scenarios),
        "beat": {keys[other]: games for other, games in figures.beat.items() if other is not figures},
    }


def told(statistics):
    """What the logbook replied, in the same form."""
    reply = {}
    for entry in statistics:
        entry = {name: value for name, value in entry.items() if name != "by_game"}
        entry["beat"] = {key_of(name): games for name, games in entry["beat"].items()}
        reply[key_of(entry.pop("player"))] = entry
    return reply
