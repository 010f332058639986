/** The broker, as the page uses it: messages in, commands and simulated edges out. */
import mqtt from 'mqtt';
import { readPayload } from './payload.js';
import { LOGBOOK, sensorPath } from './words.js';

const RETRY_MS = 1000;
const RESEND_MS = 3000;
const ATTEMPTS = 3;

/** A connection that was lost silently is noticed after half as long again. */
const KEEPALIVE_S = 4;

/** Between two pings, and for how long retained messages are expected; see #hurry. */
const HURRY_MS = 10;
const HURRY_MAX_MS = 2000; // nobody may answer at all
const RETAINED_MS = 1000;

/** The topics of one table, below PREFIX/TABLE/. */
const TABLE_TOPICS = [
    'choices',
    'state',
    'ready',
    'pairing',
    'rope',
    'event/+',
    'sensor/#',
    'page/+',
    'reply',
];

/**
 * The topics of all tables. A 3.1.1 broker may not deliver retained ones to subscriptions with +.
 */
const EVERY_TABLE_TOPICS = ['status', 'info', 'score'];

/** The topics of the logbook, below PREFIX/logbook/; with 3.1.1 its replies are for everyone. */
const LOGBOOK_TOPICS = ['record', 'status', 'sheet/+', 'tournament/+'];

/** MQTT versions as they are in a CONNECT packet. */
const MQTT_5 = 5;
const MQTT_3_1_1 = 4;

/** MQTT 5 reason codes: bad login, or not authorized. */
const BAD_LOGIN = 134;
const NOT_ALLOWED = 135;
/** The same in 3.1.1. */
const OLD_BAD_LOGIN = 4;
const OLD_NOT_ALLOWED = 5;

/** A payload that no table accepts as a command. */
const NO_COMMAND = '?';

/**
 * Calls onConnection(isConnected, isOld) and onMessage(table, topic, payload, isRetained), and
 * reconnects until the page is closed. If the broker rejects the login, it calls onRefused() and
 * stops. `login` is {user, password} or null.
 *
 * If the broker rejects MQTT 5, or closes the connection without an answer, the next attempt uses
 * 3.1.1: the versions alternate until one connects. With 3.1.1 (isOld) there are no response
 * topics, and the page cannot find out what a login may do.
 */
