/** Buttons that send commands. */
import { useTexts } from './common.jsx';
import { PieceDrawing } from './pictures.jsx';

export function Group({ title, kind = '', children }) {
    return (
        <section class={`group ${kind}`} aria-label={title}>
            <h2>{title}</h2>
            <div class="acts">{children}</div>
        </section>
    );
}

/** A button that sends its command. The data attributes name it, for tests and styles. */
export function Act({ command, act, kind = '', isChosen, children }) {
    const data = Object.entries(command).map(([key, value]) => [`data-${key}`, String(value)]);
    return (
        <button
            class={kind}
            aria-pressed={isChosen}
            onClick={() => act(command)}
            {...Object.fromEntries(data)}
        >
            {children}
        </button>
    );
}

/** One button per piece, with its picture and name. */
export function PieceActs({ title, commands, act, field = 'piece', chosen = null, describe }) {
    const texts = useTexts();
    return (
        <Group title={title} kind="pieces">
            {commands.map((command) => {
                const name = command[field];
                return (
                    <Act
                        key={name}
                        command={command}
                        act={act}
                        kind="piece-act"
                        isChosen={chosen === null ? undefined : chosen === name}
                    >
                        <PieceDrawing name={name} />
                        <span title={describe?.(name)}>{texts.piece(name)}</span>
                    </Act>
                );
            })}
        </Group>
    );
}
