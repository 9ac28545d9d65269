import { useEffect, useRef } from 'react';
import { useSearch } from '../../lib/search.ts';

/** A link named one task (`?task=<id>`): its card is brought into sight and has the focus, once. Cards are named by `data-card`. */
export function useNamedTask(): void {
  const [{ task }] = useSearch('/community/$communityId/dashboard');
  const shown = useRef<string | undefined>(undefined);
  // Without dependencies: the card comes with whichever read brings it.
  useEffect(() => {
    if (task === undefined || shown.current === task) return;
    const card = document.querySelector(`[data-card="${CSS.escape(task)}"]`);
    if (!card) return;
    shown.current = task;
    card.scrollIntoView({ block: 'center' });
    card.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  });
}
