"""An MQTT client that records every message it gets."""

import functools
import json
import socket
import threading
import time

import paho.mqtt.client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from waiting import Deadline

PROTOCOLS = {5: paho.MQTTv5, 4: paho.MQTTv311}
HOUR_S = 3600


class Message:
    def __init__(self, message, connection):
        self.connection = connection
        self.topic = message.topic
        self.payload = message.payload
        self.qos = message.qos
        self.retain = message.retain
        self.at = time.monotonic()
        self.correlation = getattr(getattr(message, "properties", None), "CorrelationData", None)

    @functools.cached_property
    def json(self):
        return json.loads(self.payload)

    def __repr__(self):
        return f"{self.topic} {self.payload[:300]}"


class Client:
    """version 5 or 4 (3.1.1). Topics are subscribed to at every connect."""

    def __init__(self, port, version=5, topics=("#",), name="", user=None, transport="tcp"):
        self.messages = []
        self.changed = threading.Condition()
        self.version = version
        self.topics = topics
        self.subscribed = False
        self.connections = 0
        clean = {} if version == 5 else {"clean_session": not name}
        self.paho = paho.Client(name, protocol=PROTOCOLS[version], transport=transport, **clean)
        self.paho.on_socket_open = self.on_socket_open
        self.paho.on_connect = self.on_connect
        self.paho.on_subscribe = self.on_subscribe
        self.paho.on_message = self.on_message
        self.paho.reconnect_delay_set(1, 1)
        self.paho.max_inflight_messages_set(1000)
        if user:
            self.paho.username_pw_set(*user)
        session = {}
        if version == 5 and name:
            session = {"clean_start": False, "properties": Properties(PacketTypes.CONNECT)}
            session["properties"].SessionExpiryInterval = HOUR_S
        self.paho.connect("127.0.0.1", port, **session)
        self.paho.loop_start()
        self.until(lambda: self.subscribed, "the subscriptions")

    def on_socket_open(self, _client, _context, connection):
        connection = getattr(connection, "_socket", connection)  # inside websockets
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def on_connect(self, *_):
        self.connections += 1
        # Retained flags as they were published, so that they can be checked on every message.
        if self.version == 5:
            options = SubscribeOptions(qos=1, retainAsPublished=True)
            self.paho.subscribe([(topic, options) for topic in self.topics])
        else:
            self.paho.subscribe([(topic, 1) for topic in self.topics])

    def on_subscribe(self, *_):
        with self.changed:
            self.subscribed = True
            self.changed.notify_all()

    def on_message(self, _client, _context, message):
        with self.changed:
            self.messages.append(Message(message, self.connections))
            self.changed.notify_all()

    def until(self, claim, what):
        deadline = Deadline(what)
        with self.changed:
            while not claim():
                self.changed.wait(deadline.left(lambda: f"; last: {self.messages[-5:]}"))

    def wait(self, fits, what, since=0):
        """The first message that fits, of those from index since on."""
        deadline = Deadline(what)
        index = since
        with self.changed:
            while True:
                while index < len(self.messages):
                    if fits(self.messages[index]):
                        return self.messages[index]
                    index += 1
                self.changed.wait(deadline.left(lambda: f"; last: {self.messages[-5:]}"))

    def publish(self, topic, payload, qos=1, retain=False, answer_to=None, correlation=None):
        properties = None
        if answer_to:
            properties = Properties(PacketTypes.PUBLISH)
            properties.ResponseTopic = answer_to
            if correlation is not None:
                properties.CorrelationData = correlation
        return self.paho.publish(topic, payload, qos, retain, properties)

    def close(self):
        self.paho.disconnect()
        self.paho.loop_stop()
