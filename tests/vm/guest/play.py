"""play.py PHASE: what happens in the machine. Prints a line a claim; fails if one does not hold.

The phases: `whole` installs the package, plays, upgrades and measures, and ends by being cut off from
power; `after-cut` looks at what is left, upgrades to other rules, plays with ships over MQTT, and
purges the package.
"""

import json
import os
import sys
import time
import traceback

import figures
import logbook
import package
import radio
from table import MS, PIECES, PLAYERS, Table, chips, poll, read, run, wait_until

GAP_MM = 20  # between the beams, as in the configuration

SAME = """[hw]
backend = gpiod
[cannon]
beam = GPIO17
beam2 = table:0
beam_gap_mm = 20
"""

WRONG = """[hw]
backend = gpiod
[cannon]
beam = GPIO99
[rope]
a = tilts:0
b = tilts:17
[button.two]
line = /dev/{chip}:17
command = undo
"""


def the_service_is_up_with_forty_real_sensors(table):
    assert run("systemctl", "is-active", "shipahoyd").stdout == "active\n"
    info = table.last("info")
    assert info["backend"] == "gpiod" and info["sensors"] == 40, info


def a_shot_with_two_beams_and_a_topple_with_chatter_captures(table):
    table.send("new-game", players=PLAYERS)
    since = table.now()
    _, shortest_ns, longest_ns = table.shoot()
    table.tilt("blue-1", True)
    fired = table.event("shot-fired", since).json
    gap = GAP_MM * 1e6
    assert gap / longest_ns - 0.002 < fired["speed_mps"] < gap / shortest_ns + 0.002, fired
    captured = table.event("piece-captured", since, piece="blue-1").json
    assert captured["by"] == 1 and captured["how"] == "shot", captured
    toppled = [e for e in table.events(since) if e["evidence"]]
    assert any(e["evidence"]["sensor"] == "blue-1.tilt" and e["evidence"]["bounces"] >= 6
               for e in toppled), toppled
    table.event("phase-started", since, phase="moving")


def a_wobble_is_no_topple(table):
    since = table.now()
    table.tilt("green-1", True)
    table.tilt("green-1", False)
    time.sleep(0.5)  # more than the settle time: nothing comes, and nothing can be waited for
    assert not table.events(since), table.events(since)


def the_rope_measures_and_its_button_moves_the_ship(table):
    table.send("roll-move", value=3)
    since = table.now()
    table.send("select", piece="red-1")
    table.pull(50)
    table.pull(-10)
    table.wait_rope(2, since)
    table.press()
    moved = table.event("piece-moved", since).json
    assert (moved["piece"], moved["knots"], moved["cost"]) == ("red-1", 2, 2), moved
    since = table.now()
    table.pull(40)
    table.event("rope-over", since)
    table.press(1300)
    table.event("phase-started", since, phase="combat")


def a_push_button_says_its_command(table):
    since = table.now()
    at = table.end_button.set(1)
    wait_until(at + 100 * MS)
    table.end_button.set(0)
    table.event("phase-started", since, phase="shooting", player=2)


def a_knock_is_one_disturbance(table):
    since = table.now()
    fallen = PIECES[8:14]
    for piece in fallen:
        table.lines[piece + ".tilt"].set(1)
    disturbed = table.event("disturbance", since).json
    assert sorted(disturbed["pieces"]) == sorted(fallen), disturbed
    assert len(table.events(since)) == 1, table.events(since)
    for piece in fallen:
        table.lines[piece + ".tilt"].set(0)
    poll(lambda: not any(p["disturbed"] for p in table.last("state")["pieces"].values()),
         "the pieces to stand again")


def a_stuck_beam_is_told_and_recovers(table):
    since = table.now()
    table.lines["green-2.beam"].set(1)
    fault = table.event("sensor-fault", since, sensor="green-2.beam").json
    assert fault["health"] == "stuck", fault
    table.lines["green-2.beam"].set(0)
    table.event("sensor-ok", since, sensor="green-2.beam")


def a_chip_goes_away_and_comes_back_while_the_others_work(table):
    process = figures.daemon_pid()
    since = table.now()
    chips("unplug", "tilts")
    for piece in PIECES:
        fault = table.event("sensor-fault", since, sensor=piece + ".tilt").json
        assert fault["health"] == "silent", fault
    table.shoot()
    table.event("shot-fired", since)
    back = table.now()
    chips("plug", "tilts")
    table.take_lines()
    for piece in PIECES:
        table.event("sensor-ok", back, sensor=piece + ".tilt")
    table.event("phase-started", since, phase="moving")
    table.lines["green-3.tilt"].set(1)
    table.event("disturbance", back, seconds=10)
    table.lines["green-3.tilt"].set(0)
    assert figures.daemon_pid() == process


