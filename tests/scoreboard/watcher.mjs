/** A plain MQTT client beside the page: it sees what the table says, and can command it. */
import { emptyTable, receive, receiveHistory, missingFrom } from '../../scoreboard/src/model.js';
import { mqtt } from './packages.mjs';
import { DEADLINE_MS } from './waiting.mjs';

function isAfter(state, log, seq) {
    return state.seq >= seq && (log.events.length >= seq || missingFrom({ state, log }) === 1);
}

export class Watcher {
    static async open(harbour, name) {
        const watcher = new Watcher();
        watcher.base = `shipahoy/${name}`;
        watcher.table = emptyTable(name);
        watcher.replies = new Map();
        watcher.count = 0;
        watcher.changed = () => {};
        watcher.client = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`, {
            reconnectPeriod: 50,
        });
        watcher.client.stream.setNoDelay(true); // a reply is waited for: every packet is urgent
        watcher.client.on('message', (topic, payload) => watcher.receive(topic, payload.toString()));
        await watcher.client.subscribeAsync(`${watcher.base}/#`, { qos: 1 });
        await watcher.see('online', ({ online, state }) => online && state !== null);
        return watcher;
    }

    get state() {
        return this.table.state;
    }

    receive(topic, payload) {
        const name = topic.slice(this.base.length + 1);
        if (name === 'reply') {
            const reply = JSON.parse(payload);
            this.replies.get(reply.id)?.(reply);
        } else {
            this.table = receive(this.table, name, payload);
            this.changed();
        }
    }

    /** Waits until the table is as wished. */
    async see(what, wish) {
        const deadline = Date.now() + DEADLINE_MS;
        while (!wish(this.table)) {
            await this.change(`${this.base}: ${what}`, deadline);
        }
    }

    change(what, deadline) {
        return new Promise((resolve, reject) => {
            const timer = setTimeout(
                () => reject(new Error(`never seen: ${what}`)),
                deadline - Date.now(),
            );
            this.changed = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    }

    /** The reply; when it is here, so are the state and the events it speaks of. */
    async send({ verb, ...fields }) {
        const id = `watcher-${++this.count}-${process.pid}`;
        const answer = new Promise((resolve, reject) => {
            this.replies.set(id, resolve);
            setTimeout(reject, DEADLINE_MS, new Error(`no reply to ${verb}`)).unref();
        });
        this.client.publish(`${this.base}/command/${verb}`, JSON.stringify({ ...fields, id }));
        const reply = await answer;
        this.replies.delete(id);
        if (reply.ok && verb !== 'history') {
            await this.see('the state after it', ({ state, log }) =>
                isAfter(state, log, reply.seq),
            );
        }
        return reply;
    }

    /** The command is accepted, or the test fails with the reason. */
    async must(verb, fields = {}) {
        const reply = await this.send({ verb, ...fields });
        if (!reply.ok) {
            throw new Error(`${verb} ${JSON.stringify(fields)}: ${reply.error}, ${reply.message}`);
        }
        return reply;
    }

    /** All events so far, also those from before this client came. */
    async events() {
        for (let from = missingFrom(this.table); from; from = missingFrom(this.table)) {
            this.table = receiveHistory(this.table, await this.send({ verb: 'history', from }));
        }
        return this.table.log.events;
    }

    async close() {
        await this.client.endAsync(true);
    }
}
