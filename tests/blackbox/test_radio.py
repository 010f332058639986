#!/usr/bin/python3
"""Sensors over MQTT with a real broker: payloads as ESPHome, Zigbee2MQTT, Tasmota and nodes publish them.

What a message means is proved in tests/wire, what comes of it in tests/table.
"""

import json
import time

import harness
from harness import Shared, TableTest
from waiting import poll

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

LATE_MS = 400
SHIPS = {
    "piece.blue-1": {
        "tilt": "mqtt zigbee2mqtt/blue-1 contact=false alive=zigbee2mqtt/blue-1/availability "
        "alive=zigbee2mqtt/bridge/state"
    },
    "piece.blue-2": {"tilt": "mqtt ship-b2/binary_sensor/tilt/state alive=ship-b2/status"},
    "piece.blue-3": {"tilt": "mqtt stat/ship-b3/RESULT Switch1.Action=ON alive=tele/ship-b3/LWT"},
    "radio": {"late_ms": LATE_MS},
    "timing": {"shot_window_ms": 300},
}
NODES = {
    "cannon": {"beam": "node cannon beam"},
    "rope": {"a": "node reel a", "b": "node reel b", "button": "node reel button"},
}


class Radio(TableTest):
    def publish(self, topic, payload, retain=False):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self.client.publish(topic, text, retain=retain)

    def begin(self, **sections):
        table = self.table(**sections)
        self.client = table.client
        return table

    def node(self, table, name, message):
        self.publish(table.topic(f"node/{name}/edges"), message)

    def test_falls_of_three_kinds_of_sensors_count_and_a_retained_one_does_not(self):
        table = self.begin(**SHIPS)
        self.publish("ship-b2/binary_sensor/tilt/state", "OFF", retain=True)
        table.new_game()
        mark = len(table.client.messages)
        table.sensors.fire()
        table.await_event("shot-fired", mark)
        self.publish("zigbee2mqtt/blue-1", {"battery": None, "contact": False, "linkquality": 131})
        self.publish("ship-b2/binary_sensor/tilt/state", "ON", retain=True)
        self.publish("stat/ship-b3/RESULT", {"Switch1": {"Action": "ON"}})
        for piece in ("blue-1", "blue-2", "blue-3"):
            captured = table.await_event("piece-captured", mark, lambda it: it["piece"] == piece)  # noqa: B023
            self.assertEqual(captured["evidence"]["source"], "mqtt")
            self.assertEqual(captured["evidence"]["late_ms"], LATE_MS)
        self.publish("ship-b2/binary_sensor/tilt/state", "", retain=True)

    def test_a_late_fall_counts_until_late_and_the_step_waits_for_it(self):
        table = self.begin(**SHIPS)
        table.new_game()
        mark = len(table.client.messages)
        table.sensors.fire()
        table.await_event("shot-fired", mark)
        time.sleep(0.5)  # the window is over, and the sensor may still report
        self.publish("zigbee2mqtt/blue-1", {"contact": False})
        table.await_event("piece-captured", mark)
        self.assertNotIn("shot-over", [it["event_type"] for it in table.events_since(mark)])
        table.await_event("phase-started", mark)

    def test_a_sensor_that_is_removed_from_the_configuration_loses_its_topic(self):
        table = self.begin(**SHIPS)
        table.await_said("sensor/blue-1/tilt")
        path = table.daemon.configuration
        path.write_text(path.read_text().replace("piece.blue-1", "piece.green-1"))
        table.daemon.terminate()
        mark = len(table.client.messages)
        table.start()
        table.client.until(
            lambda: b"" in [it.payload for it in table.said("sensor/blue-1/tilt", mark)],
            "an empty message",
        )
        table.await_said("sensor/blue-2/tilt", since=mark)

    def test_a_sensor_that_sends_nothing_for_too_long_is_silent(self):
        table = self.begin(**SHIPS | {"radio": {"quiet_s": 1}})
        self.publish("ship-b2/binary_sensor/tilt/state", "OFF")
        table.await_said("sensor/blue-2/tilt", lambda it: it["health"] == "ok" and it["value"] == 0)
        # Nothing else happens at the table, which would wake the daemon up.
        table.await_said("sensor/blue-2/tilt", lambda it: it["health"] == "silent")

    def test_availability_battery_and_the_broker_are_health(self):
        table = self.begin(**SHIPS)
        ready = table.await_said("ready")
        messages = [it["message"] for it in ready["problems"]]
        self.assertIn("blue-2 has not reported yet: tip it once.", messages)
        self.assertTrue(ready["ready"])
        self.publish("zigbee2mqtt/blue-1", {"contact": True, "battery": 9, "linkquality": 40})
        table.await_said("sensor/blue-1/tilt", lambda it: it.get("battery") == 9 and it["heard"])
        table.await_said("ready", lambda it: "blue-1 has a battery at 9 %" in json.dumps(it))
        self.publish("zigbee2mqtt/bridge/state", {"state": "offline"})
        table.await_said("sensor/blue-1/tilt", lambda it: it["health"] == "silent")
        mark = len(table.client.messages)
        self.publish("zigbee2mqtt/bridge/state", {"state": "online"})
        table.await_said("sensor/blue-1/tilt", lambda it: it["health"] == "ok", mark)

    def test_a_retained_level_is_known_and_is_no_fall(self):
        table = self.begin()
        self.publish("retained/red-1", "ON", retain=True)
        self.addCleanup(lambda: self.publish("retained/red-1", "", retain=True))
        table.new_game()
        table.sensors.fire()
        table.await_event("shot-fired")
        mark = len(table.client.messages)
        with open(table.daemon.configuration, "a", encoding="utf-8") as file:
            file.write("[piece.red-1]\ntilt = mqtt retained/red-1\n")
        table.daemon.reload()
        fallen = table.await_event("disturbance", mark)
        self.assertEqual(fallen["pieces"], ["red-1"])

    def test_a_node_that_reports_is_no_problem_any_more(self):
        def has_problem(ready):
            return any(problem["sensor"] == "cannon.beam" for problem in ready["problems"])

        table = self.begin(**NODES)
        table.await_said("ready", has_problem)
        mark = len(table.client.messages)
        self.node(table, "cannon", {"boot": "b", "n": 1, "t": 5000, "edges": [], "levels": {"beam": 0}})
        table.await_said("ready", lambda it: not has_problem(it), mark)

    def test_a_node_fires_and_measures_the_rope(self):
        table = self.begin(**NODES)
        table.new_game()
        mark = len(table.client.messages)
        edges = [["beam", 1, 5230], ["beam", 0, 1230]]
        message = {"boot": "a1f3", "n": 1, "t": 90112233, "edges": edges, "levels": {"beam": 0}}
        self.node(table, "cannon", message)
        self.node(table, "cannon", message)  # QoS 1 delivers at least once
        shot = table.await_event("shot-fired", mark)
        self.assertEqual(shot["evidence"]["width_us"], 4000)
        quadrature = [("a", 1), ("b", 1), ("a", 0), ("b", 0)]
        edges = [[name, level, 4000 - i * 1000] for i, (name, level) in enumerate(quadrature)]
        levels = {"a": 0, "b": 0, "button": 0}
        self.node(table, "reel", {"boot": "x", "n": 1, "t": 5000000, "edges": edges, "levels": levels})
        table.await_said("rope", lambda it: it["counts"] == 4 and it["invalid"] == 0)
        self.publish(table.topic("node/reel/status"), "offline", retain=True)
        table.await_said("sensor/rope/a", lambda it: it["health"] == "silent")
        self.publish(table.topic("node/reel/status"), "", retain=True)

    def test_a_simulated_edge_of_a_radio_sensor_is_refused(self):
        table = self.begin(**SHIPS)
        with self.assertRaisesRegex(Exception, "reports over MQTT"):
            table.sensors.move("blue-1.tilt 1")
        table.sensors.move("green-1.tilt 1")

    def test_the_broker_goes_and_comes_and_the_falls_go_on(self):
        table = self.begin(**SHIPS)
        self.publish("zigbee2mqtt/blue-1", {"contact": True})
        table.await_said("sensor/blue-1/tilt", lambda it: it["heard"])
        Shared.broker.stop()
        mark = len(table.client.messages)
        Shared.broker.start()
        table.await_said("sensor/blue-1/tilt", lambda it: it["health"] == "ok", mark)
        table.await_said("ready", lambda it: "silent" not in json.dumps(it), mark)
        table.new_game()
        table.sensors.fire()
        table.await_event("shot-fired")
        mark = len(table.client.messages)
        self.publish("zigbee2mqtt/blue-1", {"contact": False})
        table.await_event("piece-captured", mark)

    def announce(self, device, retain=True):
        """As Zigbee2MQTT 2.x does it for a contact sensor."""
        config = {
            "availability": [
                {"topic": "zigbee2mqtt/bridge/state", "value_template": "{{ value_json.state }}"},
                {"topic": f"zigbee2mqtt/{device}/availability", "value_template": "{{ value_json.state }}"},
            ],
            "device": {"name": device}, "payload_off": True, "payload_on": False,
            "state_topic": f"zigbee2mqtt/{device}", "value_template": '{{ value_json["contact"] }}',
        }  # fmt: skip
        self.publish(f"homeassistant/binary_sensor/0x{device}/contact/config", config, retain=retain)
        self.addCleanup(self.publish, f"homeassistant/binary_sensor/0x{device}/contact/config", "", retain=True)

    def test_a_ship_is_paired_stored_and_plays_at_once_and_after_a_restart(self):
        table = self.begin()
        for device in ("ship-a", "ship-b"):
            self.announce(device)
        self.assertTrue(table.send("pair", sensor="red-1.tilt")["ok"])
        table.await_said("pairing", lambda it: it["step"] == "tip")
        poll(lambda: self.tips("ship-a", table), "the ship to be seen")
        self.publish("zigbee2mqtt/ship-a", {"contact": True})
        done = table.await_said("pairing", lambda it: it["step"] == "done")
        self.assertEqual(
            [it["source"] for it in done["candidates"]],
            ["mqtt zigbee2mqtt/ship-a contact=false alive=zigbee2mqtt/bridge/state "
             "alive=zigbee2mqtt/ship-a/availability"],
        )  # fmt: skip
        self.assertIn("mqtt zigbee2mqtt/ship-a", (table.daemon.state / "paired.ini").read_text())
        table.await_said("sensor/red-1/tilt", lambda it: it["source"] == "mqtt" and it["heard"])
        self.assertEqual(table.daemon.terminate(), 0)
        table.close_sensors()
        mark = len(table.client.messages)
        table.start()
        table.await_said("ready", lambda it: "red-1 has not reported yet" in json.dumps(it), mark)
        self.publish("zigbee2mqtt/ship-a", {"contact": False})
        table.await_said("ready", lambda it: "red-1 lies on its side" in json.dumps(it), mark)
        self.publish("zigbee2mqtt/ship-a", {"contact": True})
        self.assertTrue(table.send("unpair", sensor="red-1.tilt")["ok"])
        self.assertEqual((table.daemon.state / "paired.ini").read_text(), "")
        self.assertEqual(table.refused("unpair", sensor="red-1.tilt"), "nothing-there")

    def test_a_pairing_that_the_configuration_does_not_accept_is_not_stored(self):
        """The table reads its file at the next start: there, another ship has this device by now."""
        table = self.begin()
        self.announce("ship-a")
        with open(table.daemon.configuration, "a", encoding="utf-8") as file:
            file.write("[piece.blue-2]\ntilt = mqtt zigbee2mqtt/ship-a contact=false\n")
        self.assertTrue(table.send("pair", sensor="red-1.tilt")["ok"])
        table.await_said("pairing", lambda it: it["step"] == "tip")
        poll(lambda: self.tips("ship-a", table), "the ship to be seen")
        self.publish("zigbee2mqtt/ship-a", {"contact": True})
        failed = table.await_said("pairing", lambda it: it["step"] in ("failed", "done"))
        self.assertEqual((failed["step"], failed["reason"]), ("failed", "storage"))
        self.assertEqual([it.name for it in table.daemon.state.glob("paired*")], [])

    def tips(self, device, table):
        """Tips a ship over; whether the table has seen it."""
        self.publish(f"zigbee2mqtt/{device}", {"contact": False})
        time.sleep(0.3)  # the announcement may still be under way: then it is tipped again
        return any(it.json["step"] == "raise" for it in table.said("pairing"))


if __name__ == "__main__":
    harness.main()
