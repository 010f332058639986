// Replaces the radio of Zigbee2MQTT: node -r coordinator.js. Standard input has one report of a sensor per
// line, `ADDRESS CLUSTER ATTRIBUTE TYPE VALUE`, and becomes the frame that the radio would have received.
const { createInterface } = require("node:readline");
const { createRequire } = require("node:module");

const load = createRequire(process.argv[1]);
const { Adapter } = load("zigbee-herdsman/dist/adapter/adapter.js");
const Zcl = load("zigbee-herdsman/dist/zspec/zcl");

class ScriptedAdapter extends Adapter {
  sequence = 0;

  async start() {
    createInterface({ input: process.stdin }).on("line", (line) => this.report(...line.split(" ").map(Number)));
    return "resumed";
  }

  report(address, cluster, attribute, type, value) {
    this.sequence = (this.sequence + 1) % 256;
    const frame = Zcl.Frame.create(
      Zcl.FrameType.GLOBAL, Zcl.Direction.SERVER_TO_CLIENT, true, undefined, this.sequence, "report", cluster,
      [{ attrId: attribute, dataType: type, attrData: value }], {});
    const data = frame.toBuffer();
    this.emit("zclPayload", {
      clusterID: cluster, header: Zcl.Header.fromBuffer(data), data, address, endpoint: 1, linkquality: 131,
      groupID: 0, wasBroadcast: false, destinationEndpoint: 1,
    });
  }

  async stop() {}
  async reset() {}
  async getCoordinatorIEEE() { return "0x00124b0000000000"; }
  async getCoordinatorVersion() { return { type: "scripted", meta: {} }; }
  async getNetworkParameters() {
    return { panID: 0x1a62, extendedPanID: "0xdddddddddddddddd", channel: 11, nwkUpdateID: 0 };
  }
  async supportsBackup() { return false; }
  async permitJoin() {}
  async addInstallCode() {}
  waitFor() { return { promise: new Promise(() => {}), cancel: () => {} }; }
  async sendZdo() { throw new Error("nobody answers"); }
  async sendZclFrameToEndpoint() { throw new Error("nobody answers"); }
  async sendZclFrameToGroup() {}
  async sendZclFrameToAll() {}
}

Adapter.create = async (...options) => new ScriptedAdapter(...options);
