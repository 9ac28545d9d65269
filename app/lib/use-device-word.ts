import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 900px)';

let query: MediaQueryList | undefined;
/** One for the page, because every card of a list asks. */
function wide(): MediaQueryList {
  query ??= matchMedia(WIDE);
  return query;
}
function subscribe(changed: () => void): () => void {
  wide().addEventListener('change', changed);
  return () => wide().removeEventListener('change', changed);
}

/** What people call the device in front of them (look: "Device word"). */
export const useDeviceWord = (): 'phone' | 'computer' =>
  useSyncExternalStore(
    subscribe,
    () => (wide().matches ? 'computer' : 'phone'),
    () => 'phone',
  );
