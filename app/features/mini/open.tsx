import type { QueryClient } from '@tanstack/react-query';
import { type AnyRouter, createBrowserHistory, type HistoryLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { themeMirror } from '../../lib/hints.ts';
import { addressOf, screenAt } from './address.ts';
import { openClient } from './client.ts';
import { takeLaunch } from './launch.ts';
import { followLook } from './look.ts';
import { MiniFrame } from './mini-frame.tsx';
import { MiniError } from './mini-refusal.tsx';
import { signIn } from './sign-in.ts';

type Around = (props: { children: ReactNode }) => ReactNode;

/**
 * Turns this document into the Mini App before its first request: it gets its own addresses, signs in the person who
 * opened it in Telegram, and follows Telegram's bars. Answers the frame for every screen.
 */
export async function openMini(router: AnyRouter, queries: QueryClient): Promise<Around> {
  const launch = takeLaunch();
  const screen = screenAt(location.search, launch?.initData ? '' : location.hash);
  // Removes the sign-in data from the address before anyone can share or log it.
  history.replaceState(history.state, '', addressOf(screen));
  if (!launch) {
    // Opened directly in a browser, it is the ordinary app.
    if (globalThis.parent === globalThis.self) location.replace(screen);
    return () => <MiniError kind="telegram" />;
  }
  const client = openClient(launch.version);
  const isOurs = () => themeMirror() === 'light' || themeMirror() === 'dark';
  document.documentElement.dataset['mini'] = '';
  const showTheme = followLook(client, launch.theme, isOurs);
  client.send('web_app_ready');
  client.send('web_app_expand');
  giveAddresses(router);
  const signedIn = await signIn(queries, launch);
  if (signedIn.kind !== 'in') {
    const { kind } = signedIn;
    const message = kind === 'refused' ? signedIn.message : undefined;
    return () => <MiniError kind={kind} client={client} message={message} />;
  }
  // The server accepts it for ten minutes.
  if (signedIn.isOwed) addEventListener('online', () => void signIn(queries, launch), { once: true });
  return ({ children }) => (
    <MiniFrame client={client} router={router} showTheme={showTheme}>
      {children}
    </MiniFrame>
  );
}

/** The router's history with the Mini App's addresses, so links, reloads and Back stay in the document. */
function giveAddresses(router: AnyRouter): void {
  // First, because this also restores the browser's functions that it replaced.
  router.history.destroy();
  const own = createBrowserHistory({
    createHref: addressOf,
    parseLocation: () => parsed(screenAt(location.search, location.hash)),
  });
  router.update({ ...router.options, history: own });
}

/** A screen as the router's location, with the state of this history entry. */
function parsed(screen: string): HistoryLocation {
  const { pathname, search, hash } = new URL(screen, location.origin);
  return { href: screen, pathname, search, hash, state: window.history.state };
}
