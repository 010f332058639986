"""Ships with Zigbee sensors at the real daemon, through a real Zigbee2MQTT and a real broker."""
import time

import harness
from harness import TableTest
from waiting import Deadline
from zigbee2mqtt import BASE, CONTACT, VIBRATION, Zigbee2Mqtt

setUpModule = harness.set_up_module
tearDownModule = harness.tear_down_module

ALIVE = "alive={base}/bridge/state alive={base}/{name}/availability"
REPEAT_S = 0.3
DEVICES = {"blue-1": CONTACT, "blue-2": VIBRATION, "red-1": CONTACT}  # the last one is not configured
SECTIONS = {
    "piece.blue-1": {"tilt": f"mqtt {BASE}/blue-1 contact=false " + ALIVE.format(base=BASE, name="blue-1")},
    "piece.blue-2": {"tilt": f"mqtt {BASE}/blue-2 action=tilt once " + ALIVE.format(base=BASE, name="blue-2")},
}  # fmt: skip


class Zigbee(TableTest):
    @classmethod
    def setUpClass(cls):
        """One gateway for all tests: it takes seconds to start."""
        cls.zigbee = Zigbee2Mqtt(harness.Shared.folder / "zigbee", harness.Shared.broker.port, DEVICES)
        cls.addClassCleanup(cls.zigbee.end)
        cls.zigbee.start()

    def setUp(self):
        self.ships = self.table(**SECTIONS)
        self.await_bridge("online")
        self.stand_until_heard("blue-1")

    def stand_until_heard(self, piece):
        """A report is not retained, and the daemon may subscribe a moment after it is online."""
        deadline = Deadline(f"{piece} is heard")
        while not any(it.json["heard"] for it in self.ships.said(f"sensor/{piece}/tilt")):
            self.zigbee.open_contact(piece, False)
            time.sleep(min(REPEAT_S, deadline.left()))

    def await_bridge(self, state, since=0):
        self.ships.client.wait(
            lambda it: it.topic == f"{BASE}/bridge/state" and it.json["state"] == state, f"bridge {state}", since
        )

    def await_tilt(self, piece, fits, since=0):
        return self.ships.await_said(f"sensor/{piece}/tilt", fits, since)

    def await_fall(self, piece):
        return self.ships.await_event("piece-captured", fits=lambda it: it["piece"] == piece)

    def test_S3_a_contact_sensor_reports_a_fall_by_a_shot(self):
        self.ships.new_game()
        self.ships.do("fire")
        self.zigbee.open_contact("blue-1", True)
        fall = self.await_fall("blue-1")
        self.assertEqual(fall["evidence"]["source"], "mqtt")

    def test_S3_a_vibration_sensor_reports_a_fall_until_the_next_game(self):
        self.ships.new_game()
        self.ships.do("fire")
        self.zigbee.tilt("blue-2")
        self.await_fall("blue-2")
        mark = len(self.ships.client.messages)
        self.ships.new_game()
        self.await_tilt("blue-2", lambda it: it["value"] == 0, mark)

    def test_link_quality_is_shown_and_an_unknown_battery_is_not(self):
        sensor = self.await_tilt("blue-1", lambda it: it.get("linkquality") == 131)
        self.assertNotIn("battery", sensor)

    def move_until(self, piece, step, is_open, since):
        """People move a ship until the table has seen it: an announcement may still be on its way."""
        deadline = Deadline(f"{piece} is seen, and the step is {step}")
        while not any(it.json["step"] == step for it in self.ships.said("pairing", since)):
            self.zigbee.open_contact(piece, is_open)
            time.sleep(min(REPEAT_S, deadline.left()))

    def test_a_ship_is_paired_by_tipping_it_over_and_standing_it_up(self):
        self.ships.client.wait(
            lambda it: it.topic == f"homeassistant/binary_sensor/{self.zigbee.ieee('red-1')}/contact/config",
            "the announcement of the gateway",
        )
        mark = len(self.ships.client.messages)
        self.assertTrue(self.ships.send("pair", sensor="red-1.tilt")["ok"])
        self.move_until("red-1", "raise", True, mark)
        self.move_until("red-1", "done", False, mark)
        done = self.ships.await_said("pairing", lambda it: it["step"] == "done", mark)
        alive = ALIVE.format(base=BASE, name="red-1")
        self.assertEqual(
            [(it["name"], it["source"]) for it in done["candidates"]],
            [("red-1", f"mqtt {BASE}/red-1 contact=false {alive}")],
        )
        self.ships.new_game(first=2)
        self.ships.do("fire")
        self.zigbee.open_contact("red-1", True)
        self.assertEqual(self.await_fall("red-1")["by"], 2)

    def test_cached_states_after_a_restart_of_the_gateway_are_no_falls(self):
        self.ships.new_game()
        self.zigbee.open_contact("blue-1", True)
        self.ships.await_event("disturbance")
        mark = len(self.ships.client.messages)
        self.zigbee.end()
        self.await_tilt("blue-1", lambda it: it["health"] == "silent", mark)
        self.ships.do("fire")
        self.zigbee.start()
        # The gateway sends what it has remembered, while the shot is open.
        self.ships.client.wait(
            lambda it: it.topic == f"{BASE}/blue-1" and it.json["contact"] is False, "the cached state", mark
        )
        self.await_tilt("blue-1", lambda it: it["health"] == "ok" and it["value"] == 1, mark)
        self.ships.await_event("phase-started", mark, lambda it: it["phase"] == "moving")
        names = {event["event_type"] for event in self.ships.events_since(mark)}
        self.assertFalse({"piece-captured", "piece-toppled"} & names, names)


if __name__ == "__main__":
    harness.main()
