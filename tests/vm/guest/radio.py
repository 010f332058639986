"""A game in which the cannon and the towers are wired, and the ships report over MQTT."""

import json
import re

import figures
from package import CONFIGURATION
from table import COLOURS, MS, poll, read, run, wait_until

SHIPS = [f"{colour}-{number}" for colour in COLOURS for number in (1, 2, 3)]
THREE_PLAYERS = [{"name": name} for name in ("Anna", "Ben", "Cleo")]  # red, blue, green
WINDOW_MS = 3000
LATE_MS = 1000


def source(ship):
    return f"mqtt zigbee2mqtt/{ship} contact=false alive=zigbee2mqtt/bridge/state late={LATE_MS}"


def report(table, ship, lies):
    """As Zigbee2MQTT passes on what a contact sensor says."""
    message = {"battery": 97, "contact": not lies, "linkquality": 120}
    table.mqtt.publish(f"zigbee2mqtt/{ship}", json.dumps(message))


def not_heard(table):
    messages = [problem["message"] for problem in table.last("ready")["problems"]]
    return [ship for ship in SHIPS if f"{ship} has not reported yet: tip it once." in messages]


def ships_change_from_lines_to_mqtt_without_a_restart(table):
    text = read(CONFIGURATION)
    for ship in SHIPS:
        text = re.sub(rf"(\[piece\.{ship}\]\ntilt = ).*", lambda found: found[1] + source(ship), text)  # noqa: B023
    with open(CONFIGURATION, "w") as file:
        file.write(text + "\n")
    process = figures.daemon_pid()
    assert run("systemctl", "reload", "shipahoyd").returncode == 0
    poll(lambda: not_heard(table) == SHIPS, "all ships to be listed as not heard")
    for ship in SHIPS:
        report(table, ship, lies=False)
    poll(lambda: not not_heard(table), "all ships to be heard")
    assert figures.daemon_pid() == process


def begin_turn(table, player):
    """Ends steps until it is this player's turn to shoot."""
    def is_there():
        state = table.last("state")
        return state["phase"] == "shooting" and state["player"] == player
    while not is_there():
        seq = table.send("end-phase")
        poll(lambda: table.last("state")["seq"] >= seq, "the state after end-phase")


def evidence_of(table, piece, since):
    return table.event("piece-captured", since, piece=piece).json["evidence"]


def a_ship_over_mqtt_and_a_wired_tower_fall_to_one_ball(table):
    table.send("new-game", players=THREE_PLAYERS, first=1, rules="basic", scenario="none", abandon=True)
    since = table.now()
    fired_ns, _, _ = table.shoot()
    table.event("shot-fired", since)
    table.tilt("blue-tower", True)
    report(table, "blue-1", lies=True)
    assert "source" not in evidence_of(table, "blue-tower", since)
    assert evidence_of(table, "blue-1", since)["source"] == "mqtt"
    wait_until(fired_ns + (WINDOW_MS + LATE_MS // 3) * MS)
    report(table, "blue-2", lies=True)
    assert evidence_of(table, "blue-2", since)["late_ms"] == LATE_MS
    table.event("phase-started", since, phase="moving")


def a_bumped_ship_over_mqtt_is_a_disturbance(table):
    since = table.now()
    report(table, "red-2", lies=True)
    assert table.event("disturbance", since).json["pieces"] == ["red-2"]
    report(table, "red-2", lies=False)
    poll(lambda: not table.last("state")["pieces"]["red-2"]["disturbed"], "red-2 to stand again")


def recorded(table, since_seq):
    """The events of the game after that one, asked for: nobody else has heard those without a broker."""
    events = []
    while True:
        reply = table.ask("history", **{"from": since_seq + len(events) + 1})
        events += reply["events"]
        if not reply.get("more"):
            return events


def has_all(events):
    """A shot whose result is known from a wire alone, and ships that were silent and are not any more."""
    seen = {(e["event_type"], e.get("piece") or e.get("sensor")) for e in events}
    expected = {("shot-fired", None), ("piece-captured", "red-tower")}
    expected |= {(name, f"{ship}.tilt") for ship in SHIPS for name in ("sensor-fault", "sensor-ok")}
    return expected <= seen


def without_the_broker_the_wires_play_on_and_the_ships_come_back(table):
    begin_turn(table, 2)
    begun = table.last("state")["seq"]
    assert run("systemctl", "stop", "mosquitto").returncode == 0
    table.shoot()
    table.tilt("red-tower", True)
    assert run("systemctl", "start", "mosquitto").returncode == 0
    table.connect()
    poll(lambda: has_all(recorded(table, begun)), "all that happened without the broker")


def the_game_ends_with_the_last_ship(table):
    begin_turn(table, 1)
    since = table.now()
    table.shoot()
    table.event("shot-fired", since)
    report(table, "blue-3", lies=True)
    assert evidence_of(table, "blue-3", since)["source"] == "mqtt"
    assert table.event("game-over", since).json["winners"] == [1]


GAME = (
    ships_change_from_lines_to_mqtt_without_a_restart,
    a_ship_over_mqtt_and_a_wired_tower_fall_to_one_ball,
    a_bumped_ship_over_mqtt_is_a_disturbance,
    without_the_broker_the_wires_play_on_and_the_ships_come_back,
    the_game_ends_with_the_last_ship,
)