def lines_that_cannot_be_had_end_a_start_with_69(table):
    chip = read("/sys/kernel/config/gpio-sim/beams/bank0/chip_name")
    with open("/run/wrong.ini", "w") as file:
        file.write(WRONG.format(chip=chip))
    tried = run("shipahoyd", "--config", "/run/wrong.ini", "--state-dir", "/run")
    assert tried.returncode == 69, tried
    for part in ("cannon.beam, line GPIO99: no chip has a line of that name",
                 "rope.a, line tilts:0: it is in use by shipahoyd",
                 f"button.two, line /dev/{chip}:17: it is in use by shipahoyd"):
        assert part in tried.stderr, (part, tried.stderr)
    assert "rope.b" not in tried.stderr, tried.stderr


def two_sensors_on_one_line_end_a_start_with_69(table):
    with open("/run/same.ini", "w") as file:
        file.write(SAME)
    tried = run("shipahoyd", "--config", "/run/same.ini", "--state-dir", "/run")
    assert tried.returncode == 69, tried
    assert "cannon.beam2, line table:0: that is the line of sensor cannon.beam" in tried.stderr


def after_kill_9_the_game_goes_on_where_it_was(table):
    table.send("roll-move", value=2)
    before = table.last("state")
    process = figures.daemon_pid()
    since = table.now()
    os.kill(process, 9)
    table.wait_online(since)
    poll(lambda: figures.daemon_pid() not in (0, process), "another process")
    assert table.last("state") == before, (before, table.last("state"))
    since = table.now()
    table.send("select", piece="blue-2")
    table.pull(20)
    table.wait_rope(1, since)
    table.press()
    moved = table.event("piece-moved", since).json
    assert (moved["piece"], moved["cost"], moved["left"]) == ("blue-2", 1, 1), moved


def what_fell_while_the_daemon_was_down_is_told_at_the_start(table):
    since = table.now()
    run("systemctl", "stop", "shipahoyd")
    table.lines["green-2.tilt"].set(1)
    run("systemctl", "start", "shipahoyd")
    assert table.event("disturbance", since).json["pieces"] == ["green-2"]
    poll(lambda: [it["piece"] for it in table.last("ready")["problems"]] == ["green-2"],
         "the resume check to name it")
    table.lines["green-2.tilt"].set(0)
    poll(lambda: table.last("ready")["ready"], "the table to be as the game says")


def play_until_the_power_is_cut(table):
    """What was answered is noted on the host's disk before the next is asked."""
    noted = os.open("/share/answered", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    ship = 0
    while True:
        ship = 1 - ship
        seq = table.send("select", piece=("blue-2", "blue-3")[ship])
        state = {"seq": seq, "game": table.last("state")["game"]}
        os.pwrite(noted, json.dumps(state).ljust(200).encode(), 0)


def after_the_power_cut_the_game_goes_on_where_it_was(table):
    answered = json.loads(read("/share/answered"))
    state = table.last("state")
    assert state["game"] == answered["game"], (state, answered)
    assert answered["seq"] <= state["seq"] <= answered["seq"] + 1, (state, answered)
    assert (state["phase"], state["player"], state["left"]) == ("moving", 2, 1), state
    since = table.now()
    table.send("select", piece="blue-2")
    table.pull(20)
    table.wait_rope(1, since)
    table.press()
    table.event("piece-moved", since, piece="blue-2")


WHOLE = (
    the_service_is_up_with_forty_real_sensors,
    a_shot_with_two_beams_and_a_topple_with_chatter_captures,
    a_wobble_is_no_topple,
    the_rope_measures_and_its_button_moves_the_ship,
    a_push_button_says_its_command,
    a_knock_is_one_disturbance,
    a_stuck_beam_is_told_and_recovers,
    a_chip_goes_away_and_comes_back_while_the_others_work,
    lines_that_cannot_be_had_end_a_start_with_69,
    two_sensors_on_one_line_end_a_start_with_69,
    after_kill_9_the_game_goes_on_where_it_was,
    what_fell_while_the_daemon_was_down_is_told_at_the_start,
    package.an_upgrade_in_mid_game_goes_on_where_it_was,
    *logbook.PLAYED,
)
AFTER_CUT = (
    after_the_power_cut_the_game_goes_on_where_it_was,
    logbook.the_game_is_in_the_logbook_once_and_whole,
    *package.OTHER_RULES,
    *radio.GAME,
    *package.AT_THE_END,
)


def try_claims(table, claims):
    """One after the other, each going on with the game that the one before has left."""
    for claim in claims:
        begin = time.monotonic()
        try:
            claim(table)
        except Exception:  # whatever it was: it is told, and the machine ends
            traceback.print_exc()
            print(f"FAILED {claim.__name__}", flush=True)
            sys.exit(1)
        print(f"ok     {claim.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)


def main():
    if sys.argv[1] == "after-cut":
        try_claims(Table(), AFTER_CUT)
    else:
        try_claims(None, package.BEFORE_THE_TABLE)
        table = Table()
        try_claims(table, (*WHOLE, figures.measure))
        play_until_the_power_is_cut(table)


main()
