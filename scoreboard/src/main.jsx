/** The page: its state, its connection, and the current view. */
import { Component, render } from 'preact';
import { changedHash, readAddress } from './address.js';
import { Connection } from './connection.js';
import { MissingEvents } from './missing_events.js';
import { forgetLogin, rememberedLogin, rememberLogin } from './login.js';
import { emptyTable, receive, receiveHistory, tableNamed } from './model.js';
import { chooseLanguage, Texts } from './texts.js';
import { Announcer, Board } from './views/board.jsx';
import { Captain } from './views/captain.jsx';
import { TextsContext } from './views/common.jsx';
import { Alerts, ConnectForm, Header } from './views/frame.jsx';
import { Lobby } from './views/lobby.jsx';
import { LoginForm, WhoAmI } from './views/login.jsx';
import { VirtualTable } from './views/sea.jsx';
import { VERBS } from './words.js';

/** The views that send commands or edges. */
const PLAYING = ['captain', 'table'];

/** Topic segments below the prefix that are not tables. */
const LOGBOOK = 'logbook';

class Page extends Component {
    state = {
        address: readAddress(location),
        login: null,
        isRefused: false,
        isConnected: false,
        isOld: false, // MQTT 3.1.1: the rights of the login are unknown
        wasConnected: false,
        tables: {},
        forbidden: {}, // by table: the verbs that this login may not send
    };

    connection = null;
    missingEvents = new MissingEvents({
        tableOf: (name) => tableNamed(this.state.tables, name),
        ask: (name, from) => this.connection.send(name, { verb: 'history', from }),
        onReply: (name, reply) => this.changeTable(name, (table) => receiveHistory(table, reply)),
    });

    componentDidMount() {
        addEventListener('hashchange', () => this.goTo(readAddress(location)));
        const { address } = this.state;
        if (address.password !== null) {
            rememberLogin(address.broker, address, false);
            history.replaceState(null, '', changedHash(location.hash, { password: null }));
        }
        this.setState({ login: rememberedLogin(address.broker) }, () => this.connect());
    }

    goTo(address) {
        const before = this.state.address;
        const isElsewhere = ['broker', 'prefix', 'user'].some(
            (key) => address[key] !== before[key],
        );
        if (isElsewhere || address.password !== null) {
            location.reload();
        }
        this.setState({ address }, () => this.watchTable());
    }

    connect() {
        const { address, login } = this.state;
        const { broker, prefix } = address;
        if (broker === null) {
            return;
        }
        this.connection = new Connection({
            broker,
            prefix,
            login,
            onConnection: (isConnected, isOld) =>
                this.setState(
                    ({ wasConnected }) => ({
                        isConnected,
                        isOld,
                        wasConnected: wasConnected || isConnected,
                        forbidden: {}, // the access list may have changed
                    }),
                    () => this.watchTable(),
                ),
            onRefused: () => this.setState({ isRefused: true }),
            onMessage: (name, topic, payload) =>
                this.changeTable(name, (table) => receive(table, topic, payload)),
        });
        this.watchTable();
    }

    logIn(login, isToLast) {
        rememberLogin(this.state.address.broker, login, isToLast);
        this.setState({ login, isRefused: false }, () => this.connect());
    }

    /** Logs out, and shows the login form as if the broker had refused the login. */
    logOut() {
        forgetLogin();
        this.missingEvents.forget();
        this.connection.close();
        this.setState({ login: null, isRefused: true, tables: {} });
    }

    changeTable(name, change) {
        if (name === LOGBOOK) {
            return;
        }
        this.setState(
            ({ tables }) => ({
                tables: { ...tables, [name]: change(tableNamed(tables, name) ?? emptyTable(name)) },
            }),
            () => {
                this.watchTable();
                this.missingEvents.query(name);
            },
        );
    }

    /** The table of the address, or the only table. */
    tableName() {
        const { address, tables } = this.state;
        const names = Object.keys(tables);
        if (address.table !== null || address.view === 'lobby') {
            return address.table;
        }
        return names.length === 1 ? names[0] : null;
    }

    watchTable() {
        const name = this.tableName();
        if (name !== null) {
            this.connection?.watch(name);
            this.askWhatIsForbidden(name);
        }
    }

    /** Hides the commands that the broker forbids. */
    async askWhatIsForbidden(name) {
        const { address, isConnected, forbidden } = this.state;
        if (!isConnected || !PLAYING.includes(address.view) || Object.hasOwn(forbidden, name)) {
            return;
        }
        const forbid = (verbs) =>
            this.setState((state) => ({ forbidden: { ...state.forbidden, [name]: verbs } }));
        forbid([]);
        forbid(await this.connection.forbidden(name, VERBS));
    }

    /** If the broker forbids one edge, it forbids all of them. */
    async sendEdge(name, sensor, level) {
        if (!(await this.connection.sendEdge(name, sensor, level))) {
            this.setState(({ forbidden }) => ({
                forbidden: { ...forbidden, [name]: [...(tableNamed(forbidden, name) ?? []), 'sim'] },
            }));
        }
    }

    render(_, { address, isConnected, isOld, wasConnected, isRefused, tables }) {
        const texts = new Texts(chooseLanguage(address.language, navigator.language));
        const name = this.tableName();
        const table = name === null ? null : tableNamed(tables, name);
        const linkTo = (changes) => changedHash(location.hash, changes);
        document.documentElement.lang = texts.code;
        document.title = [table?.name, texts.say('title')].filter(Boolean).join(' · ');
        return (
            <TextsContext.Provider value={texts}>
                <Header
                    table={table}
                    view={address.view}
                    linkTo={linkTo}
                    onLanguage={(lang) => location.assign(linkTo({ lang }))}
                />
                {address.broker !== null && !isRefused && (
                    <Alerts
                        isConnected={isConnected}
                        wasConnected={wasConnected}
                        isRoleUnknown={isOld && PLAYING.includes(address.view)}
                        broker={address.broker}
                        table={table}
                    />
                )}
                {this.view(texts, address, table)}
                <Announcer table={table} />
            </TextsContext.Provider>
        );
    }

    view(texts, address, table) {
        if (address.broker === null) {
            return (
                <ConnectForm
                    onBroker={(broker) => location.assign(changedHash(location.hash, { broker }))}
                />
            );
        }
        const { login, isRefused, tables, forbidden } = this.state;
        if (isRefused) {
            return (
                <LoginForm
                    user={address.user}
                    refused={login}
                    onLogin={(...words) => this.logIn(...words)}
                />
            );
        }
        const whoAmI = <WhoAmI user={login?.user ?? null} onLogout={() => this.logOut()} />;
        if (address.view === 'lobby' || (address.table === null && table === null)) {
            const linkTo = (changes) => changedHash(location.hash, changes);
            return <Lobby tables={tables} linkTo={linkTo} whoAmI={whoAmI} />;
        }
        if (table === null) {
            const words = texts.say('unknownTable', address);
            return (
                <main class="lobby">
                    <p class="hint">{words}</p>
                </main>
            );
        }
        const views = { board: Board, captain: Captain, table: VirtualTable };
        const View = views[address.view];
        return (
            <View
                key={table.name}
                table={table}
                forbidden={tableNamed(forbidden, table.name) ?? []}
                whoAmI={whoAmI}
                send={(command) => this.connection.send(table.name, command)}
                sendEdge={(sensor, level) => this.sendEdge(table.name, sensor, level)}
            />
        );
    }
}

render(<Page />, document.getElementById('page'));
