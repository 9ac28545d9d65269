import { useSyncExternalStore } from 'react';
import { m } from '../../paraglide/messages.js';

/** What people call what they hold: wide screens are computers (look: "Device word"). */
export const deviceWord = (): string =>
  globalThis.matchMedia?.('(min-width: 900px)').matches ? m.public_device_computer() : m.public_device_phone();

function subscribe(changed: () => void): () => void {
  globalThis.addEventListener('online', changed);
  globalThis.addEventListener('offline', changed);
  return () => {
    globalThis.removeEventListener('online', changed);
    globalThis.removeEventListener('offline', changed);
  };
}
/** False when the browser knows that there is no connection; true proves nothing. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
