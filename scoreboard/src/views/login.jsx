/** The login form. */
import { useState } from 'preact/hooks';
import { useTexts } from './common.jsx';

/**
 * `refused` is the login that was tried, or null. `onGuest` goes back, if the broker accepts people
 * without a login; else null.
 */
export function LoginForm({ user, refused, onLogin, onGuest }) {
    const texts = useTexts();
    const [name, setName] = useState(user ?? refused?.user ?? '');
    const [password, setPassword] = useState('');
    const [isToLast, setToLast] = useState(false);
    const submit = (event) => {
        event.preventDefault();
        onLogin({ user: name, password }, isToLast);
    };
    return (
        <main class="connect">
            <form onSubmit={submit} class="login">
                <h1>{texts.say('title')}</h1>
                <p role="alert" class={refused ? 'warning' : 'hint'}>
                    {texts.say(hintFor(refused, onGuest))}
                </p>
                <label for="user">{texts.say('user')}</label>
                <input
                    id="user"
                    autocomplete="username"
                    autocapitalize="none"
                    required
                    value={name}
                    onInput={(event) => setName(event.target.value)}
                />
                <label for="password">{texts.say('password')}</label>
                <input
                    id="password"
                    type="password"
                    autocomplete="current-password"
                    value={password}
                    onInput={(event) => setPassword(event.target.value)}
                />
                <label class="check">
                    <input
                        type="checkbox"
                        name="remember"
                        checked={isToLast}
                        onChange={(event) => setToLast(event.target.checked)}
                    />
                    {texts.say('rememberMe')}
                </label>
                <button class="primary">{texts.say('login')}</button>
                {onGuest && (
                    <button type="button" data-guest onClick={onGuest}>
                        {texts.say('guest')}
                    </button>
                )}
            </form>
        </main>
    );
}

function hintFor(refused, onGuest) {
    if (refused) {
        return 'loginRefused';
    }
    return onGuest ? 'loginGuest' : 'loginHint';
}

/** The current user, and a button to log in as another one. */
export function WhoAmI({ user, onLogout }) {
    const texts = useTexts();
    return (
        <p class="who-am-i">
            {user !== null && <span>{texts.say('loggedIn', { user })}</span>}
            <button class="quiet" onClick={onLogout} data-login>
                {texts.say(user === null ? 'login' : 'logOut')}
            </button>
        </p>
    );
}
