/** A private broker and daemons on loopback, ended by the process ids that were started. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Fatal, until } from './waiting.mjs';

const root = new URL('../../', import.meta.url).pathname;
const daemonPath = process.env.SHIPAHOYD ?? join(root, 'build/release/daemon/shipahoyd');
const logbookPath = join(dirname(daemonPath), 'logbook/shipahoy-logbook');

export const pageDir = join(root, 'scoreboard/dist');
const sheetsDir = join(root, 'config/sheets');

function freePort() {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on('error', reject);
        server.listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

function answers(port) {
    return new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('connect', () => resolve(true));
        socket.on('error', () => resolve(false));
        socket.on('close', () => socket.destroy());
    });
}

/** Nothing outlives the tests, also when one broke off. */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A process with its output kept, for the case that something goes wrong. */
class Server {
    constructor(command, args) {
        this.output = '';
        this.process = spawn(command, args, {
            env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
        });
        running.add(this.process);
        for (const stream of [this.process.stdout, this.process.stderr]) {
            stream.on('data', (text) => (this.output += text));
        }
        this.ended = new Promise((resolve) => {
            this.process.on('exit', (code) => {
                running.delete(this.process);
                resolve(code);
            });
            this.process.on('error', (error) => {
                this.output += error.message;
                resolve(error);
            });
        });
    }

    /** Whether this is in its output, behind so many characters of it. */
    hasSaid(text, behind = 0) {
        if (this.process.exitCode !== null) {
            throw new Fatal(`it has ended: ${this.output}`);
        }
        return this.output.includes(text, behind);
    }

    async end(signal = 'SIGTERM') {
        this.process.kill(signal);
        await this.ended;
    }
}

/** A broker with its page, and tables by name; a folder of its own in which all of it lives. */
export class Harbour {
    static async open() {
        const harbour = new this();
        harbour.dir = await mkdtemp(join(tmpdir(), 'shipahoy-scoreboard-'));
        harbour.port = await freePort();
        harbour.wsPort = await freePort();
        harbour.daemons = {};
        await harbour.startBroker();
        return harbour;
    }

    get pageUrl() {
        return `http://127.0.0.1:${this.wsPort}/scoreboard.html`;
    }

    /** The lines of mosquitto's configuration. */
    async brokerConfig() {
        return [
            `listener ${this.port} 127.0.0.1`,
            'protocol mqtt',
            `listener ${this.wsPort} 127.0.0.1`,
            'protocol websockets',
            'socket_domain ipv4',
            `http_dir ${pageDir}`,
            'allow_anonymous true',
            'set_tcp_nodelay true',
        ];
    }

    async startBroker() {
        const own = process.getuid() === 0 ? ['user root'] : [];
        const config = [...(await this.brokerConfig()), ...own];
        const file = join(this.dir, 'mosquitto.conf');
        await writeFile(file, `${config.join('\n')}\n`);
        this.broker = new Server('mosquitto', ['-c', file]);
        await until('the broker answers', () => answers(this.wsPort));
        await until('the broker answers', () => answers(this.port));
    }

    async endBroker() {
        await this.broker.end();
    }

    /** Starts the table's daemon; `settings` are sections of its ini file. */
    async startTable(name, settings = {}) {
        const sections = {
            table: { name },
            mqtt: { host: '127.0.0.1', port: this.port },
            hw: { backend: 'sim', socket: join(this.dir, `${name}.sock`) },
            cannon: { beam: 'GPIO17', beam2: 'GPIO27', beam_gap_mm: 20 },
            timing: { shot_window_ms: 1500, tilt_settle_ms: 150, beam_min_us: 1 },
            ...settings,
        };
        const lines = Object.entries(sections).flatMap(([section, keys]) => [
            `[${section}]`,
            ...Object.entries(keys).map(([key, value]) => `${key} = ${value}`),
        ]);
        const file = join(this.dir, `${name}.ini`);
        await writeFile(file, `${lines.join('\n')}\n`);
        const args = ['--config', file, '--state-dir', join(this.dir, `${name}.state`)];
        const daemon = new Server(daemonPath, args);
        this.daemons[name] = daemon;
        await until(`${name} is connected`, () => daemon.hasSaid('connected'));
    }

    async endTable(name, signal) {
        await this.daemons[name].end(signal);
        delete this.daemons[name];
    }

    /** Starts the logbook of all tables, with the score sheets of the project. */
    async startLogbook() {
        const file = join(this.dir, 'logbook.ini');
        const mqtt = `[mqtt]\nhost = 127.0.0.1\nport = ${this.port}\n`;
        await writeFile(file, `${mqtt}[logbook]\nsheets = ${sheetsDir}\n`);
        const state = join(this.dir, 'logbook.state');
        await mkdir(state, { recursive: true });
        const logbook = new Server(logbookPath, ['--config', file, '--state-dir', state]);
        this.daemons.logbook = logbook;
        await until('the logbook is connected', () => logbook.hasSaid('connected'));
    }

    async close() {
        await Promise.all(Object.keys(this.daemons).map((name) => this.endTable(name)));
        await this.endBroker();
        await rm(this.dir, { recursive: true });
    }
}

/** A broker as `shipahoy-user setup` makes it: pages need a login, and roles have their rights. */
export class GuardedHarbour extends Harbour {
    async brokerConfig() {
        await mkdir(join(this.dir, 'conf.d'), { recursive: true });
        await mkdir(join(this.dir, 'web/conf.d'), { recursive: true });
        await this.shipahoyUser('setup');
        const config = await readFile(join(this.dir, 'conf.d/shipahoy.conf'), 'utf8');
        return config
            .replace('listener 1883 localhost', `listener ${this.port} 127.0.0.1`)
            .replace('listener 9001 127.0.0.1', `listener ${this.wsPort} 127.0.0.1`)
            .replace('protocol websockets', `protocol websockets\nhttp_dir ${pageDir}`)
            .split('\n');
    }

    /** The address that a phone of this user is given, with the port of this broker. */
    async addUser(name, role) {
        const said = await this.shipahoyUser('--password', `${name}-1`, 'add', name, role);
        await this.reloadBroker();
        return `${this.pageUrl}${said.match(/#\S+/)[0]}`;
    }

    /** What comes after the broker has said so is judged by the new lists. */
    async reloadBroker() {
        const before = this.broker.output.length;
        this.broker.process.kill('SIGHUP');
        await until('the lists are read', () => this.broker.hasSaid('Reloading config', before));
    }

    async shipahoyUser(...words) {
        const script = join(root, 'config/mosquitto/shipahoy-user.sh');
        const servers = ['--broker', this.dir, '--web', join(this.dir, 'web')];
        const options = [...servers, '--host', '127.0.0.1', '--table', 'den'];
        const { stdout } = await promisify(execFile)('sh', [script, ...options, ...words]);
        return stdout;
    }
}
