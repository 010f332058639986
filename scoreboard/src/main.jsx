/** The page: its state, its connection, and the current view. */
import './old_browsers.js';
import { Component, createRef, render } from 'preact';
import { changedHash, momentLink, readAddress, spectatorLink } from './address.js';
import { Connection } from './connection.js';
import { MissingEvents } from './missing_events.js';
import { resumeLastView } from './installed_app.js';
import { forgetLogin, rememberedLogin, rememberLogin } from './login.js';
import { Logbook } from './logbook/logbook.js';
import { emptyTable, receive, receiveHistory, tableNamed } from './model.js';
import { newerVersion, reloadFor } from './newer_version.js';
import { readPayload } from './payload.js';
import { Loudspeaker } from './show/loudspeaker.js';
import { BurnInProtection, Theme, WakeLock } from './show/screen.js';
import { Show } from './show/show.js';
import { inLanguage } from './sheets/language.js';
import { forgetSecrets } from './sheets/secrets.js';
import { withSheet } from './sheets/state.js';
import { withTournament } from './tournaments/state.js';
import { chooseLanguage, Texts } from './texts.js';
import { AnnouncerView } from './views/announcer.jsx';
import { Announcer, Board } from './views/board.jsx';
import { Captain } from './views/captain.jsx';
import { TextsContext } from './views/common.jsx';
import { Alerts, ConnectForm, Header, NewerVersion } from './views/frame.jsx';
import { Fame } from './views/fame.jsx';
import { Lobby, Waiting } from './views/lobby.jsx';
import { LogbookView } from './views/logbook.jsx';
import { LoginForm, WhoAmI } from './views/login.jsx';
import { Moments, recordSentence } from './views/moments.jsx';
import { Overlay } from './views/overlay.jsx';
import { VirtualTable } from './views/sea.jsx';
import { Sensors } from './views/sensors.jsx';
import { SheetPhone } from './views/sheet_phone.jsx';
import { SheetScreen } from './views/sheet_screen.jsx';
import { SheetGames } from './views/sheets.jsx';
import { ShowMenu } from './views/show_menu.jsx';
import { TournamentBoard, TournamentView } from './views/tournament.jsx';
import { Tournaments } from './views/tournaments.jsx';
import { enterTv, TvMode } from './views/tv.jsx';
import { isBlind } from './telling.js';
import { LOGBOOK, SHEET_TOPICS, VERBS } from './words.js';

/** The views that send commands or edges. */
const PLAYING = ['captain', 'table', 'sensors', 'score', 'tournament'];

/** The views of a screen that nobody touches, and those that show moments. */
const WATCHING = ['board', 'overlay', 'announcer', 'sheet', 'standings', 'fame'];
const STAGED = ['board', 'overlay', 'table', 'logbook'];

/** The views that show a game, or the form for a new one. */
const NEEDS_STATE = ['board', 'captain', 'table'];

/** The views that belong to no table. */
const LOGBOOK_VIEWS = { logbook: LogbookView, fame: Fame };
const SHEET_VIEWS = { sheet: SheetScreen, score: SheetPhone };

const TOURNAMENT_VIEWS = { tournament: TournamentView, standings: TournamentBoard };

/** New records that screen readers can still read: one game may set several. */
const RECORDS_TOLD = 5;

const isOfTable = (view) =>
    !(view in LOGBOOK_VIEWS || view in SHEET_VIEWS || view in TOURNAMENT_VIEWS);

/** The header marks the part of the page to which a view belongs. */
function partOf(view) {
    return view in LOGBOOK_VIEWS ? LOGBOOK : view;
}

class Page extends Component {
    state = {
        address: readAddress(location),
        login: null,
        isRefused: false,
        isGuest: false, // the broker accepts this page without a login
        isConnected: false,
        isOld: false, // MQTT 3.1.1: the rights of the login are unknown
        wasConnected: false,
        isLogbookOnline: null, // none has been heard of
        records: [], // the last new ones at this table
        sheets: {}, // games with score sheets, by id
        tournaments: {}, // by id
        tables: {},
        forbidden: {}, // by table: the verbs that this login may not send; of the logbook: topics
    };

