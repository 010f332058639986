/** A plain MQTT client beside the page: it sees what the table says, and can command it. */
import { emptyTable, hear, hearHistory, missingFrom } from '../../scoreboard/src/model.js';
import { mqtt } from './packages.mjs';
import { until } from './waiting.mjs';

export class Watcher {
  static async open(harbour, name) {
    const watcher = new Watcher();
    watcher.base = `shipahoy/${name}`;
    watcher.table = emptyTable(name);
    watcher.replies = new Map();
    watcher.count = 0;
    watcher.client = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`, {
      reconnectPeriod: 50,
    });
    watcher.client.on('message', (topic, payload) => watcher.hear(topic, payload.toString()));
    await watcher.client.subscribeAsync(`${watcher.base}/#`, { qos: 1 });
    await until(`${name} is online`, () => watcher.table.online && watcher.table.state);
    return watcher;
  }

  get state() {
    return this.table.state;
  }

  hear(topic, payload) {
    const name = topic.slice(this.base.length + 1);
    if (name === 'reply') {
      const reply = JSON.parse(payload);
      this.replies.set(reply.id, reply);
    } else {
      this.table = hear(this.table, name, payload);
    }
  }

  /** The reply; when it is here, so are the state and the events it speaks of. */
  async send({ verb, ...fields }) {
    const id = `watcher-${++this.count}-${process.pid}`;
    await this.client.publishAsync(
      `${this.base}/command/${verb}`,
      JSON.stringify({ ...fields, id }),
      { qos: 1 },
    );
    const reply = await until(`a reply to ${verb}`, () => this.replies.get(id));
    if (reply.ok && verb !== 'history') {
      await until('the state after it', () => this.state.seq >= reply.seq);
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
      this.table = hearHistory(this.table, await this.send({ verb: 'history', from }));
    }
    return this.table.log.events;
  }

  async close() {
    await this.client.endAsync(true);
  }
}
