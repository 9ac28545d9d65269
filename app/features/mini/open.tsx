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
 * Makes this document the Mini App, before anything of it has asked for anything: its addresses are its own, whoever opened it in
 * Telegram is signed in, and Telegram's bars are followed. Answers what stands around every screen.
 */
export async function openMini(router: AnyRouter, queries: QueryClient): Promise<Around> {
  const launch = takeLaunch();
  const screen = screenAt(location.search, launch?.initData ? '' : location.hash);
  // What signs in is taken out of the address before anybody can share or log it.
  history.replaceState(history.state, '', addressOf(screen));
  if (!launch) {
    // In a browser by itself it is the app like anywhere else.
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
  // Within ten minutes it is still taken.
  if (signedIn.isOwed) addEventListener('online', () => void signIn(queries, launch), { once: true });
  return ({ children }) => (
    <MiniFrame client={client} router={router} showTheme={showTheme}>
      {children}
    </MiniFrame>
  );
}

/** The router's history in the Mini App's own addresses, so that links, reloads and the way back stay in the document. */
function giveAddresses(router: AnyRouter): void {
  // First: what it has put in the place of the browser's own goes with it.
  router.history.destroy();
  const own = createBrowserHistory({
    createHref: addressOf,
    parseLocation: () => parsed(screenAt(location.search, location.hash)),
  });
  router.update({ ...router.options, history: own });
}

/** A screen as the router takes it, with what this step of the browser's history holds. */
function parsed(screen: string): HistoryLocation {
  const { pathname, search, hash } = new URL(screen, location.origin);
  return { href: screen, pathname, search, hash, state: window.history.state };
}