    connection = null;
    moments = createRef(); // the component, while it is shown
    shows = new Map(); // by table
    loudspeaker = new Loudspeaker(() => this.setState({}), this.state.address);
    theme = new Theme();
    wakeLock = new WakeLock();
    burnInProtection = new BurnInProtection();
    logbook = new Logbook((verb, fields) => this.connection.ask(verb, fields));
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
            onMessage: (name, topic, payload, isRetained) => {
                if (name === LOGBOOK) {
                    this.receiveFromLogbook(topic, payload, isRetained);
                    return;
                }
                this.showOf(name).receive(topic, payload);
                this.changeTable(name, (table) => receive(table, topic, payload));
            },
        });
        this.watchTable();
    }

    texts() {
        return new Texts(chooseLanguage(this.state.address.language, navigator.language));
    }

    /** The show of a table; it is performed while the page shows this table. */
    showOf(name) {
        if (!this.shows.has(name)) {
            const perform = (act) => name === this.tableName() && act();
            const isBlindNow = () => {
                const table = tableNamed(this.state.tables, name);
                return table !== null && table.state !== null && isBlind(table);
            };
            this.shows.set(name, this.openShow(perform, isBlindNow));
        }
        return this.shows.get(name);
    }

    openShow(perform, isBlindNow) {
        return new Show({
            isBlind: isBlindNow,
            texts: () => this.texts(),
            play: (sound) => perform(() => this.loudspeaker.play(sound)),
            speak: (sentence, isNewTurn) =>
                perform(() => this.loudspeaker.speak(sentence, this.texts().code, isNewTurn)),
            stage: (event, state) =>
                perform(() => {
                    const isTurn = event.event_type === 'turn-started';
                    this.burnInProtection[isTurn ? 'turn' : 'wake']();
                    if (isOfTable(this.state.address.view)) {
                        this.moments.current?.add(event, state);
                    }
                }),
        });
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
        this.setState(({ login }) => ({
            login: null,
            isRefused: true,
            isGuest: login === null,
            tables: {},
        }));
    }

    /** Connects without a login, as before. */
    beGuest() {
        forgetLogin();
        this.setState({ login: null, isRefused: false }, () => this.connect());
    }

    receiveFromLogbook(topic, payload, isRetained) {
        const record = topic === 'record' && !isRetained ? readPayload('record', payload) : null;
        if (topic === 'status') {
            const isLogbookOnline = payload === 'online';
            this.setState({ isLogbookOnline }, () => this.askWhatSheetsForbid());
        } else if (topic.startsWith('sheet/')) {
            this.receiveSheet(topic.slice('sheet/'.length), payload);
        } else if (topic.startsWith('tournament/')) {
            this.receiveTournament(topic.slice('tournament/'.length), payload);
        } else if (record !== null && record.table === this.tableName()) {
            this.celebrate(record);
        }
    }

    receiveSheet(id, payload) {
        if (payload === '') {
            forgetSecrets(id);
        }
        this.burnInProtection.wake();
        this.setState(({ sheets }) => ({ sheets: withSheet(sheets, id, payload) }));
    }

    receiveTournament(id, payload) {
        this.burnInProtection.wake();
        this.setState(({ tournaments }) => ({
            tournaments: withTournament(tournaments, id, payload),
        }));
    }

    /** A record that was set at this table; screen readers get its sentence. */
    celebrate(record) {
        const texts = this.texts();
        this.burnInProtection.wake();
        this.loudspeaker.play('victory');
        this.loudspeaker.speak(recordSentence(texts, record), texts.code, false);
        this.moments.current?.addRecord(record);
        this.setState(({ records }) => ({ records: [...records, record].slice(-RECORDS_TOLD) }));
    }

    changeTable(name, change) {
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
        this.askWhatSheetsForbid();
    }

    /** Hides what the broker forbids in games with score sheets; unknown is forbidden. */
    async askWhatSheetsForbid() {
        const { address, isConnected, isLogbookOnline, forbidden } = this.state;
        const isWanted = this.tableName() === null || !isOfTable(address.view);
        const isKnown = Object.hasOwn(forbidden, LOGBOOK);
        if (!isConnected || isLogbookOnline === null || !isWanted || isKnown) {
            return;
        }
        const forbid = (topics) =>
            this.setState((state) => ({ forbidden: { ...state.forbidden, [LOGBOOK]: topics } }));
        forbid(SHEET_TOPICS);
        forbid(await this.connection.forbiddenTopics(LOGBOOK, SHEET_TOPICS));
    }

    /** Hides the commands that the broker forbids. */
    async askWhatIsForbidden(name) {
        const { address, isConnected, forbidden } = this.state;
        if (!isConnected || address.view === 'lobby' || Object.hasOwn(forbidden, name)) {
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
                forbidden: {
                    ...forbidden,
                    [name]: [...(tableNamed(forbidden, name) ?? []), 'sim'],
                },
            }));
        }
    }

    render(
        _,
        { address, isConnected, isOld, isLogbookOnline, wasConnected, isRefused, tables, records },
    ) {
        const texts = this.texts();
        const name = this.tableName();
        const table = name === null ? null : tableNamed(tables, name);
        const linkTo = (changes) => changedHash(location.hash, changes);
        const newer = newerVersion(table);
        const isOverlay = address.view === 'overlay';
        const isTv = address.isTv && WATCHING.includes(address.view);
        document.documentElement.lang = texts.code;
        document.documentElement.dataset.view = address.view;
        this.loudspeaker.choose(table?.speaker ?? null, table?.name ?? '');
        this.theme.wish(address.theme);
        this.wakeLock.want(isTv || (WATCHING.includes(address.view) && address.view !== 'fame'));
        document.title = [table?.name, texts.say('title')].filter(Boolean).join(' · ');
        return (
            <TextsContext.Provider value={texts}>
                {!isOverlay && isTv && (
                    <TvMode onLeave={() => location.assign(linkTo({ tv: null }))} />
                )}
                {!isOverlay && (
                    <Header
                        table={table}
                        view={partOf(address.view)}
                        linkTo={linkTo}
                        onLanguage={(lang) => location.assign(linkTo({ lang }))}
                        onTv={
                            WATCHING.includes(address.view) && (table || !isOfTable(address.view))
                                ? () => enterTv(() => location.assign(linkTo({ tv: '' })))
                                : null
                        }
                        hasLogbook={isLogbookOnline !== null || partOf(address.view) === LOGBOOK}
                        menu={table && this.menu(table)}
                    />
                )}
                {address.broker !== null && !isRefused && !isOverlay && (
                    <Alerts
                        isConnected={isConnected}
                        wasConnected={wasConnected}
                        isRoleUnknown={isOld && PLAYING.includes(address.view)}
                        broker={address.broker}
                        table={isOfTable(address.view) || address.view in LOGBOOK_VIEWS ? table : null}
                        hasButtons={['captain', 'table'].includes(address.view)}
                    />
                )}
                {!isOverlay && newer !== null && (
                    <NewerVersion version={newer} onReload={() => reloadFor(newer)} />
                )}
                {this.view(texts, address, table)}
                {STAGED.includes(address.view) && (
                    <Moments key={name} handle={this.moments} />
                )}
                <div class="unseen" aria-live="polite">
                    {records.map((record) => (
                        <p key={`${record.record} ${record.at} ${record.value}`} data-record>
                            {recordSentence(texts, record)}
                        </p>
                    ))}
                </div>
                <Announcer table={isOfTable(address.view) ? table : null} />
            </TextsContext.Provider>
        );
    }

    /** Sound, voice and screen of this device. */
    menu(table) {
        const { address } = this.state;
        return (
            <ShowMenu
                table={table}
                loudspeaker={this.loudspeaker}
                theme={address.theme}
                onSpeaker={(device) =>
                    this.connection.share(table.name, 'speaker', { v: 1, device })
                }
                linkTo={(changes) => changedHash(location.hash, changes)}
                spectatorLink={spectatorLink(location, table.name, address)}
            />
        );
    }

    logbookView(address) {
        const View = LOGBOOK_VIEWS[address.view];
        return (
            <View
                logbook={this.logbook}
                isOnline={this.state.isConnected ? this.state.isLogbookOnline : undefined}
                wish={address.logbook}
                linkTo={(changes) => changedHash(location.hash, changes)}
                linkAt={(game, seq) => momentLink(location, game, seq, address)}
                gameAt={(name) => tableNamed(this.state.tables, name)?.score?.game ?? null}
                isTv={address.isTv}
                loudspeaker={this.loudspeaker}
                stage={(event, state) => this.moments.current?.add(event, state)}
            />
        );
    }

    sheetView(texts, address, whoAmI) {
        const { sheets, forbidden, isConnected, isLogbookOnline } = this.state;
        const sheet = tableNamed(sheets, address.sheet);
        const View = SHEET_VIEWS[address.view];
        if (sheet === null) {
            return (
                <main class="lobby">
                    <p class="hint" role="status">
                        {isConnected && texts.say('sheets.gone')}
                    </p>
                </main>
            );
        }
        return (
            <View
                key={sheet.sheet}
                sheet={inLanguage(sheet, texts.code)}
                send={(topic, fields) => this.connection.sendSheet(topic, fields)}
                isConnected={isConnected}
                isOnline={isLogbookOnline}
                forbidden={forbidden[LOGBOOK] ?? []}
                linkTo={(changes) => changedHash(location.hash, changes)}
                whoAmI={whoAmI}
            />
        );
    }

    /** Whether this login may do this with the logbook, and one is there. */
    mayCommand(topic) {
        const { forbidden, isConnected, isLogbookOnline } = this.state;
        const isForbidden = (forbidden[LOGBOOK] ?? SHEET_TOPICS).includes(topic);
        return isConnected && isLogbookOnline === true && !isForbidden;
    }

    tournamentView(texts, address) {
        const { tournaments, isConnected, isLogbookOnline } = this.state;
        const tournament = tableNamed(tournaments, address.tournament);
        const View = TOURNAMENT_VIEWS[address.view];
        if (tournament === null) {
            return (
                <main class="lobby">
                    <p class="hint" role="status">
                        {isConnected && texts.say('tournaments.gone')}
                    </p>
                </main>
            );
        }
        return (
            <View
                key={tournament.tournament}
                tournament={tournament}
                send={(topic, fields) => this.connection.sendSheet(topic, fields)}
                isConnected={isConnected}
                isOnline={isLogbookOnline}
                mayManage={this.mayCommand('command/open-tournament')}
                linkTo={(changes) => changedHash(location.hash, changes)}
            />
        );
    }

    tournaments(linkTo) {
        const { tournaments, tables } = this.state;
        return (
            <Tournaments
                tournaments={tournaments}
                tables={Object.keys(tables).sort()}
                mayOpen={this.mayCommand('command/open-tournament')}
                send={(topic, fields) => this.connection.sendSheet(topic, fields)}
                linkTo={linkTo}
            />
        );
    }

    sheetGames(linkTo) {
        return (
            <SheetGames
                sheets={this.state.sheets}
                logbook={this.logbook}
                mayOpen={this.mayCommand('command/open-sheet')}
                send={(topic, fields) => this.connection.sendSheet(topic, fields)}
                linkTo={linkTo}
            />
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
        const { login, isRefused, isGuest, tables, forbidden } = this.state;
        if (isRefused) {
            return (
                <LoginForm
                    user={address.user}
                    refused={login}
                    onLogin={(...words) => this.logIn(...words)}
                    onGuest={isGuest ? () => this.beGuest() : null}
                />
            );
        }
        const whoAmI = <WhoAmI user={login?.user ?? null} onLogout={() => this.logOut()} />;
        if (address.view in LOGBOOK_VIEWS) {
            return this.logbookView(address);
        }
        if (address.view in SHEET_VIEWS) {
            return this.sheetView(texts, address, whoAmI);
        }
        if (address.view in TOURNAMENT_VIEWS) {
            return this.tournamentView(texts, address);
        }
        if (address.view === 'lobby' || (address.table === null && table === null)) {
            const linkTo = (changes) => changedHash(location.hash, changes);
            const sheetGames = this.sheetGames(linkTo);
            const tournaments = this.tournaments(linkTo);
            return <Lobby {...{ tables, linkTo, sheetGames, tournaments, whoAmI }} />;
        }
        // Until its state is known, nobody can say whether a game is running.
        if (table === null || (table.state === null && NEEDS_STATE.includes(address.view))) {
            return <Waiting key={this.tableName()} table={this.tableName()} />;
        }
        const views = {
            board: Board,
            captain: Captain,
            table: VirtualTable,
            sensors: Sensors,
            overlay: Overlay,
            announcer: AnnouncerView,
        };
        const View = views[address.view];
        return (
            <View
                key={table.name}
                table={table}
                isConnected={this.state.isConnected}
                forbidden={tableNamed(forbidden, table.name) ?? []}
                whoAmI={whoAmI}
                isTv={address.isTv}
                send={(command) => this.connection.send(table.name, command)}
                share={(topic, value) => this.connection.share(table.name, topic, value)}
                sendEdge={(sensor, level) => this.sendEdge(table.name, sensor, level)}
            />
        );
    }
}

resumeLastView();
render(<Page />, document.getElementById('page'));
