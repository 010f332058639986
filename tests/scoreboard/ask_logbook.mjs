/** Queries to the logbook, from a plain client. */
import { mqtt } from './packages.mjs';

export async function askLogbook(harbour, verb, fields) {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`);
    await client.subscribeAsync('shipahoy/logbook/reply', { qos: 1 });
    const reply = new Promise((resolve) =>
        client.once('message', (_, payload) => resolve(JSON.parse(payload.toString()))),
    );
    await client.publishAsync(`shipahoy/logbook/ask/${verb}`, JSON.stringify(fields), { qos: 1 });
    const answer = await reply;
    await client.endAsync(true);
    return answer;
}

/** Whether all of the open game of a table is stored, with its states. */
export async function isStored(harbour, { game, seq }) {
    const { states } = await askLogbook(harbour, 'game', { game });
    return states?.at(-1)?.seq === seq;
}
