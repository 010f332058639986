"""The node: connects, publishes edges, and connects again for ever."""
from edges import Edges
from mqtt import Mqtt, Refused
from report import EDGES_MAX, Clock, Report

SEND_EVERY_MS = 20      # the first edge is sent at once, the edges that follow within this time together
LEVELS_EVERY_MS = 5000  # levels without edges: the sign of life
INFO_EVERY_MS = 60000
ANSWER_MS = 5000        # without an answer for so long, the connection is lost
KEEP_ALIVE_S = 10       # the broker publishes the last will after 1.5 times this
IN_FLIGHT_MAX = 8       # messages without acknowledgement; further edges wait in the ring buffer
KEEP_US = 60000000      # an edge that could not be delivered for so long is dropped

# How often the LED blinks before a pause. 1 is a mistake in node.ini, 5 a fault of the program.
BLINK_WIFI = 2
BLINK_BROKER = 3
BLINK_REFUSED = 4


class Node:
    def __init__(self, board, settings, boot):
        self.board = board
        self.settings = settings
        node = settings.values["node"]
        self.base = "%s/%s/node/%s/" % (node["prefix"], node["table"], node["name"])
        self.client_id = "shipahoy-%s-%s" % (node["table"], node["name"])
        # The clock first: no edge is older than it.
        self.clock = Clock(board.ticks_us, board.ticks_diff)
        self.edges = Edges(len(settings.inputs))
        board.watch(settings.inputs, self.edges)
        self.report = Report(boot, [one.name for one in settings.inputs], self.edges, self.clock)
        self.mqtt = None
        self.in_flight = []  # oldest first; sent again after a loss
        self.sent_ms = self.info_ms = 0

    def run(self):
        while True:
            self.serve()

    def serve(self):
        """One connection, from the attempt to its loss."""
        wifi, broker = self.settings.values["wifi"], self.settings.values["broker"]
        code, cause = BLINK_WIFI, None
        try:
            self.forget_old()
            self.board.join_wifi(wifi["name"], wifi["password"])
            code = BLINK_BROKER
            self.connect(broker)
            while True:
                self.step()
                self.board.rest()
        except Refused as refusal:
            code, cause = BLINK_REFUSED, refusal
        except OSError as error:
            cause = error
        place = "broker %s:%d" % (broker["host"], self.settings.port)
        if code == BLINK_WIFI:
            place = "Wi-Fi %s" % wifi["name"]
        print("%s: %s; trying again" % (place, cause))
        self.board.disconnect()
        self.board.blink(code)

    def connect(self, broker):
        self.mqtt = Mqtt(self.board.connect(broker["host"], self.settings.port))
        self.mqtt.connect(self.client_id, self.base + "status", "offline", KEEP_ALIVE_S, broker["user"],
                          broker["password"])
        asked_ms = self.board.ticks_ms()
        while not self.mqtt.accepted:
            self.mqtt.poll()
            self.check_answer(asked_ms)
            self.board.rest()
        self.mqtt.publish(self.base + "status", "online", retain=True)
        self.publish_info()
        for message in self.in_flight:
            self.send(message)
        self.send_next()

    def step(self):
        """Never waits for the broker: reads what has arrived and sends what is due."""
        acknowledged = self.mqtt.poll()
        if acknowledged:
            self.in_flight = [message for message in self.in_flight if message.id not in acknowledged]
        if self.in_flight:
            self.check_answer(self.in_flight[0].sent_ms)
        if self.is_due(self.edges.count(), self.since(self.sent_ms)) and len(self.in_flight) < IN_FLIGHT_MAX:
            self.send_next()
        if self.since(self.info_ms) >= INFO_EVERY_MS:
            self.publish_info()

    def is_due(self, edges, idle_ms):
        if edges >= EDGES_MAX:
            return True
        return idle_ms >= (SEND_EVERY_MS if edges else LEVELS_EVERY_MS)

    def check_answer(self, asked_ms):
        if self.since(asked_ms) > ANSWER_MS:
            raise OSError("no answer")

    def send_next(self):
        message = self.report.next_message()
        # In the list before it is sent: if the connection fails in between, it is sent again.
        self.in_flight.append(message)
        self.send(message)

    def send(self, message):
        self.sent_ms = message.sent_ms = self.board.ticks_ms()
        message.id = self.mqtt.publish(self.base + "edges", self.report.payload(message))

    def publish_info(self):
        self.info_ms = self.board.ticks_ms()
        payload = self.report.info(self.board.battery(), self.board.rssi())
        self.mqtt.publish(self.base + "info", payload, retain=True)

    def forget_old(self):
        """Old edges would arrive in another turn. It also keeps their ticks from wrapping."""
        now_us, now_ticks = self.clock.now()
        self.edges.forget(now_ticks, self.board.ticks_diff, KEEP_US)
        self.in_flight = [one for one in self.in_flight if now_us - one.made_us <= KEEP_US]

    def since(self, ticks_ms):
        return self.board.ticks_diff(self.board.ticks_ms(), ticks_ms)
