"""The package in a machine that has systemd: installed, upgraded in mid-game, purged."""

import glob
import json
import os
import re
import urllib.request

import figures
from mqtt import Mqtt
from table import poll, read, run

CONFIGURATION = "/etc/shipahoy/shipahoy.ini"
GAMES = "/var/lib/shipahoy/"
DROP_IN = "/etc/mosquitto/conf.d/shipahoy.conf"
PAGE = "http://127.0.0.1/"
# Of the listeners of the drop-in, the one that the tools of mosquitto can speak to.
OTHER_PORT = "1884"


def apt(*words):
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    done = run("apt-get", "-q", "-y", "-o", "Dpkg::Use-Pty=0",
               "-o", "Dpkg::Options::=--force-confold", *words)
    assert done.returncode == 0, done
    return done.stdout


def daemon_log():
    return run("journalctl", "-b", "-u", "shipahoyd", "-o", "cat").stdout


def installed_it_runs_with_simulated_sensors_and_says_so(_):
    said = apt("install", "/share/packages/now.deb")
    assert "simulated sensors" in said, said
    assert run("systemctl", "is-enabled", "shipahoyd").stdout == "enabled\n"
    assert run("systemctl", "is-active", "shipahoyd").stdout == "active\n"
    info = Mqtt("shipahoy/table/info").wait(lambda m: True, "info").json
    assert info["backend"] == "sim", info
    assert "the sensors are simulated" in daemon_log(), daemon_log()


def the_wiring_is_configured(_):
    with open(CONFIGURATION, "w") as file:
        file.write(read("/share/guest/shipahoy.ini") + "\n")
    restarted = run("systemctl", "restart", "shipahoyd")
    assert restarted.returncode == 0, restarted


def wait_version(table, version):
    poll(lambda: table.last("info")["version"] == version, f"version {version}")


def an_upgrade_in_mid_game_goes_on_where_it_was(table):
    seq = table.send("select", piece="blue-3")
    poll(lambda: table.last("state")["seq"] == seq, "the state after the last command")
    before = table.last("state")
    process = figures.daemon_pid()
    since = table.now()
    apt("install", "/share/packages/next.deb")
    table.wait_online(since)
    wait_version(table, "99.0.0")
    assert figures.daemon_pid() not in (0, process)
    assert read(CONFIGURATION) == read("/share/guest/shipahoy.ini")
    assert table.last("state") == before, (before, table.last("state"))
    table.send("select", piece="blue-2")


def an_upgrade_with_other_rules_keeps_the_record_and_says_why(table):
    since = table.now()
    apt("install", "/share/packages/other-rules.deb")
    table.wait_online(since)
    wait_version(table, "99.1.0")
    said = re.search("by version [0-9]+ of the rules.*kept as (.*)", daemon_log())
    assert said, daemon_log()
    assert os.path.getsize(GAMES + said.group(1)) > 0
    poll(lambda: table.last("state")["phase"] == "lobby", "the lobby")


def the_old_version_ends_a_game_that_was_set_aside(table):
    answered = json.loads(read("/share/answered"))
    run("systemctl", "stop", "shipahoyd")
    (kept,) = glob.glob(GAMES + "*.damaged")
    os.rename(kept, GAMES + "open-game")
    apt("install", "--allow-downgrades", "/share/packages/next.deb")
    assert run("systemctl", "is-active", "shipahoyd").stdout == "inactive\n"
    run("systemctl", "start", "shipahoyd")
    poll(lambda: table.last("state")["game"] == answered["game"], "the game")
    table.send("undo")


def publish_as(user, password, topic):
    """What mosquitto_pub says of it; nothing if all is well."""
    done = run("mosquitto_pub", "-p", OTHER_PORT, "-V", "5", "-q", "1", "-u", user, "-P", password,
               "-t", topic, "-m", "{}")
    return done.stdout + done.stderr


def users_of_the_broker_have_their_roles(_):
    """The table's own connection goes when the broker is restarted."""
    setup = run("shipahoy-user", "setup")
    assert setup.returncode == 0, setup
    with open(DROP_IN) as file:
        text = file.read()
    head, others = text.split(f"#listener {OTHER_PORT}")
    with open(DROP_IN, "w") as file:
        file.write(head + f"listener {OTHER_PORT}" + re.sub("(?m)^#", "", others))
    assert run("systemctl", "restart", "mosquitto").returncode == 0
    added = run("shipahoy-user", "add", "anna", "captain")
    password = re.search("password=([^&]+)&view=captain", added.stdout).group(1)
    with urllib.request.urlopen(PAGE) as answer:
        assert b"<script" in answer.read()
    assert "Not authorized" in publish_as("anna", password, "shipahoy/vm/command/undo")
    assert "Not authorized" in publish_as("anna", password, "shipahoy/vm/state")
    assert publish_as("anna", password, "shipahoy/vm/command/end-phase") == ""
    assert publish_as("anna", "wrong", "shipahoy/vm/command/end-phase") != ""
    Mqtt("shipahoy/vm/status").wait(lambda m: m.payload == b"online", "the daemon again")


def a_purge_leaves_nothing_and_the_broker_works(_):
    apt("purge", "shipahoy")
    for what in ("passwd", "group"):
        assert run("getent", what, "shipahoy").stdout == ""
    for path in ("/var/lib/shipahoy", "/var/lib/shipahoy-logbook", "/etc/shipahoy", DROP_IN, "/etc/mosquitto/shipahoy.acl",
                 "/run/shipahoy", "/usr/bin/shipahoyd"):
        assert not os.path.exists(path), path
    assert "could not be found" in run("systemctl", "status", "shipahoyd").stderr
    assert run("systemctl", "is-active", "mosquitto").stdout == "active\n"
    Mqtt("else")


BEFORE_THE_TABLE = (
    installed_it_runs_with_simulated_sensors_and_says_so,
    the_wiring_is_configured,
)
OTHER_RULES = (
    an_upgrade_with_other_rules_keeps_the_record_and_says_why,
    the_old_version_ends_a_game_that_was_set_aside,
)
AT_THE_END = (
    users_of_the_broker_have_their_roles,
    a_purge_leaves_nothing_and_the_broker_works,
)
