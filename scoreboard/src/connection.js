/** The broker, as the page uses it: messages in, commands and simulated edges out. */
import mqtt from 'mqtt';
import { readPayload } from './payload.js';
import { sensorPath } from './words.js';

const RETRY_MS = 1000;
const RESEND_MS = 3000;
const ATTEMPTS = 3;

/** What a page about one table listens to, behind PREFIX/TABLE/. */
const TABLE_TOPICS = ['choices', 'state', 'ready', 'rope', 'event/+', 'sensor/#', 'reply'];

/** What is said of every table. A broker with 3.1.1 may keep it from subscriptions with +. */
const EVERY_TABLE_TOPICS = ['status', 'info', 'score'];

/** Versions of MQTT as they are sent. */
const MQTT_5 = 5;
const MQTT_3_1_1 = 4;

/** Reasons of MQTT 5: no such login, or not for this login. */
const BAD_LOGIN = 134;
const NOT_ALLOWED = 135;
/** The same in 3.1.1. */
const OLD_BAD_LOGIN = 4;
const OLD_NOT_ALLOWED = 5;

/** No table can take this for a command. */
const NO_COMMAND = '?';

/**
 * onConnection(isConnected, isOld) and onMessage(table, topic, payload) are called as long as the page
 * lives: a broker that goes away is tried again and again. One that wants another login is not:
 * onRefused() is called, and that was all. `login` is {user, password} or null.
 *
 * A broker that refuses MQTT 5, or closes the connection without an answer, is asked for 3.1.1 next:
 * the versions alternate until one connects. 3.1.1 has no response topics and does not say what a
 * login may do (isOld).
 */
export class Connection {
    #client;
    #prefix;
    #name = `page-${randomText()}`;
    #waiting = new Map();
    #tables = new Set();
    #isReached = false; // since the last end of a connection
    #isAccepted = false;

    constructor({ broker, prefix, login, onConnection, onRefused, onMessage }) {
        this.#prefix = prefix;
        this.#client = mqtt.connect(broker, {
            clientId: `shipahoy-${this.#name}`,
            username: login?.user,
            password: login?.password,
            protocolVersion: MQTT_5,
            createWebsocket: (url, protocols) => this.#open(url, protocols),
            clean: true,
            keepalive: 30,
            reconnectPeriod: RETRY_MS,
            reconnectOnConnackError: true,
            connectTimeout: 5 * RETRY_MS,
            resubscribe: false,
            queueQoSZero: false,
            timerVariant: 'native', // workers would need more rights than this page asks for
        });
        this.#client.on('connect', () => {
            this.#isAccepted = true;
            this.#subscribe();
            onConnection(true, this.#isOld);
        });
        this.#client.on('close', () => {
            this.#chooseVersion();
            onConnection(false, false);
        });
        this.#client.on('error', ({ code }) => {
            if ([BAD_LOGIN, NOT_ALLOWED, OLD_BAD_LOGIN, OLD_NOT_ALLOWED].includes(code)) {
                this.#client.end(true);
                onRefused();
            } // of all else 'close' follows, and the next attempt
        });
        this.#client.on('message', (topic, payload) => this.#hear(topic, payload, onMessage));
    }

    get #isOld() {
        return this.#client.options.protocolVersion === MQTT_3_1_1;
    }

    #open(url, protocols) {
        const socket = new WebSocket(url, protocols);
        socket.addEventListener('open', () => (this.#isReached = true));
        return socket;
    }

    /** After a connection has ended: a broker that was not reached says nothing about versions. */
    #chooseVersion() {
        const isWrong = this.#isReached && !this.#isAccepted && !this.#isOld;
        this.#client.options.protocolVersion = isWrong ? MQTT_3_1_1 : MQTT_5;
        this.#isReached = false;
        this.#isAccepted = false;
    }

    /** Listens to everything that is said at this table. */
    watch(table) {
        if (!this.#tables.has(table)) {
            this.#tables.add(table);
            this.#subscribeTable(table);
        }
    }

    /**
     * The reply to a command, which is safe to repeat because it carries an id. Without an answer:
     * {ok: false, error: 'no-answer'}; if the broker does not let it pass: 'not-allowed'.
     */
    async send(table, { verb, ...fields }) {
        const id = randomText();
        const reply = new Promise((resolve) => this.#waiting.set(id, resolve));
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
            this.#publishCommand(table, verb, { ...fields, id });
            const answer = await Promise.race([reply, silence(RESEND_MS)]);
            if (answer) {
                return answer;
            }
        }
        this.#waiting.delete(id);
        return refusal(id, 'no-answer');
    }

    /** A simulated sensor changes its level. False if the broker does not let it pass. */
    sendEdge(table, sensor, level) {
        return this.#publish(table, `sim/${sensorPath(sensor)}`, String(level));
    }

    /** Those of the verbs that the broker does not let this login say at this table. */
    async forbidden(table, verbs) {
        if (this.#isOld) {
            return []; // such a broker does not tell
        }
        const passes = await Promise.all(
            verbs.map((verb) => this.#publish(table, `command/${verb}`, NO_COMMAND)),
        );
        return verbs.filter((_, i) => !passes[i]);
    }

    async #publishCommand(table, verb, fields) {
        const isConnected = this.#client.connected;
        if (
            isConnected &&
            !(await this.#publish(table, `command/${verb}`, JSON.stringify(fields)))
        ) {
            this.#hearReply(refusal(fields.id, 'not-allowed'));
        }
    }

    /** False if the broker does not let it pass; true when it did, or when it is not there. */
    #publish(table, topic, payload) {
        const options = { qos: 1, properties: { responseTopic: this.#replyTopic(table) } };
        return new Promise((resolve) => {
            this.#client.publish(`${this.#prefix}/${table}/${topic}`, payload, options, (error) =>
                resolve(error?.code !== NOT_ALLOWED),
            );
        });
    }

    #replyTopic(table) {
        return `${this.#prefix}/${table}/reply/${this.#name}`;
    }

    close() {
        this.#client.end(true);
    }

    #subscribe() {
        const topics = EVERY_TABLE_TOPICS.map((topic) => `${this.#prefix}/+/${topic}`);
        this.#client.subscribe(topics, { qos: 1 });
        this.#tables.forEach((table) => this.#subscribeTable(table));
    }

    #subscribeTable(table) {
        if (this.#client.connected) {
            const names = [...TABLE_TOPICS, ...(this.#isOld ? EVERY_TABLE_TOPICS : [])];
            const topics = names.map((topic) => `${this.#prefix}/${table}/${topic}`);
            this.#client.subscribe([...topics, this.#replyTopic(table)], { qos: 1 });
        }
    }

    #hear(topic, payload, onMessage) {
        const rest = topic.slice(this.#prefix.length + 1);
        const table = rest.split('/')[0];
        const name = rest.slice(table.length + 1);
        const text = payload.toString();
        if (name === 'reply' || name.startsWith('reply/')) {
            this.#hearReply(readPayload('reply', text));
        } else {
            onMessage(table, name, text);
        }
    }

    #hearReply(reply) {
        this.#waiting.get(reply?.id)?.(reply);
        this.#waiting.delete(reply?.id);
    }
}

function refusal(id, error) {
    return { id, ok: false, error, rule: null, message: null };
}

function silence(ms) {
    return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}

function randomText() {
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
