"""Ships whose gateways cannot be run here: their messages, as their documentation gives them, reach the daemon
through a real broker."""
import json
import time

import harness
from harness import TableTest
from waiting import Deadline

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

REPEAT_S = 0.3

# piece: (source, topic, standing, lying, retained)
DIALECTS = {
    # ESPHome, binary_sensor: https://esphome.io/components/mqtt
    "blue-1": ("mqtt ship-blue-1/binary_sensor/tilt/state alive=ship-blue-1/status",
               "ship-blue-1/binary_sensor/tilt/state", "OFF", "ON", True),
    # Tasmota, SetOption114 1, SwitchMode1 1: https://tasmota.github.io/docs/Buttons-and-Switches
    "blue-2": ("mqtt stat/blue-2/RESULT Switch1.Action=ON alive=tele/blue-2/LWT", "stat/blue-2/RESULT",
               {"Switch1": {"Action": "OFF"}}, {"Switch1": {"Action": "ON"}}, False),
    # Tasmota, SwitchMode1 15
    "blue-3": ("mqtt tele/blue-3/SENSOR Switch1=ON alive=tele/blue-3/LWT", "tele/blue-3/SENSOR",
               {"Time": "2026-11-16T19:00:00", "Switch1": "OFF"},
               {"Time": "2026-11-16T19:00:10", "Switch1": "ON"}, False),
    # OpenMQTTGateway, Shelly BLU door: https://docs.openmqttgateway.com
    "green-1": ("mqtt home/gateway/BTtoMQTT/AABBCCDDEEFF rot>45", "home/gateway/BTtoMQTT/AABBCCDDEEFF",
                {"id": "AA:BB:CC:DD:EE:FF", "open": False, "rot": 0, "batt": 96, "rssi": -70, "packet": 7},
                {"id": "AA:BB:CC:DD:EE:FF", "open": False, "rot": 88.5, "batt": 96, "rssi": -71, "packet": 8},
                False),
}  # fmt: skip
ALIVE = {
    "blue-1": ("ship-blue-1/status", "online", "offline"),
    "blue-2": ("tele/blue-2/LWT", "Online", "Offline"),
}
# Other messages on the same topic, which say nothing about the ship.
UNRELATED = {"blue-2": {"POWER": "ON"}, "blue-3": {"Time": "2026-11-16T19:00:00", "ANALOG": {"A0": 1}}}


class Payloads(TableTest):
    def setUp(self):
        self.ships = self.table(**{f"piece.{piece}": {"tilt": one[0]} for piece, one in DIALECTS.items()})

    def publish(self, piece, payload):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self.ships.client.publish(DIALECTS[piece][1], text, retain=DIALECTS[piece][4])

    def stand_until_heard(self, piece):
        deadline = Deadline(f"{piece} is heard")
        while not any(it.json["heard"] for it in self.ships.said(f"sensor/{piece}/tilt")):
            self.publish(piece, DIALECTS[piece][2])
            time.sleep(min(REPEAT_S, deadline.left()))

    def test_S3_each_dialect_reports_a_fall_by_a_shot(self):
        for piece in DIALECTS:
            self.stand_until_heard(piece)
        self.ships.new_game()
        self.ships.do("fire")
        for piece, one in DIALECTS.items():
            if piece in UNRELATED:
                self.publish(piece, UNRELATED[piece])
            self.publish(piece, one[3])
            self.publish(piece, one[3])  # repeated with every period, and no second fall
        for piece in DIALECTS:
            self.ships.await_event("piece-captured", fits=lambda it, piece=piece: it["piece"] == piece)
        self.ships.await_event("phase-started", fits=lambda it: it["phase"] == "moving")
        names = [event["event_type"] for event in self.ships.events()]
        self.assertEqual((names.count("piece-captured"), names.count("disturbance")), (len(DIALECTS), 0))

    def test_availability_is_shown(self):
        for piece, (topic, online, offline) in ALIVE.items():
            self.stand_until_heard(piece)
            mark = len(self.ships.client.messages)
            self.ships.client.publish(topic, offline, retain=True)
            self.ships.await_said(f"sensor/{piece}/tilt", lambda it: it["health"] == "silent", mark)
            self.ships.client.publish(topic, online, retain=True)
            self.ships.await_said(f"sensor/{piece}/tilt", lambda it: it["health"] == "ok", mark)

    def test_battery_and_signal_of_a_gateway_are_shown(self):
        self.stand_until_heard("green-1")
        self.ships.await_said("sensor/green-1/tilt", lambda it: (it.get("battery"), it.get("rssi")) == (96, -70))


if __name__ == "__main__":
    harness.main()
