import { useEffect, useRef } from 'react';
import { useSearch } from '../../lib/search.ts';

/** Brings the task of a link (`?task=<id>`) into view and focuses its card (`data-card`), once. */
export function useNamedTask(): void {
  const [{ task }] = useSearch('/community/$communityId/dashboard');
  const shown = useRef<string | undefined>(undefined);
  // Runs after every render, because any read may bring the card.
  useEffect(() => {
    if (task === undefined || shown.current === task) return;
    const card = document.querySelector(`[data-card="${CSS.escape(task)}"]`);
    if (!card) return;
    shown.current = task;
    card.scrollIntoView({ block: 'center' });
    card.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  });
}
