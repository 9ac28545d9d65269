/** When the browser offers installation, and when not to ask. Specification, sections 4 and 9. */
import { useSyncExternalStore } from 'react';
import { persistStorage, session } from '../../lib/browser.ts';

/** Chromium's event, which the DOM types lack. */
type InstallPrompt = Event & {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
};
const DISMISSED = 'muster-install-dismissed';

/** `prompt`: the browser asks on request; `ios`: a person must use the Share menu; `none`: nothing to offer. */
export type InstallOffer = 'none' | 'prompt' | 'ios';

let pending: InstallPrompt | null = null;
let offer: InstallOffer = 'none';
/** The tab that installed the app remains a tab, and nothing else shows it. */
let hasJustBeenInstalled = false;
const listeners = new Set<() => void>();

const dismissed = (): boolean => session.get(DISMISSED) === '1';
/** Whether this page is the installed app, or has just installed it. */
export const isInstalled = () =>
  hasJustBeenInstalled ||
  globalThis.matchMedia?.('(display-mode: standalone)').matches === true ||
  (navigator as { standalone?: boolean }).standalone === true;
/** iPadOS claims to be a Mac; a touch screen reveals it. */
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
 * Listens for the browser's offer. Call at the very start: the event fires once. Only an installed app asks for
 * persistent storage: in a tab the browser would prompt out of nowhere, or refuse silently.
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
  // A pre-rendered page is visible before the app runs: boot.js holds an offer from that time.
  pending = (globalThis as { musterBoot?: { offer?: InstallPrompt } }).musterBoot?.offer ?? null;
  if (isInstalled()) persistStorage();
  decide();
}

/** Shows the browser's prompt, which works once, whatever the answer. */
export async function install(): Promise<void> {
  const prompt = pending;
  if (!prompt) return;
  pending = null;
  await prompt.prompt();
  const { outcome } = await prompt.userChoice;
  if (outcome === 'dismissed') dismissInstall();
  else decide();
}

/** 'Not now': no more offers in this session. */
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