export class Connection {
    #client;
    #prefix;
    #name = `page-${randomText()}`;
    #waiting = new Map();
    #tables = new Set();
    #lose = () => this.#client.stream?.destroy();
    #isReached = false; // since the last connection ended
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
            keepalive: KEEPALIVE_S,
            reconnectPeriod: RETRY_MS,
            reconnectOnConnackError: true,
            connectTimeout: 5 * RETRY_MS,
            resubscribe: false,
            queueQoSZero: false,
            timerVariant: 'native', // workers would need a weaker content security policy
        });
        addEventListener('offline', this.#lose);
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
            } // after all other errors 'close' and the next attempt follow
        });
        this.#client.on('message', (topic, payload, { retain }) =>
            this.#receive(topic, payload, (...message) => onMessage(...message, retain)),
        );
    }

    get #isOld() {
        return this.#client.options.protocolVersion === MQTT_3_1_1;
    }

    /**
     * Of subscriptions. Nothing is lost that QoS 1 would save, because a session ends with its connection; but a
     * cluster of NATS, which speaks 3.1.1, would keep a queue on three nodes for each of them.
     */
    get #qos() {
        return this.#isOld ? 0 : 1;
    }

    #open(url, protocols) {
        const socket = new WebSocket(url, protocols);
        socket.addEventListener('open', () => (this.#isReached = true));
        return socket;
    }

    /** After a connection has ended. An unreachable broker is no reason to change the version. */
    #chooseVersion() {
        const isWrong = this.#isReached && !this.#isAccepted && !this.#isOld;
        this.#client.options.protocolVersion = isWrong ? MQTT_3_1_1 : MQTT_5;
        this.#isReached = false;
        this.#isAccepted = false;
    }

    /** Subscribes to all topics of this table. */
    watch(table) {
        if (!this.#tables.has(table)) {
            this.#tables.add(table);
            this.#subscribeTable(table);
        }
    }

    /**
     * The reply to a command, which can be repeated safely because it has an id, by default a random
     * one. Without a reply it is {ok: false, error: 'no-answer'}; if the broker forbids it, the error
     * is 'not-allowed'.
     */
    send(table, { verb, ...fields }) {
        return this.#request(table, `command/${verb}`, fields);
    }

    /** The reply to a query to the logbook, like that to a command. */
    ask(verb, fields) {
        return this.#request(LOGBOOK, `ask/${verb}`, fields);
    }

    /** The reply to a command about a sheet game; `topic` is score/VERB or command/VERB. */
    sendSheet(topic, fields) {
        return this.#request(LOGBOOK, topic, fields);
    }

    async #request(table, topic, { id = randomText(), ...fields }) {
        const reply = new Promise((resolve) => this.#waiting.set(id, resolve));
        this.#hurry(reply);
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
            this.#publishRequest(table, topic, { ...fields, id });
            const answer = await Promise.race([reply, silence(RESEND_MS)]);
            if (answer) {
                return answer;
            }
        }
        this.#waiting.delete(id);
        return refusal(id, 'no-answer');
    }

    /**
     * Until then a large message is expected. mosquitto passes 4 KB of it on to a websocket each time it wakes up, which
     * is every 100 ms, or when it receives something.
     */
    async #hurry(end) {
        const timer = setInterval(() => this.#client.connected && this.#client.sendPing(), HURRY_MS);
        await Promise.race([end, silence(HURRY_MAX_MS)]);
        clearInterval(timer);
    }

    /** Sets a simulated sensor. False if the broker forbids it. */
    sendEdge(table, sensor, level) {
        return this.#publish(table, `sim/${sensorPath(sensor)}`, String(level));
    }

    /** Publishes what pages share on page/NAME. Whoever reads the topic sees if it was accepted. */
    share(table, name, value) {
        if (this.#client.connected) {
            const topic = `${this.#prefix}/${table}/page/${name}`;
            this.#client.publish(topic, JSON.stringify(value), { qos: 0, retain: true });
        }
    }

    /** The verbs that this login may not send to this table. */
    async forbidden(table, verbs) {
        const topics = await this.forbiddenTopics(table, verbs.map((verb) => `command/${verb}`));
        return verbs.filter((verb) => topics.includes(`command/${verb}`));
    }

    /** The topics of this table, or of the logbook, to which this login may not publish. */
    async forbiddenTopics(table, topics) {
        if (this.#isOld) {
            return []; // a 3.1.1 broker does not report it
        }
        const passes = await Promise.all(
            topics.map((topic) => this.#publish(table, topic, NO_COMMAND)),
        );
        return topics.filter((_, i) => !passes[i]);
    }

    async #publishRequest(table, topic, fields) {
        const isConnected = this.#client.connected;
        if (isConnected && !(await this.#publish(table, topic, JSON.stringify(fields)))) {
            this.#receiveReply(refusal(fields.id, 'not-allowed'));
        }
    }

    /** False if the broker forbids it; true if it was delivered or the broker is not connected. */
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
        removeEventListener('offline', this.#lose);
        this.#client.end(true);
    }

    #subscribe() {
        const topics = EVERY_TABLE_TOPICS.map((topic) => `${this.#prefix}/+/${topic}`);
        this.#client.subscribe([...topics, ...this.#logbookTopics()], { qos: this.#qos });
        this.#tables.forEach((table) => this.#subscribeTable(table));
        this.#hurry(silence(RETAINED_MS));
    }

    #logbookTopics() {
        const names = [...LOGBOOK_TOPICS, ...(this.#isOld ? ['reply'] : [])];
        const topics = names.map((name) => `${this.#prefix}/${LOGBOOK}/${name}`);
        return [...topics, this.#replyTopic(LOGBOOK)];
    }

    #subscribeTable(table) {
        if (this.#client.connected) {
            const names = [...TABLE_TOPICS, ...(this.#isOld ? EVERY_TABLE_TOPICS : [])];
            const topics = names.map((topic) => `${this.#prefix}/${table}/${topic}`);
            this.#client.subscribe([...topics, this.#replyTopic(table)], { qos: this.#qos });
        }
    }

    #receive(topic, payload, onMessage) {
        const rest = topic.slice(this.#prefix.length + 1);
        const table = rest.split('/')[0];
        const name = rest.slice(table.length + 1);
        const text = payload.toString();
        if (name === 'reply' || name.startsWith('reply/')) {
            this.#receiveReply(readPayload('reply', text));
        } else {
            onMessage(table, name, text);
        }
    }

    #receiveReply(reply) {
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
