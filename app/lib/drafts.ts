import { useCallback, useRef, useState } from 'react';
import { local } from './browser.ts';

/**
 * What somebody has begun in a long form, kept on this device until it is sent. A draft is a convenience: where storage is
 * full or blocked, it is only as durable as the page. All drafts go with the member at sign-out.
 */
const keyOf = (name: string): string => `muster-form:${name}`;

/** What is kept under a name; `beginning` where there is nothing. */
export function readDraft<T extends object>(name: string, beginning: T): T {
  try {
    const stored: unknown = JSON.parse(local.get(keyOf(name)) ?? 'null');
    return typeof stored === 'object' && stored !== null ? { ...beginning, ...stored } : beginning;
  } catch {
    return beginning;
  }
}
/** Begins a form from elsewhere: it opens with this draft. Whatever was kept under the name before is gone. */
export const storeDraft = (name: string, draft: object): void => write(name, draft);
const write = (name: string, draft: object | null): void => void local.set(keyOf(name), draft && JSON.stringify(draft));

/**
 * A form's state that outlives the page. Fields that an older build did not keep begin as in `beginning`; `drop` gives up
 * what is kept and begins again.
 * @param name null: not kept, a form for something that the server has already
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
