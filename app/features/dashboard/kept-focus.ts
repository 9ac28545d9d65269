import { useEffect, useRef } from 'react';

/**
 * A card that was pressed becomes another thing, a link where a button was, or goes to another list: whoever had the focus
 * there keeps it. Cards are named by `data-card`; call where their lists are drawn.
 */
export function useRestoredFocus(): void {
  const card = useRef<string | null>(null);
  useEffect(() => {
    // What is done in a sheet is done for the card that opened it.
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('dialog')) return;
      card.current = target.closest('[data-card]')?.getAttribute('data-card') ?? null;
    };
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', note);
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', note);
    };
  }, []);
  useEffect(() => {
    if (card.current === null || document.activeElement !== document.body) return;
    const element = document.querySelector(`[data-card="${card.current}"]`);
    const control =
      element?.querySelector<HTMLElement>('[data-focus]') ?? element?.querySelector<HTMLElement>('a, button');
    control?.focus({ preventScroll: true });
  });
}
