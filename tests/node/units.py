"""Tests of the node program in MicroPython itself, in any of its builds: no socket, no pin, no time."""
import json

import micropython
from boards import CANNON, REEL, TICKS, Finished, VirtualBoard, VirtualBroker, ticks_diff
from edges import Edges, record
from mqtt import Mqtt, Refused, packet
from node import Node
from report import Clock
from run_tests import equal, run_tests
from settings import Mistake, read


def mistake_in(text, **board):
    chosen = VirtualBoard()
    for key, value in board.items():
        setattr(chosen, key, value)
    try:
        read(text, chosen)
    except Mistake as mistake:
        return str(mistake)
    raise AssertionError("accepted: " + text)


def start(text=CANNON):
    board = VirtualBoard()
    node = Node(board, read(text, board), "a1f3")
    return board, node


def run(node):
    try:
        node.run()
    except Finished:
        pass


def edges_of(board):
    return [json.loads(payload) for payload in board.broker.published("edges")]


def test_settings_have_defaults_and_keep_every_character_of_a_password():
    settings = read(REEL.replace("\n", "\r\n"), VirtualBoard())
    equal(settings.get("wifi", "password"), "a;b#c")
    equal((settings.get("node", "table"), settings.port), ("table", 1883))
    equal([(one.name, one.pin, one.pull, one.active_low) for one in settings.inputs],
          [("a", 2, "up", True), ("b", 3, "up", True), ("button", 15, "up", True)])


def test_settings_of_the_samples_are_accepted():
    for name, sensors in (("cannon", ["beam", "beam2"]), ("reel", ["a", "b", "button"])):
        with open(name + ".ini") as file:
            equal([one.name for one in read(file.read(), VirtualBoard()).inputs], sensors)


def test_settings_mistakes_are_sentences_with_their_line():
    for wrong, right, sentence in (
            ("[wify]", "[wifi]", "line 4: [wify] is not a section. Sections: [node], [wifi], [broker]"),
            ("nam = cannon", "name = cannon", "line 3: [node] has no key `nam`. Keys: name, prefix, table"),
            ("name cannon", "name = cannon", "line 3: expected `key = value`, got `name cannon`."),
            ("name = Cannon 1", "name = cannon", "`Cannon 1` is not a valid name: use up to 16 of a-z"),
            ("host =", "host = 192.168.1.10", "line 8: expected `key = value`"),
            ("GP29", "GP14", "line 10: `GP29` is not a usable pin. Pins: GP0, GP1,"),
            ("GPx", "GP14", "line 10: `GPx` is not a usable pin."),
            ("GP14 pullup", "GP14 pull-up", "line 10: option `pullup` is unknown or repeated. Options: pull-up"),
            ("beam = GP15", "beam = GP14", "line 11: pin GPIO15 is already used by `beam`."),
            ("beam = GPIO15", "beam2 = GPIO15", "line 11: there are two inputs `beam`."),
            ("encoder = GP1", "beam = GP14 pull-up active-low", "line 10: `encoder` needs two pins."),
            ("host = pi\nport = 188x", "host = 192.168.1.10", "[broker] port is a number from 1 to 65535")):
        said = mistake_in(CANNON.replace(right, wrong))
        assert said.startswith("node.ini") and sentence in said, said


def test_settings_what_is_missing_is_named():
    equal(mistake_in(""), "node.ini: [broker] needs `host`.")
    equal(mistake_in(CANNON.split("[inputs]")[0]), "node.ini: [inputs] is empty.")
    equal(mistake_in("beam = GP1"), "node.ini line 1: a section such as [wifi] must come first.")


def test_settings_have_at_most_eight_inputs():
    more = "".join("i%d = GP%d\n" % (i, i) for i in range(7))
    equal(mistake_in(CANNON + more), "node.ini line 18: a node has at most 8 inputs.")


def test_settings_refuse_an_encoder_where_it_would_lose_edges():
    said = mistake_in(REEL, counts_encoder=False)
    equal(said, "node.ini line 10: this board loses edges of an encoder. Use a Pico W for it.")


def test_settings_battery_is_checked():
    settings = read(CANNON + "[battery]\npin = GP26\n", VirtualBoard())
    equal(settings.battery, (26, 2.0, 3.3, 4.1))
    assert "[battery] divider, empty_v and full_v are numbers" in mistake_in(
        CANNON + "[battery]\npin = GP26\nfull_v = 4,1\n")


def test_record_allocates_no_memory():
    edges = Edges(2, 8)
    ring, last = edges.ring, TICKS - 1
    micropython.heap_lock()
    try:
        for i in range(20):
            record(ring, i & 1, i >> 1 & 1, last)
    finally:
        micropython.heap_unlock()
    equal(edges.lost(), 18 - 7)


def test_edges_come_out_in_order_and_a_full_buffer_counts():
    edges = Edges(1, 4)
    for turn in range(3):
        for i in range(4):
            record(edges.ring, 0, 1 - i % 2, 100 * turn + i)
        equal(edges.count(), 3)
        equal(edges.take(9, 1000, ticks_diff), [1, 1000 - 100 * turn, 0, 999 - 100 * turn, 1, 998 - 100 * turn])
    equal(edges.lost(), 3)


def test_clock_never_wraps():
    board = VirtualBoard()
    clock = Clock(board.ticks_us, board.ticks_diff)
    for _ in range(40):
        board.now_us += TICKS // 4
        now_us, _ = clock.now()
    equal(now_us, 10 * TICKS)


def test_packet_lengths_grow_past_127_bytes():
    equal(packet(0x32, b"x" * 127)[:2], b"\x32\x7f")
    equal(packet(0x32, b"x" * 321)[:3], b"\x32\xc1\x02")


