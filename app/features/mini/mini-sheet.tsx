import './mini.css';
import { useEffect, useState } from 'react';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { ThemeChoice } from '../../ui/theme-choice.tsx';
import { screenAt } from './address.ts';
import type { TelegramClient } from './client.ts';

/** First version of Telegram's interface with full screen and shortcuts. */
const SCREENS_SINCE = '8.0';

/** Opened by Telegram's "Settings": full screen, a shortcut, the browser, and the theme. */
export function MiniSheet(props: { client: TelegramClient; open: boolean; onClose: () => void }) {
  const { client, open, onClose } = props;
  const isFull = useFullScreen(client);
  const shortcut = useShortcut(client, open);
  const toggle = () => client.send(isFull ? 'web_app_exit_fullscreen' : 'web_app_request_fullscreen');
  const outside = () =>
    client.send('web_app_open_link', { url: new URL(screenAt(location.search, location.hash), location.origin).href });
  return (
    <Sheet title={m.mini_settings({ product: product.name })} open={open} onClose={onClose}>
      <div className="mini-sheet">
        <ThemeChoice />
        {isFull !== null && (
          <Button kind="edge" onClick={toggle}>
            {isFull ? m.mini_full_leave() : m.mini_full()}
          </Button>
        )}
        {shortcut === 'missed' || shortcut === 'unknown' ? (
          <Button kind="edge" icon="plus" onClick={() => client.send('web_app_add_to_home_screen')}>
            {m.mini_shortcut()}
          </Button>
        ) : null}
        {shortcut === 'added' && <p className="text-small text-muted">{m.mini_shortcut_there()}</p>}
        <Button kind="words" onClick={outside}>
          {m.mini_in_browser()}
        </Button>
      </div>
    </Sheet>
  );
}

/** Whether the Mini App is in full screen; null where the client has none. */
function useFullScreen(client: TelegramClient): boolean | null {
  const [isFull, setFull] = useState<boolean | null>(client.since(SCREENS_SINCE) ? false : null);
  useEffect(() => {
    const ends = [
      client.on('fullscreen_changed', ({ is_fullscreen }) => setFull(is_fullscreen === true)),
      client.on('fullscreen_failed', ({ error }) => error === 'UNSUPPORTED' && setFull(null)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
  return isFull;
}

/** The client's state of a home-screen shortcut; null until it answers. It is asked when the sheet opens. */
function useShortcut(client: TelegramClient, isOpen: boolean): string | null {
  const [status, setStatus] = useState<string | null>(null);
  useEffect(() => {
    const ends = [
      client.on('home_screen_checked', (event) => setStatus(String(event['status']))),
      client.on('home_screen_added', () => setStatus('added')),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
  useEffect(() => {
    if (isOpen && client.since(SCREENS_SINCE)) client.send('web_app_check_home_screen');
  }, [client, isOpen]);
  return status;
}
