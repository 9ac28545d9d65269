import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { State } from '../../ui/states.tsx';
import type { TelegramClient } from './client.ts';

type Props = {
  /** `telegram`: not opened by Telegram; the others as in `SignedIn`. */
  kind: 'telegram' | 'closed' | 'cookies' | 'offline' | 'refused';
  client?: TelegramClient;
  /** The server's own text. */
  message?: string | undefined;
};

const TITLES = {
  telegram: m.mini_outside,
  closed: m.mini_closed,
  cookies: m.mini_cookies,
  offline: m.mini_offline,
  refused: m.mini_refused,
};
const LINES = {
  telegram: m.mini_outside_line,
  closed: m.mini_closed_line,
  cookies: m.mini_cookies_line,
  offline: m.mini_offline_line,
  refused: m.mini_refused_line,
};

/** Why the Mini App does not open, and what to do. */
export function MiniError({ kind, client, message }: Props) {
  const openOutside = () => client?.send('web_app_open_link', { url: location.origin });
  return (
    <main id="main" className="full-height">
      <State
        heading="h1"
        title={TITLES[kind]()}
        actions={
          <>
            {kind === 'offline' && (
              <Button icon="retry" onClick={() => location.reload()}>
                {m.mini_again()}
              </Button>
            )}
            {kind === 'closed' && <Button onClick={() => client?.send('web_app_close')}>{m.mini_close()}</Button>}
            {client && kind !== 'offline' && (
              <Button kind={kind === 'closed' ? 'edge' : 'ink'} onClick={openOutside}>
                {m.mini_in_browser()}
              </Button>
            )}
          </>
        }
      >
        <p>{message || LINES[kind]()}</p>
      </State>
    </main>
  );
}
