/** The way to a broker that closes the connection on MQTT 5, as RabbitMQ before 3.13 does. */
import { connect, createServer } from 'node:net';

const HEADER_END = '\r\n\r\n';
const PROTOCOL_LEVEL = 8; // its place in a CONNECT of less than 126 bytes
const FRAME_HEAD = 2;
const MASK = 4;

/** The version of MQTT in the first frame behind the request for a websocket; null: not yet. */
function levelIn(data) {
    const end = data.indexOf(HEADER_END);
    const mask = end + HEADER_END.length + FRAME_HEAD;
    const level = mask + MASK + PROTOCOL_LEVEL;
    return end < 0 || data.length <= level ? null : data[level] ^ data[mask + (PROTOCOL_LEVEL % MASK)];
}

/** A port on loopback that leads to the websockets of the broker; `levels` have been asked for. */
export class OldBroker {
    levels = [];
    #sockets = new Set();

    static async open(brokerPort) {
        const old = new this();
        old.server = createServer((near) => old.#carry(near, connect(brokerPort, '127.0.0.1')));
        await new Promise((resolve) => old.server.listen(0, '127.0.0.1', resolve));
        old.port = old.server.address().port;
        return old;
    }

    #carry(near, far) {
        let head = Buffer.alloc(0);
        let isLetIn = false;
        for (const [one, other] of [
            [near, far],
            [far, near],
        ]) {
            this.#sockets.add(one);
            one.setNoDelay(true);
            one.on('error', () => other.destroy());
            one.on('close', () => other.destroy());
        }
        far.on('data', (data) => near.write(data));
        near.on('data', (data) => {
            head = isLetIn ? head : Buffer.concat([head, data]);
            const level = isLetIn ? null : levelIn(head);
            if (level !== null) {
                this.levels.push(level);
                isLetIn = level <= 4;
            }
            if (level !== null && !isLetIn) {
                near.destroy();
            } else {
                far.write(data);
            }
        });
    }

    close() {
        this.#sockets.forEach((socket) => socket.destroy());
        return new Promise((resolve) => this.server.close(resolve));
    }
}
