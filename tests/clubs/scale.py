#!/usr/bin/python3
"""Many tables at once on a cluster whose nodes are killed in turn. See --help.

Each table is a process of the real daemon: a daemon has one table, and in a club each table has its
own computer. They share this machine with the three nodes, the logbook, a subscriber and the players.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import multiprocessing
import os
import pathlib
import random
import resource
import selectors
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

import ctl
import daemon
import logbook
import paho.mqtt.client as paho
from clusters import CLUSTERS, HOST
from waiting import poll

EPILOG = """
Every table plays turns of five inputs with its push buttons: the shot, the die and the ends of the steps. The players act on the sensors of their table and never wait for the network. At
the end, three records of each game are compared: the journal of its table, what a subscriber on the cluster has
received (QoS 1, persistent session), and the database of the logbook. All have to be equal, without a gap. A client
that connects afterwards has to find the last state of each table.
Prints figures as a line of a Markdown table, and exits with 1 if anything is missing. Takes --seconds and about
two minutes."""

TURN = ("button.fire", "button.end", "button.roll", "button.end", "button.end")
RECORDED = ("fire", "end-phase", "roll-move value=2", "end-phase", "end-phase")
FIRST_EVENTS = {"button.fire": "shot-fired", "button.roll": "move-rolled"}  # that no other input causes
BUTTON_S = 0.006
DOWN_S = 2  # between the end of a node and its new start
SETTLE_S = 180  # for the last events on their way
STALE_S = 30  # for retained messages that a cluster without a leader has not kept
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


def ini(name, folder, hosts):
    return f"""[table]
