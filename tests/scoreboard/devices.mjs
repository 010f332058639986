/** Radio sensors as gateways announce and publish them, and nodes. */

/** What a ship does when somebody tips it over (true) and stands it up again (false). */
class Device {
    constructor(client, name) {
        this.client = client;
        this.name = name;
    }

    say(topic, value, retain = false) {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return this.client.publishAsync(topic, text, { qos: 1, retain });
    }
}

/** A contact sensor at Zigbee2MQTT 2.x: booleans, a template with brackets, not retained. */
export class Zigbee extends Device {
    announce() {
        const base = `zigbee2mqtt/${this.name}`;
        const template = '{{ value_json.state }}';
        return this.say(
            `homeassistant/binary_sensor/0x${this.name}/contact/config`,
            {
                availability: [
                    { topic: 'zigbee2mqtt/bridge/state', value_template: template },
                    { topic: `${base}/availability`, value_template: template },
                ],
                device: { identifiers: [`zigbee2mqtt_0x${this.name}`], name: this.name },
                device_class: 'door',
                payload_off: true,
                payload_on: false,
                state_topic: base,
                value_template: '{{ value_json["contact"] }}',
            },
            true,
        );
    }

    move(isTipped, { battery = 97 } = {}) {
        const state = { battery, contact: !isTipped, linkquality: 131, voltage: null };
        return this.say(`zigbee2mqtt/${this.name}`, state);
    }
}

/** A binary sensor of ESPHome: ON and OFF, retained. */
export class EspHome extends Device {
    async announce() {
        await this.say(`${this.name}/status`, 'online', true);
        await this.say(`${this.name}/binary_sensor/tilt/state`, 'OFF', true);
        await this.say(
            `homeassistant/binary_sensor/${this.name}/tilt/config`,
            {
                name: 'Tilt',
                stat_t: `${this.name}/binary_sensor/tilt/state`,
                avty_t: `${this.name}/status`,
                uniq_id: `${this.name}tilt`,
                dev: { ids: this.name, name: this.name, sw: 'esphome' },
            },
            true,
        );
    }

    move(isTipped) {
        return this.say(`${this.name}/binary_sensor/tilt/state`, isTipped ? 'ON' : 'OFF', true);
    }
}

/** A node with one tilt switch. */
export class Node extends Device {
    constructor(client, name, table) {
        super(client, name);
        this.base = `shipahoy/${table}/node/${name}`;
        this.count = 0;
    }

    async announce() {
        await this.say(`${this.base}/status`, 'online', true);
        await this.say(`${this.base}/info`, { v: 1, sensors: ['tilt'], rssi: -61 }, true);
    }

    /** It sends its levels when it has started, and then with every edge. */
    move(isTipped) {
        const level = isTipped ? 1 : 0;
        const n = ++this.count;
        const edges = [['tilt', level, 900]];
        const levels = { tilt: level };
        return this.say(`${this.base}/edges`, { boot: 'a1', n, t: n * 1000000, edges, levels });
    }
}
