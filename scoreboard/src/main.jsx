/** The page: what it knows, what it listens to, and which view shows it. */
import { Component, render } from 'preact';
import { changedHash, readAddress } from './address.js';
import { Connection } from './connection.js';
import { emptyTable, hear, hearHistory, missingFrom } from './model.js';
import { chooseLanguage, Texts } from './texts.js';
import { Announcer, Board } from './views/board.jsx';
import { Captain } from './views/captain.jsx';
import { TextsContext } from './views/common.jsx';
import { Alerts, ConnectForm, Header } from './views/frame.jsx';
import { Lobby } from './views/lobby.jsx';
import { VirtualTable } from './views/sea.jsx';

/** Events follow their state closely: what is not here after this time is asked for. Who comes
    into a running game asks at once. */
const HEAL_AFTER_MS = 400;

class Page extends Component {
    state = {
        address: readAddress(location),
        isConnected: false,
        wasConnected: false,
        tables: {},
    };

    connection = null;
    healing = new Set();

    componentDidMount() {
        addEventListener('hashchange', () => this.goTo(readAddress(location)));
        this.connect();
    }

    goTo(address) {
        if (
            address.broker !== this.state.address.broker ||
            address.prefix !== this.state.address.prefix
        ) {
            location.reload();
        }
        this.setState({ address }, () => this.watchTable());
    }

    connect() {
        const { broker, prefix } = this.state.address;
        if (broker === null) {
            return;
        }
        this.connection = new Connection({
            broker,
            prefix,
            onConnection: (isConnected) =>
                this.setState(({ wasConnected }) => ({
                    isConnected,
                    wasConnected: wasConnected || isConnected,
                })),
            onMessage: (name, topic, payload) =>
                this.changeTable(name, (table) => hear(table, topic, payload)),
        });
        this.watchTable();
    }

    changeTable(name, change) {
        this.setState(
            ({ tables }) => ({
                tables: { ...tables, [name]: change(tables[name] ?? emptyTable(name)) },
            }),
            () => {
                this.watchTable();
                this.heal(name);
            },
        );
    }

    /** The table of the address; without one, the only table there is. */
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
        }
    }

    /** Asks for the events that are missing, if they have not come by themselves. */
    heal(name) {
        if (this.healing.has(name) || missingFrom(this.state.tables[name]) === null) {
            return;
        }
        const { events } = this.state.tables[name].log;
        this.healing.add(name);
        setTimeout(
            async () => {
                const from = missingFrom(this.state.tables[name]);
                const reply = from && (await this.connection.send(name, { verb: 'history', from }));
                this.healing.delete(name);
                if (reply?.ok) {
                    this.changeTable(name, (table) => hearHistory(table, reply));
                }
            },
            events.length === 0 ? 0 : HEAL_AFTER_MS,
        );
    }

    render(_, { address, isConnected, wasConnected, tables }) {
        const texts = new Texts(chooseLanguage(address.language, navigator.language));
        const name = this.tableName();
        const table = name === null ? null : (tables[name] ?? null);
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
                {address.broker !== null && (
                    <Alerts
                        isConnected={isConnected}
                        wasConnected={wasConnected}
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
        if (address.view === 'lobby' || (address.table === null && table === null)) {
            const linkTo = (changes) => changedHash(location.hash, changes);
            return <Lobby tables={this.state.tables} linkTo={linkTo} />;
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
                send={(command) => this.connection.send(table.name, command)}
                sendEdge={(sensor, level) => this.connection.sendEdge(table.name, sensor, level)}
            />
        );
    }
}

render(<Page />, document.getElementById('page'));
