/** When the browser offers to install, and when not to ask. Specification, sections 4 and 9. */
import { useSyncExternalStore } from 'react';
import { persistStorage, session } from '../../lib/browser.ts';

/** Chromium's event; not in the DOM types. */
type InstallPrompt = Event & {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
};
const DISMISSED = 'muster-install-dismissed';

/** `prompt`: the browser asks when told to; `ios`: a person must use the Share menu; `none`: nothing to offer. */
export type InstallOffer = 'none' | 'prompt' | 'ios';

let pending: InstallPrompt | null = null;
let offer: InstallOffer = 'none';
/** The tab in which it was installed stays a tab: nothing else would tell it. */
let hasJustBeenInstalled = false;
const listeners = new Set<() => void>();

const dismissed = (): boolean => session.get(DISMISSED) === '1';
/** Whether this page is the installed app, or was made it just now. */
export const isInstalled = () =>
  hasJustBeenInstalled ||
  globalThis.matchMedia?.('(display-mode: standalone)').matches === true ||
  (navigator as { standalone?: boolean }).standalone === true;
/** iPadOS calls itself a Mac; a touch screen gives it away. */
const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

function decide(): void {
  const next = isInstalled() || dismissed() ? 'none' : pending ? 'prompt' : isIos() ? 'ios' : 'none';
  if (next === offer) return;
  offer = next;
  for (const listener of listeners) listener();
}

/**
 * Listens for the browser's offer. Call at the very start: the event comes once. Only an installed app asks the browser to
 * keep its storage: in a tab it would be a question out of nowhere, or a silent no.
 */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    pending = event as InstallPrompt;
    decide();
  });
  addEventListener('appinstalled', () => {
    pending = null;
    hasJustBeenInstalled = true;
    persistStorage();
    decide();
  });
  // A drawn page stands before the app does: boot.js has kept an offer that came in between.
  pending = (globalThis as { musterBoot?: { offer?: InstallPrompt } }).musterBoot?.offer ?? null;
  if (isInstalled()) persistStorage();
  decide();
}

/** Lets the browser ask. A prompt can be used once, whatever the person answers. */
export async function install(): Promise<void> {
  const prompt = pending;
  if (!prompt) return;
  pending = null;
  await prompt.prompt();
  const { outcome } = await prompt.userChoice;
  if (outcome === 'dismissed') dismissInstall();
  else decide();
}

/** 'Not now': not offered again in this session. */
export function dismissInstall(): void {
  session.set(DISMISSED, '1');
  pending = null;
  offer = 'none';
  for (const listener of listeners) listener();
}

const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};
export const useInstallOffer = (): InstallOffer => useSyncExternalStore(subscribe, () => offer);
