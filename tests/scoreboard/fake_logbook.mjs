/** Answers the page in place of the logbook, also as no logbook would. */
import { mqtt } from './packages.mjs';

const BASE = 'shipahoy/logbook';

export class FakeLogbook {
    answers = {}; // by verb: a reply without its id, or a text in which ID stands for it

    static async open(harbour) {
        const logbook = new this();
        logbook.client = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`, {
            protocolVersion: 5,
            will: { topic: `${BASE}/status`, payload: Buffer.from('offline'), retain: true, qos: 1 },
        });
        logbook.client.on('message', (...message) => logbook.answer(...message));
        await logbook.client.subscribeAsync(`${BASE}/ask/+`, { qos: 1 });
        await logbook.publish('status', 'online', { retain: true });
        return logbook;
    }

    publish(topic, payload, options = {}) {
        return this.client.publishAsync(`${BASE}/${topic}`, payload, { qos: 1, ...options });
    }

    answer(topic, payload, { properties }) {
        const verb = topic.split('/').at(-1);
        const { id } = JSON.parse(payload.toString());
        const reply = this.answers[verb];
        const text = typeof reply === 'string' ? reply.replace('ID', id) : JSON.stringify({ id, ...reply });
        const to = properties?.responseTopic ?? `${BASE}/reply`;
        this.client.publish(to, text, { qos: 1 });
    }

    async close() {
        await this.publish('status', '', { retain: true });
        await this.client.endAsync(true);
    }
}
