"""The logbook as the package runs it, beside the table."""

import itertools
import json
import os
import re

import figures
from mqtt import Mqtt
from table import PLAYERS, poll, read, run

UNIT = "shipahoy-logbook"
DATABASE = "/var/lib/shipahoy-logbook/logbook.db"
ids = itertools.count(1)


def ask(verb, **fields):
    mqtt = Mqtt("shipahoy/logbook/reply")
    fields["id"] = f"vm-{os.getpid()}-{next(ids)}"

    def answered():
        """Asked again: a query before the subscription of one of the two gets no reply."""
        mqtt.publish(f"shipahoy/logbook/ask/{verb}", json.dumps(fields))
        try:
            return mqtt.wait(lambda m: m.json["id"] == fields["id"], verb, seconds=2).json
        except AssertionError:
            return None

    replies = []
    poll(lambda: replies.append(answered()) or replies[-1], f"a reply to {verb}", 60)
    assert replies[-1]["ok"] or replies[-1]["error"] == "not-found", replies[-1]
    return replies[-1]


def shown(name):
    return run("systemctl", "show", "-P", name, UNIT).stdout.strip()


def log():
    return run("journalctl", "-b", "-u", UNIT, "-o", "cat").stdout


def exposure(unit):
    shown = run("systemd-analyze", "security", "--no-pager", unit).stdout
    return float(re.search("Overall exposure level for .*: ([0-9.]+)", shown).group(1))


def the_unit_is_enabled_and_not_more_exposed_than_the_table(_):
    assert run("systemctl", "is-enabled", UNIT).stdout == "enabled\n"
    assert run("systemctl", "is-active", UNIT).stdout == "active\n", log()
    ours, theirs = exposure(UNIT), exposure("shipahoyd")
    figures.note("exposure by systemd-analyze security", f"logbook {ours}, table {theirs}")
    assert ours <= theirs, (ours, theirs)


def the_game_is_in_the_logbook_once_and_whole(table):
    game, seq = table.last("state")["game"], table.last("state")["seq"]
    poll(lambda: ask("game", game=game, **{"from": seq})["ok"] and ask("game", game=game, **{"from": seq})["states"],
         "the last state in the logbook", 60)
    stored, more = [], True
    while more:
        reply = ask("game", game=game, **{"from": len(stored) + 1})
        stored += reply["events"]
        more = reply["more"]
    assert [event["seq"] for event in stored[:seq]] == list(range(1, seq + 1)), stored
    assert reply["game"]["players"] == [player["name"] for player in PLAYERS], reply["game"]
    (anna,) = ask("statistics", player=" ANNA ")["statistics"]
    assert anna["shots"] >= 1 and anna["captured"]["ships"] >= 1 and anna["fastest_mps"] > 0, anna


def a_damaged_database_ends_it_once_and_the_table_plays_on(table):
    memory = re.search(r"VmRSS:\s+(\d+)", read(f"/proc/{shown('MainPID')}/status")).group(1)
    figures.note("memory of the logbook", f"{int(memory) / 1024:.1f} MB resident")
    run("systemctl", "stop", UNIT)
    os.rename(DATABASE, DATABASE + ".kept")
    with open(DATABASE, "w") as file:
        file.write("not a database" * 1000)
    run("systemctl", "start", UNIT)
    poll(lambda: shown("ActiveState") == "failed", "the unit to fail")
    assert (shown("ExecMainStatus"), shown("NRestarts")) == ("69", "0"), log()
    assert "it is damaged; restore a backup" in log(), log()
    table.send("select", piece="blue-2")
    os.rename(DATABASE + ".kept", DATABASE)
    assert run("systemctl", "start", UNIT).returncode == 0, log()
    the_game_is_in_the_logbook_once_and_whole(table)


PLAYED = (
    the_unit_is_enabled_and_not_more_exposed_than_the_table,
    the_game_is_in_the_logbook_once_and_whole,
    a_damaged_database_ends_it_once_and_the_table_plays_on,
)
