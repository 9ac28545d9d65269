import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 900px)';

function subscribe(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** What people call the thing in front of them (look: "Device word"). */
export const useDeviceWord = (): 'phone' | 'computer' =>
  useSyncExternalStore(
    subscribe,
    () => (matchMedia(WIDE).matches ? 'computer' : 'phone'),
    () => 'phone',
  );