def test_mqtt_connect_carries_will_and_login():
    broker = VirtualBroker()
    Mqtt(broker).connect("id", "t/status", "offline", 10, "ann", "pw")
    equal(broker.packets[0], b"\x10\x2a\x00\x04MQTT\x04\xee\x00\x0a\x00\x02id\x00\x08t/status\x00\x07offline"
                             b"\x00\x03ann\x00\x02pw")


def test_mqtt_refuses_what_is_not_mqtt():
    broker = VirtualBroker()
    broker.answers = b"HTTP/1.1 400 Bad Request"
    try:
        Mqtt(broker).poll()
    except Refused:
        return
    raise AssertionError("accepted")


def test_node_announces_itself_with_its_levels():
    board, node = start()
    board.after(100, board.finish)
    run(node)
    equal(board.broker.packets[0][0], 0x10)
    equal(board.broker.published("status"), ["online"])
    info = json.loads(board.broker.published("info")[0])
    equal((info["v"], info["sensors"], info["rssi"]), (1, ["beam", "beam2"], -61))
    assert "battery" not in info
    equal(edges_of(board), [{"boot": "a1f3", "n": 1, "t": 2000, "edges": [], "levels": {"beam": 0, "beam2": 0}}])


def test_node_sends_a_shot_with_its_exact_times():
    board, node = start()
    wrap_us = board.now_us + 3000000
    board.after(3000, lambda: (board.set("beam", 1, wrap_us - 900), board.set("beam2", 1, wrap_us - 200)))
    board.after(3004, lambda: (board.set("beam", 0, wrap_us + 3950), board.set("beam2", 0, wrap_us + 4000)))
    board.after(3100, board.finish)
    run(node)
    first, second = edges_of(board)[1:]
    assert [edge[:2] for edge in first["edges"]] == [["beam", 1], ["beam2", 1]]
    equal(first["edges"][0][2] - first["edges"][1][2], 700)
    equal(first["levels"], {"beam": 1, "beam2": 1})
    equal([edge[:2] for edge in second["edges"]], [["beam", 0], ["beam2", 0]])
    # The ticks have wrapped between the two.
    width_us = (second["t"] - second["edges"][0][2]) - (first["t"] - first["edges"][0][2])
    equal(width_us, 900 + 3950)
    equal((first["n"], second["n"]), (2, 3))


def test_node_sends_levels_while_nothing_happens():
    board, node = start()
    board.after(16000, board.finish)
    run(node)
    messages = edges_of(board)
    equal([message["n"] for message in messages], [1, 2, 3, 4])
    equal([message["edges"] for message in messages], [[]] * 4)


def test_node_keeps_edges_while_the_broker_is_away():
    board, node = start()
    broker = board.broker
    board.after(1000, lambda: setattr(broker, "reachable", False))
    board.after(1500, lambda: board.set("beam", 1))
    board.after(9000, lambda: setattr(broker, "reachable", True))
    board.after(13000, board.finish)
    run(node)
    message = edges_of(board)[1]
    equal((message["n"], message["edges"][0][:2]), (2, ["beam", 1]))
    assert message["edges"][0][2] > 7000000, message
    equal(broker.published("status"), ["online", "online"])
    equal(set(board.codes), {3})


def test_node_sends_again_what_was_not_acknowledged_with_its_new_age():
    board, node = start()
    broker = board.broker
    board.after(1000, lambda: (setattr(broker, "acknowledges", False), board.set("beam", 1)))
    board.after(5000, lambda: setattr(broker, "acknowledges", True))
    board.after(12000, board.finish)
    run(node)
    sent = [message for message in edges_of(board) if message["n"] == 2]
    assert len(sent) == 2, sent
    equal(sent[0]["t"] - sent[0]["edges"][0][2], sent[1]["t"] - sent[1]["edges"][0][2])
    equal(node.in_flight, [])


def test_node_drops_edges_that_are_too_old_and_leaves_a_gap():
    board, node = start()
    broker = board.broker
    board.after(1000, lambda: setattr(broker, "reachable", False))
    board.after(1500, lambda: board.set("beam", 1))
    board.after(90000, lambda: setattr(broker, "reachable", True))
    board.after(95000, board.finish)
    run(node)
    message = edges_of(board)[-1]
    equal((message["n"], message["edges"], message["levels"]), (3, [], {"beam": 1, "beam2": 0}))


def test_node_shows_an_overflow_as_a_gap():
    board, node = start(REEL)
    broker = board.broker
    board.after(1000, lambda: setattr(broker, "acknowledges", False))

    def pull():
        for i in range(3000):
            board.set("a", 1 - i % 2)

    board.after(1500, pull)
    board.after(3000, lambda: setattr(broker, "acknowledges", True))
    board.after(30000, board.finish)
    run(node)
    messages = edges_of(board)
    numbers = set(message["n"] for message in messages)
    assert len(numbers) == max(numbers) - 1, numbers
    equal(node.edges.lost(), 3000 - 2047)
    equal(messages[-1]["levels"]["a"], 0)


def test_node_joins_the_wifi_again_and_blinks():
    board, node = start()
    board.wifi = False
    board.after(5000, lambda: setattr(board, "wifi", True))
    board.after(8000, board.finish)
    run(node)
    equal(set(board.codes), {2})
    equal(board.broker.published("status"), ["online"])


def test_node_blinks_when_the_broker_refuses_it():
    board, node = start()
    board.broker.connack = b"\x20\x02\x00\x05"
    board.after(9000, board.finish)
    run(node)
    equal(set(board.codes), {4})
    assert len(board.codes) > 1


run_tests(globals())