name = {name}
[mqtt]
host = {hosts}
[game]
first = 1
autostart = yes
[timing]
button_ms = 2
shot_window_ms = 60000
[hw]
backend = sim
socket = {folder}/sim.sock
[button.fire]
command = fire
[button.end]
command = end-phase
[button.roll]
command = roll-move value=2
"""


class Logs:
    """Adds the time to what the tables write, on the clock of the subscriber."""

    def __init__(self):
        self.selector = selectors.DefaultSelector()
        threading.Thread(target=self.run, daemon=True).start()

    def pipe_to(self, path):
        """The end for a process that will be started; the other one ends with it."""
        ours, theirs = os.pipe()
        self.selector.register(os.fdopen(ours, "rb", 0), selectors.EVENT_READ, open(path, "a", buffering=1))
        return os.fdopen(theirs, "wb", 0)

    def run(self):
        while True:
            for key, _ in self.selector.select(0.2):
                text = key.fileobj.read(65536).decode(errors="replace")
                key.data.write("".join(f"{time.monotonic():.3f} {line}" for line in text.splitlines(True)))
                if not text:
                    self.selector.unregister(key.fileobj)


class Table:
    def __init__(self, number, folder, ports, logs):
        self.name = f"t{number}"
        self.folder = folder / self.name
        self.folder.mkdir()
        self.state = self.folder / "state"
        self.inputs = []  # (time, sensor)
        # Each begins at another node.
        turned = ports[number % len(ports) :] + ports[: number % len(ports)]
        self.ini = self.folder / "table.ini"
        self.ini.write_text(ini(self.name, self.folder, ", ".join(f"{HOST}:{it}" for it in turned)))
        self.process = subprocess.Popen(
            [daemon.PROGRAM, "--config", self.ini, "--state-dir", self.state],
            stderr=logs.pipe_to(self.folder / "log"),
        )

    def cpu_s(self):
        return cpu_s(self.process.pid)

    def pss_kib(self):
        for line in open(f"/proc/{self.process.pid}/smaps_rollup"):
            if line.startswith("Pss:"):
                return int(line.split()[1])

    async def play(self, until, pace_s, dice):
        """Acts on the sensors until then; an input counts when both of its edges were taken."""
        while not (self.folder / "sim.sock").exists():
            await asyncio.sleep(0.1)
        reader, writer = await asyncio.open_unix_connection(self.folder / "sim.sock")

        async def move(sensor, level):
            writer.write(f"{sensor} {level}\n".encode())
            answer = await reader.readline()
            assert answer == b"ok\n", answer

        await asyncio.sleep(dice.uniform(0, pace_s))
        while time.monotonic() < until or len(self.inputs) % len(TURN):
            sensor = TURN[len(self.inputs) % len(TURN)]
            begun = time.monotonic()
            await move(sensor, 1)
            await asyncio.sleep(BUTTON_S)
            await move(sensor, 0)
            self.inputs.append((begun, sensor))
            await asyncio.sleep(dice.uniform(0.5, 1.5) * pace_s)
        writer.close()

    def journal(self, *words):
        done = subprocess.run(
            [ctl.PROGRAM, "--config", self.ini, "log", "--state-dir", self.state, *words], capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Subscriber:
    """A process of its own, which writes what it receives to a file: time, topic, payload."""

    def __init__(self, folder, ports, version):
        self.path = folder / "received"
        self.path.touch()
        self.process = multiprocessing.Process(
            target=self.run, args=(self.path, ports, version), daemon=True
        )
        self.process.start()
        poll(lambda: self.path.read_text().startswith("subscribed"), "the subscriber", SETTLE_S)

    @staticmethod
    def run(path, ports, version):
        """After the end of a connection it goes on at the next node, with the same session."""
        file = open(path, "a", buffering=1)

        def on_connect(client, *_):
            client.subscribe("shipahoy/+/event/+", 1)

        def on_message(_client, _context, message):
            file.write(f"{time.monotonic():.6f}\t{message.topic}\t{message.payload.decode()}\n")

        client = paho.Client("subscriber", clean_session=False, protocol=paho.MQTTv311)
        client.on_connect = on_connect
        client.on_message = on_message
        client.on_subscribe = lambda *_: file.tell() or file.write("subscribed\n")
        place = 0
        while True:
            with contextlib.suppress(OSError):
                client.connect(HOST, ports[place % len(ports)], keepalive=20)
                while client.loop(0.5) == 0:
                    pass
            time.sleep(0.1)
            place += 1

    def events(self):
        """(time, table, event) as they came, repetitions included."""
        for line in self.path.read_text().splitlines():
            if line.count("\t") == 2:
                at, topic, payload = line.split("\t")
                yield float(at), topic.split("/")[1], json.loads(payload)


class Killer:
    """Kills a node every so many seconds, the nodes in turn, and starts it again."""

    def __init__(self, cluster, every_s):
        self.cluster = cluster
        self.every_s = every_s
        self.kills = 0

    async def run(self, until):
        while self.every_s and time.monotonic() + self.every_s < until:
            await asyncio.sleep(self.every_s - DOWN_S)
            node = self.cluster.nodes[self.kills % len(self.cluster.nodes)]
            await asyncio.to_thread(node.kill)
            self.kills += 1
            await asyncio.sleep(DOWN_S)
            node.launch()


async def play_all(tables, killer, options):
    until = time.monotonic() + options.seconds
    dice = random.Random(options.seed)
    await asyncio.gather(killer.run(until), *(it.play(until, options.pace, dice) for it in tables))


def missing_inputs(table):
    """What was accepted and is not in the journal, or the reverse."""
    wanted = [RECORDED[i % len(TURN)] for i in range(len(table.inputs))]
    recorded = table.journal("--inputs")[1:]  # without the start of the game
    return [] if recorded == wanted else [f"{table.name}: {len(wanted)} inputs, {len(recorded)} recorded"]


def without_repeats(events):
    first = {}
    for event in events:
        first.setdefault((event["game"], event["seq"]), event)
    return list(first.values())


def stored(folder):
    """The events of the logbook by table, in order of their numbers."""
    found = collections.defaultdict(list)
    with sqlite3.connect(f"file:{folder}/state/logbook.db?mode=ro", uri=True) as book:
        for table, body in book.execute(
            "SELECT g.table_name, e.body FROM event e JOIN game g ON g.number = e.game ORDER BY e.game, e.seq"
        ):
            found[table].append(json.loads(body))
    return found


def received(subscriber):
    found = collections.defaultdict(list)
    for _, table, event in subscriber.events():
        found[table].append(event)
    return found


def differences(name, there, tables, journals):
    found = []
    for table in tables:
        if there[table.name] != journals[table.name]:
            wanted, got = journals[table.name], there[table.name]
            keys = lambda events: [(it["game"], it["seq"]) for it in events]  # noqa: E731
            how = "not in order" if sorted(keys(got)) == sorted(keys(wanted)) else "not the same"
            found.append(f"{name} of {table.name}: {how}, {len(got)} of {len(wanted)} events")
    return found


def stale_topics(cluster, tables, journals):
    """What a page that is opened now would see of each table: its last state, and that it is online."""
    found = {}
    client = paho.Client("late", protocol=paho.MQTTv311)
    client.on_message = lambda _client, _context, it: found.update({it.topic: it.payload.decode()})
    client.on_connect = lambda *_: client.subscribe([("shipahoy/+/state", 0), ("shipahoy/+/status", 0)])
    client.connect(HOST, cluster.ports[cluster.node_of_retained])
    client.loop_start()

    def problems():
        wrong = []
        for table in tables:
            state = json.loads(found.get(f"shipahoy/{table.name}/state", '{"seq":0}'))
            wanted = journals[table.name][-1]["seq"]
            if state["seq"] != wanted:
                wrong.append(f"retained state of {table.name}: event {state['seq']} of {wanted}")
            if found.get(f"shipahoy/{table.name}/status") != "online":
                wrong.append(f"retained status of {table.name}: {found.get(f'shipahoy/{table.name}/status')}")
        return wrong

    with contextlib.suppress(TimeoutError):
        wait_slowly(lambda: not problems(), STALE_S)
    client.loop_stop()
    return problems()


def latencies(tables, subscriber):
    """Seconds from an input to the first arrival of its first event at the subscriber."""
    arrived = collections.defaultdict(list)
    seen = set()
    for at, table, event in subscriber.events():
        key = (event["game"], event["seq"])
        if key not in seen:
            seen.add(key)
            arrived[table, event["event_type"]].append((event["seq"], at))
    found = []
    for table in tables:
        for sensor, event_type in FIRST_EVENTS.items():
            acted = [at for at, it in table.inputs if it == sensor]
            came = [at for _, at in sorted(arrived[table.name, event_type])]
            found += [after - before for before, after in zip(acted, came)]
    return sorted(found)


def run(options, folder):
    load = os.getloadavg()[0]
    cluster = CLUSTERS[options.cluster]().start()
    subscriber = Subscriber(folder, cluster.ports, cluster.version)
    book = logbook.Daemon(folder / "logbook", f"[mqtt]\nhost = {cluster.hosts}\n")
    book.program = logbook.PROGRAM
    book.state.mkdir()
    book.start()
    logs = Logs()
    tables = [Table(number, folder, cluster.ports, logs) for number in range(options.tables)]
    try:
        for table in tables:
            poll(lambda: "connected" in (table.folder / "log").read_text(), "a table", SETTLE_S)  # noqa: B023
        return measure(options, cluster, subscriber, book, tables, load)
    finally:
        for table in tables:
            table.process.kill()
            table.process.wait()
        book.kill()
        subscriber.process.kill()
        cluster.stop()
        if options.keep:
            shutil.copytree(cluster.folder, folder / "cluster", ignore=shutil.ignore_patterns("store"))
        shutil.rmtree(cluster.folder)


def measure(options, cluster, subscriber, book, tables, load):
    killer = Killer(cluster, options.kill_every)
    nodes_before = [cpu_s(it.process.pid) for it in cluster.nodes]
    before = sum(it.cpu_s() for it in tables)
    began = time.monotonic()
    asyncio.run(play_all(tables, killer, options))
    lasted = time.monotonic() - began
    table_cpu = (sum(it.cpu_s() for it in tables) - before) / lasted / len(tables)
    pss = statistics.mean(it.pss_kib() for it in tables)
    book_cpu = book.cpu_s()
    node_mib = max(resident_mib(it.process.pid) for it in cluster.nodes)
    node_cpu = sum(cpu_s(it.process.pid) for it in cluster.nodes) - sum(nodes_before)

    problems = [it for table in tables for it in missing_inputs(table)]
    journals = {it.name: [json.loads(line) for line in it.journal("--json")] for it in tables}
    total = sum(map(len, journals.values()))

    def has_all(source):
        found = source()
        return sum(len(without_repeats(it)) for it in found.values()) >= total

    settled = time.monotonic()
    for name, source in (("the subscriber", lambda: received(subscriber)), ("the logbook", lambda: stored(book.folder))):
        try:
            wait_slowly(lambda: has_all(source), SETTLE_S)  # noqa: B023
        except TimeoutError:
            problems.append(f"{name} lacks events")
    settled = time.monotonic() - settled
    came = received(subscriber)
    repeats = sum(map(len, came.values())) - sum(len(without_repeats(it)) for it in came.values())
    problems += differences("received", {name: without_repeats(it) for name, it in came.items()} | {it.name: [] for it in tables if it.name not in came}, tables, journals)
    problems += differences("stored", stored(book.folder), tables, journals)
    problems += stale_topics(cluster, tables, journals)
    times = latencies(tables, subscriber)
    share = lambda part: times[min(len(times) - 1, int(len(times) * part))] * 1000  # noqa: E731
    inputs = sum(len(it.inputs) for it in tables)
    for problem in problems[:20]:
        print(problem)
    print("| tables | kills | inputs | events a second | repeats | p50 | p99 | max | PSS a table | CPU a table | CPU of the nodes | memory of a node | load before | problems |")
    print(
        f"| {len(tables)} | {killer.kills} | {inputs} | {total / lasted:.1f} | {repeats} | {share(0.5):.1f} ms |"
        f" {share(0.99):.0f} ms | {times[-1] * 1000:.0f} ms | {pss:.0f} KiB | {table_cpu * 100:.2f} % |"
        f" {node_cpu / lasted * 100:.0f} %{' (since their last start)' if killer.kills else ''} | {node_mib:.0f} MiB | {load:.1f} | {len(problems)} |"
    )
    print(f"logbook: {book_cpu / lasted * 100:.1f} % CPU; the last event came {settled:.0f} s after the last input")
    return not problems


def wait_slowly(claim, seconds):
    """Each look reads whole files, so there are few."""
    until = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(2)


def resident_mib(pid):
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_KIB / 1024


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--kill-every", type=float, default=10, help="seconds; 0: no node is killed (10)")
    parser.add_argument("--pace", type=float, default=2, help="seconds between the inputs of a table (2)")
    parser.add_argument("--cluster", choices=CLUSTERS, default="NATS 2.10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs, also of the nodes")
    options = parser.parse_args()
    wanted = options.tables * 20 + 1000
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(wanted, 4096), max(wanted, 4096)))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="shipahoy-scale-"))
    print(folder, flush=True)
    is_fine = run(options, folder)
    if is_fine and not options.keep:
        shutil.rmtree(folder)
    raise SystemExit(0 if is_fine else 1)


if __name__ == "__main__":
    main()
