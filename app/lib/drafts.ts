import { useCallback, useRef, useState } from 'react';
import { local } from './browser.ts';

/**
 * The contents of a long form in progress, stored on this device until it is sent. A draft is a convenience: where
 * storage is full or blocked, it lives as long as the page. Signing out deletes all drafts.
 */
const keyOf = (name: string): string => `muster-form:${name}`;

/** The draft under a name; `beginning` without one. */
export function readDraft<T extends object>(name: string, beginning: T): T {
  try {
    const stored: unknown = JSON.parse(local.get(keyOf(name)) ?? 'null');
    return typeof stored === 'object' && stored !== null ? { ...beginning, ...stored } : beginning;
  } catch {
    return beginning;
  }
}
/** Starts a form from elsewhere: it opens with this draft, which replaces any earlier one. */
export const storeDraft = (name: string, draft: object): void => write(name, draft);
const write = (name: string, draft: object | null): void => void local.set(keyOf(name), draft && JSON.stringify(draft));

/**
 * A form's state that outlives the page. Fields that an older build did not store start as in `beginning`; `drop`
 * deletes the draft and starts again.
 * @param name null: no draft, as in a form for something that the server already has
 */
export function useDraft<T extends object>(
  name: string | null,
  beginning: T,
): { draft: T; change: (part: Partial<T>) => void; drop: () => void } {
  const [draft, setDraft] = useState<T>(() => (name === null ? beginning : readDraft(name, beginning)));
  const change = useCallback(
    (part: Partial<T>) =>
      setDraft((before) => {
        const next = { ...before, ...part };
        if (name !== null) write(name, next);
        return next;
      }),
    [name],
  );
  const first = useRef(beginning);
  first.current = beginning;
  const drop = useCallback(() => {
    if (name !== null) write(name, null);
    setDraft(first.current);
  }, [name]);
  return { draft, change, drop };
}
